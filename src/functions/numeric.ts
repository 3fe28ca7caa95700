/** Facts of numeric, logarithmic and trigonometric functions. */
import type { FunctionCategory, FunctionTable } from './facts.ts';
import { checkedWhenCalled, optional, PURE, parameter } from './parameters.ts';

const NUMBER = parameter('input', 'Number');

/** A function from one real number to another. */
function real(category: FunctionCategory, description: string) {
  return { ...PURE, parameters: [NUMBER], returns: 'Float', cost: 'constant', category, description } as const;
}

function constant(description: string) {
  return { ...PURE, parameters: [], returns: 'Float', cost: 'constant', category: 'Logarithmic', description } as const;
}

/** The facts of functions on numbers. */
export const numericFacts = {
  abs: {
    ...PURE,
    parameters: [NUMBER],
    returns: 'Number',
    infers: 'first',
    cost: 'constant',
    category: 'Numeric',
    description: 'The absolute value, of the type of the input.',
  },
  ceiling: real('Numeric', 'The smallest whole number not below the input: another name of ceil.'),
  ceil: real('Numeric', 'The smallest whole number not below the input.'),
  floor: real('Numeric', 'The largest whole number not above the input.'),
  round: {
    ...PURE,
    parameters: [parameter('value', 'Number'), checkedWhenCalled(optional('precision', 'Integer')), optional('mode', 'String')],
    returns: 'Float',
    cost: 'constant',
    category: 'Numeric',
    description:
      'The nearest whole number, ties upwards; or the nearest with so many decimal places, ties away from zero. A mode decides otherwise.',
  },
  sign: {
    ...PURE,
    parameters: [NUMBER],
    returns: 'Integer',
    cost: 'constant',
    category: 'Numeric',
    description: '-1, 0 or 1 as the input is negative, zero or positive.',
  },
  isNaN: {
    ...PURE,
    parameters: [NUMBER],
    returns: 'Boolean',
    cost: 'constant',
    category: 'Numeric',
    description: 'Whether the input is not a number.',
  },
  rand: {
    ...PURE,
    determinism: 'random',
    parameters: [],
    returns: 'Float',
    cost: 'constant',
    category: 'Numeric',
    description: 'A random number from 0 (inclusive) to 1 (exclusive).',
  },
  e: constant('The base of the natural logarithm.'),
  exp: real('Logarithmic', 'e to the power of the input.'),
  log: real('Logarithmic', 'The natural logarithm.'),
  log10: real('Logarithmic', 'The logarithm to base 10.'),
  sqrt: real('Logarithmic', 'The square root.'),
  pi: constant('The ratio of circumference and diameter of a circle.'),
  sin: real('Trigonometric', 'The sine of an angle in radians.'),
  cos: real('Trigonometric', 'The cosine of an angle in radians.'),
  tan: real('Trigonometric', 'The tangent of an angle in radians.'),
  cot: real('Trigonometric', 'The cotangent of an angle in radians.'),
  asin: real('Trigonometric', 'The arcsine, in radians.'),
  acos: real('Trigonometric', 'The arccosine, in radians.'),
  atan: real('Trigonometric', 'The arctangent, in radians.'),
  atan2: {
    ...PURE,
    parameters: [parameter('y', 'Number'), parameter('x', 'Number')],
    returns: 'Float',
    cost: 'constant',
    category: 'Trigonometric',
    description: 'The angle of the point (x, y), in radians.',
  },
  sinh: real('Trigonometric', 'The hyperbolic sine.'),
  cosh: real('Trigonometric', 'The hyperbolic cosine.'),
  tanh: real('Trigonometric', 'The hyperbolic tangent.'),
  coth: real('Trigonometric', 'The hyperbolic cotangent.'),
  degrees: real('Trigonometric', 'Radians as degrees.'),
  radians: real('Trigonometric', 'Degrees as radians.'),
  haversin: real('Trigonometric', 'Half the versine of an angle in radians.'),
} as const satisfies FunctionTable;
