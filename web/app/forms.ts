// A form is sent once. The button is disabled after its value has been taken along.
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
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

// A menu closes when something else is touched.
document.addEventListener("click", (event) => {
  const menu = document.querySelector<HTMLDetailsElement>("details.menu[open]");
  if (menu && !menu.contains(event.target as Node)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = document.querySelector<HTMLDetailsElement>("details.menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});
