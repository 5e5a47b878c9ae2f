"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];
const DEEPEST = 6;
const FORM = "multipart/form-data";
let spec = {};

function make(name, attributes, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inside.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

/* Text with `code`, **strong** and lists of "- " lines: all the markup that the descriptions use. */
function words(text) {
  return String(text).split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return make("strong", {}, part.slice(2, -2));
    return part;
  });
}

function paragraphs(text, className) {
  return (text || "").split(/\n\s*\n/).filter((part) => part.trim()).map((part) => {
    const lines = part.split("\n");
    if (lines.every((line) => line.startsWith("- "))) {
      return make("ul", {}, lines.map((line) => make("li", {}, words(line.slice(2)))));
    }
    return make("p", { class: className }, words(part));
  });
}

function resolved(shape) {
  if (!shape || !shape.$ref) return shape || {};
  const target = shape.$ref.split("/").slice(1).reduce((at, step) => (at || {})[step], spec);
  const { $ref, ...own } = shape;
  return { ...resolved(target), ...own };
}

function typesOf(shape) {
  return [].concat(shape.type || (shape.properties ? "object" : [])).filter((type) => type !== "null");
}

function kindOf(shape) {
  const full = resolved(shape);
  const nullable = [].concat(full.type || []).includes("null") ? " or null" : "";
  if (full.enum) return full.enum.map((one) => JSON.stringify(one)).join(" · ");
  if (full.anyOf && !typesOf(full).length) return full.anyOf.map(kindOf).join(" or ");
  if (full.items) return `list of ${kindOf(full.items) || "anything"}`;
  const bounds = [full.minimum, full.maximum].some((one) => one !== undefined)
    ? ` ${full.minimum ?? "…"}–${full.maximum ?? "…"}` : "";
  const named = full.format === "date" ? "date" : typesOf(full).join(" or ");
  return named + bounds + nullable;
}

function example(shape, depth = 0) {
  const full = resolved(shape);
  if (full.example !== undefined) return full.example;
  if (full.examples && full.examples.length) return full.examples[0];
  if (full.enum) return full.enum[0];
  if (depth > DEEPEST) return null;
  if (full.properties) {
    const all = Object.entries(full.properties);
    const wanted = all.filter(([name, of]) => (full.required || []).includes(name) || resolved(of).example !== undefined);
    return Object.fromEntries((wanted.length ? wanted : all).map(([name, of]) => [name, example(of, depth + 1)]));
  }
  if (full.items) return [example(full.items, depth + 1)];
  return { integer: 0, number: 0, boolean: true, string: "…", object: {} }[typesOf(full)[0]] ?? null;
}

function fields(shape, asked, depth = 0) {
  let full = resolved(shape);
  while (full.items) full = resolved(full.items);
  if (!full.properties || depth > DEEPEST) return null;
  return make("ul", { class: "fields" }, Object.entries(full.properties).map(([name, of]) => {
    const must = asked && (full.required || []).includes(name);
    const inner = fields(of, asked, depth + 1);
    const head = [
      make("code", {}, name), " ", make("span", { class: "kind" }, kindOf(of)),
      must ? make("span", { class: "must" }, "required") : null,
      resolved(of).description ? [" ", ...words(resolved(of).description)] : null,
    ].flat();
    return make("li", {}, inner ? make("details", {}, make("summary", {}, head), inner) : head);
  }));
}

function json(value) {
  return make("pre", {}, make("code", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)));
}

function parametersTable(parameters) {
  if (!parameters.length) return [];
  return [
    make("h4", {}, "Parameters"),
    make("table", {},
      make("thead", {}, make("tr", {}, ["Name", "In", "What"].map((one) => make("th", {}, one)))),
      make("tbody", {}, parameters.map((one) => make("tr", {},
        make("td", {}, make("code", {}, one.name), one.required ? make("span", { class: "must" }, "required") : null),
        make("td", { class: "kind" }, one.in),
        make("td", {}, make("p", {}, words(one.description || "")), make("span", { class: "kind" }, kindOf(one.schema))),
      )))),
  ];
}

function bodyOf(operation) {
  return Object.entries((operation.requestBody || {}).content || {});
}

function exampleBody(media) {
  const value = example(media.schema);
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/* What a request carries: a form's file to choose, or a text to write. */
function bodyInput(type, media) {
  if (type === FORM) return make("input", { type: "file", name: "file", "aria-label": "file", required: true });
  return make("textarea", { "aria-label": "Body", spellcheck: "false" }, exampleBody(media));
}

function requestPart(operation) {
  const content = bodyOf(operation);
  if (!content.length) return [];
  return [
    make("h4", {}, "Request"),
    ...paragraphs(operation.requestBody.description),
    ...content.flatMap(([type, media]) => [
      make("p", { class: "kind" }, make("code", {}, type)),
      fields(media.schema, true),
    ]),
  ];
}

function responsesPart(operation) {
  const all = Object.entries(operation.responses || {}).filter(([status]) => status !== "default");
  return [
    make("h4", {}, "Answers"),
    ...all.map(([status, response]) => {
      const full = resolved(response);
      const content = Object.entries(full.content || {});
      const good = status < 400;
      return make("details", { class: "response", open: good && content.some(([, media]) => fields(media.schema)) },
        make("summary", {},
          make("span", { class: `status ${good ? "good" : "bad"}` }, status),
          ...words(full.description || ""), " ",
          make("span", { class: "kind" }, content.map(([type]) => type).join(" · "))),
        ...content.map(([, media]) => fields(media.schema) || ""));
    }),
  ];
}

function address(path, form) {
  const query = new URLSearchParams();
  let found = path;
  for (const input of form.querySelectorAll("input")) {
    if (input.dataset.in === "path") found = found.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.dataset.in && input.value) query.set(input.name, input.value);
  }
  return found.slice(1) + (query.size ? `?${query}` : "");
}

