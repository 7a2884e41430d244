/** A study on the server: read by everybody, written and deleted with the secret of its link. */

import { request } from "./api.js";

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

  /** The address for readers. */
  get link() {
    return new URL(`/study/${this.id}`, location.href).href;
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
   */
  send(method, body) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (this.secret) headers.Authorization = `Bearer ${this.secret}`;
    return request(method, this.path, body, undefined, headers);
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

  async delete() {
    await this.send("DELETE");
  }
}
