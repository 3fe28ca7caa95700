/** Measures of two vectors: their names, and what each makes of what the kernel finds. All are symmetric. */
import { argumentFault, isNumber, makeFloat, toNumber, type Value } from '../../value/index.ts';
import { wrongArgument } from '../functions/arguments.ts';
import { type Components, compare, compareStored, type Kernel } from './kernel.ts';

export interface Measure {
  readonly name: string;
  readonly description: string;
  readonly kernel: Kernel;
  /** From the kernel's figure to the answer. */
  readonly finish: (figure: number) => number;
}

export const MEASURES: readonly Measure[] = [
  {
    name: 'cosine_similarity',
    description: 'The cosine of the angle between two vectors, -1 to 1.',
    kernel: 'cosine',
    finish: (cosine) => cosine,
  },
  { name: 'dot_product', description: 'The dot product of two vectors.', kernel: 'dot', finish: (dot) => dot },
  { name: 'euclidean_distance', description: 'The Euclidean distance of two vectors.', kernel: 'distance', finish: Math.sqrt },
  {
    name: 'vector.similarity.cosine',
    description: 'The cosine similarity of two vectors on the scale 0 to 1: (1 + cosine) / 2.',
    kernel: 'cosine',
    finish: (cosine) => (1 + cosine) / 2,
  },
  {
    name: 'vector.similarity.euclidean',
    description: 'The Euclidean similarity of two vectors on the scale 0 to 1: 1 / (1 + distance²).',
    kernel: 'distance',
    finish: (square) => 1 / (1 + square),
  },
];

/** The numbers of a Vector or a List. `name`: the function that wants them. */
export function components(name: string, value: Value): Components {
  if (value instanceof Float32Array) return value;
  if (!Array.isArray(value)) throw wrongArgument(name, 'a Vector or a List of numbers', value);
  if (value.every((element) => typeof element === 'number')) return value;
  return value.map((element) => {
    if (!isNumber(element)) throw wrongArgument(name, 'a Vector or a List of numbers, but the list holds something that is', element);
    return toNumber(element);
  });
}

export function measure({ name, kernel, finish }: Measure, a: Value, b: Value): Value {
  const left = components(name, a);
  const right = components(name, b);
  if (left.length !== right.length) throw differentLengths(name, left.length, right.length);
  return finished(finish, compare(kernel, left, right));
}

/** A column whose rows are vectors, as generated code reads it. */
export interface VectorColumn {
  readonly values: ArrayLike<number | bigint>;
  readonly heap: Uint8Array | null;
  readonly valid: Uint8Array | null;
}

/** The vector of a row, which stays where it lies, and a value. */
export function measureStored(one: Measure, column: VectorColumn, row: number, value: Value): Value {
  if (value === null || (column.valid !== null && ((column.valid[row >> 3]! >> (row & 7)) & 1) === 0)) return null;
  const from = column.values[row] as number;
  const to = column.values[row + 1] as number;
  const query = components(one.name, value);
  if (query.length * 4 !== to - from) throw differentLengths(one.name, (to - from) / 4, query.length);
  return finished(one.finish, compareStored(one.kernel, column.heap!, { from, to }, query));
}

function differentLengths(name: string, left: number, right: number): Error {
  return argumentFault(`${name}() got vectors of ${left} and ${right} components`);
}

function finished(finish: Measure['finish'], figure: number | null): Value {
  return figure === null ? null : makeFloat(finish(figure));
}
