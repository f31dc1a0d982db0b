// All that this worker does: when the server cannot be reached, a page that says so, instead of the browser's own.
// It keeps no page, no view and nothing of the API, so nothing old can ever be shown; a new build brings a new worker with a new store.
const STORE = 'offline-BUILD'
const FILES = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg']

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))))
})

self.addEventListener('activate', (event) => {
  const clear = caches.keys().then((names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name))))
  event.waitUntil(clear.then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const file = new URL(request.url).pathname
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match('/offline.html')))
  else if (FILES.includes(file)) event.respondWith(fetch(request).catch(() => caches.match(file)))
})
