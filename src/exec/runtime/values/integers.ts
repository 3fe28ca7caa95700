/**
 * Integer arithmetic for generated code: JavaScript numbers while the result is a safe integer, beyond that the exact
 * arithmetic of src/value. Results are never -0.
 */
import { add, divide, modulo, multiply, subtract } from '../../../value/index.ts';

type Integer = number | bigint;

/** Adds two Integers. @throws ARITHMETIC_ERROR if the sum exceeds 64 bits */
export function addInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return add(a, b) as Integer;
}

/** Subtracts two Integers. @throws ARITHMETIC_ERROR if the difference exceeds 64 bits */
export function subtractInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return subtract(a, b) as Integer;
}

/** Multiplies two Integers. @throws ARITHMETIC_ERROR if the product exceeds 64 bits */
export function multiplyInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return multiply(a, b) as Integer;
}

/** Divides two Integers and drops the fraction. @throws ARITHMETIC_ERROR when dividing by zero */
export function divideInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return Math.trunc(a / b) + 0;
  return divide(a, b) as Integer;
}

/** Returns the remainder of dividing two Integers. @throws ARITHMETIC_ERROR when dividing by zero */
export function moduloInteger(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return (a % b) + 0;
  return modulo(a, b) as Integer;
}

/** Converts a 64-bit integer of a column to an Integer: a number if it is safe, otherwise a bigint. */
export function narrow(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
