/** What the device keeps: entries of bytes by kind and key, in IndexedDB or for a window's life. */

const NAME = "quinconce";
const VERSION = 1;
const STORE = "entries";
const ADDED = "event"; // a kind whose entries are added and never overwritten

/** @typedef {[kind: string, key: string, value: Uint8Array | null]} Entry null deletes */

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
   * The keys and values of a kind, in the order of the keys.
   * @param {string} kind
   * @returns {Promise<[string, Uint8Array][]>}
   */
  async load(kind) {
    const store = (await this.open()).transaction(STORE).objectStore(STORE);
    const range = IDBKeyRange.bound([kind], [kind, []]);
    const [keys, values] = await Promise.all([
      finished(store.getAllKeys(range)),
      finished(store.getAll(range)),
    ]);
    return keys.map((key, i) => [/** @type {string[]} */ (key)[1], values[i]]);
  }

  /**
   * Write all of these entries or none; they are on the disk when it returns.
   * @param {Entry[]} entries
   * @returns {Promise<boolean>} false if one that is only added is there already
   */
  async put(entries) {
    const transaction = (await this.open()).transaction(STORE, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(STORE);
    let taken = false;
    for (const [kind, key, value] of entries) {
      if (value === null) store.delete([kind, key]);
      else if (kind !== ADDED) store.put(value, [kind, key]);
      else store.add(value, [kind, key]).onerror = () => (taken = true);
    }
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => {
        this.onWritten();
        resolve(true);
      };
      transaction.onabort = () => {
        const { error } = transaction;
        if (taken && error?.name === "ConstraintError") resolve(false);
        else reject(error ?? new Error("nothing was written"));
      };
    });
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

  /**
   * @param {string} kind
   * @returns {Promise<[string, Uint8Array][]>}
   */
  async load(kind) {
    const split = [...this.entries].map(([at, value]) => [...JSON.parse(at), value]);
    const found = split.filter(([each]) => each === kind);
    return found.map(([, key, value]) => [key, new TextEncoder().encode(value)]);
  }

  /**
   * @param {Entry[]} entries
   * @returns {Promise<boolean>} false if one that is only added is there already
   */
  async put(entries) {
    const after = new Map(this.entries);
    for (const [kind, key, value] of entries) {
      const at = JSON.stringify([kind, key]);
      if (value === null) after.delete(at);
      else if (kind === ADDED && after.has(at)) return false;
      else after.set(at, new TextDecoder().decode(value));
    }
    this.entries = after;
    this.onWritten(JSON.stringify([...after]));
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
