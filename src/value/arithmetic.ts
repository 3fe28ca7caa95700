/**
 * The operators `+ - * / % ^` and unary minus. The result is null if an operand is null. Integers are exact 64-bit
 * numbers (ARITHMETIC_ERROR beyond), Floats are IEEE doubles; an operation with at least one Float gives a Float. The
 * paths for safe integers come first.
 */
import { elementsOf } from './collections.ts';
import { arithmeticFault, overflowFault, typeFault } from './faults.ts';
import { floatText } from './float-text.ts';
import { assertListLength } from './list-length.ts';
import { CypherFloat, INT64_MAX, INT64_MIN, type Integer, isNumber, makeFloat, makeInteger } from './numbers.ts';
import { addDurations, addToTemporal, divideDuration, multiplyDuration, negateDuration, subtractDurations } from './temporal/duration.ts';
import { aType } from './type-name.ts';
import { CypherDuration, isTemporal, type Value } from './values.ts';

type CypherNumber = number | bigint | CypherFloat;

/**
 * Adds numbers; text and text, numbers, Booleans or temporal values; lists and lists or elements; temporal values and
 * durations.
 *
 * @throws TYPE_ERROR for other operands, ARITHMETIC_ERROR for an Integer beyond 64 bits
 */
export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? sum : makeFloat(sum);
    return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? BigInt(a) + BigInt(b) : sum;
  }
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a === null || b === null) return null;
  if (isNumber(a) && isNumber(b)) {
    return isIntegral(a) && isIntegral(b) ? integer(BigInt(a) + BigInt(b), 'the sum') : makeFloat(plain(a) + plain(b));
  }
  return addOther(a, b);
}

function addOther(a: Exclude<Value, null>, b: Exclude<Value, null>): Value {
  const [left, right] = [elementsOf(a), elementsOf(b)];
  if (left !== null || right !== null) return concatenated(left ?? [a], right ?? [b]);
  if (typeof a === 'string') return a + textBeside(a, b);
  if (typeof b === 'string') return textBeside(b, a) + b;
  if (b instanceof CypherDuration) {
    if (a instanceof CypherDuration) return addDurations(a, b);
    if (isTemporal(a)) return addToTemporal(a, b, 1);
  }
  if (a instanceof CypherDuration && isTemporal(b)) return addToTemporal(b, a, 1);
  throw operandFault('+', a, b);
}

function concatenated(a: readonly Value[], b: readonly Value[]): Value[] {
  assertListLength(a.length + b.length, 'the sum');
  return [...a, ...b];
}

/** Returns an operand of `+` as text, for the other operand `text`. @throws TYPE_ERROR if it has no text */
function textBeside(text: string, other: Exclude<Value, null>): string {
  if (typeof other === 'number' || typeof other === 'bigint' || typeof other === 'boolean')
    return isFloatNumber(other) ? floatText(other) : String(other);
  if (other instanceof CypherFloat) return floatText(other.value);
  if (isTemporal(other) || other instanceof CypherDuration) return other.toString();
  throw operandFault('+', text, other);
}

function isFloatNumber(value: number | bigint | boolean): value is number {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

/** Subtracts numbers, or durations from durations and temporal values. @throws TYPE_ERROR, ARITHMETIC_ERROR as `add` */
export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? difference : makeFloat(difference);
    return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? BigInt(a) - BigInt(b) : difference;
  }
  if (a === null || b === null) return null;
  if (isNumber(a) && isNumber(b)) {
    return isIntegral(a) && isIntegral(b) ? integer(BigInt(a) - BigInt(b), 'the difference') : makeFloat(plain(a) - plain(b));
  }
  if (b instanceof CypherDuration) {
    if (a instanceof CypherDuration) return subtractDurations(a, b);
    if (isTemporal(a)) return addToTemporal(a, b, -1);
  }
  throw operandFault('-', a, b);
}

