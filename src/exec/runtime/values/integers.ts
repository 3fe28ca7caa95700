/**
 * Integer arithmetic of generated code: JavaScript numbers while the result is safe, the exact arithmetic of src/value
 * beyond. -0 never leaves.
 */
import { add, divide, modulo, multiply, subtract } from '../../../value/index.ts';

type Integer = number | bigint;

/** Adds two Integers. ARITHMETIC_ERROR: the sum is beyond 64 bits. */
export function addInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return add(a, b) as Integer;
}

/** Subtracts two Integers. ARITHMETIC_ERROR: the difference is beyond 64 bits. */
export function subtractInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return subtract(a, b) as Integer;
}

/** Multiplies two Integers. ARITHMETIC_ERROR: the product is beyond 64 bits. */
export function multiplyInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return multiply(a, b) as Integer;
}

/** Divides two Integers, without the fraction. ARITHMETIC_ERROR: by zero. */
export function divideInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return Math.trunc(a / b) + 0;
  return divide(a, b) as Integer;
}

/** Returns the remainder of two Integers. ARITHMETIC_ERROR: by zero. */
export function moduloInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return (a % b) + 0;
  return modulo(a, b) as Integer;
}

/** A 64-bit integer from a column as the canonical Integer. */
export function narrow(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
