/** Numeric, logarithmic and trigonometric functions. All but `abs`, `sign` and `isNaN` give Floats. */
import { isInteger, isNumber, makeFloat, negate, type Value } from '../../value/index.ts';
import { lengthArgument, numberArgument, stringArgument, wrongArgument } from './arguments.ts';
import { define, optional, parameter } from './define.ts';
import type { FunctionCategory, FunctionDefinition } from './definition.ts';
import { parseRoundingMode, roundHalfCeiling, roundToPlaces } from './rounding.ts';

const NUMBER = parameter('input', 'Number');

/** A function from one real number to another. */
function real(name: string, category: FunctionCategory, description: string, compute: (x: number) => number): FunctionDefinition {
  const evaluate = (_: unknown, input: Value): Value => makeFloat(compute(numberArgument(name, input)));
  return define({ name, parameters: [NUMBER], returns: 'Float', category, description, evaluate });
}

function constant(name: string, description: string, value: number): FunctionDefinition {
  return define({ name, parameters: [], returns: 'Float', category: 'Logarithmic', description, evaluate: () => value });
}

function abs(input: Value): Value {
  if (isInteger(input)) return input < 0 ? negate(input) : input;
  return makeFloat(Math.abs(numberArgument('abs', input)));
}

function sign(input: Value): Value {
  const x = numberArgument('sign', input);
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/** Without decimal places and without a mode ties go upwards; a mode is what it says, at no decimal places too. */
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

export const numericFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'abs',
    parameters: [NUMBER],
    returns: 'Number',
    category: 'Numeric',
    description: 'The absolute value, of the type of the input.',
    evaluate: (_, input) => abs(input),
  }),
  real('ceiling', 'Numeric', 'The smallest whole number not below the input: another name of ceil.', Math.ceil),
  real('ceil', 'Numeric', 'The smallest whole number not below the input.', Math.ceil),
  real('floor', 'Numeric', 'The largest whole number not above the input.', Math.floor),
  define({
    name: 'round',
    parameters: [parameter('value', 'Number'), optional('precision', 'Integer'), optional('mode', 'String')],
    returns: 'Float',
    category: 'Numeric',
    description:
      'The nearest whole number, ties upwards; or the nearest with so many decimal places, ties away from zero. A mode decides otherwise.',
    evaluate: (_, value, places, mode) => round(value, places, mode),
  }),
  define({
    name: 'sign',
    parameters: [NUMBER],
    returns: 'Integer',
    category: 'Numeric',
    description: '-1, 0 or 1 as the input is negative, zero or positive.',
    evaluate: (_, input) => sign(input),
  }),
  define({
    name: 'isNaN',
    parameters: [NUMBER],
    returns: 'Boolean',
    category: 'Numeric',
    description: 'Whether the input is not a number.',
    evaluate: (_, input) => isNaNValue(input),
  }),
  define({
    name: 'rand',
    parameters: [],
    returns: 'Float',
    category: 'Numeric',
    description: 'A random number from 0 (inclusive) to 1 (exclusive).',
    volatile: true,
    evaluate: (context) => makeFloat(context.random()),
  }),
  constant('e', 'The base of the natural logarithm.', Math.E),
  real('exp', 'Logarithmic', 'e to the power of the input.', Math.exp),
  real('log', 'Logarithmic', 'The natural logarithm.', Math.log),
  real('log10', 'Logarithmic', 'The logarithm to base 10.', Math.log10),
  real('sqrt', 'Logarithmic', 'The square root.', Math.sqrt),
  constant('pi', 'The ratio of circumference and diameter of a circle.', Math.PI),
  real('sin', 'Trigonometric', 'The sine of an angle in radians.', Math.sin),
  real('cos', 'Trigonometric', 'The cosine of an angle in radians.', Math.cos),
  real('tan', 'Trigonometric', 'The tangent of an angle in radians.', Math.tan),
  real('cot', 'Trigonometric', 'The cotangent of an angle in radians.', cot),
  real('asin', 'Trigonometric', 'The arcsine, in radians.', Math.asin),
  real('acos', 'Trigonometric', 'The arccosine, in radians.', Math.acos),
  real('atan', 'Trigonometric', 'The arctangent, in radians.', Math.atan),
  define({
    name: 'atan2',
    parameters: [parameter('y', 'Number'), parameter('x', 'Number')],
    returns: 'Float',
    category: 'Trigonometric',
    description: 'The angle of the point (x, y), in radians.',
    evaluate: (_, y, x) => makeFloat(Math.atan2(numberArgument('atan2', y), numberArgument('atan2', x))),
  }),
  real('sinh', 'Trigonometric', 'The hyperbolic sine.', Math.sinh),
  real('cosh', 'Trigonometric', 'The hyperbolic cosine.', Math.cosh),
  real('tanh', 'Trigonometric', 'The hyperbolic tangent.', Math.tanh),
  real('coth', 'Trigonometric', 'The hyperbolic cotangent.', (x) => 1 / Math.tanh(x)),
  real('degrees', 'Trigonometric', 'Radians as degrees.', (x) => x / RADIANS_PER_DEGREE),
  real('radians', 'Trigonometric', 'Degrees as radians.', (x) => x * RADIANS_PER_DEGREE),
  real('haversin', 'Trigonometric', 'Half the versine of an angle in radians.', haversin),
];
