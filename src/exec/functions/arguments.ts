/** Checks of arguments: each returns the argument in a form to work with, or throws TYPE_ERROR. */
import type { AggregateName, FunctionName } from '../../functions/index.ts';
import { argumentFault, aType, type Integer, isInteger, isNumber, toNumber, typeFault, type Value } from '../../value/index.ts';

/** Makes the error TYPE_ERROR, such as `toInteger() expects a String or a Number, not a List`. */
export function wrongArgument(functionName: string, expected: string, value: Value): Error {
  return typeFault(`${functionName}() expects ${expected}, not ${aType(value)}`, 'InvalidArgumentValue');
}

/** Returns an argument as a number. @throws TYPE_ERROR if it is none */
export function numberArgument(functionName: FunctionName | AggregateName, value: Value): number {
  if (typeof value === 'number') return value;
  if (!isNumber(value)) throw wrongArgument(functionName, 'a number', value);
  return toNumber(value);
}

/** Returns an argument that must be an Integer. @throws TYPE_ERROR if it is none */
export function integerArgument(functionName: FunctionName | AggregateName, value: Value): Integer {
  if (!isInteger(value)) throw wrongArgument(functionName, 'an Integer', value);
  return value;
}

/** Returns an Integer as a count or position, capped at 2^32. @throws TYPE_ERROR if it is none, ARGUMENT_ERROR if it is negative */
export function lengthArgument(functionName: FunctionName | AggregateName, value: Value): number {
  const integer = integerArgument(functionName, value);
  if (integer < 0) throw argumentFault(`${functionName}() expects no negative number, but got ${integer}`, 'NumberOutOfRange');
  return Math.min(Number(integer), 2 ** 32);
}

/** Returns an argument that must be a String. @throws TYPE_ERROR if it is none */
export function stringArgument(functionName: FunctionName | AggregateName, value: Value): string {
  if (typeof value !== 'string') throw wrongArgument(functionName, 'a String', value);
  return value;
}

/** Returns an argument that must be a List. @throws TYPE_ERROR if it is none */
export function listArgument(functionName: FunctionName | AggregateName, value: Value): Value[] {
  if (!Array.isArray(value)) throw wrongArgument(functionName, 'a List', value);
  return value;
}
