/** A module of WebAssembly in a worker: its memory, arrays in it, and words packed as text. */

/**
 * @typedef {object} EngineModule what a module of WebAssembly has for us
 * @property {WebAssembly.Memory} memory
 * @property {WebAssembly.Global} block where the arguments of a call stand, as words of 64 bits
 * @property {WebAssembly.Global} __heap_base
 * @property {() => number} run
 */
/** @typedef {{address: number, shape: number[], words: BigInt64Array}} Words an array in memory */

const PAGE_BYTES = 1 << 16; // by which a memory grows
const ALIGNMENT = 64; // bytes of a line of the processor's cache

/** @type {Map<string, Promise<WebAssembly.Module>>} by the kind of state */
const modules = new Map();
/** @type {{kind: string, exports: EngineModule} | null} the one that was used last */
let instance = null;

/**
 * A file beside this one.
 * @param {string} name
 */
export async function read(name) {
  const answer = await fetch(new URL(`./${name}`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

/** @param {string} kind */
async function compileModule(kind) {
  return WebAssembly.compile(await (await read(`${kind}.wasm`)).arrayBuffer());
}

/**
 * A module with a memory of its own; the same as before where the kind of state is.
 * @param {string} kind
 */
export async function openModule(kind) {
  const known = modules.get(kind) ?? compileModule(kind);
  modules.set(kind, known);
  const { exports } = instance?.kind === kind ? instance : new WebAssembly.Instance(await known);
  instance = { kind, exports: /** @type {EngineModule} */ (/** @type {unknown} */ (exports)) };
  return instance.exports;
}

/** @param {string} packed words in base64 */
export function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new BigInt64Array(bytes.buffer);
}

/** @param {BigInt64Array} words */
export function pack(words) {
  const bytes = new Uint8Array(words.slice().buffer);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Arrays of zeros in the memory of a module, one after the other.
 * @template {string} Name
 * @param {EngineModule} module
 * @param {Record<Name, number[]>} shapes
 * @returns {Record<Name, Words>}
 */
export function allocate({ memory, __heap_base }, shapes) {
  let top = __heap_base.value;
  const places = /** @type {[Name, number[]][]} */ (Object.entries(shapes)).map(([name, shape]) => {
    const length = shape.reduce((product, size) => product * size, 1);
    const address = Math.ceil(top / ALIGNMENT) * ALIGNMENT;
    top = address + 8 * length;
    return { name, shape, address, length };
  });
  const missing = top - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  const arrays = places.map(({ name, shape, address, length }) => {
    const words = new BigInt64Array(memory.buffer, address, length);
    words.fill(0n);
    return [name, { address, shape, words }];
  });
  return Object.fromEntries(arrays);
}

/** Let messages of the page come in. */
export function listen() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
