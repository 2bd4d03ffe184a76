/* The tree on the left, as the ARIA practices have it: one tab stop, arrows walk about. */

const treeView = (() => {
  const root = byId("tree");
  const items = new Map(); // node -> its <li>, made when its branch is first opened

  const treeNote = (node) =>
    index.unsupervised ? percent(index.text[node]) : count(index.below[node]);

  function makeItem(node) {
    const below = children[node].length > 0;
    const empty = leftOut.has(node);
    const item = h(
      "li",
      {
        role: "treeitem",
        "aria-labelledby": empty ? `node-${node} count-${node}` : `node-${node}`,
        "aria-level": levels[node],
        "aria-expanded": below ? "false" : null,
        "aria-selected": "false",
        tabindex: -1,
        "data-node": node,
        style: { "--level": levels[node] },
      },
      h(
        "div",
        { class: empty ? "row left-out" : "row" },
        h("span", { class: below ? "twisty" : "twisty leaf", "aria-hidden": "true" }),
        h("span", { class: "label", id: `node-${node}`, dir: "auto", title: titles[node] },
          titles[node]),
        h("span", { class: "n", id: `count-${node}`, "aria-hidden": empty ? null : "true" },
          empty ? "no documents" : treeNote(node)),
      ),
    );
    items.set(node, item);
    return item;
  }

  function expand(node, open) {
    const item = items.get(node);
    if (!children[node].length) return;
    item.setAttribute("aria-expanded", open);
    let group = item.querySelector(":scope > ul");
    if (open && !group) {
      group = h("ul", { role: "group" }, children[node].map(makeItem));
      item.append(group);
    }
    if (group) group.hidden = !open;
  }

  const isOpen = (node) => items.get(node).getAttribute("aria-expanded") === "true";
  const inSight = () =>
    [...root.querySelectorAll("li")].filter((item) => !item.closest("ul[hidden]"));

  /** Make an item the tree's one tab stop. */
  function stopAt(item) {
    for (const other of root.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    item.tabIndex = 0;
    item.firstChild.scrollIntoView({ block: "nearest" });
  }

  function focus(item) {
    stopAt(item);
    item.focus({ preventScroll: true });
  }

  function onKey(event) {
    const item = event.target.closest("li");
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const node = Number(item.dataset.node);
    const seen = inSight();
    const at = seen.indexOf(item);
    const moves = {
      ArrowDown: () => seen[at + 1],
      ArrowUp: () => seen[at - 1],
      Home: () => seen[0],
      End: () => seen.at(-1),
      ArrowRight: () => {
        if (isOpen(node)) return items.get(children[node][0]);
        expand(node, true);
        return item;
      },
      ArrowLeft: () => {
        if (!isOpen(node)) return items.get(index.parents[node]) ?? item;
        expand(node, false);
        return item;
      },
    };
    if (event.key in moves) {
      const target = moves[event.key]();
      if (target) focus(target);
    } else if (event.key === "Enter" || event.key === " ") {
      location.hash = toTopic(node);
    } else if (/^[\p{L}\p{N}]$/u.test(event.key)) {
      const letter = event.key.toLowerCase();
      const begins = ({ dataset }) => titles[dataset.node].toLowerCase().startsWith(letter);
      const target = [...seen.slice(at + 1), ...seen.slice(0, at)].find(begins);
      if (target) focus(target);
    } else return;
    event.preventDefault();
  }

  function onClick(event) {
    const item = event.target.closest("li");
    if (!item) return;
    const node = Number(item.dataset.node);
    focus(item);
    if (event.target.classList.contains("twisty")) expand(node, !isOpen(node));
    else location.hash = toTopic(node);
  }

  root.append(...children[0].map(makeItem));
  root.firstChild.tabIndex = 0;
  root.addEventListener("keydown", onKey);
  root.addEventListener("click", onClick);
  if (nNodes <= 60) children[0].forEach((node) => expand(node, true));

  return {
    /** Mark a topic as the one that is shown, and open the way to it; 0 marks none. */
    show(node) {
      root.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
      if (!node) return;
      for (const above of ancestors(node)) expand(above, true);
      expand(node, true);
      const item = items.get(node);
      item.setAttribute("aria-selected", "true");
      stopAt(item);
    },
    focus: () => focus(root.querySelector('[tabindex="0"]')),
  };
})();
