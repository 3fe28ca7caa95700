/**
 * How alike two values of a property are, from 0 to 1: numbers by their difference, lists of Integers as sets, lists of
 * Floats as vectors.
 */
import { isInRange, scaledCosine } from '../../search/index.ts';
import { argumentFault, type Value } from '../../value/index.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import type { Topology } from '../graph/topology.ts';

/** Returns how alike two nodes of a topology are, from 0 to 1. */
export type Metric = (a: number, b: number) => number;

type Name = 'JACCARD' | 'OVERLAP' | 'COSINE' | 'EUCLIDEAN' | 'PEARSON';
const SETS: readonly Name[] = ['JACCARD', 'OVERLAP'];
const VECTORS: readonly Name[] = ['COSINE', 'EUCLIDEAN', 'PEARSON'];

/**
 * Reads `nodeProperties`: a name, a list of names, or a map from names to metrics. Returns the metric of each property,
 * and how many numbers a node has of it on average.
 *
 * @throws ARGUMENT_ERROR when there is no such property, or no such metric for it
 */
export function metricsOf(topology: Topology, given: Value): readonly { readonly metric: Metric; readonly width: number }[] {
  if (typeof given === 'string') return [metricOf(topology, given, 'DEFAULT')];
  if (Array.isArray(given)) return given.flatMap((each) => metricsOf(topology, each));
  if (given instanceof Map) return [...given].map(([name, metric]) => metricOf(topology, name, metric));
  throw argumentFault('`nodeProperties` is a String, a List of them, or a Map from properties to metrics');
}

function metricOf(topology: Topology, name: string, given: Value): { metric: Metric; width: number } {
  const property = topology.property(name);
  const wanted = typeof given === 'string' ? given.toUpperCase() : '';
  const { offsets, values } = property;
  const width = offsets === null ? 1 : Math.max(1, Math.ceil(values.length / Math.max(1, offsets.length - 1)));
  if (offsets === null) {
    if (wanted !== 'DEFAULT') throw unknown(name, given, []);
    return { metric: (a, b) => byDifference(values[topology.memberAt(a)]!, values[topology.memberAt(b)]!), width };
  }
  const allowed = property.kind === 'integers' ? SETS : VECTORS;
  const chosen = wanted === 'DEFAULT' ? allowed[0]! : allowed.find((each) => each === wanted);
  if (chosen === undefined) throw unknown(name, given, allowed);
  const measure = { JACCARD: jaccard, OVERLAP: overlap, COSINE: cosine, EUCLIDEAN: euclidean, PEARSON: pearson }[chosen];
  const sorted = property.kind === 'integers' ? sortedLists(property) : property;
  const listOf = (node: number): ArrayLike<number> => {
    const member = topology.memberAt(node);
    return sorted.values.subarray(offsets[member]!, offsets[member + 1]!);
  };
  return { metric: (a, b) => measure(listOf(a), listOf(b)), width };
}

function unknown(name: string, metric: Value, allowed: readonly string[]): Error {
  return argumentFault(`\`${String(metric)}\` is no metric for the property \`${name}\`; there is ${['DEFAULT', ...allowed].join(', ')}`);
}

function sortedLists(property: NodeProperty): NodeProperty {
  const values = property.values.slice();
  const offsets = property.offsets!;
  for (let node = 0; node + 1 < offsets.length; node++) values.subarray(offsets[node], offsets[node + 1]).sort();
  return { ...property, values };
}

/** Returns 1 for equal numbers, less the more they differ, and 0 where one is missing. */
const byDifference = (a: number, b: number): number => {
  const similarity = 1 / (1 + Math.abs(a - b));
  return Number.isNaN(similarity) ? 0 : similarity;
};

/** Counts the common elements of two sorted lists. */
function intersection(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) count++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return count;
}

function jaccard(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const common = intersection(a, b);
  const union = a.length + b.length - common;
  return union === 0 ? 0 : common / union;
}

function overlap(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const least = Math.min(a.length, b.length);
  return least === 0 ? 0 : intersection(a, b) / least;
}

/** Returns the cosine, mapped from -1 … 1 to 0 … 1. */
function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return correlation(a, b, 0, 0);
}

function pearson(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return correlation(a, b, mean(a), mean(b));
}

function correlation(a: ArrayLike<number>, b: ArrayLike<number>, meanOfA: number, meanOfB: number): number {
  const length = Math.min(a.length, b.length);
  let product = 0;
  let squaresOfA = 0;
  let squaresOfB = 0;
  for (let i = 0; i < length; i++) {
    const x = a[i]! - meanOfA;
    const y = b[i]! - meanOfB;
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  if (!isInRange(squaresOfA) || !isInRange(squaresOfB)) return scaledCorrelation(a, b, meanOfA, meanOfB);
  return Math.min(1, Math.max(0, (product / Math.sqrt(squaresOfA * squaresOfB) + 1) / 2));
}

/** Returns the correlation of numbers whose squares are beyond the range of doubles; 0 where one is missing. */
function scaledCorrelation(a: ArrayLike<number>, b: ArrayLike<number>, meanOfA: number, meanOfB: number): number {
  const length = Math.min(a.length, b.length);
  const differences = (values: ArrayLike<number>, middle: number): Float64Array =>
    Float64Array.from({ length }, (_, i) => values[i]! - middle);
  const found = scaledCosine(differences(a, meanOfA), differences(b, meanOfB)) ?? Number.NaN;
  return Number.isNaN(found) ? 0 : (found + 1) / 2;
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return values.length === 0 ? 0 : sum / values.length;
}

function euclidean(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i++) squares += (a[i]! - b[i]!) ** 2;
  return byDifference(Math.sqrt(squares), 0);
}
