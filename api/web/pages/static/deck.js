"use strict";

// The check page: files dropped or chosen, links that carry a deck after their "#", and what is to be copied.

const form = document.getElementById("deck");
const list = document.getElementById("decklist");
const file = document.getElementById("file");
const LARGEST = 1_000_000; // bytes of a file, and characters that a link may unfold to

// A file that is plain text is shown as the list; any other is left for the server, which knows more encodings.
async function take(chosen) {
  if (!chosen) return;
  try {
    if (chosen.size > LARGEST) throw new RangeError();
    list.value = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
    file.value = "";
  } catch {
    list.value = "";
  }
  form.requestSubmit();
}

file.addEventListener("change", () => take(file.files[0]));
for (const kind of ["dragenter", "dragover"]) {
  form.addEventListener(kind, (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
}
form.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  file.files = event.dataTransfer.files;
  take(file.files[0]);
});

// A link has what is filled in as a query would, squeezed, in the letters of base64url.
function through(bytes, stream) {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream));
}

export async function packed() {
  const filled = [...new FormData(form)].filter(([name, value]) => name !== "to" && typeof value === "string" && value);
  const text = new TextEncoder().encode(new URLSearchParams(filled));
  const bytes = new Uint8Array(await through(text, new CompressionStream("deflate-raw")).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const reader = through(bytes, new DecompressionStream("deflate-raw")).body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > LARGEST) throw new RangeError();
  }
  return new URLSearchParams(text);
}

async function open() {
  const found = location.hash.match(/^#d=([\w-]+)$/);
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const filled = await unpacked(found[1]);
    form.reset();
    for (const name of new Set(filled.keys())) {
      // A repeated field is shown whole.
      if (form.elements[name]) form.elements[name].value = filled.getAll(name).join("\n\n");
    }
  } catch {
    return; // a link that was cut short has nothing to show
  }
  form.requestSubmit();
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share], [data-copy]");
  if (!button) return;
  const shown = document.getElementById(button.dataset.share ?? button.dataset.copy);
  if (button.dataset.share) {
    shown.value = `${location.origin}${location.pathname}${location.search}#d=${await packed()}`;
    shown.closest("[hidden]")?.removeAttribute("hidden");
  }
  shown.select();
  if (await copy(shown.value)) button.dataset.done = "";
});

// What only a script can do is offered once there is one; what is wrong is said at its field.
function tend() {
  for (const one of document.querySelectorAll("[data-share], [data-copy]")) one.hidden = false;
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const link of document.querySelectorAll("[data-fault]")) {
    const field = form.elements[link.dataset.fault];
    if (!field?.setAttribute) continue;
    field.setAttribute("aria-invalid", "true");
    if (!link.id) link.id = `${link.dataset.fault}-said`;
    field.setAttribute("aria-describedby", link.id);
    field.closest("details")?.setAttribute("open", "");
  }
}

document.addEventListener("htmx:after:swap", tend);
window.addEventListener("hashchange", open);
tend();
open();
