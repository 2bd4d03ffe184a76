/* The FREX plot: frequency across, exclusivity up; the words that matter are at the upper right. */

const PLOT = {
  left: 60, right: 14, top: 14, bottom: 44, // margins
  reach: 18, // how near the pointer must be to a word
  labels: 45, // words that are written, if they find room
  alike: "used alike by all compared",
};
const rulers = document.createElement("canvas").getContext("2d");

/**
 * The plot and its tools.
 *
 * `tell(row, event)` is called with the word under the pointer, or null; `open(row)` on a click.
 */
class Plot {
  constructor(tell, open) {
    this.tell = tell;
    this.open = open;
    this.rows = [];
    this.asRanks = false;
    this.view = null; // what is in sight: [left, right, bottom, top]
    this.picture = svg("svg", {
      class: "plot", tabindex: 0, role: "img",
      keydown: (event) => this.onKey(event),
      wheel: (event) => this.onWheel(event),
      pointerdown: (event) => this.onPress(event),
      pointermove: (event) => this.onMove(event),
      pointerup: (event) => this.onRelease(event),
      pointercancel: () => { this.grip = null; },
      pointerleave: () => this.point(null),
      dblclick: () => this.reset(),
    });
    const tool = (sign, name, click) => button(sign, click, { "aria-label": name, title: name });
    this.element = h("div", { class: "plot-box" },
      this.picture,
      h("div", { class: "plot-tools" },
        tool("+", "Zoom in", () => this.zoom(1 / 1.6)),
        tool("−", "Zoom out", () => this.zoom(1.6)),
        tool("⟲", "Show all", () => this.reset()),
        tool("⇗", "Show the words that are listed", () => this.corner())));
    new ResizeObserver(() => this.later()).observe(this.picture);
  }

  /** Show words, best first, of which the first few are listed beside the plot. */
  show(rows, { listed, asRanks, baseline, weight, name }) {
    const whole = !this.view || asRanks !== this.asRanks || this.isWhole();
    Object.assign(this, { rows, listed, asRanks, baseline, weight });
    this.picture.setAttribute("aria-label", `FREX plot of ${name}: ${rows.length} words by ` +
      "frequency and exclusivity. The list of words says the same.");
    const [xs, ys] = [rows.map((row) => this.x(row)), rows.map((row) => this.y(row))];
    this.whole = asRanks
      ? [0, 1.03, 0, 1.03]
      : [Math.min(...xs) - 0.3, Math.max(...xs) + 0.6, 0, Math.max(...ys) * 1.05];
    if (whole) this.view = [...this.whole];
    this.later();
  }

  x(row) { return this.asRanks ? row.rateRank / nWords : row.logRate; }
  y(row) { return this.asRanks ? row.shareRank / nWords : row.share; }

  /** Draw before the next frame, once, however often it is asked for. */
  later() {
    this.due ??= requestAnimationFrame(() => {
      this.due = null;
      if (this.rows.length) this.draw();
    });
  }

