/**
 * Conversions between scalar types: `toX` (null for text that is no such value, TYPE_ERROR for other types),
 * `toXOrNull` (null instead of any error) and `toXList` (converts each element as `toXOrNull` does).
 */
import { type conversionFacts, type FunctionName, functionNamed } from '../../functions/index.ts';
import {
  arithmeticFault,
  CypherDuration,
  CypherFloat,
  DECIMAL_NUMBER,
  displayText,
  INT64_MAX,
  INT64_MIN,
  integerOfDigits,
  isFloat,
  isInteger,
  isNumber,
  isTemporal,
  makeFloat,
  makeInteger,
  Point,
  toNumber,
  type Value,
  wholePartOf,
} from '../../value/index.ts';
import { listArgument, wrongArgument } from './arguments.ts';
import type { Complete, Evaluate, Implementations } from './definition.ts';

/** Converts a value; undefined if its type cannot be converted, null if it is a text that is no such value. */
type Conversion = (input: Value) => Value | undefined;

const INTEGER_TEXT = /^[+-]?\d+$/;
const FLOAT_TEXT = new RegExp(`^${DECIMAL_NUMBER}$`);
const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['+Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** Makes the conversion to Integer. `outOfRange` returns the result for a number that does not fit into 64 bits, or throws. */
function integerConversion(outOfRange: () => null): Conversion {
  const ofWhole = (value: bigint | null): Value =>
    value === null || value > INT64_MAX || value < INT64_MIN ? outOfRange() : makeInteger(value);
  const ofFloat = (x: number): Value => (Number.isNaN(x) ? null : ofWhole(Number.isFinite(x) ? BigInt(Math.trunc(x)) : null));
  const ofText = (text: string): Value => {
    if (INTEGER_TEXT.test(text)) return ofWhole(integerOfDigits(text));
    return FLOAT_TEXT.test(text) ? ofWhole(wholePartOf(text)) : null;
  };
  return (input) => {
    if (isInteger(input)) return input;
    if (isFloat(input)) return ofFloat(toNumber(input));
    if (typeof input === 'boolean') return input ? 1 : 0;
    return typeof input === 'string' ? ofText(input.trim()) : undefined;
  };
}

const toInteger = integerConversion(() => {
  throw arithmeticFault('the number does not fit into a 64-bit integer', 'IntegerOverflow');
});
const toIntegerOrNull = integerConversion(() => null);

function toFloat(input: Value): Value | undefined {
  if (isNumber(input)) return makeFloat(toNumber(input));
  if (typeof input !== 'string') return undefined;
  const text = input.trim();
  const special = SPECIAL_FLOATS.get(text);
  return special ?? (FLOAT_TEXT.test(text) ? makeFloat(Number(text)) : null);
}

function toBoolean(input: Value): Value | undefined {
  if (typeof input === 'boolean') return input;
  if (isInteger(input)) return input !== 0;
  if (typeof input !== 'string') return undefined;
  const text = input.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : null;
}

function toText(input: Value): Value | undefined {
  const isScalar = typeof input !== 'object' || input instanceof CypherFloat || isTemporal(input) || input instanceof CypherDuration;
  return isScalar || input instanceof Point ? displayText(input) : undefined;
}

/** Makes `toX` from a conversion: a value whose type cannot be converted is a TYPE_ERROR. */
function checked(name: FunctionName, convert: Conversion): Evaluate<unknown> {
  const accepted = functionNamed(name)!.facts.parameters[0]!.types;
  const expected = accepted.map((type) => `${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`).join(' or ');
  return (_, input: Value) => {
    const result = convert(input);
    if (result === undefined) throw wrongArgument(name, expected, input);
    return result;
  };
}

function orNull(convert: Conversion): Evaluate<unknown> {
  return (_, input: Value) => convert(input) ?? null;
}

function ofElements(name: FunctionName, convert: Conversion): Evaluate<unknown> {
  return (_, input: Value) => listArgument(name, input).map((element) => (element === null ? null : (convert(element) ?? null)));
}

const implementations = {
  toInteger: checked('toInteger', toInteger),
  toIntegerOrNull: orNull(toIntegerOrNull),
  toIntegerList: ofElements('toIntegerList', toIntegerOrNull),
  toFloat: checked('toFloat', toFloat),
  toFloatOrNull: orNull(toFloat),
  toFloatList: ofElements('toFloatList', toFloat),
  toBoolean: checked('toBoolean', toBoolean),
  toBooleanOrNull: orNull(toBoolean),
  toBooleanList: ofElements('toBooleanList', toBoolean),
  toString: checked('toString', toText),
  toStringOrNull: orNull(toText),
  toStringList: ofElements('toStringList', toText),
} satisfies Implementations<typeof conversionFacts>;

/** The conversions between scalar types. */
export const conversionFunctions: Complete<typeof conversionFacts, typeof implementations> = implementations;
