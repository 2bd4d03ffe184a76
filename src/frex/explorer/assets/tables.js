/* Tables that can be sorted, and taken along: as a file of CSV, or copied for a spreadsheet. */

// A spreadsheet takes a text that begins with one of these signs for a formula, and some begin anew
// after a line break: an apostrophe is put before, as `frex.storage.lines` does.
const SIGN = new RegExp(
  "(?<![^\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029])(?=[=+\\-@\\t\\r'\\uff0b\\uff0d\\uff1d\\uff20])", "g");
const guarded = (text) => text.replace(SIGN, "'");
const isNumber = (text) => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text);
const quoted = (text) => (isNumber(text) ? text : `"${guarded(text).replaceAll('"', '""')}"`);

/** Return the text of a cell as others should have it: a number without marks for people. */
function cellText(cell) {
  if (cell.dataset.value !== undefined) return cell.dataset.value;
  return (cell.textContent ?? "").replace(/\s+/g, " ").trim();
}

function rowsOf(element) {
  const spread = (row) =>
    [...row.cells].flatMap((cell) => [cellText(cell), ...Array(cell.colSpan - 1).fill("")]);
  return [...element.rows].map(spread);
}

const asCsv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";

const asTabs = (rows) => rows
  .map((row) => row.map((text) => (isNumber(text) ? text : guarded(text.replace(/\s/g, " "))))
    .join("\t"))
  .join("\n");

function download(text, name) {
  const blob = new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" });
  const link = h("a", { href: URL.createObjectURL(blob), download: `${name}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a browser that trusts no file: the old way
    const area = h("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

const fileName = (...parts) =>
  parts.join(" ").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "table";

/** Put a table under two small tools; `rows()` returns what they take, all cells by default. */
function withTools(element, name, rows = () => rowsOf(element)) {
  const told = h("span", { class: "muted note", role: "status" });
  const say = (text) => {
    told.textContent = text;
    setTimeout(() => { told.textContent = ""; }, 2500);
  };
  return h("div", { class: "table-box" },
    element,
    h("div", { class: "table-tools" },
      button("Copy", async () => {
        await copy(asTabs(rows()));
        say("Copied: paste it into a spreadsheet.");
      }, { title: "Copy this table" }),
      button("CSV", () => download(asCsv(rows()), fileName(index.title, name)),
        { title: "Download this table" }),
      told));
}

/** Make a cell of a number: for people a text, for others the number. */
const numberCell = (value, text) =>
  h("td", { class: "number", "data-value": isNothing(value) ? "" : value },
    isNothing(value) ? "" : text);

/** Let the heads of a table sort its rows; `by` is the column it is sorted by, downwards. */
function sortable(element, by) {
  const heads = [...element.tHead.rows[0].cells];
  const value = (row, i) => {
    const text = cellText(row.cells[i]);
    return text === "" ? null : isNumber(text) ? Number(text) : text;
  };
  const order = (a, b) =>
    typeof a === "string" || typeof b === "string"
      ? String(a).localeCompare(String(b)) : a - b;
  function sort(i, up) {
    const rows = [...element.tBodies[0].rows].map((row) => [value(row, i), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // unknown comes last
      return up ? order(a, b) : order(b, a);
    });
    element.tBodies[0].replaceChildren(...rows.map(([, row]) => row));
    heads.forEach((head, j) =>
      head.setAttribute("aria-sort", i !== j ? "none" : up ? "ascending" : "descending"));
  }
  heads.forEach((head, i) => {
    const isText = !head.classList.contains("number");
    head.replaceChildren(button(head.textContent, () => {
      const now = head.getAttribute("aria-sort");
      sort(i, now === "none" ? isText : now !== "ascending");
    }));
    head.setAttribute("aria-sort", "none");
  });
  sort(by, false);
  return element;
}
