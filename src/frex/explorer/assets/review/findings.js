/* What was found, and what of it is shown. */

const index = JSON.parse(byId("index").textContent);
let found = { labels: [], topics: [], names: [], titles: [], parents: [], texts: {}, known: {} };
let nodes = new Map();

function fillFindings(meta) {
  found = meta;
  nodes = new Map(found.names.map((name, node) => [name, node]));
  for (const one of found.labels) one.key = JSON.stringify(["label", one.document, one.label, one.other]);
  for (const one of found.topics) one.key = JSON.stringify(["topic", one.kind, one.topic, one.other]);
}

/** What people call a topic: its title, and its name where that differs. */
function topicName(name) {
  const title = found.titles[nodes.get(name)] ?? name;
  if (title?.toLowerCase() === name?.toLowerCase()) return title;
  return name.endsWith(title) ? name : `${title} (${name})`;
}

/** Whether a topic is at a node or below it. */
function isBelow(name, node) {
  for (let at = nodes.get(name) ?? -1; at > 0; at = found.parents[at])
    if (at === node) return true;
  return false;
}

const topicsOf = (one) => [one.topic, one.label, one.other].filter((name) => !isNothing(name));

function textOf(one) {
  const parts = [one.document, one.title, ...topicsOf(one).map(topicName), one.finding,
    ...(one.words_for ?? []), ...(one.words_against ?? [])];
  return parts.filter((part) => part).join("\n").toLowerCase();
}

/** Return the findings of a list that pass the filters. */
function filtered(list, { search, kind, branch, status }) {
  const wanted = search.trim().toLowerCase();
  return found[list].filter((one) =>
    (!kind || one.kind === kind)
    && (!branch || topicsOf(one).some((name) => isBelow(name, Number(branch))))
    && (!status || (decisionOf(one) ?? "open") === status)
    && (!wanted || textOf(one).includes(wanted)));
}
