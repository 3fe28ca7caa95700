/**
 * Writes WebAssembly modules, byte by byte (https://webassembly.github.io/spec/core/binary/, with 128-bit SIMD): what
 * the kernels share.
 */

/** Encoded bytes of a module. */
export type Bytes = readonly number[];

/** The type of 32-bit integers. */
export const I32 = 0x7f;

/** The type of 128-bit vectors. */
export const V128 = 0x7b;

/** The type of doubles. */
export const F64 = 0x7c;

/** The instruction `local.get`. */
export const LOCAL_GET = 0x20;

/** The instruction `local.set`. */
export const LOCAL_SET = 0x21;

/** The instruction `local.tee`. */
export const LOCAL_TEE = 0x22;

/** The end of a block. */
export const END = 0x0b;

/** The instruction `loop`. */
export const LOOP = 0x03;

/** The instruction `block`. */
export const BLOCK = 0x02;

/** The type of a block without a result. */
export const EMPTY_BLOCK = 0x40;

/** The instruction `br`. */
export const BR = 0x0c;

/** The instruction `br_if`. */
export const BR_IF = 0x0d;

/** The instruction `i32.add`. */
export const I32_ADD = 0x6a;

/** The instruction `i32.sub`. */
export const I32_SUB = 0x6b;

/** The instruction `i32.eqz`. */
export const I32_EQZ = 0x45;

const I32_CONST = 0x41;

/** The parts of the WebAssembly interface that are used here; Node's types leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** A function of a module. */
export interface WasmFunction {
  readonly name: string;
  /** Types of its parameters. */
  readonly parameters: Bytes;
  readonly result: number;
  /** Locals beside the parameters, and instructions: with both ends. */
  readonly code: Bytes;
}

/** Encodes an unsigned integer as LEB128. */
export function unsigned(value: number): Bytes {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** 0 to 8191. From 64 on a second byte, since the sign stands in the first. */
export function constant(value: number): Bytes {
  return value < 64 ? [I32_CONST, value] : [I32_CONST, (value & 0x7f) | 0x80, value >> 7];
}

/** Encodes an instruction of the SIMD extension. */
export function simd(operation: number, ...operands: Bytes): Bytes {
  return [0xfd, ...unsigned(operation), ...operands];
}

/** The instruction `v128.load`. */
export const V128_LOAD = 0x00;

/**
 * The vector that an operation such as V128_LOAD makes of what lies at the address in a local, plus an offset. Aligned
 * to a byte: rows lie where they lie.
 */
export function vectorAt(operation: number, address: number, offset: number): Bytes {
  return [LOCAL_GET, address, ...simd(operation, 0, ...unsigned(offset))];
}

/** Adds to the address in a local. */
export function advance(address: number, bytes: number): Bytes {
  return [LOCAL_GET, address, ...constant(bytes), I32_ADD, LOCAL_SET, address];
}

function section(id: number, entries: readonly Bytes[]): Bytes {
  const content = [...unsigned(entries.length), ...entries.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function exported(name: string, kind: number, index: number): Bytes {
  const text = [...Buffer.from(name)];
  return [...unsigned(text.length), ...text, kind, index];
}

/** A module with a memory that begins with so many pages of 64 KiB, exported as `memory`, and these functions. */
export function moduleOf(pages: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      functions.map(({ parameters, result }) => [0x60, ...unsigned(parameters.length), ...parameters, 1, result]),
    ),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [exported('memory', 2, 0), ...functions.map(({ name }, index) => exported(name, 0, index))]),
    ...section(
      10,
      functions.map(({ code }) => [...unsigned(code.length), ...code]),
    ),
  ]);
}

/** Returns the exports of an instance of the module. */
export function instantiate(module: Uint8Array): unknown {
  return compile(module)();
}

/** Compiles a module once. Returns what makes instances of it, each with a memory of its own, and answers with what they export. */
export function compile(module: Uint8Array): () => unknown {
  const compiled = new WebAssembly.Module(module);
  return () => new WebAssembly.Instance(compiled).exports;
}
