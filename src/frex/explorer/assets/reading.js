/* A text as counts of the fit's words: the rules of `frex.text.Analyzer`. */

const reading = (() => {
  const how = index.reading;
  if (!how) return null;
  const parting = ["catalan", "french", "italian"].includes(how.language);
  const english = how.language === "english";
  const inner = how.language === "catalan" ? "·" : "";
  const token = new RegExp(
    `(?:[\\p{L}\\p{N}'\\u2019${inner}]|(?=[\\u0300-\\uffff])\\p{M})+`, "gu");

  function lowered(word) {
    const plain = how.language === "turkish"
      ? word.replaceAll("I", "ı").replaceAll("İ", "i") : word;
    return plain.toLowerCase().normalize("NFC");
  }

  const asIs = how.tokens === "whitespace";
  const compared = (word) => (asIs || english ? word : lowered(word));
  const stops = new Set(how.stops.map((word) => {
    const plain = word.replaceAll("\u2019", "'").normalize("NFC");
    return asIs ? plain : lowered(plain);
  }));

  function split(text) {
    if (asIs) return text.split(/[\s\x1c-\x1f\x85]+/).filter(Boolean);
    let plain = (english ? text.toLowerCase() : text).normalize("NFC").replaceAll("_", " ");
    if (parting) plain = plain.replace(/['\u2019]/g, " ");
    return plain.match(token) ?? [];
  }

  /** Return the word that a token stands for, or null where it is none. */
  function surface(given) {
    if (asIs) return stops.has(given) ? null : given;
    let word = given.replaceAll("\u2019", "'").replace(/^'+|'+$/g, "");
    if (stops.size && stops.has(compared(word))) return null;
    if (english) word = word.replace(/'s$/, "").replace(/'+$/, "");
    if ([...word.slice(0, 4)].length < 2 || !/^\p{L}/u.test(word)) return null;
    return stops.size && stops.has(compared(word)) ? null : word;
  }

  // Snowball's stemmer of the language, if the page has one: without it a word is known in the form
  // that is shown, and so is one that another version of Snowball stems otherwise
  const snowball = typeof Snowball === "undefined" ? null : new Snowball();
  const stemmed = how.stem && how.language !== "none";
  const forms = new Map(stemmed ? shown.map((form, number) => [compared(form), number]) : []);
  function stemOf(word) {
    const plain = compared(word);
    if (!stemmed) return plain;
    const stem = snowball?.stemWord(plain) || plain;
    return words.has(stem) || !forms.has(plain) ? stem : index.words[forms.get(plain)];
  }

  /** Return the stems of a text in their order, null for what is no word. */
  function stems(text) {
    const met = new Map(); // a token is looked at once
    return split(text).map((one) => {
      if (!met.has(one)) {
        const word = surface(one);
        met.set(one, word === null ? null : stemOf(word));
      }
      return met.get(one);
    });
  }

  /** Return how many words the longest phrase has that begins at a place; 1 if there is none. */
  function longest(order, at) {
    for (const n of [3, 2]) {
      const parts = order.slice(at, at + n);
      if (parts.length === n && !parts.includes(null) && words.has(parts.join(" "))) return n;
    }
    return 1;
  }

  /** Return how often each of the fit's words is in a text, by number, ascending. */
  function read(text) {
    const counts = new Map();
    const order = stems(text);
    for (let at = 0, n = 1; at < order.length; at += n) {
      n = how.phrases ? longest(order, at) : 1;
      const number = words.get(order.slice(at, at + n).join(" "));
      if (order[at] !== null && number !== undefined)
        counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return new Map([...counts].sort(([a], [b]) => a - b));
  }

  /** What is not read here as `frex predict` reads it, in a sentence; null where all is. */
  function shortcoming() {
    if (stemmed && !snowball)
      return `The stemmer of ${how.language} is not part of this page: a word is known only in ` +
        "the form that the page shows. For the same labels as those of the fit use frex predict.";
    if (how.tagged)
      return "The fit left out proper nouns, which this page cannot tell: labels may differ from " +
        "those of frex predict.";
    return null;
  }

  return { read, shortcoming };
})();
