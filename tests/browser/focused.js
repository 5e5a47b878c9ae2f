// What has the focus: its name, how thick its outline is, whether it is in sight, and which element of the page it is.
() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  const label = e.labels?.[0];
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, innerHeight - box.y) / 2);
  const name = e.getAttribute("aria-label") || label?.textContent || e.textContent || e.name || e.tagName;
  return {
    name: name.trim().replace(/\s+/g, " ").slice(0, 60),
    outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    seen: !!top && (e.contains(top) || top.contains(e) || !!label?.contains(top)),
    at: [...document.querySelectorAll("*")].indexOf(e),
  };
}
