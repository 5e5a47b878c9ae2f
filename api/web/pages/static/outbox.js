// The outbox: what a judge's phone stores of an event, and what it has still to send, in the order in which it was
// written.

const NAME = "deckproof-table";
const STORES = ["events", "checks", "entries"];
const TIMEOUT = 15_000; // milliseconds for an answer in a hall's wifi

// A random id. Browsers have crypto.randomUUID over HTTPS only.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openDatabase() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("events", { keyPath: "event" });
    request.result.createObjectStore("checks", { keyPath: "id" }).createIndex("event", "event");
    const entries = request.result.createObjectStore("entries", { keyPath: "number", autoIncrement: true });
    entries.createIndex("event", "event");
  };
  return resultOf(request);
}

// Run an action on the stores, completely or not at all. Resolves with its result once everything is stored.
function transact(database, mode, action) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORES, mode);
    const stores = Object.fromEntries(STORES.map((name) => [name, transaction.objectStore(name)]));
    let result;
    transaction.oncomplete = () => resolve(result?.result ?? result);
    transaction.onabort = () => reject(transaction.error);
    result = action(stores);
  });
}

function deleteAll(stores, event) {
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

async function deleteStoredPage(event) {
  if (!("caches" in window)) return; // without HTTPS
  for (const name of await caches.keys()) if (name === `${NAME} ${event}`) await caches.delete(name);
  for (const worker of await navigator.serviceWorker.getRegistrations()) {
    if (new URL(worker.scope).pathname.includes(`/events/${event}/`)) await worker.unregister();
  }
}

// Delete everything that is stored of an event.
export async function forget(event) {
  const database = await openDatabase();
  await transact(database, "readwrite", (stores) => deleteAll(stores, event));
  database.close();
  await deleteStoredPage(event);
}

// Delete everything that is stored of an event, unless some of it is not sent yet. Returns true if it is deleted.
export async function forgetIfSent(event) {
  const outbox = await Outbox.open(event);
  const isWaiting = (await outbox.entries()).length > 0 || (await outbox.checks()).some((one) => one.dirty);
  outbox.database.close();
  if (!isWaiting) await forget(event);
  return !isWaiting;
}

const isOver = (lists) => Date.parse(lists.event.until) <= Date.now();

// Delete what is stored of events that are over. What is not sent yet of the event of this outbox is sent first.
export async function forgetOld(outbox) {
  const stored = await transact(outbox.database, "readonly", (stores) => stores.events.getAll());
  const isWaiting = (await outbox.entries()).length > 0;
  for (const one of stored) {
    if (isOver(one.lists) && !(isWaiting && one.event === outbox.event)) await forget(one.event);
  }
}

// Return the status and the JSON of an answer, null instead of the JSON if a 400 has none. Throws if the phone is
// offline, or if the answer is not the server's: a hotel's wifi answers every address with a page of its own.
export async function ask(address, fields) {
  const options = fields ? { method: "POST", body: new URLSearchParams(fields) } : {};
  const signal = AbortSignal.timeout(TIMEOUT);
  const headers = { Accept: "application/json" };
  const answer = await fetch(address, { ...options, headers, signal, redirect: "error", cache: "no-store" });
  const isJson = /json/.test(answer.headers.get("Content-Type") ?? "");
  if (!isJson && answer.status !== 400) throw new TypeError("offline");
  return { status: answer.status, json: isJson ? await answer.json() : null };
}

// The stored data of one event.
export class Outbox {
  static async open(event) {
    const outbox = new Outbox();
    outbox.event = event;
    outbox.database = await openDatabase();
    return outbox;
  }

  #read(store) {
    return transact(this.database, "readonly", (stores) => stores[store].index("event").getAll(this.event));
  }

  checks() {
    return this.#read("checks");
  }

  entries() {
    return this.#read("entries");
  }

  async lists() {
    const stored = await transact(this.database, "readonly", (stores) => stores.events.get(this.event));
    return stored?.lists;
  }

  async saveLists(lists) {
    if (isOver(lists)) return;
    await transact(this.database, "readwrite", (stores) => void stores.events.put({ event: this.event, lists }));
  }

  // Store a check, an entry to be sent, or both together.
  save(check, entry) {
    return transact(this.database, "readwrite", (stores) => {
      if (check) stores.checks.put(check);
      if (entry) stores.entries.put({ event: this.event, id: newId(), problem: null, ...entry });
    });
  }

  // Delete an entry that was answered, and store its check as the answer changed it.
  complete(entry, check) {
    return transact(this.database, "readwrite", (stores) => {
      stores.entries.delete(entry.number);
      if (check) stores.checks.put(check);
    });
  }

  // Delete a check, with all its entries.
  async discard(check) {
    const entries = (await this.entries()).filter((one) => one.check === check.id);
    await transact(this.database, "readwrite", (stores) => {
      stores.checks.delete(check.id);
      for (const entry of entries) stores.entries.delete(entry.number);
    });
  }

  // The first entry that can be sent, null if there is none. Later entries of a check wait for a refused one.
  async nextEntry() {
    const waiting = new Set();
    for (const entry of await this.entries()) {
      if (!entry.problem && !waiting.has(entry.check)) return entry;
      if (entry.check) waiting.add(entry.check);
    }
    return null;
  }
}
