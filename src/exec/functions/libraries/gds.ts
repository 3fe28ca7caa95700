/** The functions of Neo4j's Graph Data Science library, and its version. */
import type { gdsFacts } from '../../../functions/index.ts';
import { isInRange, scaledCosine, scaledDistance } from '../../../search/index.ts';
import { argumentFault, isInteger, isNumber, makeFloat, NodeValue, quoted, toNumber, type Value } from '../../../value/index.ts';
import { wrongArgument } from '../arguments.ts';
import type { Implementations } from '../definition.ts';
import { propertyValue, widthOf } from './projected-values.ts';

/** The release of Graph Data Science whose names, configuration and columns the functions and procedures have. */
export const GDS_VERSION = '2.13.2';
const NODE_LIMIT = 2 ** 32;

type FunctionName = keyof typeof gdsFacts;

function node(name: FunctionName, value: Value): NodeValue {
  if (!isInteger(value) || value < 0 || value >= NODE_LIMIT) throw wrongArgument(name, 'the number of a node', value);
  return new NodeValue(Number(value));
}

function numbersOf(name: FunctionName, value: Value): ArrayLike<number> {
  if (value instanceof Float32Array) return value;
  if (Array.isArray(value) && value.every(isNumber)) return value.map((each) => toNumber(each));
  throw wrongArgument(name, 'a List of numbers', value);
}

function elementsOf(name: FunctionName, value: Value): Value[] {
  if (value instanceof Float32Array) return [...value];
  if (Array.isArray(value)) return value;
  throw wrongArgument(name, 'a List', value);
}

/** Returns how many elements two lists have in common; an element that appears several times in both counts as often. */
function commonCount(a: readonly Value[], b: readonly Value[]): number {
  const counts = new Map<Value, number>();
  const keyOf = (value: Value): Value => (isNumber(value) ? toNumber(value) : value);
  for (const each of a) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  let common = 0;
  for (const each of b) {
    const left = counts.get(keyOf(each)) ?? 0;
    if (left === 0) continue;
    counts.set(keyOf(each), left - 1);
    common++;
  }
  return common;
}

/** Makes a function that computes a measure of two lists of numbers of equal length. */
function ofVectors(name: FunctionName, measure: (a: ArrayLike<number>, b: ArrayLike<number>) => number) {
  return (_: unknown, first: Value, second: Value): Value => {
    const [a, b] = [numbersOf(name, first), numbersOf(name, second)];
    if (a.length !== b.length) throw argumentFault(`${name} takes lists of one length, not of ${a.length} and ${b.length} numbers`);
    return makeFloat(measure(a, b));
  };
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) squares += (a[i]! - b[i]!) ** 2;
  return isInRange(squares) ? Math.sqrt(squares) : scaledDistance(a, b);
}

/** Returns the cosine of two lists of numbers, 0 if one is zero. */
function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  if (!isInRange(squaresOfA) || !isInRange(squaresOfB)) return scaledCosine(a, b) ?? 0;
  return product / Math.sqrt(squaresOfA * squaresOfB);
}

function pearson(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return cosine(centered(a), centered(b));
}

/** Returns the differences of numbers from their mean; all are halved if the greatest would be out of range. */
function centered(values: ArrayLike<number>): Float64Array {
  const middle = mean(values);
  const differences = Float64Array.from(values, (each) => each - middle);
  if (differences.every(Number.isFinite)) return differences;
  return differences.map((_, i) => values[i]! / 2 - middle / 2);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  if (Number.isFinite(sum) || values.length === 0) return sum / Math.max(1, values.length);
  let parts = 0;
  for (let i = 0; i < values.length; i++) parts += values[i]! / values.length;
  return parts;
}

/** The functions of Graph Data Science. */
export const gdsFunctions: Implementations<typeof gdsFacts> = {
  'gds.version': () => GDS_VERSION,
  'gds.util.asNode': (_, value) => node('gds.util.asNode', value),
  'gds.util.asNodes': (_, values) => {
    if (!Array.isArray(values)) throw wrongArgument('gds.util.asNodes', 'a List of numbers of nodes', values);
    return values.map((each) => node('gds.util.asNodes', each));
  },
  'gds.util.NaN': () => Number.NaN,
  'gds.util.infinity': () => Number.POSITIVE_INFINITY,
  'gds.util.isFinite': (_, value) => {
    if (!isNumber(value)) throw wrongArgument('gds.util.isFinite', 'a number', value);
    return Number.isFinite(toNumber(value));
  },
  'gds.util.isInfinite': (_, value) => {
    if (!isNumber(value)) throw wrongArgument('gds.util.isInfinite', 'a number', value);
    return !Number.isFinite(toNumber(value));
  },
  'gds.isLicensed': () => false,
  'gds.similarity.jaccard': (_, first, second) => {
    const [a, b] = [elementsOf('gds.similarity.jaccard', first), elementsOf('gds.similarity.jaccard', second)];
    const common = commonCount(a, b);
    const union = a.length + b.length - common;
    return makeFloat(union === 0 ? 0 : common / union);
  },
  'gds.similarity.overlap': (_, first, second) => {
    const [a, b] = [elementsOf('gds.similarity.overlap', first), elementsOf('gds.similarity.overlap', second)];
    const least = Math.min(a.length, b.length);
    return makeFloat(least === 0 ? 0 : commonCount(a, b) / least);
  },
  'gds.similarity.cosine': ofVectors('gds.similarity.cosine', cosine),
  'gds.similarity.pearson': ofVectors('gds.similarity.pearson', pearson),
  'gds.similarity.euclideanDistance': ofVectors('gds.similarity.euclideanDistance', distance),
  'gds.similarity.euclidean': ofVectors('gds.similarity.euclidean', (a, b) => 1 / (1 + distance(a, b))),
  'gds.graph.exists': ({ catalog }, name: string) => catalog().has(name),
  'gds.util.nodeProperty': ({ catalog, allowance }, name: string, nodeId, key: string, label: string = '*') => {
    const { graph } = catalog().get(name);
    const property = graph.properties.get(key);
    if (property === undefined) throw argumentFault(`The graph ${quoted(name)} has no node property ${quoted(key)}`);
    const bitmap = label === '*' ? null : graph.labels.get(label);
    if (bitmap === undefined) throw argumentFault(`The graph ${quoted(name)} has no node label ${quoted(label)}`);
    const dense = graph.nodeOf(node('gds.util.nodeProperty', nodeId).ordinal);
    if (dense < 0) throw argumentFault(`The node ${String(nodeId)} is not in the graph ${quoted(name)}`);
    if (bitmap !== null && bitmap[dense] !== 1) return null;
    allowance.count(widthOf(property, dense));
    return propertyValue(property, dense);
  },
};
