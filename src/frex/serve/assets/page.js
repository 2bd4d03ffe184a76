"use strict";
const find = (id) => document.getElementById(id);
const form = find("ask"), project = find("project"), text = find("text"), file = find("file");
const state = find("state"), results = find("results"), explorer = find("explorer");
const most = Number(form.dataset.most);
let asked = null;

// all that is shown is a text node: neither a topic's name nor a word is ever markup
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Write a probability: none is certain. */
function percent(value) {
  if (value < 1 && value >= 0.9995) return "> 99.9 %";
  return `${(100 * value).toFixed(value < 0.1 || (value < 1 && value >= 0.995) ? 1 : 0)} %`;
}

/** Return the topics above one: long titles are cut, and whole where one points at them. */
function path(titles) {
  if (!titles.length) return [];
  const short = (title) => (title.length > 30 ? `${title.slice(0, 29).trimEnd()}…` : title);
  return [make("span", {class: "muted", title: titles.join(" › ")},
    titles.map((title) => `${short(title)} › `).join(""))];
}

function words(title, list, kind) {
  if (!list.length) return [];
  const chips = list.map(({word}) => make("span", {class: `word ${kind}`}, word));
  return [make("p", {class: "words"}, make("span", {class: "muted"}, title), ...chips)];
}

function show({results: found, tokens, are_shares: shares}) {
  const items = found.map((one) => make("li", one.is_label ? {class: "label"} : {},
    make("p", {class: "topic"},
      make("span", {class: "name", title: one.uri},
        ...path(one.under), one.label),
      make("meter", {min: 0, max: 1, value: one.score, "aria-hidden": "true"}),
      make("span", {class: "score"}, percent(one.score))),
    ...words("for", one.why.for, "for"), ...words("against", one.why.against, "against")));
  const known = `${tokens.toLocaleString("en")} words of it are known to the fit`;
  const scores = shares ? "shares of the document" : "probabilities";
  results.replaceChildren(make("p", {class: "muted"}, found.length
    ? `${known}. Topics in bold would be its labels; figures are ${scores}.`
    : `${known}: nothing to go by.`),
    make("ol", {}, ...items));
}

async function ask() {
  if (asked) asked.abort();
  const mine = asked = new AbortController();
  state.textContent = "…";
  try {
    const reply = await fetch(`/v1/projects/${encodeURIComponent(project.value)}/explain`,
      {method: "POST", body: new URLSearchParams({text: text.value, limit: 10}), signal: mine.signal});
    const told = await reply.json();
    if (!reply.ok) throw new Error(told.detail);
    show(told);
    state.textContent = "";
  } catch (error) {
    if (mine.signal.aborted) return;
    results.replaceChildren();
    state.textContent = `This did not work: ${error.message}`;
  }
}

async function take(chosen) {
  if (!chosen) return;
  if (chosen.size > 8 * most) {
    state.textContent = "This file is too large.";
    return;
  }
  const content = await chosen.text();
  if (content.includes("\0")) {
    state.textContent = "This file is no text.";
    return;
  }
  text.value = content.slice(0, most);
  await ask();
}

form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
});
file.addEventListener("change", () => take(file.files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const files = [...event.dataTransfer.types].includes("Files");
    if (files) event.preventDefault();
    document.body.classList.toggle("dropping", files && kind === "dragover");
    if (files && kind === "drop") take(event.dataTransfer.files[0]);
  });
}
const follow = () => { explorer.href = `/fits/${encodeURIComponent(project.value)}`; };
project.addEventListener("change", () => { follow(); if (text.value) ask(); });
follow();
