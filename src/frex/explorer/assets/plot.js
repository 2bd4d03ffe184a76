/* The FREX plot: frequency across, exclusivity up; the words that matter are at the upper right. */

const PLOT = {
  labels: 45, // words that are written, if they find room
  alike: "used alike by all compared",
};

/** How high a rank stands: 0 the last word, 1 within the top tenth, 2 within the top hundredth. */
const standing = (rank) => -Math.log10((nWords - rank + 1) / nWords);
const rankAt = (height) => nWords + 1 - nWords * 10 ** -height;

/** The plot of some words; `tell` and `open` get a dot with its `row`. */
class Plot extends Zoomable {
  constructor(tell, open) {
    super("plot", tell, open);
    this.margins = { left: 60, right: 14, top: 14, bottom: 44 };
    this.rows = [];
    this.asRanks = false;
    this.tools.append(
      this.tool("⇗", "Show the words that are listed", () => this.corner()));
  }

  /** Show words, best first, of which the first few are listed beside the plot. */
  show(rows, { listed, asRanks, baseline, weight, name }) {
    const whole = !this.view || asRanks !== this.asRanks || this.isWhole();
    Object.assign(this, { rows, listed, asRanks, baseline, weight });
    this.picture.setAttribute("aria-label", `FREX plot of ${name}: ${rows.length} words by ` +
      "frequency and exclusivity. The list of words says the same.");
    const [xs, ys] = [rows.map((row) => this.x(row)), rows.map((row) => this.y(row))];
    const top = standing(nWords);
    this.whole = asRanks
      ? [-0.04 * top, 1.12 * top, -0.04 * top, 1.05 * top]
      : [Math.min(...xs) - 0.3, Math.max(...xs) + 0.6, 0, Math.max(...ys) * 1.05];
    if (whole) this.view = [...this.whole];
    this.later();
  }

  x(row) { return this.asRanks ? standing(row.rateRank) : row.logRate; }
  y(row) { return this.asRanks ? standing(row.shareRank) : row.share; }

  draw() {
    if (!this.rows.length || !this.frame()) return;
    this.dots = this.rows
      .map((row, place) => ({
        row, place, text: shown[row.word], x: this.toX(this.x(row)), y: this.toY(this.y(row)),
      }))
      .filter((dot) => this.inSight(dot));
    this.picture.replaceChildren(
      this.axes(), this.guide(),
      svg("g", { class: "dots" }, this.dots.toReversed().map((dot) => this.circle(dot))),
      svg("g", { class: "labels", "aria-hidden": "true" }, this.labels()),
    );
  }

  circle({ row, place, x, y }) {
    let kind = place < this.listed ? "listed" : "other";
    if (row.word === this.marked) kind = "marked";
    const r = { marked: 6, listed: 4, other: 2.5 }[kind];
    return svg("circle", { cx: x, cy: y, r, class: kind });
  }

  axes() {
    const { left, right, top, bottom } = this.box;
    const [x0, x1, y0, y1] = this.view;
    const [toX, toY] = [([x]) => this.toX(x), ([y]) => this.toY(y)];
    const across = sparse(this.asRanks ? topTicks(x0, x1) : logTicks(x0, x1), toX, widthOf);
    const up = sparse(this.asRanks ? topTicks(y0, y1) : linearTicks(y0, y1), toY, () => 12);
    const [xName, yName] = this.asRanks
      ? ["Rank by frequency: among the top … of words", "Rank by exclusivity"]
      : ["Uses in 1,000 tokens", "Exclusivity"];
    const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
    const name = (text, attributes) =>
      svg("text", { class: "axis-name", "text-anchor": "middle", ...attributes }, text);
    return svg("g", { class: "axes", "aria-hidden": "true" },
      across.map(([x, text]) => [
        svg("line", { x1: this.toX(x), x2: this.toX(x), y1: top, y2: bottom }),
        svg("text", { x: this.toX(x), y: bottom + 16, "text-anchor": "middle" }, text),
      ]),
      up.map(([y, text]) => [
        svg("line", { x1: left, x2: right, y1: this.toY(y), y2: this.toY(y) }),
        svg("text", { x: left - 6, y: this.toY(y) + 4, "text-anchor": "end" }, text),
      ]),
      name(xName, { x: middle, y: bottom + 36 }),
      name(yName, { x: 12, y: centre, transform: `rotate(-90 12 ${centre})` }),
    );
  }

  /** Draw what to read the plot by: the share of a word without preference; or the list's edge. */
  guide() {
    const { left, right } = this.box;
    const lines = [];
    if (this.asRanks) {
      const points = this.edge().map(([x, y]) => `${this.toX(x)},${this.toY(y)}`);
      lines.push(svg("polyline", { points: points.join(" ") }));
    } else if (this.baseline && this.baseline >= this.view[2] && this.baseline <= this.view[3]) {
      const y = this.toY(this.baseline);
      lines.push(svg("line", { x1: left, x2: right, y1: y, y2: y }),
        svg("text", { x: right - 4, y: y - 5, "text-anchor": "end" }, PLOT.alike));
    }
    return svg("g", { class: "guide", "aria-hidden": "true" }, lines);
  }

