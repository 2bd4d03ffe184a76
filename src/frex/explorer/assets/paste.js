/* The box to paste a text into: its labels, with the words for and against them. */

const NEXT = 5; // topics told that come nearest without being labels
const ARGUMENTS = 10; // words told of a label, for and against together

let pasted = ""; // stays while the reader looks at a topic
let labeller = null;

const canLabel = reading !== null;

function argumentsOf({ words }) {
  const strongest = words.toSorted((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
    .slice(0, ARGUMENTS).filter(({ gain }) => Math.abs(gain) >= 0.005);
  function side(sign) {
    const found = strongest.filter(({ gain }) => sign * gain > 0)
      .sort((a, b) => sign * (b.gain - a.gain));
    return wordLine(found.map(({ word }) => word),
      (i) => ({ title: `${signed(found[i].gain)} in log odds` }));
  }
  return [side(1), side(-1)];
}

/** Work out a text's labels. */
async function labelsOf(text) {
  labeller ??= new Labeller(await piece("label"));
  const judged = labeller.judge(reading.read(text));
  const labels = labeller.choose(judged);
  const order = [...judged.odds.keys()].filter((k) => labeller.used[k])
    .sort((a, b) => judged.odds[b] - judged.odds[a]);
  const next = order.filter((k) => !labels.includes(k)).slice(0, NEXT);
  const reasons = judged.entries.length ? labeller.explain(judged, [...labels, ...next]) : [];
  return { ...judged, labels, next, reasons };
}

function labelTable({ odds, labels, next, reasons }) {
  const row = (topic, i) => {
    const probability = 1 / (1 + Math.exp(-odds[topic]));
    const node = labeller.nodes[topic];
    const [pro, contra] = argumentsOf(reasons[i]);
    return h("tr", { class: i < labels.length ? "chosen" : "next" },
      h("th", { scope: "row", dir: "auto", "data-value": index.names[node] },
        topicLink(node), pathNote(node)),
      h("td", { class: "drawn", "data-value": probability.toPrecision(4) },
        h("span", { class: "bar", style: { "--part": probability } }),
        ` ${percent(probability)}`),
      h("td", { class: "telling" }, pro),
      h("td", { class: "telling" }, contra));
  };
  const heads = [["Label"], ["Probability"], ["Words for it"], ["Words against it"]];
  return withTools(
    table(heads, [...labels, ...next].map(row), { class: "suggested" }), "labels of a text");
}

async function labelView() {
  const found = h("div", { class: "found", "aria-live": "polite" });
  let turn = 0;

  async function update() {
    const mine = ++turn;
    if (!pasted.trim()) return found.replaceChildren();
    const made = await labelsOf(pasted);
    if (mine !== turn) return;
    const { entries, tokens, labels } = made;
    if (!entries.length)
      return found.replaceChildren(
        h("p", { class: "warning" }, "The fit knows no word of this text: it has no label."));
    found.replaceChildren(
      h("p", { class: "muted note" },
        `${plural(labels.length, "label")} from ${plural(tokens, "word")} that the fit knows`,
        labels.length ? ", in bold; below, what comes nearest." : "; what comes nearest:"),
      labelTable(made));
  }

  let due = 0;
  const box = h("textarea", {
    id: "text", rows: narrow.matches ? 6 : 9, spellcheck: "false", dir: "auto",
    "aria-label": "A text to label", placeholder: "Paste a document here",
    input: ({ target }) => {
      pasted = target.value;
      clearTimeout(due);
      due = setTimeout(update, 120);
    },
  });
  box.value = pasted;
  const lack = reading.shortcoming();
  const element = h("div", { class: "paste" },
    h("h1", { tabindex: -1 }, "Label a text"),
    h("p", { class: "muted" }, "Its labels are worked out here, in the page, as frex predict has ",
      "them. The text goes nowhere."),
    lack ? h("p", { class: "warning" }, lack) : null,
    box, found);
  await update();
  return { element, title: "Label a text" };
}
