/* All topics in one table, with how much there is of each and how good its words are. */

const EXCLUSIVE = "Mean exclusivity of its best words by FREX";
const COHERENT = "Mean NPMI of pairs of these words in the documents of the corpus: 1 if they only " +
  "come together, 0 as by chance, below 0 if they avoid each other";

/** How much of the corpus a topic has: documents, or where nobody filed any a share of the text. */
const amount = (node) =>
  index.unsupervised ? `${percent(index.text[node])} of the text`
    : plural(index.below[node], "document");

/** The same as a number, by which topics are put in order. */
const topicSize = (node) => (index.unsupervised ? index.text : index.below)[node];

const amountCell = (node) => index.unsupervised
  ? numberCell(index.text[node], percent(index.text[node]))
  : numberCell(index.below[node], count(index.below[node]));

async function overviewView() {
  const { exclusivity, coherence, words } = index.quality;
  const nodes = known([...index.names.keys()].slice(1));
  const heads = [["Topic"], ["Level", "number"],
    index.unsupervised
      ? ["Share of the text", "number"]
      : ["Documents", "number", "With this label or one below it"],
    ["Membership", "number", "Mean share of a document with the label that is about it"],
    ["Exclusivity", "number", EXCLUSIVE]];
  if (coherence) heads.push(["Coherence", "number", COHERENT]);
  const row = (node) => {
    const membership = index.membership[node];
    return h("tr", { "data-node": node },
      h("th", { scope: "row", dir: "auto", "data-value": titles[node] },
        topicLink(node), pathNote(node)),
      numberCell(levels[node], levels[node]),
      amountCell(node),
      numberCell(membership, membership === null ? "" : percent(membership)),
      numberCell(exclusivity[node], score(exclusivity[node])),
      coherence ? numberCell(coherence[node], score(coherence[node])) : null);
  };
  const list = sortable(table(heads, nodes.map(row), { class: "overview" }), 2);
  const without = coherence ? "" : " Coherence needs the corpus: frex report FIT --corpus CORPUS.";
  const element = h("div", {},
    h("h1", { tabindex: -1 }, "All topics"),
    h("p", { class: "muted" },
      `Exclusivity${coherence ? " and coherence are" : " is"} of the ${words} best words of each ` +
      `topic.${without} Click a column’s head to sort by it.`),
    withTools(list, "topics", () => withNames(rowsOf(list), list)));
  return { element, title: "All topics" };
}

/** Put the names of topics before their titles: programs go by names. */
function withNames(rows, list) {
  const nodes = [...list.tBodies[0].rows].map((row) => Number(row.dataset.node));
  return rows.map((row, i) => [i ? index.names[nodes[i - 1]] : "Name", ...row]);
}
