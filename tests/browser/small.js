// What is pressed and lower than a thumb is wide. A link within a sentence is as high as its line; what is hidden until it
// has the focus is not for thumbs.
() => {
  const THUMB = 44;
  const inSentence = (e) => e.tagName === "A" && !e.closest("nav, table, .actions") && getComputedStyle(e).display.startsWith("inline");
  const pressed = [...document.querySelectorAll("a, button, input, select, textarea, summary")];
  const seen = pressed.filter((e) => e.checkVisibility() && e.type !== "hidden" && !e.matches(".skip") && !inSentence(e));
  const low = seen.filter((e) => Math.round((e.closest("label") ?? e).getBoundingClientRect().height) < THUMB);
  return low.map((e) => `${e.tagName.toLowerCase()} “${(e.textContent || e.name).trim().slice(0, 40)}”`);
}
