/** What the device keeps: entries of bytes by kind and key, in IndexedDB. */

const NAME = "quinconce";
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

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return finished(request);
}

export class DeviceStore {
  /**
   * @param {IDBDatabase} database
   * @param {() => unknown} onWritten
   */
  constructor(database, onWritten) {
    this.database = database;
    this.onWritten = onWritten;
    database.onversionchange = () => database.close(); // a later version may have to change it
  }

  /**
   * Open the store; it throws where the browser keeps nothing.
   * @param {() => unknown} onWritten is called when something is on the disk
   */
  static async open(onWritten) {
    return new DeviceStore(await openDatabase(), onWritten);
  }

  /**
   * The keys and values of a kind, in the order of the keys.
   * @param {string} kind
   * @returns {Promise<[string, Uint8Array][]>}
   */
  async load(kind) {
    const store = this.database.transaction(STORE).objectStore(STORE);
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
  put(entries) {
    const transaction = this.database.transaction(STORE, "readwrite", { durability: "strict" });
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