  /** Return points with the FREX of the last word listed: w / y + (1 - w) / x = 1 / FREX. */
  edge() {
    const [x0, x1, y0, y1] = this.view;
    const last = this.rows[this.listed - 1].frex;
    const upright = standing(last * nWords);
    if (this.weight === 0)
      return upright < x0 || upright > x1 ? [] : [[upright, y0], [upright, y1]];
    return Array.from({ length: 400 }, (_, i) => x0 + ((i + 1) / 400) * (x1 - x0))
      .filter((x) => x >= 0)
      .map((x) => [x, this.weight / (1 / last - ((1 - this.weight) * nWords) / rankAt(x))])
      .filter(([, part]) => part > 0 && part <= 1)
      .map(([x, part]) => [x, standing(part * nWords)])
      .filter(([, y]) => y >= y0 && y <= y1);
  }

  /** Write the best words in sight, each where it covers no word that is better. */
  labels() {
    const best = this.dots.slice(0, PLOT.labels);
    const taken = best.map(({ x, y }) => [x - 3, y - 3, x + 3, y + 3]);
    if (!this.asRanks && this.baseline) {
      const y = this.toY(this.baseline);
      taken.push([this.box.right - widthOf(PLOT.alike), y - 16, this.box.right, y]);
    }
    return placeTexts(best, this.box, taken, ({ place }) =>
      ({ class: place < this.listed ? "listed" : "other" }));
  }

  /** Mark a word from outside, as when the pointer is on its line of the list. */
  mark(word) {
    this.marked = word;
    this.later();
  }

  point(event) {
    const near = super.point(event);
    if ((near?.row.word ?? null) !== this.marked) this.mark(near?.row.word ?? null);
    return near;
  }

  /** Show the words that are listed, and little else. */
  corner() {
    const best = this.rows.slice(0, this.listed);
    const [xs, ys] = [best.map((row) => this.x(row)), best.map((row) => this.y(row))];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [dx, dy] = [x1 - x0 || 0.1, y1 - y0 || 0.1];
    this.look([x0 - 0.06 * dx, x1 + 0.15 * dx, y0 - 0.06 * dy, y1 + 0.06 * dy]);
  }
}

const widthOf = (text) => {
  rulers.font = "11px system-ui, sans-serif";
  return rulers.measureText(text).width;
};

/**
 * Leave out ticks whose texts would run into each other, the least round ones first.
 *
 * A tick is its place, its text and how round it is (0 is the roundest).
 */
function sparse(ticks, at, size) {
  const kept = [];
  for (const tick of ticks.toSorted((a, b) => (a[2] ?? 0) - (b[2] ?? 0))) {
    const apart = (other) =>
      Math.abs(at(tick) - at(other)) > (size(tick[1]) + size(other[1])) / 2 + 8;
    if (kept.every(apart)) kept.push(tick);
  }
  return kept;
}

/** Return places and texts of some six round numbers within an interval. */
function linearTicks(low, high) {
  const raw = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((times) => times * power >= raw) * power;
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high; i++)
    ticks.push([i * step, (i * step).toFixed(places)]);
  return ticks;
}

/** The same on a logarithmic axis: powers of ten first, then 5 and 2 times these. */
function logTicks(low, high) {
  const [first, last] = [Math.floor(low / Math.LN10), Math.ceil(high / Math.LN10)];
  const ticks = [];
  for (let power = first; power <= last; power++)
    for (const [times, order] of [[1, 0], [2, 2], [5, 1]]) {
      const value = times * 10 ** power;
      const x = Math.log(value);
      const text = value < 1 ? value.toFixed(Math.max(0, -power)) : count(value);
      if (x >= low && x <= high) ticks.push([x, text, order]);
    }
  if (ticks.length > 1) return ticks;
  const within = linearTicks(Math.exp(low), Math.exp(high));
  return within.map(([value, text]) => [Math.log(value), text]);
}

/** The same of what `standing` returns: the top 10 %, the top 1 %, and so on. */
function topTicks(low, high) {
  const ticks = [];
  for (let power = 0; power <= Math.log10(nWords) + 1; power++)
    for (const [times, order] of [[1, 0], [2, 2], [5, 1]]) {
      const x = power - Math.log10(times);
      if (x < 0 || x < low || x > high) continue;
      const value = times * 10 ** (2 - power);
      ticks.push([x, value === 100 ? "all" : `${Number(value.toPrecision(1))} %`, order]);
    }
  return ticks;
}
