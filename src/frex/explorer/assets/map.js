/* The map: topics that use words alike stand close, and a line joins those that go together. */

const COLOURS = 8; // branches that have a colour of their own
const WRITTEN = 60; // topics whose titles are written, if they find room

/** Return the branch of a topic, that is the main topic above it, or itself. */
function branchOf(node) {
  const main = new Set(mainTopics);
  return [...ancestors(node), node].find((above) => main.has(above)) ?? node;
}

/** The largest branches, each with a number for its colour; none where no main topic has any below. */
function colouredBranches() {
  const tops = mainTopics.filter((node) => children[node].length);
  const largest = tops.toSorted((a, b) => index.text[b] - index.text[a]).slice(0, COLOURS);
  return new Map(largest.map((node, i) => [node, i]));
}

class TopicMap extends Zoomable {
  constructor(tell, open) {
    super("plot map", tell, open);
    this.margins = { left: 8, right: 8, top: 8, bottom: 8 };
    this.branches = colouredBranches();
    this.lined = true;
    this.nodes = known([...index.names.keys()].slice(1))
      .filter((node) => index.map[node])
      .toSorted((a, b) => topicSize(b) - topicSize(a));
    const most = Math.max(...this.nodes.map(topicSize), 1e-9);
    const largest = clamp(260 / Math.sqrt(this.nodes.length), 8, 30);
    this.radius = (node) => 2.5 + largest * Math.sqrt(topicSize(node) / most);
    this.whole = [-0.08, 1.08, -0.06, 1.06];
    this.view = [...this.whole];
    this.picture.setAttribute("aria-label",
      `Map of ${this.nodes.length} topics. The table of all topics lists them.`);
  }

  colour(node) {
    const number = this.branches.get(branchOf(node));
    return `c${number ?? (this.branches.size ? "x" : 0)}`;
  }

  draw() {
    if (!this.frame()) return;
    const at = (node) => ({ x: this.toX(index.map[node][0]), y: this.toY(index.map[node][1]) });
    this.dots = this.nodes
      .map((node) => ({ node, text: shorten(titles[node], 30), r: this.radius(node), ...at(node) }))
      .filter((dot) => this.inSight(dot));
    const line = ([a, b, r]) => {
      const [from, to] = [at(a), at(b)];
      return svg("line",
        { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-opacity": Math.min(0.15 + r, 0.9) });
    };
    const { left, top, right, bottom } = this.box;
    const clip = svg("clipPath", { id: "map-clip" },
      svg("rect", { x: left, y: top, width: right - left, height: bottom - top }));
    const corner = 0.7; // a square within the circle
    const taken = this.dots.slice(0, WRITTEN).map(({ x, y, r }) =>
      [x - corner * r, y - corner * r, x + corner * r, y + corner * r]);
    this.picture.replaceChildren(clip,
      svg("g", { class: "lines", "clip-path": "url(#map-clip)" },
        this.lined ? index.lines.map(line) : []),
      svg("g", { class: "topics" }, this.dots.map((dot) =>
        svg("circle", { cx: dot.x, cy: dot.y, r: dot.r, class: this.colour(dot.node) }))),
      svg("g", { class: "labels", "aria-hidden": "true" },
        placeTexts(this.dots.slice(0, WRITTEN), this.box, taken, () => ({ class: "listed" }))));
  }
}

async function topicTip(node) {
  const topic = await topicPiece(node);
  const best = ranking(topic, place.set, place.weight).slice(0, ON_CARD);
  return [
    h("strong", { dir: "auto" }, titles[node]), pathNote(node),
    h("p", { class: "muted" }, amount(node)),
    h("p", { dir: "auto" }, best.map(({ word }) => shown[word]).join(", ")),
  ];
}

async function mapView() {
  let pointed = null;
  const map = new TopicMap(async (dot, at) => {
    pointed = dot?.node ?? null;
    if (!dot) return showTip(null);
    const content = await topicTip(dot.node);
    if (pointed === dot.node) showTip(content, at);
  }, (dot) => { location.hash = toTopic(dot.node); });
  const lines = h("input", {
    type: "checkbox", checked: true,
    change: ({ target }) => {
      map.lined = target.checked;
      map.later();
    },
  });
  map.tools.prepend(h("label", { class: "check" }, lines, index.unsupervised
    ? " a line joins topics that go together in documents"
    : " a line joins topics that share documents"));
  const legend = [...map.branches].map(([node, i]) =>
    h("li", {}, h("span", { class: `chip c${i}` }), topicLink(node, { dir: "auto" })));
  const nBranches = mainTopics.length;
  if (legend.length && nBranches > legend.length)
    legend.push(h("li", {}, h("span", { class: "chip cx" }), "all others"));
  const element = h("div", { class: "map-view" },
    h("h1", { tabindex: -1 }, "Map of the topics"),
    h("p", { class: "muted" }, "Topics that use words alike stand close; how far apart distant ",
      "ones stand says little. The area of a circle goes with ",
      index.unsupervised ? "the topic’s share of the text." : "the number of its documents."),
    legend.length ? h("ul", { class: "legend" }, legend) : null,
    map.element,
    togetherPart());
  return { element, title: "Map of the topics" };
}

function togetherPart() {
  if (!index.lines.length) return null;
  const row = ([a, b, r]) => h("tr", {},
    [a, b].map((node) => h("th", { scope: "row", dir: "auto", "data-value": titles[node] },
      topicLink(node), pathNote(node))),
    numberCell(r, signed(r)));
  const heads = [["Topic"], ["and topic"],
    ["Correlation", "number", "Of their memberships over all documents"]];
  const first = index.lines.slice(0, 50);
  return part("Topics that go together most", { class: "together" },
    withTools(table(heads, first.map(row)), "topics together"));
}