/** Multiplies numbers, or durations by numbers. @throws TYPE_ERROR, ARITHMETIC_ERROR as `add` */
export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    const integers = Number.isSafeInteger(a) && Number.isSafeInteger(b);
    if (Number.isSafeInteger(product)) return integers ? product + 0 : makeFloat(product);
    return integers ? integer(BigInt(a) * BigInt(b), 'the product') : product;
  }
  if (a === null || b === null) return null;
  if (isNumber(a)) {
    if (isNumber(b)) return isIntegral(a) && isIntegral(b) ? integer(BigInt(a) * BigInt(b), 'the product') : makeFloat(plain(a) * plain(b));
    if (b instanceof CypherDuration) return multiplyDuration(b, unboxed(a));
  } else if (a instanceof CypherDuration && isNumber(b)) {
    return multiplyDuration(a, unboxed(b));
  }
  throw operandFault('*', a, b);
}

/** Divides. Two Integers give an Integer without the fraction, or ARITHMETIC_ERROR for zero; a Float gives IEEE division. */
export function divide(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0 && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    return (a - (a % b)) / b + 0;
  }
  if (a === null || b === null) return null;
  if (isNumber(a) && isNumber(b)) {
    if (!(isIntegral(a) && isIntegral(b))) return makeFloat(plain(a) / plain(b));
    if (b === 0) throw divisionByZero();
    return integer(BigInt(a) / BigInt(b), 'the quotient');
  }
  if (a instanceof CypherDuration && isNumber(b)) return divideDuration(a, plain(b));
  throw operandFault('/', a, b);
}

/** Returns the remainder of `divide`, with the sign of the dividend. */
export function modulo(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0 && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    return (a % b) + 0;
  }
  if (a === null || b === null) return null;
  if (!isNumber(a) || !isNumber(b)) throw operandFault('%', a, b);
  if (!(isIntegral(a) && isIntegral(b))) return makeFloat(plain(a) % plain(b));
  if (b === 0) throw divisionByZero();
  return integer(BigInt(a) % BigInt(b), 'the remainder');
}

/** Raises `a` to the power of `b`; the result is always a Float. */
export function power(a: Value, b: Value): Value {
  if (a === null || b === null) return null;
  if (!isNumber(a) || !isNumber(b)) throw operandFault('^', a, b);
  return makeFloat(plain(a) ** plain(b));
}

/** Negates a number or a duration. */
export function negate(a: Value): Value {
  if (typeof a === 'number') return a === 0 ? 0 : -a;
  if (a === null) return null;
  if (typeof a === 'bigint') return integer(-a, 'the negation');
  if (a instanceof CypherFloat) return makeFloat(-a.value);
  if (a instanceof CypherDuration) return negateDuration(a);
  throw typeFault(`- cannot be applied to ${aType(a)}`);
}

/** Applies unary plus, which returns numbers and durations unchanged. @throws TYPE_ERROR for any other value */
export function affirm(a: Value): Value {
  if (a === null || isNumber(a) || a instanceof CypherDuration) return a;
  throw typeFault(`+ cannot be applied to ${aType(a)}`);
}

function isIntegral(value: CypherNumber): value is Integer {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function unboxed(value: CypherNumber): Integer {
  return typeof value === 'object' ? value.value : value;
}

function plain(value: CypherNumber): number {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : value.value;
}

/** Returns an Integer, checked against 64 bits. @throws ARITHMETIC_ERROR */
function integer(result: bigint, what: string): Integer {
  if (result > INT64_MAX || result < INT64_MIN) throw overflowFault(what);
  return makeInteger(result);
}

function divisionByZero(): Error {
  return arithmeticFault('division by zero', 'DivisionByZero');
}

function operandFault(operator: string, a: Value, b: Value): Error {
  return typeFault(`${operator} cannot be applied to ${aType(a)} and ${aType(b)}${instead(operator, a, b)}`);
}

/** Returns advice for operands that are temporal values, to be appended to the message; empty for other operands. */
function instead(operator: string, a: Value, b: Value): string {
  if (!isTemporal(a) && !isTemporal(b)) return '';
  if (operator === '-' && isTemporal(a) && isTemporal(b)) return '; write duration.between(from, to)';
  return isNumber(a) || isNumber(b) ? '; write a duration for the number, such as duration({days: 1})' : '';
}
