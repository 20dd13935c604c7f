/**
 * Keeps a copy of this version of the client, for practice without a network. A page is always asked for over the network
 * first, so an old client is never shown while the server can be reached; the copy of an old version goes when a new one
 * comes.
 */

const BASE = "/app/";
const CACHE = `ramparts ${BASE}`;
const WAIT_MS = 4000;
/** Everything that practice needs; the server fills it in. */
const FILES = [];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([new Request("/", { cache: "reload" }), ...FILES])));
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith(BASE)) event.respondWith(part(request));
});

async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await Promise.race([fetch(request), new Promise((_, fail) => setTimeout(fail, WAIT_MS))]);
    return answer;
  } catch {
    return (await cache.match("/")) ?? Response.error();
  }
}

/** Parts carry their version in their address and never change. */
async function part(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
