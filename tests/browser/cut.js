// The words that are out of the page at its right, and those that a box cuts. What scrolls by itself, or is there for
// screen readers alone, is neither.
() => {
  const FIELD = /^(INPUT|SELECT|TEXTAREA|BUTTON)$/;
  const ONE_LINE = /^(INPUT|SELECT)$/;
  const wide = document.documentElement.clientWidth;
  const inner = document.documentElement.scrollWidth;
  const found = inner > wide ? [`the page is ${inner} wide and shows ${wide}`] : [];

  const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX);
  const scrolled = (e) => e && (scrolls(e) || scrolled(e.parentElement));
  const words = (e) => FIELD.test(e.tagName) || [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.clientWidth !== 1 && e.clientHeight !== 1;
  const named = (e) => `${e.tagName.toLowerCase()} “${e.textContent.trim().slice(0, 60)}”`;

  const ARROW = 16; // pixels that the arrow of a choice takes
  const pen = document.createElement("canvas").getContext("2d");
  // A choice as wide as its form cannot be wider.
  const isChoiceCut = (e) => {
    const style = getComputedStyle(e);
    if (e.offsetWidth >= (e.closest("form")?.clientWidth ?? wide) - 1) return false;
    pen.font = style.font;
    const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - ARROW;
    return pen.measureText(e.selectedOptions[0]?.text ?? "").width > room;
  };

  for (const e of document.body.querySelectorAll("*")) {
    if (!words(e) || !seen(e) || scrolled(e)) continue;
    const { left, right } = e.getBoundingClientRect();
    if (right > wide + 1 && left < wide) found.push(`${named(e)} ends at ${Math.round(right)}`);
    if (e.tagName === "SELECT" && !e.multiple && isChoiceCut(e)) found.push(`${named(e.selectedOptions[0])} is cut`);
    const { overflowX, overflowY } = getComputedStyle(e);
    const larger = e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1;
    if (/hidden|clip/.test(overflowX + overflowY) && larger && !ONE_LINE.test(e.tagName)) found.push(`${named(e)} is cut`);
  }
  return found;
}
