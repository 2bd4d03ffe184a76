/* The page as a whole: two lists, filters, keys. */

const SHOWN = 80; // items of the list that are drawn about the current one
const state = { list: "labels", key: null };
const filters = ["search", "kind", "branch", "status"];
let rows = [];

const filterValues = () => Object.fromEntries(filters.map((name) => [name, byId(name).value]));
const position = () => rows.findIndex((one) => one.key === state.key);

function refilter() {
  rows = filtered(state.list, filterValues());
  if (position() < 0) state.key = rows[0]?.key ?? null;
  draw();
}

/** Scroll the list to the current finding, and the page to its top: on a narrow screen both move. */
function showCurrent(list) {
  const box = list.querySelector('[aria-current="true"]')?.getBoundingClientRect();
  const { top, bottom } = list.getBoundingClientRect();
  if (box && box.top < top) list.scrollTop += box.top - top;
  else if (box && box.bottom > bottom) list.scrollTop += box.bottom - bottom;
  scrollTo(0, 0);
}

function draw() {
  const at = Math.max(position(), 0);
  const first = clamp(at - SHOWN / 2, 0, Math.max(rows.length - SHOWN, 0));
  const items = rows.slice(first, first + SHOWN).map((one) =>
    listItem(one, one.key === state.key, () => go(one.key)));
  byId("list").replaceChildren(...items);
  showCurrent(byId("list"));
  const one = rows[at];
  const nothing = found[state.list].length
    ? "Nothing left here: choose other filters, or export the decisions."
    : "Nothing was found.";
  byId("main").replaceChildren(...[one ? card(one, choose) : h("p", { class: "muted" }, nothing)]
    .flat(Infinity).filter((part) => !isNothing(part)));
  drawHeader();
}

function drawHeader() {
  const tabs = { labels: "Labels of documents", topics: "Topics of the tree" };
  byId("tabs").replaceChildren(...Object.entries(tabs).map(([list, text]) =>
    button(`${text} (${count(found[list].length)})`, () => show(list),
      { role: "tab", "aria-selected": String(list === state.list) })));
  const decided = found[state.list].filter(decisionOf).length;
  byId("progress").textContent = `${count(decided)} of ${count(found[state.list].length)} decided`;
}

function go(key) {
  state.key = key;
  draw();
}

function step(by) {
  const next = rows[clamp(position() + by, 0, rows.length - 1)];
  if (next) go(next.key);
}

/** Decide the finding that is shown, and show the next. */
function choose(decision) {
  const at = position();
  if (at < 0) return;
  const one = rows[at];
  decide(one, decision);
  byId("live").textContent = `${nameOf(one)}: ${DECIDED[decision]}`;
  const next = rows[at + 1] ?? rows[at - 1];
  if (next) state.key = next.key;
  refilter();
}

function takeBack() {
  const key = undo();
  if (key === null) return;
  const list = ["labels", "topics"].find((name) => found[name].some((one) => one.key === key));
  if (list !== state.list) show(list);
  state.key = key;
  refilter();
}

function show(list) {
  state.list = list;
  byId("kind").value = "";
  fillKinds();
  refilter();
}

function fillKinds() {
  const counted = new Map();
  for (const { kind } of found[state.list]) counted.set(kind, (counted.get(kind) ?? 0) + 1);
  const options = [...counted].map(([kind, n]) => h("option", { value: kind }, `${kind} (${n})`));
  byId("kind").replaceChildren(h("option", { value: "" }, "all kinds"), ...options);
}

function fillBranches() {
  const met = new Set();
  for (const one of [...found.labels, ...found.topics])
    for (const name of topicsOf(one))
      for (let node = nodes.get(name) ?? 0; node > 0; node = found.parents[node]) met.add(node);
  const options = [...met].sort((a, b) => a - b).map((node) =>
    h("option", { value: node }, topicName(found.names[node])));
  byId("branch").replaceChildren(h("option", { value: "" }, "all topics"), ...options);
}

const KEYS = {
  a: () => choose("accept"), r: () => choose("reject"), s: () => choose("skip"), u: takeBack,
  j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
  e: exportDecisions, 1: () => show("labels"), 2: () => show("topics"),
  "/": () => byId("search").focus(), "?": () => byId("help").showModal(),
  o: () => byId("main").querySelector("h1 a")?.click(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

/** The theme follows the system until the reader chooses one, which a browser may remember. */
function setUpTheme() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const apply = (theme) => {
    root.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
  };
  apply(remembered("frex-theme") ?? (dark ? "dark" : "light"));
  byId("theme").addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    remember("frex-theme", theme);
    apply(theme);
  });
}

async function takeFile(event) {
  const [file] = event.target.files;
  if (!file) return;
  try {
    byId("live").textContent = `${plural(takeUp(await file.text()), "decision")} taken up`;
  } catch {
    byId("live").textContent = "The file holds no decisions.";
  }
  event.target.value = "";
  refilter();
}

async function start() {
  fillFindings((await unpack("findings")).meta);
  if (!found.labels.length && found.topics.length) state.list = "topics";
  fillKinds();
  fillBranches();
  for (const name of filters) byId(name).addEventListener("input", refilter);
  byId("export").addEventListener("click", exportDecisions);
  byId("import").addEventListener("change", takeFile);
  addEventListener("keydown", onKey);
  refilter();
}

setUpTheme();
byId("ask").addEventListener("click", () => byId("help").showModal());
if (typeof DecompressionStream === "undefined")
  byId("main").append(h("p", { class: "warning" }, "This page needs a browser of 2023 or later."));
else start();
