/**
 * An instance of the WebAssembly module `code-kernel.wat`, with a memory of its own that grows. A thread may have
 * several instances, since each call is complete in itself.
 */
import { compileKernel, WASM_PAGE_BYTES } from '../../base/index.ts';
import { MODULE } from './code-kernel-module.ts';

type Dots = (query: number, rows: number, count: number, blocks: number, out: number) => number;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly nibbles: Dots;
  readonly bytes: Dots;
  readonly floats: Dots;
}

/** Addresses that `allocate` returns are multiples of this, in bytes. */
const ALIGNMENT = 64;

/** Instantiates the module, which is compiled once per thread; null until then. */
let compiled: (() => unknown) | null = null;

/** An instance of the kernel that compares codes. */
export class CodeKernel {
  readonly #exports = (compiled ??= compileKernel(MODULE))() as Exports;
  readonly nibbles: Dots = this.#exports.nibbles;
  readonly bytes: Dots = this.#exports.bytes;
  readonly floats: Dots = this.#exports.floats;
  #allocated = ALIGNMENT;
  /** The memory as bytes, signed bytes, 32-bit integers and floats. All views must be read again after `allocate`. */
  memory: Buffer = Buffer.alloc(0);
  signed = new Int8Array(0);
  integers = new Int32Array(0);
  numbers = new Float32Array(0);

  constructor() {
    this.#take();
  }

  /** Allocates so many bytes, which are never freed, and returns their address. */
  allocate(bytes: number): number {
    const address = this.#allocated;
    this.#allocated += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const { memory } = this.#exports;
    const missing = this.#allocated - memory.buffer.byteLength;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
      this.#take();
    }
    return address;
  }

  #take(): void {
    const { buffer } = this.#exports.memory;
    this.memory = Buffer.from(buffer);
    this.signed = new Int8Array(buffer);
    this.integers = new Int32Array(buffer);
    this.numbers = new Float32Array(buffer);
  }
}
