/* A topic over time: its share of the documents, with intervals, and words that rise and fall. */

const CHART = { left: 52, right: 12, top: 10, bottom: 26, height: 190 };

/** The chart of shares: lower ends, shares and upper ends, each a number for every period. */
class Chart {
  constructor([low, middle, high]) {
    Object.assign(this, { low, middle, high });
    this.picture = svg("svg", {
      class: "chart", role: "img", height: CHART.height,
      "aria-label": "Share of documents over time. The table below says the same.",
      pointermove: (event) => this.tell(event), pointerleave: () => showTip(null),
    });
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  draw() {
    const { width } = this.picture.getBoundingClientRect();
    if (!width) return;
    const { left, top } = CHART;
    const [right, bottom] = [width - CHART.right, CHART.height - CHART.bottom];
    const periods = index.periods.names;
    // periods of few documents, whose intervals are wide, should not squeeze the rest
    const { documents } = index.periods;
    const enough = Math.max(...documents) / 20;
    const sure = documents.map((_, i) => i).filter((i) => documents[i] >= enough);
    const most = Math.max(...sure.map((i) => this.high[i])) * 1.08;
    this.toX = (i) => left + ((i + 0.5) / periods.length) * (right - left);
    const toY = (share) => bottom - (Math.min(share, most) / most) * (bottom - top);
    const spots = (values, at) => at.map((i) => `${this.toX(i)},${toY(values[i])}`);
    const across = sparse(periods.map((name, i) => [i, name]), ([i]) => this.toX(i), widthOf);
    const up = sparse(linearTicks(0, most).map(([value]) => [value, percent(value)]),
      ([value]) => toY(value), () => 12);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${CHART.height}`);
    this.picture.replaceChildren(
      svg("g", { class: "axes" },
        up.map(([value, text]) => [
          svg("line", { x1: left, x2: right, y1: toY(value), y2: toY(value) }),
          svg("text", { x: left - 6, y: toY(value) + 4, "text-anchor": "end" }, text)]),
        across.map(([i, text]) =>
          svg("text", { x: this.toX(i), y: bottom + 17, "text-anchor": "middle" }, text))),
      svg("g", {}, runs(documents).map((at) => [
        at.length > 1
          ? svg("polygon", { class: "band",
            points: [...spots(this.low, at), ...spots(this.high, at).reverse()].join(" ") })
          : svg("line", { class: "band", x1: this.toX(at[0]), x2: this.toX(at[0]),
            y1: toY(this.low[at[0]]), y2: toY(this.high[at[0]]) }),
        svg("polyline", { class: "trend", points: spots(this.middle, at).join(" ") }),
        at.map((i) =>
          svg("circle", { class: "trend", cx: this.toX(i), cy: toY(this.middle[i]), r: 2.5 })),
      ])));
  }

  tell(event) {
    if (!this.toX) return;
    const x = event.clientX - this.picture.getBoundingClientRect().left;
    const far = index.periods.names.map((_, i) => Math.abs(this.toX(i) - x));
    const i = far.indexOf(Math.min(...far));
    showTip([
      h("strong", {}, index.periods.names[i]),
      h("p", {}, `${percent(this.middle[i])} of ${plural(index.periods.documents[i], "document")}`),
      h("p", { class: "muted" },
        `${100 * index.interval} % interval: ${percent(this.low[i])} to ${percent(this.high[i])}`),
    ], event);
  }
}

/** Return the periods that have documents, those without a gap between them together. */
function runs(documents) {
  const found = [];
  documents.forEach((n, i) => {
    if (!n) return;
    if (documents[i - 1]) found.at(-1).push(i);
    else found.push([i]);
  });
  return found;
}

/** Return a topic's part about time, or null where documents have no dates. */
function trendPart(topic, node) {
  if (!index.periods || !topic.trend) return null;
  const n = index.periods.names.length;
  const shares = [0, 1, 2].map((row) => Array.from({ length: n }, (_, i) =>
    share(topic.trend[row * n + i])));
  const heads = [["Period"], ["Documents", "number"], ["Share", "number"],
    ["from", "number"], ["to", "number"]];
  const rows = index.periods.names.map((name, i) => h("tr", {},
    h("th", { scope: "row" }, name),
    numberCell(index.periods.documents[i], count(index.periods.documents[i])),
    [1, 0, 2].map((row) => numberCell(shares[row][i].toFixed(5), percent(shares[row][i])))));
  const figures = h("details", {}, h("summary", { class: "muted note" }, "The figures"),
    withTools(table(heads, rows), `${titles[node]} over time`));
  return part("Over time", { class: "time" },
    h("p", { class: "muted note" }, "Share of the documents of each period that ",
      index.unsupervised ? "is about this topic" : "have this label or one below it",
      `, with intervals of ${100 * index.interval} %.`),
    new Chart(shares).picture,
    movers(topic), figures);
}

/** The words that a topic uses more, and less, in the second half of the documents. */
function movers({ meta }) {
  if (!meta.rising) return null;
  const list = (name, words) => h("p", {}, h("b", {}, `${name}: `),
    words.length ? wordLine(words) : h("span", { class: "muted" }, "no word clearly"));
  return h("div", { class: "movers" },
    list(`Used more since ${index.periods.since}`, meta.rising), list("Used less", meta.falling));
}
