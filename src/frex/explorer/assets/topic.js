/* A topic: its words and their plot, its family side by side, its documents, who shares them. */

const SHORT_LIST = narrow.matches ? 10 : 20;
let longList = false;
let asRanks = false;

/** The topics above a topic, to stand behind its title: two topics may have the same. */
function pathNote(node) {
  const path = ancestors(node).map((above) => titles[above]).join(" › ");
  return path ? h("span", { class: "muted note" }, ` in ${path}`) : null;
}

function topicSentence(node) {
  if (leftOut.has(node))
    return "No document is filed under this topic, nor under any below it: nothing is known of " +
      "its words.";
  const [own, below, mean] = [index.documents[node], index.below[node], index.membership[node]];
  const [has, are] = [own === 1 ? "has" : "have", below === 1 ? "is" : "are"];
  const labelled = own
    ? `${plural(own, "document")} ${has} this label`
    : `No document has this label itself; ${count(below)} ${are} filed below it`;
  const more = own && below > own ? `; ${count(below)} with those of the topics below it` : "";
  const about = mean === null ? "" : ` On average ${percent(mean)} of such a document is about it.`;
  return `${labelled}${more}.${about}`;
}

/** Return the lists of a topic by whose words they are; the one that it is shown by comes first. */
async function listsOf(node) {
  const found = [await topicPiece(node)];
  if (twoLists.has(node)) found.push(await piece(`other-${node}`));
  return new Map(found.map((list) => [list.meta.of, list]));
}

/** The choice between a topic's own words and those of all documents below it. */
function ofChooser(node, lists, change) {
  if (lists.size < 2) return null;
  const [own, below] = [index.documents[node], index.below[node]];
  const names = {
    branch: `of all documents ${own ? "here and " : ""}below (${count(below)})`,
    topic: byBranch.has(node)
      ? "at the centre of the topics below"
      : `of its own documents (${count(own)})`,
  };
  const radio = (of, i) => h("label", { class: "check" },
    h("input", {
      type: "radio", name: "of", value: of, checked: of === (place.of ?? [...lists.keys()][0]),
      change: () => {
        place.of = i ? of : null;
        history.replaceState(null, "", address(place));
        change();
      },
    }),
    ` ${names[of]}`);
  return h("fieldset", { class: "orders" },
    h("legend", { class: "unseen" }, "Which words"), [...lists.keys()].map(radio));
}

const BRANCH_NOTE = "How often a word is used in all documents filed under this topic or below " +
  "it, compared with the same of the others. These scores are of means: they have no intervals.";
const ALONE_NOTE = "How often a word is used in all documents filed under this topic or below " +
  "it. No topic is beside it to compare with: all words are equally exclusive.";
const CENTRE_NOTE = "Nothing is filed under the topic itself: these rates lie between those of " +
  "the topics below it.";

