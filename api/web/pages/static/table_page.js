// The page of the judge's table: its elements, its texts, and whether something is still being done.

export const $ = (id) => document.getElementById(id);
export const { event, root, door } = $("judge-table").dataset;

const texts = new Map(Array.from($("words").content.children, (one) => [one.dataset.word, one.textContent]));

export function translate(key, values = {}) {
  return texts.get(key).replace(/{(\w+)}/g, (_, name) => values[name]);
}

export function element(tag, text, properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...properties });
}

// Replace a text only if it differs: a screen reader reads a replaced text again.
export function showText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// The label of one option of a choice, "" for no option.
export function optionLabel(choice, value) {
  return value ? (Array.from($(choice).options).find((one) => one.value === value)?.text ?? value) : "";
}

export function showFailure(error) {
  const text = translate("unkept", { why: String(error) });
  $("problems").replaceChildren(element("div", text, { className: "notice bad" }));
}

let running = 0; // actions that have not ended

// Run an action that waits for an answer. Until all actions have ended, the connection line is marked as busy.
export async function runBusy(action) {
  running += 1;
  $("line").ariaBusy = "true";
  try {
    await action();
  } catch (error) {
    showFailure(error);
  } finally {
    running -= 1;
    if (!running) $("line").ariaBusy = "false";
  }
}
