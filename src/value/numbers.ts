/** Cypher's two kinds of number, Integer and Float, and their representation in JavaScript (see values.ts). */
import { argumentFault } from './faults.ts';

/** An integer of 64 bits: a number where it is a safe integer, else a bigint. */
export type Integer = number | bigint;

/** A Float whose number is a safe integer or -0; any other Float is a bare number. Made by `makeFloat` only. */
export class CypherFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Returns the Float of a JavaScript number. */
export function makeFloat(x: number): number | CypherFloat {
  return Number.isSafeInteger(x) ? new CypherFloat(x) : x;
}

/** The least Integer. */
export const INT64_MIN = -(2n ** 63n);
/** The greatest Integer. */
export const INT64_MAX = 2n ** 63n - 1n;

/** Returns the Integer of a bigint, which must be within 64 bits. */
export function makeInteger(x: bigint): Integer {
  return x >= -9007199254740991n && x <= 9007199254740991n ? Number(x) : x;
}

/** Tells whether a value is an Integer. */
export function isInteger(value: unknown): value is Integer {
  return typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint';
}

/** Tells whether a value is a Float. */
export function isFloat(value: unknown): value is number | CypherFloat {
  return typeof value === 'number' ? !Number.isSafeInteger(value) : value instanceof CypherFloat;
}

/** Tells whether a value is an Integer or a Float. */
export function isNumber(value: unknown): value is number | bigint | CypherFloat {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof CypherFloat;
}

/** Returns the JavaScript number nearest to a Cypher number. */
export function toNumber(value: number | bigint | CypherFloat): number {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : value.value;
}

/** Returns the vector itself. @throws ARGUMENT_ERROR if a component is infinite, as 1e39 is in 32 bits, or NaN */
export function finiteVector(vector: Float32Array): Float32Array {
  for (let i = 0; i < vector.length; i++)
    if (!Number.isFinite(vector[i])) throw argumentFault('a vector holds finite numbers of 32 bits only', 'NumberOutOfRange');
  return vector;
}
