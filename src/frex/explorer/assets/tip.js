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
  const known = intervals(topic, place.set, row.word, place.weight);
  const line = (name, value, interval) => h("tr", {},
    h("th", {}, name), h("td", {}, value), h("td", { class: "muted" }, interval));
  const [byRate, byShare] = [row.rateRank, row.shareRank].map((rank) => ordinal(nWords - rank + 1));
  const stem = index.words[row.word];
  return [
    h("strong", { dir: "auto" }, shown[row.word]),
    h("span", { class: "muted" }, stem === shown[row.word] ? "" : ` counted as ${stem}`),
    h("table", {},
      line("FREX", score(row.frex), known && range(known.frex, score)),
      line("Uses in 1,000 tokens", digits(row.rate), known && range(known.rate, digits)),
      line("Exclusivity", score(row.share), known && range(known.share, score))),
    h("span", { class: "muted" },
      `${byRate} by frequency, ${byShare} by exclusivity, of ${count(nWords)}`),
  ];
}
