// What makes the page pleasant; everything works without it.
"use strict";

// A form is sent once. The button is disabled after its value has been taken along.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});

// A page that comes back from the browser's memory shows what is true now.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// Ctrl or ⌘ with Enter says it.
const text = document.getElementById("text");
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) text.form.requestSubmit();
});

// What was typed survives an accident; it is dropped once it is said.
const DRAFT = "zhixing.draft";
if (!text.value && !location.search) text.value = sessionStorage.getItem(DRAFT) || "";
if (location.search) sessionStorage.removeItem(DRAFT);
text.addEventListener("input", () => sessionStorage.setItem(DRAFT, text.value));

// A message has a day only when it was pasted; pasting into the empty box is a good guess that it was.
text.addEventListener("paste", () => {
  if (!text.value) document.getElementById("pasted").checked = true;
});

// Live: whenever something happened, look again and replace what is different.
function replace(old, fresh) {
  if (old.innerHTML === fresh.innerHTML) return;
  const typing = old.contains(document.activeElement) && document.activeElement.matches("input, textarea");
  const filled = Array.from(old.querySelectorAll("input:not([type=hidden]), textarea"))
    .some((field) => field.value !== field.defaultValue);
  if (typing || filled) return;
  const open = Array.from(old.querySelectorAll("details[open][id]"), (details) => details.id);
  old.replaceChildren(...fresh.childNodes);
  open.forEach((id) => { const details = document.getElementById(id); if (details) details.open = true; });
}

async function refresh() {
  const answer = await fetch(location.pathname + location.search, { credentials: "same-origin" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.getElementById("say")) {
    location.reload();
    return;
  }
  for (const old of document.querySelectorAll("[data-live]")) {
    const found = fresh.getElementById(old.id);
    if (found) replace(old, found);
  }
}

const live = document.getElementById("live");
let waiting = 0;
const events = new EventSource("/live");
events.onopen = () => { live.hidden = false; refresh().catch(() => {}); };
events.onerror = () => { live.hidden = true; };
events.onmessage = () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => refresh().catch(() => {}), 200);
};
// Days pass: 今天 becomes 昨天 without anything happening.
setInterval(() => { if (!document.hidden) refresh().catch(() => {}); }, 300000);
