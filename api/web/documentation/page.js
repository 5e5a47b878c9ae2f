"use strict";

// Swagger UI writes a text that is sent as anything like JSON as a JSON string; lines of JSON are none.
function unquoted(request) {
  if (/ndjson/.test(request.headers?.["Content-Type"]) && /^\s*"/.test(request.body)) {
    request.body = JSON.parse(request.body);
  }
  return request;
}

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#interface",
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  requestInterceptor: unquoted,
  validatorUrl: null, // it is another host
});
