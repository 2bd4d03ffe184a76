/* A picture that can be zoomed and dragged, by pointer, wheel and keys. */

const REACH = 18; // how near the pointer must be to a point
const rulers = document.createElement("canvas").getContext("2d");

/**
 * What plots have in common.
 *
 * A subclass sets `whole`, [left, right, bottom, top], and `margins`, and has `draw()`, which calls
 * `frame()` first and sets `dots`, points with x and y in pixels. `tell(dot, event)` is called with
 * the one under the pointer, or null; `open(dot)` on a click.
 */
class Zoomable {
  constructor(kind, tell, open) {
    this.tell = tell;
    this.open = open;
    this.view = null; // what is in sight
    this.picture = svg("svg", {
      class: kind, tabindex: 0, role: "img",
      keydown: (event) => this.onKey(event),
      wheel: (event) => this.onWheel(event),
      pointerdown: (event) => this.onPress(event),
      pointermove: (event) => this.onMove(event),
      pointerup: (event) => this.onRelease(event),
      pointercancel: () => { this.grip = null; },
      pointerleave: () => this.point(null),
      dblclick: () => this.reset(),
    });
    this.tools = h("div", { class: "plot-tools" },
      this.tool("+", "Zoom in", () => this.zoom(1 / 1.6)),
      this.tool("−", "Zoom out", () => this.zoom(1.6)),
      this.tool("⟲", "Show all", () => this.reset()));
    this.element = h("div", { class: "plot-box" }, this.tools, this.picture);
    new ResizeObserver(() => this.later()).observe(this.picture);
  }

  tool(sign, name, click) { return button(sign, click, { "aria-label": name, title: name }); }

  /** Draw before the next frame, once, however often it is asked for. */
  later() {
    this.due ??= requestAnimationFrame(() => {
      this.due = null;
      if (this.whole) this.draw();
    });
  }

  /** Lay the view out over the picture; return whether there is any. */
  frame() {
    const { width, height } = this.picture.getBoundingClientRect();
    if (!width) return false;
    const [x0, x1, y0, y1] = this.view;
    const { left, top, right, bottom } = this.margins;
    const box = { left, top, right: width - right, bottom: height - bottom };
    this.box = box;
    this.toX = (x) => box.left + ((x - x0) / (x1 - x0)) * (box.right - box.left);
    this.toY = (y) => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    return true;
  }

  inSight({ x, y }) {
    const { left, right, top, bottom } = this.box;
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  point(event) {
    const near = event && this.dots ? this.nearest(event) : null;
    this.picture.classList.toggle("on-word", near !== null);
    this.tell(near, near && event);
    return near;
  }

  nearest(event) {
    const frame = this.picture.getBoundingClientRect();
    const [px, py] = [event.clientX - frame.left, event.clientY - frame.top];
    let [best, least] = [null, Infinity];
    for (const dot of this.dots) {
      const away = Math.hypot(dot.x - px, dot.y - py);
      if (away < Math.min(least, Math.max(REACH, dot.r ?? 0))) [best, least] = [dot, away];
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
    if (near) this.open(near);
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

/** Return boxes for a text of some width beside a point, the one to prefer first. */
function spotsAbout(x, y, width, r = 4) {
  const [west, middle] = [x - width, x - width / 2];
  const starts = [[x + r + 2, y + 4], [west - r - 2, y + 4], [middle, y - r - 3],
    [middle, y + r + 13], [x + r + 1, y - 6], [x + r + 1, y + 14], [west - r - 1, y - 6],
    [west - r - 1, y + 14]];
  return starts.map(([left, base]) => [left - 1, base - 11, left + width + 1, base + 3]);
}

/**
 * Write texts beside points, each where it covers none that came before.
 *
 * `dots` have x, y, perhaps r, and `text`; `taken` are boxes to keep clear of.
 */
function placeTexts(dots, { left, right, top, bottom }, taken, attributes) {
  rulers.font = "12px system-ui, sans-serif";
  const free = ([l, t, r, b]) =>
    l >= left && r <= right && t >= top && b <= bottom &&
    taken.every(([l2, t2, r2, b2]) => r < l2 || l > r2 || b < t2 || t > b2);
  const written = [];
  for (const dot of dots) {
    const width = rulers.measureText(dot.text).width;
    const spot = spotsAbout(dot.x, dot.y, width, dot.r).find((box) => free(box));
    if (!spot) continue;
    taken.push(spot);
    written.push(svg("text", { x: spot[0] + 1, y: spot[3] - 3, ...attributes(dot) }, dot.text));
  }
  return written;
}
