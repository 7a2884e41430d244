/** The worker in which Python answers the requests of pages: the rules, the engine, the store. */

import { DeviceStore, WindowStore } from "./device_store.js";
import { PythonFiles } from "./pyodide_files.js";

/**
 * @typedef {object} Asked what a page sends
 * @property {number} id
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string | Uint8Array} [body]
 * @property {boolean} [abort] whether the request is given up
 * @property {string} [unkept] what the window has of pages before; it is no request
 */
/** @typedef {Pick<MessagePort, "postMessage">} Port */

const folder = new URL("../../python/", import.meta.url);
const list = new URL("./python.json", import.meta.url); // of its files, and of packages beside
const PACKAGES = "/packages"; // where Python finds what it imports

/** @type {Set<Port>} */
const ports = new Set();
let ready = 0; // the share of Python that is there
/** @type {Record<string, string>} what there is to say of the store, by language */
let complaint = {};
/** @type {(text: string) => void} */
let handOn;
/** @type {Promise<string>} what a page before knew, if the browser keeps nothing */
const handedOn = new Promise((resolve) => (handOn = resolve));
const others = new BroadcastChannel("quinconce"); // workers that keep the same

/** @param {object} message */
const tellAll = (message) => ports.forEach((port) => port.postMessage(message));

/** @param {number} share */
function progress(share) {
  ready = share;
  tellAll({ ready });
}

/**
 * Load Python with all that it needs, and open the store.
 * @returns {Promise<any>} the functions of `quinconce.device.browser`
 */
async function start() {
  const { folder: name, sizes, packages: names } = await (await fetch(list)).json();
  const home = new URL(`${name}/`, folder);
  const files = new PythonFiles(home, sizes, (share) => progress(share * 0.7));
  const packages = names.map(async (/** @type {string} */ name) =>
    (await files.read(new URL(name, list).href)).arrayBuffer(),
  );
  const python = await loadPython(home, files, Object.keys(sizes));
  progress(0.85);
  for (const content of packages) {
    python.unpackArchive(await content, "zip", { extractDir: PACKAGES });
  }
  // Chance is what it was when the memory was written.
  python.runPython(`import random, sys; random.seed(); sys.path.insert(0, "${PACKAGES}")`);
  progress(0.9);
  const browser = python.pyimport("quinconce.device.browser");
  const database = new DeviceStore({
    onWritten: () => others.postMessage("written"),
    onCleared: () => browser.refresh(),
  });
  const trouble = await database.open().then(() => "", (error) => String(error?.name));
  const store = trouble ? new WindowStore(await handedOn, (text) => tellAll({ unkept: text })) : database;
  others.onmessage = () => browser.refresh();
  complaint = await browser.open_device(store, trouble);
  progress(1);
  tellAll({ complaint });
  return browser;
}

/**
 * Pyodide, from its memory as it was once it had started. It reads its files by `fetch`: those of
 * the list come packed.
 * @param {URL} home
 * @param {PythonFiles} files
 * @param {string[]} names
 */
async function loadPython(home, files, names) {
  const plain = self.fetch;
  self.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, home);
    const name = pathname.slice(home.pathname.length);
    return names.includes(name) ? files.read(name) : plain(input, init);
  };
  try {
    const memory = files.read("snapshot.bin").then((answer) => answer.arrayBuffer());
    const { loadPyodide } = await import(new URL("pyodide.mjs", home).href);
    const settings = { indexURL: home.href };
    try {
      return await loadPyodide({ ...settings, _loadSnapshot: memory });
    } catch (error) {
      console.error(error); // a browser that cannot take it starts Python from its beginning
      return await loadPyodide(settings);
    }
  } finally {
    self.fetch = plain;
  }
}

/** @type {Promise<any> | null} */
let started = null;
let last = 0; // number of a request; pages count theirs by themselves

/** Python, which is loaded once; after a failure the next request tries again. */
function python() {
  started ??= start().catch((error) => {
    started = null;
    throw error;
  });
  return started;
}

/** A page that asks. */
class Client {
  /** @type {Map<number, number>} our numbers of its requests by its own */
  numbers = new Map();

  /** @param {Port} port */
  constructor(port) {
    this.port = port;
  }

  /** @param {Asked} asked */
  async onMessage({ id, abort, unkept, ...call }) {
    if (unkept !== undefined) return handOn(unkept);
    if (abort) {
      const number = this.numbers.get(id);
      if (number) (await python()).give_up(number);
      return;
    }
    const number = (last += 1);
    this.numbers.set(id, number);
    try {
      await this.answer(id, number, call);
      this.port.postMessage({ id, end: true });
    } catch (error) {
      this.port.postMessage({ id, fault: String(error) });
    } finally {
      this.numbers.delete(id);
    }
  }

  /**
   * @param {number} id
   * @param {number} number
   * @param {Omit<Asked, "id" | "abort" | "unkept">} call
   */
  async answer(id, number, { method, path, headers, body = "" }) {
    const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
    /** @type {(status: number, headers: object) => void} */
    const begin = (status, given) => this.port.postMessage({ id, status, headers: given });
    /** @type {(chunk: Uint8Array) => void} */
    const send = (chunk) => this.port.postMessage({ id, chunk });
    await (await python()).answer(number, method, path, headers, content, begin, send);
  }
}

/** @param {MessagePort} port or what stands for one in a worker of one page */
function open(port) {
  const client = new Client(port);
  ports.add(port);
  port.onmessage = (/** @type {MessageEvent<Asked>} */ { data }) => client.onMessage(data);
  port.postMessage({ ready, complaint });
  python().catch((error) => port.postMessage({ fault: String(error) }));
}

const scope = /** @type {any} */ (self);
if ("SharedWorkerGlobalScope" in self) {
  scope.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => open(port);
} else open(scope);
