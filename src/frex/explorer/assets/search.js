/* Search over the names of topics and over words: a combobox with a list below it. */

const searchBox = (() => {
  const MOST = { topic: 10, word: 12 };
  const input = byId("search");
  const list = byId("found");
  let active = -1;

  // without accents and capitals; made at the first search, which takes 20,000 words some 20 ms
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  let entries = null;
  const entry = (kind, number, ...texts) =>
    ({ kind, number, texts: [...new Set(texts)].map(plain) });
  const makeEntries = () => [
    ...index.names.map((name, node) => entry("topic", node, titles[node], name)).slice(1),
    ...index.words.map((word, number) => entry("word", number, shown[number], word)),
  ];

  /** Say how well a text answers: the whole is 0, its beginning 1, a part's beginning 2. */
  function fit(text, query) {
    const at = text.indexOf(query);
    if (at < 0) return Infinity;
    if (at === 0) return text.length === query.length ? 0 : 1;
    return /[\p{L}\p{N}]/u.test(text[at - 1]) ? 3 : 2;
  }

  function find(query) {
    entries ??= makeEntries();
    const found = [];
    for (const one of entries) {
      // a title says more than the name behind it
      const how = Math.min(...one.texts.map((text, i) => fit(text, query) + 1.5 * i));
      if (how < Infinity) found.push({ ...one, how });
    }
    const size = ({ kind, number }) => (kind === "topic" ? topicSize(number) : 0);
    found.sort((a, b) =>
      a.how - b.how || size(b) - size(a) || a.texts[0].length - b.texts[0].length);
    return ["topic", "word"].flatMap((kind) =>
      found.filter((one) => one.kind === kind).slice(0, MOST[kind]));
  }

  function option({ kind, number }, i) {
    const isTopic = kind === "topic";
    const label = isTopic ? titles[number] : shown[number];
    const path = ancestors(isTopic ? number : 0).map((node) => titles[node]).join(" › ");
    const empty = isTopic && leftOut.has(number);
    const note = empty ? "no documents" : isTopic ? path : index.words[number];
    return h("li",
      {
        role: "option", id: `found-${i}`, "aria-selected": "false",
        "data-to": isTopic ? toTopic(number) : toWord(number),
      },
      h("span", { class: "kind" }, kind),
      h("span", { class: "label", dir: "auto" }, label),
      note && note !== label ? h("span", { class: "note", dir: "auto" }, note) : null);
  }

  function update() {
    const query = plain(input.value.trim());
    const found = query ? find(query) : [];
    list.replaceChildren(...found.map(option));
    if (!found.length) list.append(h("li", { class: "none" }, "Nothing has this in its name."));
    list.hidden = !query;
    input.setAttribute("aria-expanded", String(found.length > 0));
    activate(found.length ? 0 : -1);
  }

  function activate(i) {
    active = i;
    [...list.children].forEach((item, j) => item.setAttribute("aria-selected", String(i === j)));
    if (i < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `found-${i}`);
    list.children[i]?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    input.value = "";
    update();
  }

  function choose(item) {
    close();
    takeFocus = true;
    if (location.hash === item.dataset.to) render();
    else location.hash = item.dataset.to;
  }

  input.addEventListener("input", update);
  input.addEventListener("keydown", (event) => {
    const options = list.querySelectorAll("[role=option]");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length) activate((active + step + options.length) % options.length);
    else if (event.key === "Enter" && options[active]) choose(options[active]);
    else if (event.key === "Escape") {
      if (input.value) close();
      else treeView.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // the input keeps the focus
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) choose(item);
  });
  input.addEventListener("blur", () => { list.hidden = true; });
  input.addEventListener("focus", () => { list.hidden = !input.value.trim(); });

  return {
    focus() {
      input.focus();
      input.select();
    },
  };
})();
