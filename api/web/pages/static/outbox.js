// The outbox: what a judge's telephone keeps of an event, and what it has still to send, in the order it was written in.

const NAME = "deckproof-table";
const STORES = ["events", "checks", "entries"];
const PATIENCE = 15_000; // milliseconds for an answer in a hall's wifi

// Random, as crypto.randomUUID would be where there is no HTTPS.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("events", { keyPath: "event" });
    request.result.createObjectStore("checks", { keyPath: "id" }).createIndex("event", "event");
    const entries = request.result.createObjectStore("entries", { keyPath: "number", autoIncrement: true });
    entries.createIndex("event", "event");
  };
  return done(request);
}

// Do something with the stores, wholly or not at all; what it returns is there once all of it is kept.
function within(database, mode, act) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORES, mode);
    const stores = Object.fromEntries(STORES.map((name) => [name, transaction.objectStore(name)]));
    let result;
    transaction.oncomplete = () => resolve(result?.result ?? result);
    transaction.onabort = () => reject(transaction.error);
    result = act(stores);
  });
}

function removeAll(stores, event) {
  stores.events.delete(event);
  for (const name of ["checks", "entries"]) {
    const request = stores[name].index("event").openKeyCursor(IDBKeyRange.only(event));
    request.onsuccess = () => {
      if (!request.result) return;
      stores[name].delete(request.result.primaryKey);
      request.result.continue();
    };
  }
}

async function removeCopies(event) {
  if (!("caches" in window)) return; // there is no HTTPS
  for (const name of await caches.keys()) if (name === `${NAME} ${event}`) await caches.delete(name);
  for (const one of await navigator.serviceWorker.getRegistrations()) {
    if (new URL(one.scope).pathname.includes(`/events/${event}/`)) await one.unregister();
  }
}

// Delete all that is kept of an event.
export async function forget(event) {
  const database = await opened();
  await within(database, "readwrite", (stores) => removeAll(stores, event));
  database.close();
  await removeCopies(event);
}

// Delete all that is kept of an event, unless something of it is not sent yet; tell whether it is done.
export async function left(event) {
  const box = await Outbox.of(event);
  const waits = (await box.entries()).length > 0 || (await box.checks()).some((one) => one.dirty);
  box.database.close();
  if (!waits) await forget(event);
  return !waits;
}

const isOver = (lists) => Date.parse(lists.event.until) <= Date.now();

// Delete what is kept of events whose time is over; what of this one is not sent yet is sent first.
export async function forgetOld(box) {
  const kept = await within(box.database, "readonly", (stores) => stores.events.getAll());
  const waits = (await box.entries()).length > 0;
  for (const one of kept) if (isOver(one.lists) && !(waits && one.event === box.event)) await forget(one.event);
}

// What an address answers: its status and its JSON. An error where there is no line, or what answers is not the server:
// the wifi of a hotel has a page of its own for everything.
export async function ask(address, fields) {
  const how = fields ? { method: "POST", body: new URLSearchParams(fields) } : {};
  const signal = AbortSignal.timeout(PATIENCE);
  const headers = { Accept: "application/json" };
  const answer = await fetch(address, { ...how, headers, signal, redirect: "error", cache: "no-store" });
  const isJson = /json/.test(answer.headers.get("Content-Type") ?? "");
  if (!isJson && answer.status !== 400) throw new TypeError("no line");
  return { status: answer.status, json: isJson ? await answer.json() : null };
}

// What is kept of one event.
export class Outbox {
  static async of(event) {
    const box = new Outbox();
    box.event = event;
    box.database = await opened();
    return box;
  }

  #all(store) {
    return within(this.database, "readonly", (stores) => stores[store].index("event").getAll(this.event));
  }

  checks() {
    return this.#all("checks");
  }

  entries() {
    return this.#all("entries");
  }

  async lists() {
    const kept = await within(this.database, "readonly", (stores) => stores.events.get(this.event));
    return kept?.lists;
  }

  async keepLists(lists) {
    if (isOver(lists)) return;
    await within(this.database, "readwrite", (stores) => void stores.events.put({ event: this.event, lists }));
  }

  // Keep a check as it stands; with an entry, which is to be sent, both or neither.
  keep(check, entry) {
    return within(this.database, "readwrite", (stores) => {
      if (check) stores.checks.put(check);
      if (entry) stores.entries.put({ event: this.event, id: newId(), problem: null, ...entry });
    });
  }

  // Keep a check as an answer leaves it, and the entry no longer that was answered.
  settle(entry, check) {
    return within(this.database, "readwrite", (stores) => {
      stores.entries.delete(entry.number);
      if (check) stores.checks.put(check);
    });
  }

  // Throw a check away, with all that is not sent of it.
  async drop(check) {
    const entries = (await this.entries()).filter((one) => one.check === check.id);
    await within(this.database, "readwrite", (stores) => {
      stores.checks.delete(check.id);
      for (const one of entries) stores.entries.delete(one.number);
    });
  }

  // The first entry that may be sent: behind one that was refused waits what else is written of that check.
  async next() {
    const held = new Set();
    for (const one of await this.entries()) {
      if (!one.problem && !held.has(one.check)) return one;
      if (one.check) held.add(one.check);
    }
    return null;
  }
}
