/**
 * The WebAssembly module that compares vectors, written by the encoder of `base/wasm/`.
 *
 * Each function walks two runs of numbers in the module's memory, `a` and `b`, eight a turn, and adds up in double
 * precision: 32-bit components are made doubles first, which is exact, so that it makes no difference whether a run was
 * given as floats or as doubles. Numbers behind the end of a run must be zero up to the next eight.
 *
 * Exports: `memory`, and for `a` of 32-bit floats (`32`) and of doubles (`64`), `b` always doubles, n a multiple of 8:
 * - `dot32(a, b, n)`, `dot64`: f64, the dot product
 * - `cosine32(a, b, n)`, `cosine64`: f64, the dot product; that of `a` with itself is left, a double, at address 0
 * - `distance32(a, b, n)`, `distance64`: f64, the square of the distance
 */

import {
  advance,
  BLOCK,
  BR_IF,
  type Bytes,
  constant,
  EMPTY_BLOCK,
  END,
  F64,
  I32,
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

const F64_ADD = 0xa0;
const F64_STORE = 0x39;

const V128_LOAD64_ZERO = 0x5d;
const F64X2_PROMOTE_LOW = 0x5f;
const F64X2_EXTRACT_LANE = 0x21;
const F64X2_ADD = 0xf0;
const F64X2_SUB = 0xf1;
const F64X2_MUL = 0xf2;

/** Numbers per turn: four pairs, each with a sum of its own, so that additions need not wait for each other. */
export const NUMBERS_PER_TURN = 8;
const PAIRS = NUMBERS_PER_TURN / 2;

// Locals: parameters a, b, n; then four sums, four more sums, and a pair that is used twice.
const A = 0;
const B = 1;
const N = 2;
const SUM = 3;
const NORM = SUM + PAIRS;
const PAIR = NORM + PAIRS;
const LOCALS = 2 * PAIRS + 1;

/** Pair `pair` of `a` as doubles. */
function loadA(bytesPerNumber: 4 | 8, pair: number): Bytes {
  if (bytesPerNumber === 8) return vectorAt(V128_LOAD, A, 16 * pair);
  return [...vectorAt(V128_LOAD64_ZERO, A, 8 * pair), ...simd(F64X2_PROMOTE_LOW)];
}

const loadB = (pair: number): Bytes => vectorAt(V128_LOAD, B, 16 * pair);

function addDot(bytesPerNumber: 4 | 8, pair: number): Bytes {
  const sum = SUM + pair;
  return [LOCAL_GET, sum, ...loadA(bytesPerNumber, pair), ...loadB(pair), ...simd(F64X2_MUL), ...simd(F64X2_ADD), LOCAL_SET, sum];
}

function addCosine(bytesPerNumber: 4 | 8, pair: number): Bytes {
  const [sum, norm] = [SUM + pair, NORM + pair];
  const dot = [LOCAL_GET, sum, ...loadA(bytesPerNumber, pair), LOCAL_TEE, PAIR, ...loadB(pair), ...simd(F64X2_MUL)];
  const square = [LOCAL_GET, norm, LOCAL_GET, PAIR, LOCAL_GET, PAIR, ...simd(F64X2_MUL)];
  return [...dot, ...simd(F64X2_ADD), LOCAL_SET, sum, ...square, ...simd(F64X2_ADD), LOCAL_SET, norm];
}

function addDistance(bytesPerNumber: 4 | 8, pair: number): Bytes {
  const sum = SUM + pair;
  const difference = [...loadA(bytesPerNumber, pair), ...loadB(pair), ...simd(F64X2_SUB), LOCAL_TEE, PAIR];
  return [LOCAL_GET, sum, ...difference, LOCAL_GET, PAIR, ...simd(F64X2_MUL), ...simd(F64X2_ADD), LOCAL_SET, sum];
}

const pairs: readonly number[] = Array.from({ length: PAIRS }, (_, pair) => pair);

/** Both lanes of four sums, as one double. */
function total(first: number): Bytes {
  const sums = pairs.flatMap((pair): Bytes => [LOCAL_GET, first + pair, ...(pair === 0 ? [] : simd(F64X2_ADD))]);
  return [...sums, LOCAL_TEE, PAIR, ...simd(F64X2_EXTRACT_LANE, 0), LOCAL_GET, PAIR, ...simd(F64X2_EXTRACT_LANE, 1), F64_ADD];
}

/** The total at address 0. */
const LEAVE_NORM: Bytes = [...constant(0), ...total(NORM), F64_STORE, 3, 0];

function body(bytesPerNumber: 4 | 8, add: (bytesPerNumber: 4 | 8, pair: number) => Bytes, last: Bytes = []): Bytes {
  const turn = [
    ...pairs.flatMap((pair) => add(bytesPerNumber, pair)),
    ...advance(A, bytesPerNumber * NUMBERS_PER_TURN),
    ...advance(B, 8 * NUMBERS_PER_TURN),
    ...[LOCAL_GET, N, ...constant(NUMBERS_PER_TURN), I32_SUB, LOCAL_TEE, N, BR_IF, 0],
  ];
  const loop = [BLOCK, EMPTY_BLOCK, LOCAL_GET, N, I32_EQZ, BR_IF, 0, LOOP, EMPTY_BLOCK, ...turn, END, END];
  return [1, LOCALS, V128, ...loop, ...last, ...total(SUM), END];
}

const FUNCTIONS: readonly { readonly name: string; readonly code: Bytes }[] = [
  { name: 'dot32', code: body(4, addDot) },
  { name: 'dot64', code: body(8, addDot) },
  { name: 'cosine32', code: body(4, addCosine, LEAVE_NORM) },
  { name: 'cosine64', code: body(8, addCosine, LEAVE_NORM) },
  { name: 'distance32', code: body(4, addDistance) },
  { name: 'distance64', code: body(8, addDistance) },
];

/** The module's bytes. */
export function vectorModule(): Uint8Array<ArrayBuffer> {
  return moduleOf(
    1,
    FUNCTIONS.map(({ name, code }) => ({ name, parameters: [I32, I32, I32], result: F64, code })),
  );
}