  draw() {
    const { width, height } = this.picture.getBoundingClientRect();
    if (!width) return;
    const [x0, x1, y0, y1] = this.view;
    const { left, top } = PLOT;
    const box = { left, top, right: width - PLOT.right, bottom: height - PLOT.bottom };
    this.box = box;
    this.toX = (x) => box.left + ((x - x0) / (x1 - x0)) * (box.right - box.left);
    this.toY = (y) => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);
    this.dots = this.rows
      .map((row, place) => ({ row, place, x: this.toX(this.x(row)), y: this.toY(this.y(row)) }))
      .filter(({ x, y }) => x >= left && x <= box.right && y >= top && y <= box.bottom);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
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
    const across = this.asRanks ? linearTicks(x0, x1) : logTicks(x0, x1);
    const up = linearTicks(y0, y1);
    const [xName, yName] = this.asRanks
      ? ["Share of words used no more often", "Share of words no more exclusive"]
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
    if (this.weight === 0) return last < x0 || last > x1 ? [] : [[last, y0], [last, y1]];
    return Array.from({ length: 400 }, (_, i) => x0 + ((i + 1) / 400) * (x1 - x0))
      .map((x) => [x, this.weight / (1 / last - (1 - this.weight) / x)])
      .filter(([, y]) => y >= y0 && y <= y1);
  }

  /** Write the best words in sight, each where it covers no word that is better. */
  labels() {
    rulers.font = "12px system-ui, sans-serif";
    const { left, right, top, bottom } = this.box;
    const best = this.dots.slice(0, PLOT.labels);
    const taken = best.map(({ x, y }) => [x - 3, y - 3, x + 3, y + 3]);
    if (!this.asRanks && this.baseline) {
      const y = this.toY(this.baseline);
      taken.push([right - rulers.measureText(PLOT.alike).width, y - 16, right, y]);
    }
    const free = ([l, t, r, b]) =>
      l >= left && r <= right && t >= top && b <= bottom &&
      taken.every(([l2, t2, r2, b2]) => r < l2 || l > r2 || b < t2 || t > b2);
    const written = [];
    for (const { row, x, y, place } of best) {
      const width = rulers.measureText(shown[row.word]).width;
      const spot = spotsAbout(x, y, width).find((box) => free(box));
      if (!spot) continue;
      taken.push(spot);
      const kind = place < this.listed ? "listed" : "other";
      written.push(svg("text", { x: spot[0] + 1, y: spot[3] - 3, class: kind }, shown[row.word]));
    }
    return written;
  }

  /** Mark a word from outside, as when the pointer is on its line of the list. */
  mark(word) {
    this.marked = word;
    this.later();
  }

  point(event) {
    const near = event && this.dots ? this.nearest(event) : null;
    this.picture.classList.toggle("on-word", near !== null);
    if (near?.row.word !== this.marked) this.mark(near?.row.word ?? null);
    this.tell(near?.row ?? null, near && event);
  }

  nearest(event) {
    const frame = this.picture.getBoundingClientRect();
    const [px, py] = [event.clientX - frame.left, event.clientY - frame.top];
    let [best, least] = [null, PLOT.reach];
    for (const dot of this.dots) {
      const away = Math.hypot(dot.x - px, dot.y - py);
      if (away < least) [best, least] = [dot, away];
    }
    return best;
  }

  /** Zoom by a factor about a point, the middle if none is given; never wider than all of it. */
  zoom(factor, [cx, cy] = [0.5, 0.5]) {
    const [x0, x1, y0, y1] = this.view;
    const [x, y] = [x0 + cx * (x1 - x0), y0 + cy * (y1 - y0)];
    const [left, right, bottom, top] = [x0 - x, x1 - x, y0 - y, y1 - y].map((d) => factor * d);
    this.look([x + left, x + right, y + bottom, y + top]);
  }

  look([x0, x1, y0, y1]) {
    const [a0, a1, b0, b1] = this.whole;
    const [dx, dy] = [Math.min(x1 - x0, a1 - a0), Math.min(y1 - y0, b1 - b0)];
    const [x, y] = [clamp(x0, a0, a1 - dx), clamp(y0, b0, b1 - dy)];
    this.view = [x, x + dx, y, y + dy];
    this.later();
  }

  reset() { this.look(this.whole); }

  /** Show the words that are listed, and little else. */
  corner() {
    const best = this.rows.slice(0, this.listed);
    const [xs, ys] = [best.map((row) => this.x(row)), best.map((row) => this.y(row))];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [dx, dy] = [x1 - x0 || 0.1, y1 - y0 || 0.1];
    this.look([x0 - 0.06 * dx, x1 + 0.15 * dx, y0 - 0.06 * dy, y1 + 0.06 * dy]);
  }

  isWhole() { return this.view.every((end, i) => Math.abs(end - this.whole[i]) < 1e-9); }

  onWheel(event) {
    if (!this.box || (event.deltaY > 0 && this.isWhole())) return; // the page scrolls on
    event.preventDefault();
    const frame = this.picture.getBoundingClientRect();
    const { left, right, top, bottom } = this.box;
    this.zoom(Math.exp(clamp(event.deltaY, -100, 100) / 300), [
      clamp((event.clientX - frame.left - left) / (right - left), 0, 1),
      clamp((bottom - (event.clientY - frame.top)) / (bottom - top), 0, 1),
    ]);
  }

  onPress(event) {
    if (event.button !== 0) return;
    this.grip = { x: event.clientX, y: event.clientY, view: [...this.view], moved: false };
  }

  onMove(event) {
    if (!this.grip) return this.point(event);
    const [dx, dy] = [event.clientX - this.grip.x, event.clientY - this.grip.y];
    if (!this.grip.moved && Math.hypot(dx, dy) < 4) return;
    if (!this.grip.moved) this.picture.setPointerCapture(event.pointerId);
    this.grip.moved = true;
    this.tell(null);
    const [x0, x1, y0, y1] = this.grip.view;
    const { left, right, top, bottom } = this.box;
    const [sx, sy] = [(dx / (right - left)) * (x1 - x0), (dy / (bottom - top)) * (y1 - y0)];
    this.look([x0 - sx, x1 - sx, y0 + sy, y1 + sy]);
  }

  onRelease(event) {
    const still = this.grip && !this.grip.moved;
    this.grip = null;
    const near = still ? this.nearest(event) : null;
    if (near) this.open(near.row);
  }

  onKey(event) {
    const [x0, x1, y0, y1] = this.view;
    const [dx, dy] = [0.15 * (x1 - x0), 0.15 * (y1 - y0)];
    const acts = {
      "+": () => this.zoom(1 / 1.6), "=": () => this.zoom(1 / 1.6), "-": () => this.zoom(1.6),
      0: () => this.reset(),
      ArrowLeft: () => this.look([x0 - dx, x1 - dx, y0, y1]),
      ArrowRight: () => this.look([x0 + dx, x1 + dx, y0, y1]),
      ArrowUp: () => this.look([x0, x1, y0 + dy, y1 + dy]),
      ArrowDown: () => this.look([x0, x1, y0 - dy, y1 - dy]),
    };
    if (!(event.key in acts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[event.key]();
  }
}

/** Return boxes for a word of some width beside a point, the one to prefer first. */
function spotsAbout(x, y, width) {
  const [west, middle] = [x - width, x - width / 2];
  const starts = [[x + 6, y + 4], [west - 6, y + 4], [middle, y - 7], [middle, y + 17],
    [x + 5, y - 6], [x + 5, y + 14], [west - 5, y - 6], [west - 5, y + 14]];
  return starts.map(([left, base]) => [left - 1, base - 11, left + width + 1, base + 3]);
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

/** The same on a logarithmic axis: powers of ten; with 2 and 5, where there are few of them. */
function logTicks(low, high) {
  const [first, last] = [Math.floor(low / Math.LN10), Math.ceil(high / Math.LN10)];
  const ticks = [];
  for (let power = first; power <= last; power++)
    for (const times of last - first > 4 ? [1] : [1, 2, 5]) {
      const value = times * 10 ** power;
      const x = Math.log(value);
      if (x >= low && x <= high) ticks.push([x, value.toFixed(Math.max(0, -power))]);
    }
  return ticks;
}
