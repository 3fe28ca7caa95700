/** Values of properties of projected graphs as Cypher sees them. */
import type { NodeProperty } from '../../../algorithms/index.ts';
import { INT64_MIN, makeFloat, type Value } from '../../../value/index.ts';

/** The value of a node; where it has none NaN, or the least Integer. */
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

/** Whether the node has a value. */
export function hasValue({ values, offsets }: NodeProperty, node: number): boolean {
  return offsets === null ? !Number.isNaN(values[node]) : offsets[node + 1]! > offsets[node]!;
}

/** Steps and bytes of one value are in proportion to it. */
export function widthOf({ offsets }: NodeProperty, node: number): number {
  return offsets === null ? 1 : 1 + offsets[node + 1]! - offsets[node]!;
}
