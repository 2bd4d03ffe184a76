/* A finding as the reader sees it. */

const KINDS = {
  wrong: "A label that does not fit",
  sibling: "A sibling fits better",
  "too general": "A topic below it fits better",
  "too specific": "The topic above it fits better",
  elsewhere: "Another topic fits better",
  missing: "A label seems to be missing",
  redundant: "A label below it says it already",
  merge: "Two siblings that are hardly told apart",
  duplicate: "Two topics that are hardly told apart",
  split: "A topic of two parts",
  move: "Closer to another parent",
  "catch-all": "No words of its own",
  together: "Two labels that come together",
  tiny: "Hardly used",
  empty: "Not used",
};

const DECISIONS = { accept: "Accept (a)", reject: "Reject (r)", skip: "Skip (s)" };
const DECIDED = { accept: "accepted", reject: "rejected", skip: "skipped" };

/** Only what is counted, not judged, is certain. */
const chance = ({ probability, kind }) => probability >= 0.995 && kind !== "redundant"
  ? "> 99 %" : `${(100 * probability).toFixed(0)} %`;
const nameOf = (one) => (one.document ? one.title || one.document : topicName(one.topic));

/** The kind of a finding, and of a document's the label that it is about. */
const aboutOf = ({ document, kind, label, other }) =>
  document ? `${kind} ${topicName(isNothing(label) ? other : label)}` : kind;

function listItem(one, current, choose) {
  const decision = decisionOf(one);
  return h("li", { "aria-current": String(current), click: choose, "data-key": one.key },
    h("div", { class: "who", dir: "auto" }, nameOf(one)),
    h("div", { class: "what muted" }, h("span", { dir: "auto" }, aboutOf(one)),
      decision ? h("span", { class: `mark ${decision}` }, DECIDED[decision]) : null,
      h("span", {}, chance(one))));
}

const wordList = (words) => words.length
  ? h("p", { class: "words", dir: "auto" }, words.map((word) => h("span", {}, word)))
  : h("p", { class: "muted" }, "none");

function changeLine(one) {
  const { label, other, kind } = one;
  const parts = [];
  if (!isNothing(label)) parts.push(h("del", {}, topicName(label)));
  if (!isNothing(other) && kind !== "redundant")
    parts.push(parts.length ? " → " : "", h("ins", {}, topicName(other)));
  if (kind === "redundant") parts.push(` is said by ${topicName(other)} already`);
  return h("p", { class: "change", dir: "auto" }, parts);
}

function givenLabels({ given, labels_for: companions, other }) {
  const rest = given.filter((name) => !companions.includes(name));
  return h("div", {}, h("h4", {}, "Labels of the document"),
    rest.length || !companions.length ? wordList(rest.map(topicName)) : null,
    companions.map((name) => h("p", { dir: "auto" }, topicName(name),
      h("span", { class: "muted" }, ` · mostly comes with ${topicName(other)}`))));
}

/** A document's name, as a link where it has an address of the web. */
function documentLink(name, address) {
  if (!/^https?:\/\//i.test(address ?? "")) return name;
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, name);
}

/** A document that shows what a finding about topics says. */
function example(id) {
  const [title, address] = found.known[id] ?? [];
  return h("p", { dir: "auto" }, documentLink(title || id, address),
    title ? h("span", { class: "muted note" }, ` ${id}`) : null);
}

function labelCard(one) {
  const known = found.texts[one.document];
  const named = nameOf(one);
  return [
    h("p", { class: "path" }, KINDS[one.kind]),
    h("h1", { dir: "auto", tabindex: -1 }, documentLink(named, one.link)),
    named === one.document ? null : h("p", { class: "code", dir: "auto" }, one.document),
    changeLine(one),
    probability(one),
    known ? h("p", { class: "snippet", dir: "auto" }, known) : null,
    h("div", { class: "reasons" },
      h("div", {}, h("h4", {}, "Words for the change"), wordList(one.words_for)),
      h("div", {}, h("h4", {}, "Words against it"), wordList(one.words_against)),
      givenLabels(one)),
    one.kind === "redundant" ? null : h("p", { class: "muted note" },
      `Labels to change that are expected in this document: ${one.expected.toFixed(1)}.`),
  ];
}

function topicCard(one) {
  return [
    h("p", { class: "path" }, KINDS[one.kind]),
    h("h1", { dir: "auto", tabindex: -1 }, topicName(one.topic),
      isNothing(one.other) ? null : ` · ${topicName(one.other)}`),
    h("p", { class: "change", dir: "auto" }, one.finding),
    probability(one),
    h("p", { dir: "auto" }, h("strong", {}, "What could be done: "), one.advice),
    h("div", { class: "reasons" }, one.groups.map((group) =>
      h("div", {}, h("h3", { dir: "auto" }, group.name),
        h("h4", {}, "Words"), wordList(group.words),
        group.documents.length ? h("h4", {}, "Documents") : null,
        group.documents.map(example)))),
    h("p", { class: "muted note" }, `${plural(one.documents, "document")} filed there.`),
  ];
}

function probability(one) {
  return h("div", {}, h("p", {}, `Probability: ${chance(one)}`),
    h("div", { class: "chance" }, h("i", { style: { width: `${100 * one.probability}%` } })));
}

function card(one, choose) {
  const buttons = Object.entries(DECISIONS).map(([decision, text]) =>
    button(text, () => choose(decision), { "aria-pressed": String(decisionOf(one) === decision) }));
  return [one.document ? labelCard(one) : topicCard(one), h("div", { class: "decide" }, buttons)];
}