/** Return the view of a topic: its element and its title. */
async function topicView(node) {
  if (leftOut.has(node))
    return { element: h("div", { class: "topic" }, topicHead(node)), title: titles[node] };
  const lists = await listsOf(node);
  const [shownBy] = lists.values();
  const chosen = () => lists.get(place.of) ?? shownBy;
  const list = h("div", { class: "list" });
  const plot = new Plot(
    (dot, at) => showTip(dot && wordTip(chosen(), dot.row), at),
    (dot) => { location.hash = toWord(dot.row.word); },
  );
  const family = [];
  if (siblings(node).length) family.push(cards("Siblings side by side", [node, ...siblings(node)]));
  if (known(children[node]).length)
    family.push(cards("Topics below", known(children[node])));
  const [listNote, wordsNote] = [1, 2].map(() => h("p", { class: "muted note" }));

  function update() {
    const topic = chosen();
    const isBranch = topic.meta.of === "branch";
    const nCompared = topic.meta.compared[place.set];
    const branchNote = nCompared > 1 ? BRANCH_NOTE : ALONE_NOTE;
    listNote.textContent = isBranch ? branchNote : byBranch.has(node) ? CENTRE_NOTE : "";
    wordsNote.textContent = plotNote(topic);
    const rows = ranking(topic, place.set, place.weight);
    const longest = topic.meta.list;
    const listed = longList ? longest : Math.min(SHORT_LIST, longest);
    list.replaceChildren(wordTable(topic, rows.slice(0, listed), (word) => plot.mark(word)));
    longer.hidden = longest <= SHORT_LIST;
    longer.textContent = longList ? "Show fewer words" : `Show ${longest} words`;
    plot.show(rows, {
      listed, asRanks, weight: place.weight, name: titles[node],
      baseline: nCompared > 1 ? 1 / nCompared : null, // exclusivity if all compared are alike
    });
    for (const group of family) group.update();
  }

  const longer = button("", () => {
    longList = !longList;
    update();
  }, { class: "longer" });
  const ranks = h("input", {
    type: "checkbox", id: "ranks", checked: asRanks,
    change: ({ target }) => {
      asRanks = target.checked;
      update();
    },
  });
  plot.tools.prepend(
    h("label", { class: "check" }, ranks, " as ranks, which is what FREX sees"));
  const element = h("div", { class: "topic" },
    topicHead(node),
    controls(update),
    h("div", { class: "twin" },
      h("section", {},
        h("h2", {}, "Words"), ofChooser(node, lists, update), listNote, list, longer),
      part("FREX plot", { class: "drawing" },
        plot.element,
        wordsNote)),
    family.map((group) => group.element),
    documentsPart(shownBy),
    neighboursPart(shownBy, node));
  update();
  return { element, title: titles[node] };
}

function topicHead(node) {
  const [name, title] = [index.names[node], titles[node]];
  return [
    h("nav", { class: "path", "aria-label": "Above" }, topicLink(0),
      ancestors(node).map((above) => [" › ", topicLink(above, { dir: "auto" })])),
    h("h1", { tabindex: -1, dir: "auto" }, title),
    title === name ? null : h("p", { class: "code" }, name),
    alsoUnder(node),
    h("p", { class: "muted" }, topicSentence(node)),
  ];
}

/** Where else the taxonomy has a topic: the tree of a fit has one parent for each. */
function alsoUnder(node) {
  const others = index.otherParents[node];
  if (!others) return null;
  const links = others.map((other, i) => [i ? ", " : "", topicLink(other, { dir: "auto" })]);
  return h("p", { class: "muted also" }, "Also under: ", links);
}

function plotNote(topic) {
  const n = topic.word.length;
  if (n === nWords) return `All ${count(nWords)} words.`;
  return `${count(n)} of ${count(nWords)} words: all that can be listed, and a sample of the rest.`;
}

function documentsPart(topic) {
  if (!index.hasDocuments) return null;
  const row = ([id, value, telling]) => h("tr", {},
    h("th", { scope: "row", dir: "auto" }, id),
    h("td", { class: "number" }, value.toFixed(2)),
    h("td", { class: "telling" }, telling.map((word) => [wordLink(word, { dir: "auto" }), " "])));
  const meaning = "How far its words speak for this topic rather than for its siblings";
  const heads = [["Document"], ["Score", "number", meaning], ["Words that speak for it"]];
  const rows = topic.meta.documents;
  return part("Most typical documents", { class: "documents" },
    rows.length
      ? table(heads, rows.map(row))
      : h("p", { class: "muted" }, "No document has this label itself."));
}

function neighboursPart(topic, node) {
  const rows = topic.meta.neighbours;
  if (!rows.length) return null;
  const [own, most] = [index.documents[node], rows[0][1]];
  const row = ([other, n, here, there]) => h("tr", {},
    h("th", { scope: "row", dir: "auto" }, topicLink(other), pathNote(other)),
    h("td", { class: "drawn" }, h("span", { class: "bar", style: { "--part": n / most } }),
      ` ${count(n)} (${percent(n / own)})`),
    h("td", { class: "number" }, percent(here)),
    h("td", { class: "number" }, percent(there)));
  const share = (which) => `Mean share of those documents that is about ${which} topic`;
  const heads = [["Topic"], ["Documents with both"],
    ["about this", "number", share("this")], ["about that", "number", share("the other")]];
  return part("Shares documents with", { class: "neighbours" }, table(heads, rows.map(row)));
}
