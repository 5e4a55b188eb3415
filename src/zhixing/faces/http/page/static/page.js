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

// What was typed survives an accident. What was sent and refused comes back from the server.
const DRAFT = "zhixing.draft";
if (!text.value) text.value = sessionStorage.getItem(DRAFT) || "";
text.addEventListener("input", () => sessionStorage.setItem(DRAFT, text.value));
text.form.addEventListener("submit", () => sessionStorage.removeItem(DRAFT));

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

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => refresh().catch(() => {}), 200);
}

let events = null;

function follow() {
  events = new EventSource("/live");
  events.onopen = () => { live.hidden = false; soon(); };
  events.onmessage = soon;
  events.onerror = () => {
    live.hidden = true;
    // Browsers come back by themselves, unless the answer was a refusal.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => { if (!document.hidden) follow(); }, 5000);
  };
}

// A page nobody looks at keeps no connection: browsers allow a site only a few.
document.addEventListener("visibilitychange", () => {
  events.close();
  live.hidden = true;
  if (!document.hidden) follow();
});

follow();
// Days pass: 今天 becomes 昨天 without anything happening.
setInterval(() => { if (!document.hidden) soon(); }, 300000);
