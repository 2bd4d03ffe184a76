/* The page as a whole: what is shown follows the address. */

const main = byId("main");
let takeFocus = false; // whether the heading gets the focus, as after a search
let turn = 0;

async function homeView() {
  const { missing } = place;
  const tops = mainTopics;
  const above = tops.length ? index.parents[tops[0]] : 0;
  const many = tops.length > CARDS;
  const where = above ? `below ${shorten(titles[above], 60)}` : "at the top of the tree";
  const top = cards(
    `The ${many ? "largest topics" : "topics"} ${where}`,
    many ? tops.toSorted((a, b) => topicSize(b) - topicSize(a)) : tops, { open: true, whole: true });
  const next = tops.length < 3 ? known(tops.flatMap((node) => children[node])) : [];
  const below = cards(next.length > CARDS ? "The largest topics below" : "The topics below",
    next.toSorted((a, b) => topicSize(b) - topicSize(a)), { open: true, whole: true });
  const update = () => Promise.all([top.update(), below.update()]);
  const element = h("div", { class: "home" },
    h("h1", { tabindex: -1, dir: "auto" }, index.title),
    missing ? h("p", { class: "warning" }, `There is no ${missing} in this fit.`) : null,
    h("p", {}, "What each topic is about, in words that are both frequent in it and exclusive ",
      "to it (FREX). Pick a topic in the tree, or search for a topic or a word."),
    trustLine(),
    narrow.matches ? [fitPart({ class: "fit" }), viewsLine()] : null,
    controls(update),
    top.element,
    next.length ? below.element : null);
  await update();
  return { element, title: null };
}

/** Show what the address says. A view that comes late, after the reader has gone on, is dropped. */
async function render() {
  place = readPlace();
  const mine = ++turn;
  showTip(null);
  const { node, word } = place;
  const views = { topics: overviewView, map: mapView, label: canLabel ? labelView : homeView };
  const other = views[place.view] ?? homeView;
  const view = await (word !== null ? wordView(word) : node ? topicView(node) : other());
  if (mine !== turn) return;
  main.replaceChildren(view.element);
  scrollTo(0, 0);
  treeView.show(word === null ? node : 0);
  document.title = view.title === null ? index.title : `${view.title} · ${index.title}`;
  byId("live").textContent = `${view.title ?? index.title} is shown`;
  refreshLinks();
  const here = word === null && !node ? place.view ?? "" : null;
  for (const link of document.querySelectorAll(".views a"))
    link.toggleAttribute("aria-current", link.dataset.view === here);
  setMenu(false);
  if (takeFocus) main.querySelector("h1").focus({ preventScroll: true });
  takeFocus = false;
}

/** The ways to all views that are of no topic. */
function viewsLine(attributes) {
  const all = [["", "Overview"], ["topics", "Table"], ["map", "Map"]];
  if (canLabel) all.push(["label", "Label a text"]);
  return h("p", { class: "views", ...attributes }, all.map(([view, text]) => viewLink(view, text)));
}

/** How far the figures can be trusted, in plain words. */
function trustLine() {
  const { level, sentence } = index.fit.trust;
  const grave = level === "provisional" || level === "unusable";
  return h("p", { class: `trust ${grave ? "warning" : "muted"}` }, sentence);
}

/** Say what the fit is and how far it can be trusted; what was measured, for whoever wants it. */
function fitPart(attributes) {
  const { documents, method, chains, draws, trust, worst } = index.fit;
  const made = draws
    ? `${plural(chains, "chain")} of ${plural(draws, "draw")}`
    : method === "map" ? "MAP fit" : "no draws";
  const sizes = { document: documents, word: nWords, topic: nTopics };
  const parts = Object.entries(sizes).map(([noun, n]) => plural(n, noun));
  return h("details", attributes,
    h("summary", {}, parts.join(" · "),
      trust.level === "settled" ? null : h("strong", { class: "badge" }, trust.level)),
    h("div", {}, trustLine(),
      h("details", {}, h("summary", {}, `How it was computed: ${made}`),
        worst.map((figure) => h("p", { dir: "auto" }, `Worst ${figure}`)),
        h("p", { class: "muted" }, `Made with frex ${index.version}.`))));
}

function setMenu(open) {
  document.body.classList.toggle("menu-open", open);
  byId("menu").setAttribute("aria-expanded", String(open));
}

/** The theme follows the system until the reader chooses one, which a browser may remember. */
function setUpTheme() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = remembered("frex-theme");
  function apply() {
    const theme = chosen ?? (dark.matches ? "dark" : "light");
    root.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
  }
  byId("theme").addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    remember("frex-theme", chosen);
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const typing = event.target.matches("input[type=search], select, textarea");
  if (event.key === "/" && !typing) {
    setMenu(true);
    searchBox.focus();
  }
  else if (event.key === "?" && !typing) byId("help").showModal();
  else if (event.key === "Escape") {
    showTip(null);
    setMenu(false);
    if (!byId("side").contains(event.target)) treeView.focus();
  } else return;
  event.preventDefault();
}

setUpTheme();
showFrequent(frequentShown());
if (index.unsupervised)
  byId("about").textContent = "A model found topics in the words of documents, and worked out " +
    "how often each topic uses each word. This page shows what every topic is about.";
byId("fit").replaceWith(fitPart({ id: "fit" }));
byId("menu").addEventListener("click", () =>
  setMenu(!document.body.classList.contains("menu-open")));
byId("ask").addEventListener("click", () => byId("help").showModal());
main.addEventListener("click", (event) => {
  if (event.target.closest("a[href^='#']")) takeFocus = true;
});
addEventListener("keydown", onKey);
addEventListener("hashchange", render);
addEventListener("scroll", () => showTip(null), { passive: true });
byId("views").replaceWith(viewsLine({ id: "views" }));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // its address would be taken for a place
  main.focus();
});
if (typeof DecompressionStream === "undefined")
  main.append(h("p", { class: "warning" }, "This page needs a browser of 2023 or later."));
else render();
