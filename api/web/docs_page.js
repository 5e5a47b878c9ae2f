"use strict";

// Swagger UI writes a text that is sent as anything like JSON as a JSON string; lines of JSON are none.
function unquoted(request) {
  if (/ndjson/.test(request.headers?.["Content-Type"]) && /^\s*"/.test(request.body)) {
    request.body = JSON.parse(request.body);
  }
  return request;
}

// The page has a <main> already, so that of Swagger UI becomes a <div>.
function withoutMain({ React }) {
  const { createElement } = React;
  React.createElement = (type, ...more) => createElement(type === "main" ? "div" : type, ...more);
  return {};
}

SwaggerUIBundle({
  plugins: [withoutMain],
  url: "openapi.json",
  dom_id: "#interface",
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  requestInterceptor: unquoted,
  validatorUrl: null, // it is another host
});

// Swagger UI draws a select without a name, links inside buttons, and headings that skip a level.
function repairAccessibility() {
  const find = (selector) => document.querySelectorAll(`#interface ${selector}`);
  for (const select of find("#servers:not([aria-label])")) {
    select.setAttribute("aria-label", "Server");
  }
  for (const link of find(".opblock-summary-control a[href]")) {
    link.removeAttribute("href"); // the button around it opens the operation
  }
  for (const heading of find(":is(h3.opblock-tag, .models h4):not([aria-level])")) {
    heading.setAttribute("aria-level", "2");
  }
}

new MutationObserver(repairAccessibility).observe(document.querySelector("#interface"), { childList: true, subtree: true });
