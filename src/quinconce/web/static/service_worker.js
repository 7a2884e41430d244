/** Keeps one version of the folder whole on this device, and answers from it. */
{
  const PREFIX = "quinconce-";
  const worker = /** @type {any} */ (self); // of this kind, the types of pages know nothing
  // What the builder of the folder writes before this: where the list is, and which version.
  /** @type {{list: string, version: string}} */
  const { list, version } = worker.quinconce;
  const scope = new URL(worker.registration.scope);
  const cacheName = `${PREFIX}${scope.pathname}-${version}`;

  /** @param {string} path below the folder */
  const at = (path) => new URL(path, scope).href;

  /** @param {string} path */
  const read = async (path) => {
    const answer = await fetch(at(path), { cache: "no-cache" });
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status}`);
    return answer;
  };

  /**
   * Keep the pages, which come in one packed file.
   * @param {Cache} cache
   * @param {string} path
   */
  const keepPages = async (cache, path) => {
    const packed = (await read(path)).body;
    const text = new Response(packed?.pipeThrough(new DecompressionStream("gzip")));
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    for (const [page, content] of Object.entries(await text.json())) {
      await cache.put(at(page), new Response(content, { headers }));
    }
  };

  /** Fill a cache with everything; if anything is missing there is none. */
  const fill = async () => {
    try {
      const cache = await caches.open(cacheName);
      const { pages, files } = await (await read(list)).json();
      await cache.put(at(list), await read(list));
      for (const path of files) if (path !== pages) await cache.put(at(path), await read(path));
      await keepPages(cache, pages);
    } catch (error) {
      await caches.delete(cacheName);
      throw error;
    }
  };

  /** Forget the versions before this one. */
  const forget = async () => {
    const ours = `${PREFIX}${scope.pathname}-`;
    for (const each of await caches.keys()) {
      if (each.startsWith(ours) && each !== cacheName) await caches.delete(each);
    }
    await worker.clients.claim();
  };

  /**
   * What is kept of an address; its query is read by the page.
   * @param {Request} request
   */
  const answer = async (request) => {
    const url = new URL(request.url);
    if (url.pathname === scope.pathname) url.pathname += "index.html";
    const cache = await caches.open(cacheName);
    return (await cache.match(url.origin + url.pathname)) ?? fetch(request);
  };

  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forget()));
  worker.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data === "use") event.waitUntil(worker.skipWaiting());
  });
  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { method, url } = event.request;
    // What a server answers is never kept, nor what lies beside the folder.
    if (method !== "GET" || !url.startsWith(scope.href)) return;
    if (!url.slice(scope.href.length).startsWith("api/")) event.respondWith(answer(event.request));
  });
}
