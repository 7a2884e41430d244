/** What the device keeps: entries of bytes by kind and key, in IndexedDB or for a window's life. */

const NAME = "quinconce";
const VERSION = 1;
const STORE = "entries";

/** @typedef {[kind: string, key: string, value?: Uint8Array | null]} Entry without a value: none */

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * A value as bytes, even where somebody else wrote it.
 * @param {unknown} value
 * @returns {Uint8Array}
 */
const bytes = (value) =>
  value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));

/**
 * Whether an entry has a value.
 * @param {unknown} found undefined if there is no entry
 * @param {Uint8Array | null} [value]
 */
function isSame(found, value) {
  if (found === undefined || !value) return found === undefined && !value;
  const there = bytes(found);
  return there.length === value.length && there.every((byte, i) => byte === value[i]);
}

export class DeviceStore {
  /** @type {Promise<IDBDatabase> | null} */
  database = null;

  /**
   * @param {object} hooks
   * @param {() => unknown} hooks.onWritten when something is on the disk
   * @param {() => unknown} hooks.onCleared when the browser has thrown everything away
   */
  constructor({ onWritten, onCleared }) {
    this.onWritten = onWritten;
    this.onCleared = onCleared;
  }

  /** The database; it throws where the browser keeps nothing, or what it keeps is not ours. */
  open() {
    this.database ??= this.connect().catch((error) => {
      this.database = null;
      throw error;
    });
    return this.database;
  }

  /** @returns {Promise<IDBDatabase>} */
  async connect() {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    const database = await finished(request);
    if (!database.objectStoreNames.contains(STORE)) throw new Error("not our database");
    const forget = () => (this.database = null);
    database.onversionchange = () => {
      database.close(); // a later version changes it
      forget();
    };
    database.onclose = () => {
      forget();
      this.onCleared();
    };
    return database;
  }

  /**
   * All entries as they are at one moment.
   * @returns {Promise<[string, string, Uint8Array][]>}
   */
  async load() {
    const store = (await this.open()).transaction(STORE).objectStore(STORE);
    const [keys, values] = await Promise.all([
      finished(store.getAllKeys()),
      finished(store.getAll()),
    ]);
    return keys.flatMap((place, i) => {
      const [kind, key] = Array.isArray(place) ? place : [];
      const ours = typeof kind === "string" && typeof key === "string";
      return ours ? [[kind, key, bytes(values[i])]] : [];
    });
  }

  /**
   * Write all of these entries or none; they are on the disk when it returns.
   * @param {Entry[]} entries
   * @param {Entry[]} known what has to be there before
   * @returns {Promise<boolean>} false if something else is
   */
  async put(entries, known) {
    const transaction = (await this.open()).transaction(STORE, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(STORE);
    const found = await Promise.all(known.map(([kind, key]) => finished(store.get([kind, key]))));
    if (!known.every(([, , value], i) => isSame(found[i], value))) {
      transaction.abort();
      return false;
    }
    for (const [kind, key, value] of entries) {
      if (value) store.put(value, [kind, key]);
      else store.delete([kind, key]);
    }
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("nothing was written"));
    });
    this.onWritten();
    return true;
  }
}

/** Stands for the database where the browser keeps nothing: the pages of a window hand it on. */
export class WindowStore {
  /**
   * @param {string} text what a page before this one was told
   * @param {(text: string) => unknown} onWritten is told everything, as text
   */
  constructor(text, onWritten) {
    this.onWritten = onWritten;
    /** @type {Map<string, string>} values by kind and key, each as text */
    this.entries = new Map(readEntries(text));
  }

  /** @returns {Promise<[string, string, Uint8Array][]>} */
  async load() {
    return [...this.entries].map(([at, value]) => {
      const [kind, key] = JSON.parse(at);
      return [kind, key, bytes(value)];
    });
  }

  /**
   * @param {Entry[]} entries
   * @param {Entry[]} known what has to be there before
   * @returns {Promise<boolean>} false if something else is
   */
  async put(entries, known) {
    /** @type {(entry: Entry) => string} */
    const at = ([kind, key]) => JSON.stringify([kind, key]);
    if (!known.every((each) => isSame(this.entries.get(at(each)), each[2]))) return false;
    for (const each of entries) {
      if (each[2]) this.entries.set(at(each), new TextDecoder().decode(each[2]));
      else this.entries.delete(at(each));
    }
    this.onWritten(JSON.stringify([...this.entries]));
    return true;
  }
}

/**
 * @param {string} text
 * @returns {[string, string][]} nothing if the text is not ours
 */
function readEntries(text) {
  try {
    return [...new Map(JSON.parse(text))];
  } catch {
    return [];
  }
}
