/** Keeps one version of the folder whole on this device, and answers from it. */
{
  const worker = /** @type {any} */ (self); // of this kind, the types of pages know nothing
  // What the builder of the folder writes before this: where the list is, and which version.
  /** @type {{list: string, version: string}} */
  const { list, version } = worker.quinconce;
  const folder = list.slice(0, list.lastIndexOf("/")); // of its static files, as its pages name it
  const scope = new URL(worker.registration.scope);
  const ours = `quinconce-${scope.pathname}-`; // how the names of our caches begin
  const cacheName = ours + version;
  const NAMED_BY_DIGEST = /^(static|python)\/[^/]+\//; // the same whichever version they are of

  /** @type {Set<string>} */
  const shown = new Set(); // the windows that show this version

  /** @param {string} path below the folder */
  const at = (path) => new URL(path, scope).href;

  /** @param {string} path */
  const read = async (path) => {
    const answer = await fetch(at(path), { cache: "no-cache" });
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status}`);
    return answer;
  };

  /**
   * A file of the folder; what another version has kept under a name by its digest is the same.
   * @param {string} path
   */
  const find = async (path) =>
    (NAMED_BY_DIGEST.test(path) && (await caches.match(at(path)))) || read(path);

  /**
   * Keep the pages, which come in one packed file. Servers that say it is packed have it unpacked
   * by the browser before.
   * @param {Cache} cache
   * @param {string} path
   */
  const keepPages = async (cache, path) => {
    const content = await (await read(path)).blob();
    const packed = (await content.slice(0, 1).text()) !== "{";
    const stream = content.stream();
    const text = packed ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    for (const [page, html] of Object.entries(await new Response(text).json())) {
      await cache.put(at(page), new Response(html, { headers }));
    }
  };

  /** Fill a cache with everything, the list last; if anything is missing there is none. */
  const fill = async () => {
    if (await caches.match(at(list), { cacheName })) return; // whole, and perhaps in use
    try {
      const cache = await caches.open(cacheName);
      const listed = await read(list);
      const { pages, files } = await listed.clone().json();
      for (const path of files) if (path !== pages) await cache.put(at(path), await find(path));
      await keepPages(cache, pages);
      await cache.put(at(list), listed);
    } catch (error) {
      await caches.delete(cacheName);
      throw error;
    }
  };

  /** Forget the versions before this one, unless another is on its way, which may be one of them. */
  const forget = async () => {
    if (worker.registration.installing || worker.registration.waiting) return;
    const names = (await caches.keys()).filter((name) => name.startsWith(ours));
    for (const name of names.slice(0, names.indexOf(cacheName))) await caches.delete(name);
  };

  /**
   * What this version has at an address. Hosts may leave out `.html` and `index.html`.
   * @param {string} address without its query, which is read by the page
   */
  const kept = async (address) => {
    if (address.endsWith("/")) return caches.match(`${address}index.html`, { cacheName });
    const found = await caches.match(address, { cacheName });
    return found ?? caches.match(`${address}.html`, { cacheName });
  };

  /** @param {Request} request */
  const answer = async (request) => {
    const { origin, pathname } = new URL(request.url);
    const address = origin + pathname;
    const found = await kept(address);
    if (found) return found;
    // A page of the version before may still be on its way.
    const named = NAMED_BY_DIGEST.test(address.slice(scope.href.length));
    return (named && (await caches.match(address))) || fetch(request);
  };

  /**
   * Hear which version a window shows. What is before ours is forgotten when all show ours.
   * @param {{shows: string, address: string}} said
   * @param {any} source the window
   */
  const hear = async ({ shows, address }, source) => {
    if (shows !== folder) {
      if (await kept(address)) source.postMessage("reload");
      return;
    }
    shown.add(source.id);
    const windows = await worker.clients.matchAll({ type: "window" });
    const others = windows.filter((/** @type {any} */ { id }) => !shown.has(id));
    for (const other of others) other.postMessage("say");
    if (!others.length) await forget();
  };

  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
  worker.addEventListener("activate", (/** @type {any} */ event) =>
    event.waitUntil(worker.clients.claim()),
  );
  worker.addEventListener("message", (/** @type {any} */ event) => {
    const { data, source } = event;
    event.waitUntil(data === "use" ? worker.skipWaiting() : hear(data, source));
  });
  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { method, url } = event.request;
    // What a server answers is never kept, nor what lies beside the folder.
    if (method !== "GET" || !url.startsWith(scope.href)) return;
    if (!url.slice(scope.href.length).startsWith("api/")) event.respondWith(answer(event.request));
  });
}
