/**
 * The WebAssembly module that scores quantised vectors and trains clusters. Each function takes the dot products of one
 * run of numbers with `count` others that lie one after the other, and leaves them as 32-bit numbers at `out`.
 *
 * - `nibbles(query, codes, count, blocks, out)`: codes of 4 bits, 32 in a block of 16 bytes: byte i has component i of
 *   the block in its low half and component 16 + i in its high half. The query has signed bytes.
 * - `bytes(query, codes, count, blocks, out)`: codes of 7 bits, 16 in a block.
 * - `floats(x, rows, count, blocks, out)`: 32-bit floats, 16 in a block.
 *
 * Codes are below 128, so that the relaxed dot product of the instruction set is the same on all processors; floats are
 * multiplied and added in a fixed order.
 */
import {
  advance,
  BLOCK,
  BR_IF,
  type Bytes,
  constant,
  EMPTY_BLOCK,
  END,
  I32,
  I32_ADD,
  I32_EQZ,
  I32_SUB,
  LOCAL_GET,
  LOCAL_SET,
  LOCAL_TEE,
  LOOP,
  moduleOf,
  simd,
  V128,
  V128_LOAD,
  vectorAt,
} from '../../base/index.ts';

const I8X16_SPLAT = 0x0f;
const I16X8_SHR_U = 0x8d;
const V128_AND = 0x4e;
const I32X4_EXTRACT_LANE = 0x1b;
const I32X4_ADD = 0xae;
const F32X4_EXTRACT_LANE = 0x1f;
const F32X4_ADD = 0xe4;
const F32X4_MUL = 0xe6;
const RELAXED_DOT_ADD = 0x113;
const F32_ADD = 0x92;
const F32_STORE = 0x38;
const I32_STORE = 0x36;

// Parameters, then locals of 32 bits, then vectors.
const X = 0;
const ROWS = 1;
const COUNT = 2;
const BLOCKS = 3;
const OUT = 4;
const AT = 5;
const LEFT = 6;
const SUM = 7;
const SUMS = 4;
const MASK = SUM + SUMS;
const LOADED = MASK + 1;
const VECTORS = SUMS + 2;

const sums: readonly number[] = Array.from({ length: SUMS }, (_, i) => SUM + i);
const ZERO: Bytes = [...constant(0), ...simd(I8X16_SPLAT)];

/** Loops over the rows, and over the blocks of each. `block` leaves ROWS behind its block. */
function body({
  before = [],
  block,
  total,
  store,
}: {
  readonly before?: Bytes;
  readonly block: Bytes;
  readonly total: Bytes;
  readonly store: number;
}): Bytes {
  const row = [
    ...sums.flatMap((sum): Bytes => [...ZERO, LOCAL_SET, sum]),
    ...[LOCAL_GET, X, LOCAL_SET, AT, LOCAL_GET, BLOCKS, LOCAL_SET, LEFT],
    ...[LOOP, EMPTY_BLOCK, ...block, LOCAL_GET, LEFT, ...constant(1), I32_SUB, LOCAL_TEE, LEFT, BR_IF, 0, END],
    ...[LOCAL_GET, OUT, ...total, store, 2, 0],
    ...advance(OUT, 4),
    ...[LOCAL_GET, COUNT, ...constant(1), I32_SUB, LOCAL_TEE, COUNT, BR_IF, 0],
  ];
  const loop = [BLOCK, EMPTY_BLOCK, LOCAL_GET, COUNT, I32_EQZ, BR_IF, 0, LOOP, EMPTY_BLOCK, ...row, END, END];
  return [2, 2, I32, VECTORS, V128, ...before, ...loop, LOCAL_GET, OUT, END];
}

/** All lanes of the first vectors of sums. */
function totalOf(count: number, addVectors: number, extract: number, add: number): Bytes {
  const vectors = sums.slice(0, count).flatMap((sum, i): Bytes => [LOCAL_GET, sum, ...(i === 0 ? [] : simd(addVectors))]);
  const lanes = [0, 1, 2, 3].flatMap((lane): Bytes => [LOCAL_GET, LOADED, ...simd(extract, lane), ...(lane === 0 ? [] : [add])]);
  return [...vectors, LOCAL_SET, LOADED, ...lanes];
}

const INTEGERS = totalOf(2, I32X4_ADD, I32X4_EXTRACT_LANE, I32_ADD);
const FLOATS = totalOf(SUMS, F32X4_ADD, F32X4_EXTRACT_LANE, F32_ADD);

/** Adds the dot product of the query's 16 bytes at `offset` and of the codes that `codes` leaves. */
function addCodes(sum: number, offset: number, codes: Bytes): Bytes {
  return [...vectorAt(V128_LOAD, AT, offset), ...codes, LOCAL_GET, sum, ...simd(RELAXED_DOT_ADD), LOCAL_SET, sum];
}

const NIBBLES = body({
  before: [...constant(15), ...simd(I8X16_SPLAT), LOCAL_SET, MASK],
  block: [
    ...vectorAt(V128_LOAD, ROWS, 0),
    ...[LOCAL_SET, LOADED],
    ...addCodes(SUM, 0, [LOCAL_GET, LOADED, LOCAL_GET, MASK, ...simd(V128_AND)]),
    ...addCodes(SUM + 1, 16, [LOCAL_GET, LOADED, ...constant(4), ...simd(I16X8_SHR_U), LOCAL_GET, MASK, ...simd(V128_AND)]),
    ...advance(ROWS, 16),
    ...advance(AT, 32),
  ],
  total: INTEGERS,
  store: I32_STORE,
});

const BYTES = body({
  block: [...addCodes(SUM, 0, vectorAt(V128_LOAD, ROWS, 0)), ...advance(ROWS, 16), ...advance(AT, 16)],
  total: INTEGERS,
  store: I32_STORE,
});

const FLOATS_BODY = body({
  block: [
    ...sums.flatMap(
      (sum, i): Bytes => [
        ...[LOCAL_GET, sum, ...vectorAt(V128_LOAD, AT, 16 * i), ...vectorAt(V128_LOAD, ROWS, 16 * i)],
        ...[...simd(F32X4_MUL), ...simd(F32X4_ADD), LOCAL_SET, sum],
      ],
    ),
    ...advance(ROWS, 64),
    ...advance(AT, 64),
  ],
  total: FLOATS,
  store: F32_STORE,
});

/** The module's bytes. */
export function codeKernelModule(): Uint8Array<ArrayBuffer> {
  const parameters = [I32, I32, I32, I32, I32];
  return moduleOf(1, [
    { name: 'nibbles', parameters, result: I32, code: NIBBLES },
    { name: 'bytes', parameters, result: I32, code: BYTES },
    { name: 'floats', parameters, result: I32, code: FLOATS_BODY },
  ]);
}
