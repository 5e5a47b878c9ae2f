"use strict";

// The table's service worker: without a connection it opens the page as it was with one.

const NAME = "deckproof-table";
const PATIENCE = 4_000; // milliseconds, after which a page that is there is better than one that may come
const EVENT = new URL(self.registration.scope).pathname.match(/\/events\/([^/]+)/)[1];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function findCopy(request) {
  const cache = await caches.open(`${NAME} ${EVENT}`);
  return cache.match(request, { ignoreSearch: request.mode === "navigate", ignoreVary: true });
}

// While a page stores itself again, the browser deletes each copy before it writes the new one. So where there is
// neither a copy nor a connection, the copy is looked up a second time.
async function fetchOrFindCopy(request) {
  try {
    return await fetch(request);
  } catch (error) {
    return (await findCopy(request)) ?? Promise.reject(error);
  }
}

async function openPage(request) {
  const copy = await findCopy(request);
  if (!copy) return fetchOrFindCopy(request);
  const given = new Promise((resolve) => setTimeout(resolve, PATIENCE, copy));
  return Promise.race([fetch(request).catch(() => copy), given]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname === new URL(self.registration.scope).pathname) {
    event.respondWith(openPage(request));
  } else if (pathname.includes("/static/")) {
    event.respondWith(findCopy(request).then((copy) => copy ?? fetchOrFindCopy(request)));
  }
});
