/* The weight and the comparison set, which every view ranks by. */

/** How a comparison set is called in a sentence. */
const setName = ({ name }) => ({ siblings: "its siblings", all: "all topics" })[name] ?? name;

function setNote({ averaged, draws }) {
  if (!averaged)
    return "The fit did not average this comparison: exclusivity is that of the typical rates, " +
      "without intervals.";
  return draws ? "" : "The fit kept no draws of these scores: there are no intervals.";
}

const frequentShown = () => remembered("frex-frequent") !== "no";

/** Show or hide the columns of most frequent words, here and the next time. */
function showFrequent(yes) {
  remember("frex-frequent", yes ? "yes" : "no");
  document.body.classList.toggle("no-frequent", !yes);
}

/** Make the slider and the chooser; `change` is called when one of them moves. */
function controls(change, { withCards = true } = {}) {
  const output = h("output", { for: "weight" }, place.weight.toFixed(2));
  const note = h("p", { class: "muted note" }, setNote(index.sets[place.set]));

  function moved() {
    output.value = place.weight.toFixed(2);
    say();
    note.textContent = setNote(index.sets[place.set]);
    history.replaceState(null, "", address(place));
    refreshLinks();
    change();
  }

  const slider = h("input", {
    id: "weight", type: "range", min: 0, max: 1, step: 1 / index.steps, value: place.weight,
    "aria-describedby": "ends",
    input: ({ target }) => {
      place.weight = Math.round(target.value * index.steps) / index.steps;
      moved();
    },
  });
  const options = index.sets.map((set, i) =>
    h("option", { value: i, selected: i === place.set }, setName(set)));
  const chooser = h("select", {
    id: "set",
    change: ({ target }) => {
      place.set = Number(target.value);
      moved();
    },
  }, options);
  const beside = h("label", { class: "check" },
    h("input", {
      type: "checkbox", id: "frequent", checked: frequentShown(),
      change: ({ target }) => showFrequent(target.checked),
    }), " most frequent words beside");
  const end = (text) => h("span", { "aria-hidden": "true" }, text);
  const how = h("summary", {});
  const say = () => how.replaceChildren(
    "Ranking: ", h("i", {}, "w"), ` = ${place.weight.toFixed(2)}, compared with `,
    setName(index.sets[place.set]));
  say();
  return h("details", { class: "controls", open: !narrow.matches, "aria-label": "Ranking" }, how, h("div", {},
    h("div", { class: "control" },
      h("label", { for: "weight" }, "Weight of exclusivity ", h("i", {}, "w"), " = ", output),
      h("div", { class: "slider" }, end("frequent"), slider, end("exclusive")),
      h("span", { id: "ends", class: "unseen" },
        "0 ranks by frequency alone, 1 by exclusivity alone")),
    h("div", { class: "control" }, h("label", { for: "set" }, "Exclusive compared with"), chooser),
    options.length && withCards ? beside : null,
    note));
}
