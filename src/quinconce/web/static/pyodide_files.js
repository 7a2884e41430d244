/** The files that Python needs in a worker: packed as they are shipped, and how far they are. */

const GZIP = [0x1f, 0x8b]; // how packed bytes begin

/** Reads the files of a list, and says how much of it has come. */
export class PythonFiles {
  loaded = 0;

  /**
   * @param {URL} folder
   * @param {Record<string, number>} sizes of the packed files, by name
   * @param {(share: number) => unknown} onProgress
   */
  constructor(folder, sizes, onProgress) {
    this.folder = folder;
    this.sizes = sizes;
    this.onProgress = onProgress;
    this.total = Object.values(sizes).reduce((a, b) => a + b, 0);
  }

  /**
   * A file, unpacked. Servers that say it is packed have it unpacked by the browser before.
   * @param {string} name in the folder, or an address
   * @returns {Promise<Response>}
   */
  async read(name) {
    const answer = await fetch(new URL(`${name}.gz`, this.folder));
    if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
    const body = await unpacked(answer.body.pipeThrough(this.counter()));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(body, { headers: { "Content-Type": type } });
  }

  /** @returns {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  counter() {
    return new TransformStream({
      transform: (chunk, controller) => {
        this.loaded += chunk.length;
        this.onProgress(Math.min(1, this.loaded / this.total));
        controller.enqueue(chunk);
      },
    });
  }
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>}
 */
async function unpacked(body) {
  const [first, rest] = body.tee();
  const reader = first.getReader();
  const { value } = await reader.read();
  reader.cancel();
  const packed = GZIP.every((byte, i) => value?.[i] === byte);
  return packed ? rest.pipeThrough(new DecompressionStream("gzip")) : rest;
}
