/* Elements and numbers. Names and words are hostile text: they become text nodes, nothing else. */

const byId = (id) => document.getElementById(id);

const isNothing = (value) => value === null || value === undefined;

/** Make an element. Functions become listeners, `style` sets properties; children may be nested. */
function h(tag, attributes, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
function svg(tag, attributes, ...children) {
  const space = "http://www.w3.org/2000/svg";
  return furnish(document.createElementNS(space, tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (isNothing(value) || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "style") {
      // a style attribute would be against the page's own security policy
      for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => !isNothing(child)));
  return element;
}

function button(text, click, attributes) {
  return h("button", { type: "button", click, ...attributes }, text);
}

/** What a browser may keep for the next time; some refuse. */
function remembered(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* then it is for this time only */ }
}

const narrow = matchMedia("(max-width: 800px)");

/** Make a part of a view under a heading, which folds; on a narrow screen it is folded at first. */
function part(heading, attributes, ...content) {
  const { class: kind, ...others } = attributes;
  return h("details", { open: !narrow.matches, ...others, class: `part ${kind ?? ""}` },
    h("summary", {}, h("h2", {}, heading)), content);
}

/** Make a table of rows; a column's head is its text, and perhaps its class and an explanation. */
function table(heads, rows, attributes) {
  const head = ([text, kind, title]) => h("th", { scope: "col", class: kind, title }, text);
  return h("table", attributes, h("thead", {}, h("tr", {}, heads.map(head))), h("tbody", {}, rows));
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const count = (n) => n.toLocaleString("en");
const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
const shorten = (text, n) => (text.length > n ? `${text.slice(0, n - 1).trimEnd()}…` : text);
const signed = (value) => value.toFixed(2).replace(/^-(0\.00)$/, "$1");
const score = (value) => value.toFixed(3);
/** Write a share; the sign stays on the line of its number. */
const percent = (value) => value > 0 && value < 0.0005 ? "<\u00a00.1\u00a0%"
  : value < 1 && value >= 0.995 ? `${value < 0.9995 ? (100 * value).toFixed(1) : ">\u00a099.9"}\u00a0%`
  : `${(100 * value).toFixed(value < 0.0995 ? 1 : 0)}\u00a0%`;
const range = ({ low, high }, write) => `${write(low)} to ${write(high)}`;

/** Write a positive number with three digits that matter, and no exponent. */
function digits(value) {
  if (value >= 1000) return count(Math.round(value));
  return value.toFixed(clamp(2 - Math.floor(Math.log10(value)), 0, 8));
}

function ordinal(n) {
  const teen = n % 100 > 10 && n % 100 < 14;
  return count(n) + ((!teen && { 1: "st", 2: "nd", 3: "rd" }[n % 10]) || "th");
}
