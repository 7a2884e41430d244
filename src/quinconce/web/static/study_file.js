/** A study on the server: read by everybody, written and deleted with the secret of its link. */

import { pageAddress } from "./address.js";
import { request } from "./api.js";
import { kept } from "./browser_storage.js";

/** @typedef {import("./variation_tree.js").FlatNode} FlatNode */
/**
 * @typedef {object} BoardData a board as the server keeps it
 * @property {string} game
 * @property {string} title
 * @property {Record<string, string>} options
 * @property {string | null} position
 * @property {FlatNode[]} nodes
 * @property {string} note on the start
 */
/** @typedef {{title: string, boards: BoardData[]}} StudyContent */
/** @typedef {StudyContent & {version: number, editable: boolean}} StudyView */

/**
 * Keep a new study; returns the path of its page, with the secret behind the `#`.
 * @param {StudyContent} content
 */
export async function createStudy(content) {
  const { id, secret } = await request("POST", "/api/studies", content);
  return `/study/${id}#${secret}`;
}

/** A secret as the server wants it: 128 bits of chance in URL-safe Base64. */
function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export class StudyFile {
  version = 0;

  /**
   * @param {string} id
   * @param {string} secret empty for a reader
   */
  constructor(id, secret) {
    this.id = id;
    this.secret = secret;
  }

  get path() {
    return `/api/studies/${this.id}`;
  }

  /** Find the secret that this browser keeps; an empty one if it has none. */
  recall() {
    this.secret = kept.read(`study-${this.id}`) ?? "";
  }

  /**
   * Keep the secret in this browser, so that it need not stand in the address.
   * @returns {boolean} whether it could be kept
   */
  remember() {
    if (this.secret) return kept.write(`study-${this.id}`, this.secret);
    kept.remove(`study-${this.id}`);
    return true;
  }

  /** The address for readers. */
  get link() {
    return new URL(pageAddress(`/study/${this.id}`), location.href).href;
  }

  /** The address for those who may write. */
  get editLink() {
    return `${this.link}#${this.secret}`;
  }

  /** @param {number} board */
  recordPath(board) {
    return `${this.path}/boards/${board}/record`;
  }

  /**
   * @param {string} method
   * @param {object} [body]
   * @param {string} [path]
   */
  send(method, body, path = this.path) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (this.secret) headers.Authorization = `Bearer ${this.secret}`;
    return request(method, path, body, undefined, headers);
  }

  /** @returns {Promise<StudyView>} */
  async read() {
    const view = await this.send("GET");
    this.version = view.version;
    return view;
  }

  /**
   * Write the study anew; an ApiError with the code `changed` if somebody else has written since.
   * @param {StudyContent} content
   */
  async write(content) {
    const { version } = await this.send("PUT", { ...content, version: this.version });
    this.version = version;
  }

  /** Let another secret write from now on, in place of this one. */
  async replaceSecret() {
    const secret = newSecret();
    await this.send("PUT", { secret }, `${this.path}/secret`);
    this.secret = secret;
    this.remember();
  }

  async delete() {
    await this.send("DELETE");
    this.secret = "";
    this.remember();
  }
}
