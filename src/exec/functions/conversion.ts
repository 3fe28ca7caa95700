/**
 * Conversions between scalar types: `toX` (null for text that is no such value, TypeError for other types), `toXOrNull` (null instead of
 * the TypeError) and `toXList` (each element as `toXOrNull`).
 */
import {
  arithmeticFault,
  CypherDuration,
  CypherFloat,
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
} from '../../value/index.ts';
import { listArgument, wrongArgument } from './arguments.ts';
import { define, parameter } from './define.ts';
import type { FunctionDefinition, TypeHint } from './definition.ts';

/** The converted value, or undefined where the type of the input has none. */
type Conversion = (input: Value) => Value | undefined;

const INTEGER_TEXT = /^[+-]?\d+$/;
const FLOAT_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['+Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function toInteger(input: Value): Value | undefined {
  if (isInteger(input)) return input;
  if (isFloat(input)) return integerOfFloat(toNumber(input));
  if (typeof input === 'boolean') return input ? 1 : 0;
  return typeof input === 'string' ? integerOfText(input.trim()) : undefined;
}

function integerOfText(text: string): Value {
  if (INTEGER_TEXT.test(text)) {
    const value = integerOfDigits(text);
    if (value === null) throw outOfRange();
    return makeInteger(value);
  }
  return FLOAT_TEXT.test(text) ? integerOfFloat(Number(text)) : null;
}

function integerOfFloat(x: number): Value {
  if (Number.isNaN(x)) return null;
  if (!Number.isFinite(x)) throw outOfRange();
  return checkedInteger(BigInt(Math.trunc(x)));
}

function checkedInteger(value: bigint): Value {
  if (value > INT64_MAX || value < INT64_MIN) throw outOfRange();
  return makeInteger(value);
}

function outOfRange(): Error {
  return arithmeticFault('the number does not fit into a 64-bit integer', 'IntegerOverflow');
}

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

/** `toX`, `toXOrNull` and `toXList` of one conversion. */
function conversions(name: string, accepted: readonly TypeHint[], returns: TypeHint, convert: Conversion): FunctionDefinition[] {
  const expected = accepted.map((type) => `${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`).join(' or ');
  const orNull = (input: Value): Value => convert(input) ?? null;
  return [
    define({
      name,
      parameters: [parameter('input', ...accepted)],
      returns,
      category: 'Scalar',
      description: `The input as ${returns}, null for text that is none.`,
      evaluate: (_, input: Value) => {
        const result = convert(input);
        if (result === undefined) throw wrongArgument(name, expected, input);
        return result;
      },
    }),
    define({
      name: `${name}OrNull`,
      parameters: [parameter('input', 'Any')],
      returns,
      category: 'Scalar',
      description: `The input as ${returns}, null for what cannot be converted.`,
      evaluate: (_, input: Value) => orNull(input),
    }),
    define({
      name: `${name}List`,
      parameters: [parameter('input', 'List')],
      returns: 'List',
      category: 'List',
      description: `The elements as ${returns}, null for those that cannot be converted.`,
      evaluate: (_, input: Value) => listArgument(`${name}List`, input).map((element) => (element === null ? null : orNull(element))),
    }),
  ];
}

const TEMPORAL_TYPES: readonly TypeHint[] = ['Date', 'Time', 'LocalTime', 'DateTime', 'LocalDateTime', 'Duration'];

export const conversionFunctions: readonly FunctionDefinition[] = [
  ...conversions('toInteger', ['Number', 'String', 'Boolean'], 'Integer', toInteger),
  ...conversions('toFloat', ['Number', 'String'], 'Float', toFloat),
  ...conversions('toBoolean', ['Boolean', 'String', 'Integer'], 'Boolean', toBoolean),
  ...conversions('toString', ['String', 'Number', 'Boolean', ...TEMPORAL_TYPES, 'Point'], 'String', toText),
];
