/**
 * The WebAssembly module that looks through columns, written by the encoder of `base/wasm/`: sixteen values or bytes a
 * turn, and what is found is written as a list of positions.
 *
 * Each function takes `n` as a multiple of 16: what lies behind the end of the column is looked at too, and what is
 * found there comes last. Each returns the address behind the list, which begins at `out`.
 * - `integersWithin(from, n, low, high, out)`: of n 32-bit integers those with low ≤ x ≤ high, at most 65,536 of them;
 *   the k-th is written as k, in 16 bits. Of eight values the positions of those that are found are taken from a table
 *   by which they are, and eight places are written always: there is no jump that has to be guessed
 * - `numbersWithin(from, n, low, high, out)`: the same of doubles
 * - `find(from, n, wanted, length, i, j, out)`: the addresses in [from, from + n) where `length` bytes equal those at
 *   `wanted`. Where the bytes at i and j of it do not agree, the others are not looked at, so they should be rare ones
 */
import {
  advance,
  BLOCK,
  BR,
  BR_IF,
  type Bytes,
  constant,
  EMPTY_BLOCK,
  END,
  F64,
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
  unsigned,
  V128,
  V128_LOAD,
  vectorAt,
} from '../../base/index.ts';

/** Values or bytes per turn. */
export const PER_TURN = 16;

const I32_LOAD8_U = 0x2d;
const I32_STORE = 0x36;
const I32_EQ = 0x46;
const I32_CTZ = 0x68;
const I32_POPCNT = 0x69;
const I32_AND = 0x71;
const I32_OR = 0x72;
const I32_SHL = 0x74;

const V128_STORE = 0x0b;
const I8X16_SPLAT = 0x0f;
const I16X8_SPLAT = 0x10;
const I32X4_SPLAT = 0x11;
const F64X2_SPLAT = 0x14;
const I8X16_EQ = 0x23;
const I32X4_LE_S = 0x3d;
const I32X4_GE_S = 0x3f;
const F64X2_LE = 0x4b;
const F64X2_GE = 0x4c;
const V128_AND = 0x4e;
const I8X16_BITMASK = 0x64;
const I16X8_BITMASK = 0x84;
const I16X8_NARROW_S = 0x85;
const I16X8_ADD = 0x8e;
const I64X2_BITMASK = 0xc4;

/** For each bit of the mask in a local, which is 0 afterwards, from the lowest: what `found` does. Nothing where there is none. */
function forEachBit(mask: number, found: Bytes): Bytes {
  const clearLowest = [LOCAL_GET, mask, LOCAL_GET, mask, ...constant(1), I32_SUB, I32_AND, LOCAL_TEE, mask];
  return [BLOCK, EMPTY_BLOCK, LOCAL_GET, mask, I32_EQZ, BR_IF, 0, LOOP, EMPTY_BLOCK, ...found, ...clearLowest, BR_IF, 0, END, END];
}

/** `turn` for each sixteen of the n in a local; then the result, from a local. */
function turns(n: number, turn: Bytes, result: number): Bytes {
  const next = [LOCAL_GET, n, ...constant(PER_TURN), I32_SUB, LOCAL_TEE, n, BR_IF, 0];
  const loop = [LOOP, EMPTY_BLOCK, ...turn, ...next, END];
  return [BLOCK, EMPTY_BLOCK, LOCAL_GET, n, I32_EQZ, BR_IF, 0, ...loop, END, LOCAL_GET, result, END];
}

/** Where the table lies: for each mask of eight the positions of its bits, in 16 bits each. */
const POSITIONS = 0;
const EIGHT = 8;
/** Bytes of the table, at the beginning of the memory. */
export const POSITIONS_BYTES = 256 * 2 * EIGHT;

/** Fills the table; once per memory. */
export function writePositions(memory: ArrayBuffer): void {
  const table = new Uint16Array(memory, POSITIONS, POSITIONS_BYTES / 2);
  for (let mask = 0; mask < 256; mask++) {
    let found = 0;
    for (let bit = 0; bit < EIGHT; bit++) if ((mask >> bit) & 1) table[mask * EIGHT + found++] = bit;
  }
}

