/* Words in lists: all about each for one topic; a few of each for several, side by side. */

const CARDS = narrow.matches ? 8 : 12; // topics side by side before the reader asks for all
const ON_CARD = 8;

/** Draw a value and its interval on a scale from `low` to 1; what goes on below leaves the rail. */
function whisker(value, interval, low) {
  const at = (x) => Math.max(0, 4 + (92 * (x - low)) / (1 - low));
  const line = (kind, x1, x2, y1 = 6, y2 = 6) => svg("line", { class: kind, x1, x2, y1, y2 });
  return svg("svg",
    { class: "whisker", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    line("rail", 4, 96),
    interval ? line("interval", at(interval.low), at(interval.high)) : null,
    line("value", at(value), at(value), 1, 11));
}

/**
 * The list of a topic's words; `mark` is told which word the reader is at, or null.
 *
 * What stands beside an interval is the median of the draws that the interval is of.
 */
function wordTable(topic, rows, mark) {
  const drawn = rows.map((row) => intervals(topic, place.set, row.word, place.weight));
  const value = (key, i) => drawn[i]?.[key].middle ?? rows[i][key];
  // one word that could be anywhere should not squeeze the rest: a tenth of the lines may be cut
  const lows = rows.map((row, i) => drawn[i]?.frex.low ?? row.frex).sort((a, b) => a - b);
  const low = Math.min(
    0.98, lows[Math.floor(lows.length / 10)], ...rows.map((row, i) => value("frex", i)));

  function line(row, i) {
    const interval = drawn[i]?.frex;
    const say = ({ currentTarget }) => {
      mark(row.word);
      showTip(wordTip(topic, row), currentTarget.cells[1]);
    };
    const hush = () => {
      mark(null);
      showTip(null);
    };
    const told = { pointerenter: say, pointerleave: hush, focusin: say, focusout: hush };
    return h("tr", { "data-word": row.word, ...told },
      h("td", { class: "rank" }, i + 1),
      h("th", { scope: "row", dir: "auto" }, wordLink(row.word)),
      h("td", { class: "number" }, score(value("frex", i))),
      h("td", { class: "drawn" }, whisker(value("frex", i), interval, low),
        interval ? h("span", { class: "unseen" }, range(interval, score)) : null),
      h("td", { class: "number" }, digits(value("rate", i))),
      h("td", { class: "number" }, score(value("share", i))));
  }

  const meaning = drawn.some(Boolean) ? `${100 * index.interval} % interval` : null;
  const scale = h("span", { class: "scale", title: meaning },
    h("span", {}, low.toFixed(2)), h("span", { class: "wide" }, meaning), h("span", {}, "1"));
  const heads = [["#", "rank"], ["Word"], ["FREX", "number"], [scale, "drawn"],
    ["per 1,000", "number", "Uses in 1,000 tokens"], ["excl.", "number", "Exclusivity"]];
  const list = table(heads, rows.map(line), { class: "words" });
  return withTools(list, `words of ${titles[place.node]}`, () => wordRows(rows, drawn));
}

/** Return what a list of words says, all of it, as a table for others. */
function wordRows(rows, drawn) {
  const names = ["FREX", "Uses in 1,000 tokens", "Exclusivity"];
  const keys = ["frex", "rate", "share"];
  const cells = (row, i) => keys.flatMap((key) => {
    const known = drawn[i]?.[key];
    return [known?.middle ?? row[key], known?.low, known?.high]
      .map((value) => (isNothing(value) ? "" : String(Number(value.toPrecision(5)))));
  });
  return [
    ["Rank", "Word", "Counted as", ...names.flatMap((name) => [name, `${name}, from`, `${name}, to`])],
    ...rows.map((row, i) =>
      [String(i + 1), shown[row.word], index.words[row.word], ...cells(row, i)]),
  ];
}

/** Write words in a line, apart from one another also where one is a phrase. */
const wordLine = (words, attributes) => words.map((word, i) =>
  [wordLink(word, { dir: "auto", ...attributes?.(i) }), i < words.length - 1 ? "\u00a0· " : ""]);

const allOf = (n) => (n === 1 ? "the 1 document" : `all ${count(n)} documents`);

/** Return the words of all documents filed under a topic or below it, where it has such a list. */
async function branchPiece(node) {
  const topic = await topicPiece(node);
  return topic.meta.of === "branch" || !twoLists.has(node) ? topic : piece(`other-${node}`);
}

function cardNote(node, isBranch) {
  if (!isBranch) return index.unsupervised ? amount(node) : plural(index.documents[node], "document");
  const here = byBranch.has(node) ? "" : "here and ";
  return `words of ${allOf(index.below[node])} ${here}below`;
}

/**
 * A topic in a few words: the best by FREX beside the most frequent.
 *
 * With `whole`, of a topic above others those of its whole branch; with `within`, the topic it is in.
 */
async function card(node, whole, within) {
  const topic = await (whole ? branchPiece(node) : topicPiece(node));
  const list = (name, weight) => h("div", {}, h("h4", {}, name), h("ol", {},
    ranking(topic, place.set, weight).slice(0, ON_CARD)
      .map(({ word }) => h("li", { dir: "auto" }, wordLink(word)))));
  const current = node === place.node ? "true" : null;
  return h("article", { class: "card", "data-node": node, "aria-current": current },
    h("h3", { dir: "auto", title: titles[node] }, topicLink(node)),
    within ? h("p", { class: "muted within" }, "in ", h("span", { dir: "auto" },
      shorten(titles[index.parents[node]], 60))) : null,
    h("p", { class: "muted" }, cardNote(node, topic.meta.of === "branch")),
    h("div", { class: "pair" }, list("FREX", place.weight), list("Most frequent", 0)));
}

/** Topics side by side; `update()` ranks their words anew. */
function cards(heading, nodes, { whole = false, ...attributes } = {}) {
  let many = CARDS;
  let turn = 0;
  const grid = h("div", { class: "cards" });
  const within = new Set(nodes.map((node) => index.parents[node])).size > 1;
  const more = button(`Show all ${nodes.length}`, () => {
    many = Infinity;
    update();
  });

  async function update() {
    const mine = ++turn;
    const made = await Promise.all(nodes.slice(0, many).map((node) => card(node, whole, within)));
    if (mine !== turn) return; // the weight has moved on meanwhile
    grid.replaceChildren(...made);
    more.hidden = nodes.length <= many;
  }

  return { element: part(heading, { class: "family", ...attributes }, grid, more), update };
}
