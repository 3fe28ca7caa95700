/** Converts property values of projected graphs to Cypher values. */
import type { NodeProperty } from '../../../algorithms/index.ts';
import { INT64_MIN, makeFloat, type Value } from '../../../value/index.ts';

/** Returns the value of a node; if it has none, NaN or the least Integer. */
export function propertyValue({ kind, values, offsets }: NodeProperty, node: number): Value {
  if (offsets === null) return numberValue(kind === 'integer', values[node]!);
  const list: Value[] = [];
  for (let i = offsets[node]!; i < offsets[node + 1]!; i++) list.push(numberValue(kind === 'integers', values[i]!));
  return list;
}

function numberValue(isInteger: boolean, value: number): Value {
  if (!isInteger) return makeFloat(value);
  return Number.isNaN(value) ? INT64_MIN : value;
}

/** Tells whether the node has a value. */
export function hasValue({ values, offsets }: NodeProperty, node: number): boolean {
  return offsets === null ? !Number.isNaN(values[node]) : offsets[node + 1]! > offsets[node]!;
}

/** Returns the number of elements of a node's value, plus 1 for a list: a measure of its work and memory. */
export function widthOf({ offsets }: NodeProperty, node: number): number {
  return offsets === null ? 1 : 1 + offsets[node + 1]! - offsets[node]!;
}
