// Live: whenever something happened, the page is asked for again, and what is different in its live parts is replaced.
import htmx from "htmx.org";

const DAY_CHANGES = 300_000; // 今天 becomes 昨天 without anything happening.
const sign = document.getElementById("live");
let source: HTMLElement | null = null;

function parts(): HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>("[data-live][id]"));
}

function follow(): void {
  const ids = parts().map((part) => `#${part.id}`);
  if (source || ids.length === 0) return;
  source = document.createElement("div");
  source.hidden = true;
  const said = {
    "hx-ext": "sse",
    "sse-connect": "/live",
    "hx-get": location.pathname + location.search,
    "hx-trigger": "sse:message delay:200ms, look delay:200ms",
    "hx-swap": "none",
    "hx-select-oob": ids.join(","),
  };
  for (const [name, value] of Object.entries(said)) source.setAttribute(name, value);
  document.body.append(source);
  htmx.process(source);
}

function leave(): void {
  if (!source) return;
  htmx.trigger(source, "htmx:beforeCleanupElement");
  source.remove();
  source = null;
  if (sign) sign.hidden = true;
}

function look(): void {
  if (source && !document.hidden) htmx.trigger(source, "look");
}

function isBusy(part: HTMLElement): boolean {
  const active = document.activeElement;
  const typing = active !== null && part.contains(active) && active.matches("input, textarea, select");
  const fields = part.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input:not([type=hidden]), textarea");
  return typing || Array.from(fields).some((field) => field.value !== field.defaultValue);
}

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const detail = (event as CustomEvent<{ target: HTMLElement; fragment: ParentNode; shouldSwap: boolean }>).detail;
  const { target, fragment } = detail;
  const fresh = fragment.querySelector<HTMLElement>(`#${CSS.escape(target.id)}`);
  if (!fresh || !("live" in target.dataset)) return;
  if (fresh.innerHTML === target.innerHTML || isBusy(target)) {
    detail.shouldSwap = false;
    return;
  }
  target.querySelectorAll<HTMLDetailsElement>("details[open][id]").forEach((open) => {
    const same = fresh.querySelector<HTMLDetailsElement>(`#${CSS.escape(open.id)}`);
    if (same) same.open = true;
  });
});

// A session that is over answers with the page that asks who comes.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { serverResponse } = (event as CustomEvent<{ serverResponse: string }>).detail;
  if (event.target === source && !serverResponse.includes("data-live")) location.reload();
});

document.addEventListener("htmx:sseOpen", () => {
  if (sign) sign.hidden = false;
  look();
});

document.addEventListener("htmx:sseError", () => {
  if (sign) sign.hidden = true;
});

// A page nobody looks at keeps no connection: browsers allow a site only a few.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leave();
  else follow();
});

if (!document.hidden) follow();
setInterval(look, DAY_CHANGES);
