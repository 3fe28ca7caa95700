/**
 * Three-valued logic: null is unknown. Operands that are neither Boolean nor null are a TYPE_ERROR, unless the other
 * operand decides alone.
 */
import { typeFault } from './faults.ts';
import { typeName } from './type-name.ts';
import type { Value } from './values.ts';

/** A truth value; null: unknown. */
export type Truth = boolean | null;

/** Returns an operand of a condition as a truth value. @throws TYPE_ERROR if it is neither Boolean nor null */
export function truth(value: Value): Truth {
  if (value === true || value === false || value === null) return value;
  throw typeFault(`expected a Boolean, but got ${typeName(value)}`);
}

/** Joins two conditions by AND. */
export function and(a: Value, b: Value): Truth {
  if (a === false || b === false) return false;
  return truth(a) === null || truth(b) === null ? null : true;
}

/** Joins two conditions by OR. */
export function or(a: Value, b: Value): Truth {
  if (a === true || b === true) return true;
  return truth(a) === null || truth(b) === null ? null : false;
}

/** Joins two conditions by XOR. */
export function xor(a: Value, b: Value): Truth {
  const left = truth(a);
  const right = truth(b);
  return left === null || right === null ? null : left !== right;
}

/** Negates a condition. */
export function not(a: Value): Truth {
  const operand = truth(a);
  return operand === null ? null : !operand;
}
