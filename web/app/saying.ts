// The box in which things are said.
const DRAFT = "zhixing.draft";

const text = document.querySelector<HTMLTextAreaElement>("#say #text");
if (text) prepare(text, text.form!);

function prepare(text: HTMLTextAreaElement, form: HTMLFormElement): void {
  // Ctrl or ⌘ with Enter says it.
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });

  // What was typed survives an accident. What was sent and refused comes back from the server.
  if (!text.value) text.value = sessionStorage.getItem(DRAFT) ?? "";
  text.addEventListener("input", () => sessionStorage.setItem(DRAFT, text.value));
  form.addEventListener("submit", () => sessionStorage.removeItem(DRAFT));

  // A message has a day only when it was pasted; pasting into the empty box is a good guess that it was.
  text.addEventListener("paste", (event) => {
    if (take(event.clipboardData)) event.preventDefault();
    else if (!text.value) document.querySelector<HTMLInputElement>("#pasted")!.checked = true;
  });

  const box = text.closest<HTMLElement>(".say")!;
  box.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    box.classList.add("dropping");
  });
  box.addEventListener("dragleave", () => box.classList.remove("dropping"));
  box.addEventListener("drop", (event) => {
    box.classList.remove("dropping");
    if (take(event.dataTransfer)) event.preventDefault();
  });
}

// A picture that is pasted or dropped goes into the form for pictures, with the words that are there; a person sends it.
function take(given: DataTransfer | null): boolean {
  const picture = Array.from(given?.files ?? []).find((file) => file.type.startsWith("image/"));
  const details = document.querySelector<HTMLDetailsElement>("#picture");
  const field = details?.querySelector<HTMLInputElement>("input[type=file]");
  if (!picture || !details || !field) return false;
  const taken = new DataTransfer();
  taken.items.add(picture);
  field.files = taken.files;
  const words = details.querySelector<HTMLInputElement>("input[name=text]");
  if (words && text && !words.value) words.value = text.value.trim();
  details.open = true;
  details.querySelector("button")?.focus();
  return true;
}
