/** Checks of arguments: each gives the argument back in a form to work with, or raises the TCK's TypeError. */
import type { AggregateName, FunctionName } from '../../functions/index.ts';
import { argumentFault, aType, type Integer, isInteger, isNumber, toNumber, typeFault, type Value } from '../../value/index.ts';

/** `toInteger() expects a String or a Number, not a List`. */
export function wrongArgument(functionName: string, expected: string, value: Value): Error {
  return typeFault(`${functionName}() expects ${expected}, not ${aType(value)}`, 'InvalidArgumentValue');
}

/** Returns an argument as a number. TYPE_ERROR: it is none. */
export function numberArgument(functionName: FunctionName | AggregateName, value: Value): number {
  if (typeof value === 'number') return value;
  if (!isNumber(value)) throw wrongArgument(functionName, 'a number', value);
  return toNumber(value);
}

/** Returns an argument that must be an Integer. TYPE_ERROR: it is none. */
export function integerArgument(functionName: FunctionName | AggregateName, value: Value): Integer {
  if (!isInteger(value)) throw wrongArgument(functionName, 'an Integer', value);
  return value;
}

/** An Integer as a count or position: not negative, and held to what a length can be. */
export function lengthArgument(functionName: FunctionName | AggregateName, value: Value): number {
  const integer = integerArgument(functionName, value);
  if (integer < 0) throw argumentFault(`${functionName}() expects no negative number, but got ${integer}`, 'NumberOutOfRange');
  return Math.min(Number(integer), 2 ** 32);
}

/** Returns an argument that must be a String. TYPE_ERROR: it is none. */
export function stringArgument(functionName: FunctionName | AggregateName, value: Value): string {
  if (typeof value !== 'string') throw wrongArgument(functionName, 'a String', value);
  return value;
}

/** Returns an argument that must be a List. TYPE_ERROR: it is none. */
export function listArgument(functionName: FunctionName | AggregateName, value: Value): Value[] {
  if (!Array.isArray(value)) throw wrongArgument(functionName, 'a List', value);
  return value;
}