function within(bytesPerValue: 4 | 8): Bytes {
  const [from, n, low, high, out, mask, lows, highs, positions, eights] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [splat, ge, le] = bytesPerValue === 4 ? [I32X4_SPLAT, I32X4_GE_S, I32X4_LE_S] : [F64X2_SPLAT, F64X2_GE, F64X2_LE];
  const spread = (value: number, into: number): Bytes => [LOCAL_GET, value, ...simd(splat), LOCAL_SET, into];
  const test = (vector: number): Bytes => {
    const values = vectorAt(V128_LOAD, from, 16 * vector);
    return [...values, LOCAL_GET, lows, ...simd(ge), ...values, LOCAL_GET, highs, ...simd(le), ...simd(V128_AND)];
  };
  const ofIntegers = (eight: number): Bytes => [
    ...test(2 * eight),
    ...test(2 * eight + 1),
    ...simd(I16X8_NARROW_S),
    ...simd(I16X8_BITMASK),
  ];
  const ofPair = (eight: number, pair: number): Bytes => [
    ...[...test(4 * eight + pair), ...simd(I64X2_BITMASK)],
    ...(pair === 0 ? [] : [...constant(2 * pair), I32_SHL, I32_OR]),
  ];
  const ofNumbers = (eight: number): Bytes => [0, 1, 2, 3].flatMap((pair) => ofPair(eight, pair));
  const eightOf = (eight: number): Bytes => [
    ...[...(bytesPerValue === 4 ? ofIntegers(eight) : ofNumbers(eight)), LOCAL_SET, mask],
    ...[LOCAL_GET, out, LOCAL_GET, mask, ...constant(4), I32_SHL, ...simd(V128_LOAD, 0, ...unsigned(POSITIONS))],
    ...[LOCAL_GET, positions, ...simd(I16X8_ADD), ...simd(V128_STORE, 0, 0)],
    ...[LOCAL_GET, out, LOCAL_GET, mask, I32_POPCNT, ...constant(1), I32_SHL, I32_ADD, LOCAL_SET, out],
    ...[LOCAL_GET, positions, LOCAL_GET, eights, ...simd(I16X8_ADD), LOCAL_SET, positions],
  ];
  const turn = [...eightOf(0), ...eightOf(1), ...advance(from, bytesPerValue * PER_TURN)];
  const begin = [...spread(low, lows), ...spread(high, highs), ...constant(EIGHT), ...simd(I16X8_SPLAT), LOCAL_SET, eights];
  return [2, 1, I32, 4, V128, ...begin, ...turns(n, turn, out)];
}

function find(): Bytes {
  const [from, n, wanted, length, i, j, out, mask, at, left, one, other] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const byteAt = (address: number, offset: number): Bytes => [LOCAL_GET, address, LOCAL_GET, offset, I32_ADD, I32_LOAD8_U, 0, 0];
  const spread = (offset: number, into: number): Bytes => [...byteAt(wanted, offset), ...simd(I8X16_SPLAT), LOCAL_SET, into];
  const test = (offset: number, bytes: number): Bytes => [
    ...[LOCAL_GET, from, LOCAL_GET, offset, I32_ADD, ...simd(V128_LOAD, 0, 0)],
    ...[LOCAL_GET, bytes, ...simd(I8X16_EQ)],
  ];
  const same = [...byteAt(at, left), ...byteAt(wanted, left), I32_EQ];
  const compared = [
    ...[LOOP, EMPTY_BLOCK, LOCAL_GET, left, I32_EQZ, BR_IF, 1],
    ...[LOCAL_GET, left, ...constant(1), I32_SUB, LOCAL_SET, left, ...same, BR_IF, 0, END],
  ];
  const write = [LOCAL_GET, out, LOCAL_GET, at, I32_STORE, 2, 0, ...advance(out, 4)];
  const candidate = [
    ...[LOCAL_GET, from, LOCAL_GET, mask, I32_CTZ, I32_ADD, LOCAL_SET, at, LOCAL_GET, length, LOCAL_SET, left],
    // The inner block is left to its end when all bytes agree, and the outer one when some do not.
    ...[BLOCK, EMPTY_BLOCK, BLOCK, EMPTY_BLOCK, ...compared, BR, 1, END, ...write, END],
  ];
  const turn = [
    ...[...test(i, one), ...test(j, other), ...simd(V128_AND), ...simd(I8X16_BITMASK), LOCAL_SET, mask],
    ...forEachBit(mask, candidate),
    ...advance(from, PER_TURN),
  ];
  return [2, 3, I32, 2, V128, ...spread(i, one), ...spread(j, other), ...turns(n, turn, out)];
}

/** The module's bytes; its memory never grows. */
export function scanModule(pages: number): Uint8Array<ArrayBuffer> {
  return moduleOf(pages, [
    { name: 'integersWithin', parameters: [I32, I32, I32, I32, I32], result: I32, code: [...within(4)] },
    { name: 'numbersWithin', parameters: [I32, I32, F64, F64, I32], result: I32, code: [...within(8)] },
    { name: 'find', parameters: [I32, I32, I32, I32, I32, I32, I32], result: I32, code: find() },
  ]);
}