function fileOf(form) {
  const data = new FormData();
  data.append("file", form.querySelector("input[type=file]").files[0]);
  return data;
}

/* The answer as a person reads it; a file is a link to keep it by. */
async function shown(response) {
  const kind = response.headers.get("Content-Type") || "";
  if (!/json|text|^$/.test(kind)) {
    const name = (response.headers.get("Content-Disposition") || "").match(/filename="?([^";]+)/);
    const link = { href: URL.createObjectURL(await response.blob()), download: name ? name[1] : "answer" };
    return make("p", {}, make("a", link, `Keep ${link.download}`));
  }
  const text = await response.text();
  try { return json(JSON.parse(text)); } catch { return json(text); /* not JSON: shown as it came */ }
}

async function send(method, path, form, answer) {
  const type = form.dataset.type;
  const body = form.querySelector("textarea");
  answer.replaceChildren(make("p", { class: "kind" }, "…"));
  try {
    const begun = performance.now();
    const response = await fetch(address(path, form), {
      method: method.toUpperCase(),
      headers: body ? { "Content-Type": type } : {},
      body: body ? body.value : type === FORM ? fileOf(form) : undefined,
    });
    const found = await shown(response);
    const took = Math.round(performance.now() - begun);
    answer.replaceChildren(
      make("p", {}, make("strong", { class: `status ${response.ok ? "good" : "bad"}` }, response.status),
        make("span", { class: "kind" }, ` in ${took} ms`)),
      make("div", { class: "answer" }, found));
  } catch (error) {
    answer.replaceChildren(make("p", { class: "status bad" }, `No answer: ${error.message}`));
  }
}

function tryPart(method, path, operation, parameters) {
  const [type, media] = bodyOf(operation)[0] || [];
  const answer = make("div", { "aria-live": "polite" });
  const form = make("form", { "data-type": type },
    parameters.map((one) => make("label", {}, make("code", {}, one.name),
      make("input", { name: one.name, "data-in": one.in, required: one.required,
        value: one.required ? String(example(one.schema) ?? "").replace("…", "") : "" }))),
    media ? bodyInput(type, media) : null,
    make("button", { type: "submit" }, "Send"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(method, path, form, answer);
  });
  return make("details", {}, make("summary", {}, "Try it"), form, answer);
}

function operationPart(method, path, operation, shared) {
  const parameters = [...(shared || []), ...(operation.parameters || [])].map(resolved);
  const id = `${method}${path.replace(/[^a-z0-9]+/gi, "-")}`.replace(/-$/, "");
  const article = make("article", { id },
    make("h3", {}, make("span", { class: `method ${method}` }, method.toUpperCase()),
      make("a", { class: "path", href: `#${id}` }, path)),
    make("p", { class: "says" }, make("strong", {}, words(operation.summary || ""))),
    ...paragraphs(operation.description),
    ...parametersTable(parameters),
    ...requestPart(operation),
    ...responsesPart(operation),
    tryPart(method, path, operation, parameters));
  article.dataset.words = [method, path, operation.summary, operation.description].join(" ").toLowerCase();
  return article;
}

function grouped() {
  const groups = new Map((spec.tags || []).map((tag) => [tag.name, { says: tag.description, found: [] }]));
  for (const [path, item] of Object.entries(spec.paths || {})) {
    for (const method of METHODS.filter((one) => item[one])) {
      const tag = (item[method].tags || ["other"])[0];
      if (!groups.has(tag)) groups.set(tag, { says: "", found: [] });
      groups.get(tag).found.push(operationPart(method, path, item[method], item.parameters));
    }
  }
  return groups;
}

function show() {
  document.getElementById("version").textContent = spec.info.version;
  document.getElementById("about").replaceChildren(make("h1", {}, spec.info.title), ...paragraphs(spec.info.description));
  const operations = document.getElementById("operations");
  const list = document.getElementById("list");
  for (const [tag, group] of grouped()) {
    operations.append(make("h2", { "data-group": tag }, tag), make("p", { class: "lead", "data-group": tag }, group.says), ...group.found);
    list.append(make("h2", {}, tag), make("ul", {}, group.found.map((article) => {
      const [method, path] = article.querySelector("h3").children;
      return make("li", { "data-for": article.id }, make("a", { href: `#${article.id}` },
        make("span", { class: method.className }, method.textContent), make("span", {}, path.textContent)));
    })));
    group.found.forEach((article) => { article.dataset.group = tag; });
  }
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function seek(event) {
  const wanted = event.target.value.trim().toLowerCase();
  const shownGroups = new Set();
  for (const article of document.querySelectorAll("article")) {
    const fits = article.dataset.words.includes(wanted);
    article.hidden = !fits;
    document.querySelector(`li[data-for="${article.id}"]`).hidden = !fits;
    if (fits) shownGroups.add(article.dataset.group);
  }
  for (const title of document.querySelectorAll("[data-group]:not(article)")) title.hidden = !shownGroups.has(title.dataset.group);
  for (const title of document.querySelectorAll("nav h2")) title.hidden = !shownGroups.has(title.textContent);
}

document.getElementById("seek").addEventListener("input", seek);
fetch("openapi.json").then((response) => response.json()).then((found) => { spec = found; show(); }).catch((error) => {
  document.getElementById("about").replaceChildren(make("p", {}, `openapi.json could not be read: ${error.message}`));
});
