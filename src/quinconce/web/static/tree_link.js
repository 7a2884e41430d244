/** A whole tree in an address: compressed, behind the `#`, as long as it is small enough. */

/** @typedef {import("./variation_tree.js").FlatNode} FlatNode */
/** @typedef {{nodes: FlatNode[], note: string}} LinkedTree */

const NAME = "tree=";
const LONGEST = 6000; // signs of a fragment; longer addresses are cut by mail programs and chats
const LARGEST = 2_000_000; // signs of a tree once it is unpacked: a link may come from anybody

/**
 * What stands behind the `#`; null if the tree is too large for a link.
 * @param {LinkedTree} tree
 * @returns {Promise<string | null>}
 */
export async function packTree({ nodes, note }) {
  // Most nodes follow the one before them: these are written without saying so.
  const rows = nodes.map(({ after, move, mark = "", note: text = "" }, i) => {
    const row = [move, after === i - 1 ? "" : after, mark, text];
    while (row.at(-1) === "") row.pop();
    return row.length === 1 ? move : row;
  });
  const bytes = new TextEncoder().encode(JSON.stringify([note, ...rows]));
  if (bytes.length > LARGEST) return null;
  const packed = await pipe(bytes, new CompressionStream("deflate-raw"), Infinity);
  const text = NAME + toBase64(packed);
  return text.length > LONGEST ? null : text;
}

/**
 * The tree in a fragment; null if there is none, or if it cannot be read.
 * @param {string} fragment without its `#`
 * @returns {Promise<LinkedTree | null>}
 */
export async function unpackTree(fragment) {
  if (!fragment.startsWith(NAME)) return null;
  try {
    const packed = fromBase64(fragment.slice(NAME.length));
    const bytes = await pipe(packed, new DecompressionStream("deflate-raw"), LARGEST);
    const [note, ...rows] = JSON.parse(new TextDecoder().decode(bytes));
    const nodes = rows.map((/** @type {any} */ row, /** @type {number} */ i) => {
      const [move, after = "", mark = "", text = ""] = typeof row === "string" ? [row] : row;
      return { after: after === "" ? i - 1 : after, move, mark, note: text };
    });
    return { nodes, note };
  } catch {
    return null;
  }
}

/** @param {string} fragment without its `#` */
export const isTreeLink = (fragment) => fragment.startsWith(NAME);

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} through
 * @param {number} most bytes that may come out
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function pipe(bytes, through, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > most) throw new RangeError("too large");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
function fromBase64(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}
