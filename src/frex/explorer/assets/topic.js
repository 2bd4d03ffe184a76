/* A topic: its words and their plot, its family side by side, its documents, who shares them. */

const SHORT_LIST = narrow.matches ? 10 : 20;
let longList = false;
let asRanks = false;

/** The topics above a topic, to stand behind its title: two topics may have the same. */
function pathNote(node) {
  const path = ancestors(node).map((above) => titles[above]);
  return path.length
    ? h("span", { class: "muted note", title: path.join(" › ") },
      ` in ${path.map((title) => shorten(title, 30)).join(" › ")}`)
    : null;
}

function topicSentence(node) {
  if (leftOut.has(node))
    return "No document is filed under this topic, nor under any below it: nothing is known of " +
      "its words.";
  if (index.unsupervised)
    return `${percent(index.text[node])} of the text is about this topic.`;
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
    trendPart(shownBy, node),
    documentsPart(shownBy, node),
    index.unsupervised ? relationsPart(shownBy, node) : neighboursPart(shownBy, node));
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
    qualityNote(node),
  ];
}

/** Where else the taxonomy has a topic: the tree of a fit has one parent for each. */
function alsoUnder(node) {
  const others = index.otherParents[node];
  if (!others) return null;
  const links = others.map((other, i) => [i ? ", " : "", topicLink(other, { dir: "auto" })]);
  return h("p", { class: "muted also" }, "Also under: ", links);
}

/** How good the topic's words are, as far as the page knows. */
function qualityNote(node) {
  if (leftOut.has(node)) return null;
  const { exclusivity, coherence } = index.quality;
  return h("p", { class: "muted note" }, "Exclusivity ",
    h("b", { title: EXCLUSIVE }, score(exclusivity[node])),
    coherence ? [", coherence ", h("b", { title: COHERENT }, score(coherence[node]))] : null,
    ` of its ${index.quality.words} best words.`);
}

function plotNote(topic) {
  const n = topic.word.length;
  if (n === nWords) return `All ${count(nWords)} words.`;
  return `${count(n)} of ${count(nWords)} words: all that can be listed, and a sample of the rest.`;
}

/** A document's title, or its name, as a link where it has an address of the web. */
function documentLink({ id, title, url }) {
  const text = title ?? id;
  if (!/^https?:\/\//i.test(url ?? "")) return text;
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text);
}

function documentsPart(topic, node) {
  if (!index.hasDocuments) return null;
  const rows = topic.meta.documents;
  const dated = rows.some(({ date }) => date);
  const row = (one) => h("tr", {},
    h("th", { scope: "row", dir: "auto" },
      documentLink(one),
      one.title ? h("span", { class: "muted note" }, ` ${one.id}`) : null,
      one.snippet ? h("p", { class: "snippet", dir: "auto" }, one.snippet) : null),
    dated ? h("td", { class: "date" }, (one.date ?? "").slice(0, 10)) : null,
    h("td", { class: "number" }, one.score.toFixed(2)),
    h("td", { class: "telling" }, wordLine(one.words)));
  const meaning = "How far its words speak for this topic rather than for its siblings";
  const heads = [["Document"], dated ? ["Date"] : null, ["Score", "number", meaning],
    ["Words that speak for it"]].filter(Boolean);
  const known = ["id", "title", "url", "date", "snippet"]
    .filter((name) => rows.some((one) => one[name]));
  const cells = () => [[...known, "score", "words"], ...rows.map((one) =>
    [...known.map((name) => one[name] ?? ""), String(one.score),
      one.words.map((word) => shown[word]).join(" ")])];
  const nothing = index.unsupervised
    ? "No document speaks for this topic." : "No document has this label itself.";
  return part("Most typical documents", { class: "documents" },
    rows.length
      ? withTools(table(heads, rows.map(row)), `documents of ${titles[node]}`, cells)
      : h("p", { class: "muted" }, nothing));
}

const CORRELATED = "Correlation of the memberships in the two topics over all documents";

function neighboursPart(topic, node) {
  const rows = topic.meta.neighbours;
  if (!rows.length) return null;
  const [own, most] = [index.documents[node], rows[0][2]];
  const row = ([other, r, n, here, there]) => h("tr", {},
    h("th", { scope: "row", dir: "auto", "data-value": titles[other] },
      topicLink(other), pathNote(other)),
    h("td", { class: "drawn", "data-value": n },
      h("span", { class: "bar", style: { "--part": n / most } }),
      ` ${count(n)} (${percent(n / own)})`),
    numberCell(here, percent(here)),
    numberCell(there, percent(there)),
    numberCell(r, signed(r)));
  const share = (which) => `Mean share of those documents that is about ${which} topic`;
  const heads = [["Topic"], ["Documents with both"],
    ["about this", "number", share("this")], ["about that", "number", share("the other")],
    ["correlation", "number", CORRELATED]];
  return part("Shares documents with", { class: "neighbours" },
    withTools(table(heads, rows.map(row)), `shares documents with ${titles[node]}`));
}

/** The topics that go together with one, and those that avoid it, in a fit without labels. */
function relationsPart(topic, node) {
  const rows = topic.meta.neighbours;
  if (!rows.length) return null;
  const row = ([other, r]) => h("tr", {},
    h("th", { scope: "row", dir: "auto" }, topicLink(other)),
    numberCell(r, signed(r)));
  const heads = [["Topic"], ["correlation", "number", CORRELATED]];
  return part("Goes together with, and least with", { class: "neighbours" },
    withTools(table(heads, rows.map(row)), `goes together with ${titles[node]}`));
}
