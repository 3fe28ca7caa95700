/** Measures of two vectors: each converts a result of the kernel. All are symmetric. */
import type { FunctionName, measureFacts } from '../../functions/index.ts';
import { argumentFault, isNumber, makeFloat, toNumber, type Value } from '../../value/index.ts';
import { type Components, compare, compareStored, type Kernel } from '../vectors/kernel.ts';
import { wrongArgument } from './arguments.ts';

type MeasureName = keyof typeof measureFacts;

/** A measure of two vectors. */
export interface Measure {
  readonly name: MeasureName;
  readonly kernel: Kernel;
  /** Converts the result of the kernel to that of the measure. */
  readonly finish: (figure: number) => number;
}

/** All measures, by name. */
export const MEASURES: Readonly<Record<MeasureName, Measure>> = {
  cosine_similarity: { name: 'cosine_similarity', kernel: 'cosine', finish: (cosine) => cosine },
  dot_product: { name: 'dot_product', kernel: 'dot', finish: (dot) => dot },
  euclidean_distance: { name: 'euclidean_distance', kernel: 'distance', finish: (distance) => distance },
  'vector.similarity.cosine': { name: 'vector.similarity.cosine', kernel: 'cosine', finish: (cosine) => (1 + cosine) / 2 },
  'vector.similarity.euclidean': { name: 'vector.similarity.euclidean', kernel: 'square', finish: (square) => 1 / (1 + square) },
};

/** Returns the measure that a function computes; undefined if it computes none. */
export function measureNamed(name: FunctionName): Measure | undefined {
  return Object.values(MEASURES).find((each) => each.name === name);
}

/** Returns the numbers of a Vector or a List. @param name the function named in the error @throws TYPE_ERROR for other values */
export function components(name: FunctionName, value: Value): Components {
  if (value instanceof Float32Array) return value;
  if (!Array.isArray(value)) throw wrongArgument(name, 'a Vector or a List of numbers', value);
  if (value.every((element) => typeof element === 'number')) return value;
  return value.map((element) => {
    if (!isNumber(element)) throw wrongArgument(name, 'a Vector or a List of numbers, but the list holds something that is', element);
    return toNumber(element);
  });
}

/** Computes a measure of two Vectors or Lists of numbers. @throws ARGUMENT_ERROR if their lengths differ */
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

/** Computes a measure of the vector in a row of a column, read in place, and a value; null if either is null. */
export function measureStored(one: Measure, column: VectorColumn, row: number, value: Value): Value {
  if (value === null || (column.valid !== null && ((column.valid[row >> 3]! >> (row & 7)) & 1) === 0)) return null;
  const from = column.values[row] as number;
  const to = column.values[row + 1] as number;
  const query = components(one.name, value);
  if (query.length * 4 !== to - from) throw differentLengths(one.name, (to - from) / 4, query.length);
  return finished(one.finish, compareStored(one.kernel, column.heap!, { from, to }, query));
}

function differentLengths(name: MeasureName, left: number, right: number): Error {
  return argumentFault(`${name}() got vectors of ${left} and ${right} components`);
}

function finished(finish: Measure['finish'], figure: number | null): Value {
  return figure === null ? null : makeFloat(finish(figure));
}
