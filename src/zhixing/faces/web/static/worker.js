// The service worker. It keeps the shell, which is the same for everybody, and never a page of a home. What is written
// above this names the shell, its version, and the page that stands in while the home cannot be reached.
"use strict";

const KEPT = `zhixing-${SAID.version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(SAID.shell)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const others = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(others).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const asked = new URL(request.url);
  if (request.method !== "GET" || asked.origin !== self.location.origin) return;
  const path = asked.pathname + asked.search;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(SAID.offline)));
  } else if (path !== SAID.offline && SAID.shell.includes(path)) {
    event.respondWith(caches.match(path).then((found) => found || fetch(request)));
  }
});
