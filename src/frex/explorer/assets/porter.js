/* The stemmer of Porter as Snowball has it, by which frex counts English words. */

const porter = (() => {
  const VOWELS = "aeiouy";
  const isVowel = (word, i) => VOWELS.includes(word[i]);
  const hasVowel = (word) => [...word].some((letter) => VOWELS.includes(letter));

  /** Where the part begins that follows the first vowel, and a letter that is none. */
  function region(word, start) {
    let i = start;
    while (i < word.length && !isVowel(word, i)) i++;
    while (i < word.length && isVowel(word, i)) i++;
    return Math.min(i + 1, word.length);
  }

  /** A letter that is no vowel, a vowel, and one that is neither a vowel nor w, x or y. */
  function endsShort(word) {
    const n = word.length;
    return n >= 3 && !isVowel(word, n - 3) && isVowel(word, n - 2) &&
      !`${VOWELS}wxY`.includes(word[n - 1]);
  }

  const STEP2 = Object.entries({
    ization: "ize", ational: "ate", fulness: "ful", ousness: "ous", iveness: "ive",
    tional: "tion", biliti: "ble", entli: "ent", ation: "ate", alism: "al", aliti: "al",
    ousli: "ous", iviti: "ive", enci: "ence", anci: "ance", abli: "able", izer: "ize",
    ator: "ate", alli: "al", eli: "e",
  });
  const STEP3 = Object.entries({
    alize: "al", icate: "ic", iciti: "ic", ative: "", ical: "ic", ness: "", ful: "",
  });
  const STEP4 = ["ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate",
    "iti", "ous", "ive", "ize", "ion", "al", "er", "ic", "ou"].map((end) => [end, ""]);

  /** Replace the longest ending that fits, if it lies behind a place. */
  function replaceEnd(word, endings, from, allowed = () => true) {
    const found = endings.find(([end]) => word.endsWith(end)); // the longest come first
    if (!found) return word;
    const stem = word.slice(0, word.length - found[0].length);
    return stem.length >= from && allowed(found[0], stem) ? stem + found[1] : word;
  }

  function step1(given, p1) {
    let word = given;
    if (word.endsWith("sses") || word.endsWith("ies")) word = word.slice(0, -2);
    else if (word.endsWith("s") && !word.endsWith("ss")) word = word.slice(0, -1);
    if (word.endsWith("eed")) {
      if (word.length - 3 >= p1) word = word.slice(0, -1);
    } else {
      const end = ["ed", "ing"].find((one) => word.endsWith(one));
      const stem = end && word.slice(0, -end.length);
      if (end && hasVowel(stem)) {
        word = stem;
        if (/(at|bl|iz)$/.test(word)) word += "e";
        else if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(word)) word = word.slice(0, -1);
        else if (word.length === p1 && endsShort(word)) word += "e";
      }
    }
    if (/[yY]$/.test(word) && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
    return word;
  }

  return (given) => {
    let word = "";
    for (const letter of given) // y is no vowel at the beginning and after a vowel
      word += letter === "y" && (!word || VOWELS.includes(word.at(-1))) ? "Y" : letter;
    const p1 = region(word, 0);
    const p2 = region(word, p1);
    word = step1(word, p1);
    word = replaceEnd(word, STEP2, p1);
    word = replaceEnd(word, STEP3, p1);
    word = replaceEnd(word, STEP4, p2, (end, stem) => end !== "ion" || /[st]$/.test(stem));
    if (word.endsWith("e")) {
      const stem = word.slice(0, -1);
      if (stem.length >= p2 || (stem.length >= p1 && !endsShort(stem))) word = stem;
    }
    if (word.endsWith("ll") && word.length - 1 >= p2) word = word.slice(0, -1);
    return word.replaceAll("Y", "y") || given;
  };
})();
