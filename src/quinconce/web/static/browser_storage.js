/** What a browser keeps for its pages; where it keeps nothing, the page alone remembers it. */

export class BrowserStorage {
  /** @type {Map<string, string>} what could not be kept */
  unkept = new Map();

  /** @param {"localStorage" | "sessionStorage"} name */
  constructor(name) {
    this.name = name;
  }

  /**
   * @param {string} key
   * @returns {string | null}
   */
  read(key) {
    try {
      return this.unkept.get(key) ?? window[this.name].getItem(key);
    } catch {
      return null; // the browser allows no storage, as inside another site
    }
  }

  /**
   * What was written as JSON; null where there is nothing, or nothing of ours.
   * @param {string} key
   * @returns {any}
   */
  readJson(key) {
    try {
      return JSON.parse(this.read(key) ?? "null");
    } catch {
      return null;
    }
  }

  /**
   * @param {string} key
   * @param {string} value
   * @returns {boolean} whether it is kept
   */
  write(key, value) {
    try {
      window[this.name].setItem(key, value);
      this.unkept.delete(key);
      return true;
    } catch {
      this.unkept.set(key, value);
      return false;
    }
  }

  /** @returns {[string, string][]} everything, with what other pages of this address keep */
  entries() {
    try {
      return [...Object.entries(window[this.name]), ...this.unkept];
    } catch {
      return [...this.unkept];
    }
  }

  /** @param {string} key */
  remove(key) {
    this.unkept.delete(key);
    try {
      window[this.name].removeItem(key);
    } catch {
      // nothing was kept
    }
  }
}

const MARK = "quinconce:"; // how the name of a window begins that hands something on

/** A text that the pages of a window hand on in its name, where the browser keeps nothing. */
export const handedOn = {
  read: () => (window.name.startsWith(MARK) ? window.name.slice(MARK.length) : ""),
  /** @param {string} text */
  write: (text) => void (window.name = MARK + text),
};

export const kept = new BrowserStorage("localStorage"); // until somebody clears it
export const visit = new BrowserStorage("sessionStorage"); // until this window is closed
