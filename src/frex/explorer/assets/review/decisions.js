/* Decisions: kept in the browser, exported as lines of JSON, and taken up again from such a file. */

const place = `frex-audit-${index.digest}`;
const decisions = new Map(JSON.parse(remembered(place) ?? "[]"));
const history = [];

const decisionOf = (one) => decisions.get(one.key);

function decide(one, decision) {
  history.push([one.key, decisions.get(one.key)]);
  setDecision(one.key, decision);
}

function setDecision(key, decision) {
  if (decision) decisions.set(key, decision);
  else decisions.delete(key);
  remember(place, JSON.stringify([...decisions]));
}

/** Take back the last decision, and return what it was about. */
function undo() {
  if (!history.length) return null;
  const [key, before] = history.pop();
  setDecision(key, before);
  return key;
}

/** Return the decisions as text, a line of JSON each; only what was accepted changes labels. */
function decisionLines() {
  const lines = [];
  for (const list of ["labels", "topics"])
    for (const one of found[list]) {
      const decision = decisionOf(one);
      if (!decision) continue;
      const line = list === "labels"
        ? { document: one.document, kind: one.kind, label: one.label, other: one.other, decision }
        : { topic: one.topic, kind: one.kind, other: one.other, decision };
      if (list === "labels" && decision === "accept") {
        line.remove = isNothing(one.label) ? [] : [one.label];
        line.add = isNothing(one.other) || one.kind === "redundant" ? [] : [one.other];
      }
      lines.push(JSON.stringify(line));
    }
  return lines.map((line) => `${line}\n`).join("");
}

function exportDecisions() {
  const blob = new Blob([decisionLines()], { type: "application/x-ndjson" });
  const link = h("a", { href: URL.createObjectURL(blob), download: "decisions.jsonl" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Take up the decisions of a file; return how many were of findings of this page. */
function takeUp(text) {
  const keys = new Set([...found.labels, ...found.topics].map((one) => one.key));
  let n = 0;
  for (const line of text.split("\n")) {
    if (!line.trim()) continue;
    const { document: id, topic, kind, label, other, decision } = JSON.parse(line);
    const key = isNothing(topic)
      ? JSON.stringify(["label", id, label, other])
      : JSON.stringify(["topic", kind, topic, other]);
    if (!keys.has(key) || !["accept", "reject", "skip"].includes(decision)) continue;
    setDecision(key, decision);
    n++;
  }
  return n;
}
