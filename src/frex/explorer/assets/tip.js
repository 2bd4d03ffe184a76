/* What is known of a word in a topic, beside the pointer. */

const tip = byId("tip");

/** Show some content beside a pointer event or an element; null hides it. */
function showTip(content, at) {
  tip.hidden = !content;
  if (!content) return;
  tip.replaceChildren(...content);
  const frame = at instanceof Element ? at.getBoundingClientRect() : null;
  const [x, y] = frame ? [frame.right, frame.top] : [at.clientX, at.clientY];
  const { width, height } = tip.getBoundingClientRect();
  const top = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
  tip.style.left = `${clamp(x + 14, 4, Math.max(4, innerWidth - width - 20))}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}

function wordTip(topic, row) {
  const drawn = intervals(topic, place.set, row.word, place.weight);
  const line = (name, key, write) => h("tr", {},
    h("th", {}, name),
    h("td", {}, write(drawn?.[key].middle ?? row[key])),
    h("td", { class: "muted" }, drawn && range(drawn[key], write)));
  const [byRate, byShare] = [row.rateRank, row.shareRank].map((rank) => ordinal(nWords - rank + 1));
  const stem = index.words[row.word];
  return [
    h("strong", { dir: "auto" }, shown[row.word]),
    h("span", { class: "muted" }, stem === shown[row.word] ? "" : ` counted as ${stem}`),
    h("table", {},
      line("FREX", "frex", score),
      line("Uses in 1,000 tokens", "rate", digits),
      line("Exclusivity", "share", score)),
    h("span", { class: "muted" },
      `${byRate} by frequency, ${byShare} by exclusivity, of ${count(nWords)}`),
  ];
}
