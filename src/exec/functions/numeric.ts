/** Numeric, logarithmic and trigonometric functions. */
import type { FunctionName, numericFacts } from '../../functions/index.ts';
import { isInteger, isNumber, makeFloat, negate, type Value } from '../../value/index.ts';
import { lengthArgument, numberArgument, stringArgument, wrongArgument } from './arguments.ts';
import type { Evaluate, Implementations } from './definition.ts';
import { parseRoundingMode, roundHalfCeiling, roundToPlaces } from './rounding.ts';

/** Makes a function from one real number to another. */
function real(name: FunctionName, compute: (x: number) => number): Evaluate<unknown> {
  return (_, input: Value) => makeFloat(compute(numberArgument(name, input)));
}

function abs(input: Value): Value {
  if (isInteger(input)) return input < 0 ? negate(input) : input;
  return makeFloat(Math.abs(numberArgument('abs', input)));
}

function sign(input: Value): Value {
  const x = numberArgument('sign', input);
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/** Evaluates round(). Without places and without a mode, ties round towards positive infinity; a given mode always applies. */
function round(input: Value, precision: Value = 0, mode?: Value): Value {
  const x = numberArgument('round', input);
  const places = Math.min(lengthArgument('round', precision), 400);
  if (places === 0 && mode === undefined) return makeFloat(roundHalfCeiling(x));
  const roundingMode = mode === undefined ? 'HALF_UP' : parseRoundingMode(stringArgument('round', mode));
  return makeFloat(roundToPlaces(x, places, roundingMode));
}

function isNaNValue(input: Value): Value {
  if (!isNumber(input)) throw wrongArgument('isNaN', 'a number', input);
  return typeof input === 'number' && Number.isNaN(input);
}

function cot(x: number): number {
  return 1 / Math.tan(x);
}

function haversin(x: number): number {
  return (1 - Math.cos(x)) / 2;
}

const RADIANS_PER_DEGREE = Math.PI / 180;

/** The functions on numbers. */
export const numericFunctions: Implementations<typeof numericFacts> = {
  abs: (_, input) => abs(input),
  ceiling: real('ceiling', Math.ceil),
  ceil: real('ceil', Math.ceil),
  floor: real('floor', Math.floor),
  round: (_, value, places, mode) => round(value, places, mode),
  sign: (_, input) => sign(input),
  isNaN: (_, input) => isNaNValue(input),
  rand: (context) => makeFloat(context.random()),
  e: () => Math.E,
  exp: real('exp', Math.exp),
  log: real('log', Math.log),
  log10: real('log10', Math.log10),
  sqrt: real('sqrt', Math.sqrt),
  pi: () => Math.PI,
  sin: real('sin', Math.sin),
  cos: real('cos', Math.cos),
  tan: real('tan', Math.tan),
  cot: real('cot', cot),
  asin: real('asin', Math.asin),
  acos: real('acos', Math.acos),
  atan: real('atan', Math.atan),
  atan2: (_, y, x) => makeFloat(Math.atan2(numberArgument('atan2', y), numberArgument('atan2', x))),
  sinh: real('sinh', Math.sinh),
  cosh: real('cosh', Math.cosh),
  tanh: real('tanh', Math.tanh),
  coth: real('coth', (x) => 1 / Math.tanh(x)),
  degrees: real('degrees', (x) => x / RADIANS_PER_DEGREE),
  radians: real('radians', (x) => x * RADIANS_PER_DEGREE),
  haversin: real('haversin', haversin),
};
