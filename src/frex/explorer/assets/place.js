/* Where the reader is. The address says it all, so that links and the back button work. */

const names = new Map(index.names.map((name, node) => [name, node]));
const words = new Map([...shown, ...index.words].map((word, i) => [word, i % nWords]));

/** Views besides those of a topic or a word. */
const VIEWS = ["topics", "map", "label"];

/**
 * Read the address: a view, a topic's node (0: none), a word's number (or null), the weight, the set, and
 * whose words were asked for of a topic that has two lists (null: those that it is shown by).
 */
function readPlace() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const [topic, word] = [fields.get("topic"), fields.get("word")];
  const asked = parseFloat(fields.get("w") ?? "0.5");
  const weight = Number.isFinite(asked) ? clamp(asked, 0, 1) : 0.5;
  const set = index.sets.findIndex(({ name }) => name === fields.get("set"));
  let missing = null;
  if (topic !== null && !names.get(topic)) missing = `topic “${topic}”`;
  if (word !== null && !words.has(word)) missing = `word “${word}”`;
  return {
    node: names.get(topic) ?? 0,
    word: words.get(word) ?? null,
    missing,
    view: VIEWS.includes(fields.get("view")) ? fields.get("view") : null,
    weight: Math.round(weight * index.steps) / index.steps,
    set: Math.max(set, 0),
    of: ["topic", "branch"].includes(fields.get("of")) ? fields.get("of") : null,
  };
}

/** Write an address; the weight and the set go along where they are not the usual ones. */
function address({ node = 0, word = null, view = null, weight, set, of = null }) {
  const fields = new URLSearchParams();
  if (word !== null) fields.set("word", index.words[word]);
  else if (node) fields.set("topic", index.names[node]);
  else if (view) fields.set("view", view);
  if (weight !== 0.5) fields.set("w", weight);
  if (set) fields.set("set", index.sets[set].name);
  if (of && node && word === null) fields.set("of", of);
  return `#${fields}`;
}

let place = readPlace();

const toTopic = (node) => address({ ...place, node, word: null, view: null, of: null });
const toWord = (word) => address({ ...place, word, view: null });
const toView = (view) => address({ ...place, node: 0, word: null, view, of: null });

function topicLink(node, attributes) {
  const text = node ? titles[node] : "All topics";
  return h("a", { href: toTopic(node), "data-node": node, ...attributes }, text);
}

function wordLink(word, attributes) {
  return h("a", { href: toWord(word), "data-word": word, ...attributes }, shown[word]);
}

function viewLink(view, text) {
  return h("a", { href: toView(view), "data-view": view }, text);
}

/** Give the weight and the set on to links that were made before they changed. */
function refreshLinks() {
  for (const link of document.querySelectorAll("a[data-node]"))
    link.href = toTopic(Number(link.dataset.node));
  for (const link of document.querySelectorAll("a[data-word]"))
    link.href = toWord(Number(link.dataset.word));
  for (const link of document.querySelectorAll("a[data-view]"))
    link.href = toView(link.dataset.view);
}
