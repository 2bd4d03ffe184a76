// Comfort only: every page works without it.
"use strict";

const form = document.querySelector("form");

// choices that were not sent yet survive a reload
function keepDraft() {
  const place = form.getAttribute("action");
  if (form.dataset.answered === "yes") {
    sessionStorage.removeItem(place);
    return;
  }
  for (const [name, value] of JSON.parse(sessionStorage.getItem(place) ?? "[]")) {
    const button = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (button) button.checked = true;
  }
  form.addEventListener("change", () => {
    sessionStorage.setItem(place, JSON.stringify([...new FormData(form)]));
  });
}

// the keys 1 to 9 choose in the question that has the focus
function chooseByNumber(event) {
  const question = event.target.closest?.(".question");
  if (!question || event.ctrlKey || event.altKey || event.metaKey) return;
  const button = question.querySelectorAll("input")[Number(event.key) - 1];
  if (!button) return;
  event.preventDefault();
  button.checked = true;
  button.focus();
  button.dispatchEvent(new Event("change", { bubbles: true }));
}

if (form) {
  const send = form.querySelector("button[type=submit]");
  keepDraft();
  form.addEventListener("keydown", chooseByNumber);
  form.addEventListener("submit", () => { send.disabled = true; });
  window.addEventListener("pageshow", () => { send.disabled = false; });
}
