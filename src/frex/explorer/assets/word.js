/* A word: the topics that use it most, on the tree. */

const FEW_TOPICS = 25;
const ORDERS = { tree: "on the tree", rate: "most used first", frex: "highest FREX first" };
let order = "tree";
let allTopics = false;

/** Put topics in tree order, each below the topics above it, which come along if need be. */
function onTree(rows) {
  const found = new Map(rows.map((row) => [row.node, row]));
  for (const { node } of rows)
    for (const above of ancestors(node)) if (!found.has(above)) found.set(above, { node: above });
  return [...found.values()].sort((a, b) => a.node - b.node); // nodes are numbered depth first
}

/** Documents below which a topic's rates are too uncertain to set the scale for the others. */
const FEW_DOCUMENTS = index.unsupervised ? 0 : index.few;

/** Return the rate that fills a bar: the highest of a topic of which enough is known. */
function fullRate(rows) {
  const sure = rows.filter(({ node }) => index.below[node] >= FEW_DOCUMENTS);
  return Math.max(...(sure.length ? sure : rows).map(({ rate }) => rate));
}

function usageRow(row, most, least) {
  const tree = order === "tree";
  const label = h("th",
    { scope: "row", dir: "auto", style: { "--level": tree ? levels[row.node] - 1 : 0 } },
    topicLink(row.node), tree ? null : pathNote(row.node),
    byBranch.has(row.node) && row.rate !== undefined
      ? h("span", { class: "muted note" }, " with all below") : null);
  if (row.rate === undefined) // a topic that stands here only for those below it
    return h("tr", { class: "above" }, label, h("td", { colspan: 3 }, `under ${digits(least)}`));
  const bar = (kind, part) => h("span",
    { class: part > 1 ? `${kind} beyond` : kind, style: { "--part": Math.min(part, 1) } });
  const few = index.below[row.node] < FEW_DOCUMENTS
    ? h("span", { class: "muted note" }, ` ${plural(index.below[row.node], "document")} only`)
    : null;
  return h("tr", { "data-node": row.node }, label,
    h("td", { class: "drawn", "data-value": row.rate.toPrecision(5) },
      bar("bar", row.rate / most), ` ${digits(row.rate)}`, few),
    h("td", { class: "drawn", "data-value": score(row.share) }, bar("bar share", row.share), ` ${score(row.share)}`),
    h("td", { class: "number" }, score(row.frex)));
}

/** Return the view of a word: its element and its title. */
async function wordView(word) {
  const heads = [["Topic"], ["Uses in 1,000 tokens"], ["Exclusivity"], ["FREX", "number"]];
  const list = table(heads, [], { class: "spread" });
  const more = button("", () => {
    allTopics = !allTopics;
    update();
  });

  async function update() {
    const rows = await topicsOf(word, place.set, place.weight);
    const [most, least] = [fullRate(rows), rows.at(-1).rate];
    const key = order === "frex" ? "frex" : "rate";
    rows.sort((a, b) => b[key] - a[key]);
    const kept = allTopics ? rows : rows.slice(0, FEW_TOPICS);
    list.tBodies[0].replaceChildren(
      ...(order === "tree" ? onTree(kept) : kept).map((row) => usageRow(row, most, least)));
    more.hidden = rows.length <= FEW_TOPICS;
    more.textContent = allTopics ? "Show fewer topics" : `Show ${rows.length} topics`;
  }

  function choose({ target }) {
    order = target.value;
    update();
  }

  const radio = ([value, text]) => h("label", { class: "check" },
    h("input", { type: "radio", name: "order", value, checked: value === order, change: choose }),
    ` ${text}`);
  const stem = index.words[word];
  const element = h("div", { class: "word" },
    h("nav", { class: "path", "aria-label": "Above" }, topicLink(0), " › word"),
    h("h1", { tabindex: -1, dir: "auto" }, shown[word]),
    stem === shown[word] ? null : h("p", { class: "code" }, `counted as ${stem}`),
    h("p", { class: "muted" }, wordSentence()),
    controls(update, { withCards: false }),
    h("fieldset", { class: "orders" },
      h("legend", {}, "Order"), Object.entries(ORDERS).map(radio)),
    withTools(list, `topics of ${shown[word]}`), more);
  await update();
  return { element, title: shown[word] };
}

function wordSentence() {
  const [kept, all] = [index.topicsAWord, nTopics];
  return kept === all
    ? "How much each topic uses this word, and how far it is the topic’s own."
    : `The ${kept} of ${count(all)} topics that use this word most, and how far it is their own.`;
}
