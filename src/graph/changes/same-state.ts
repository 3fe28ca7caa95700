/** Compares states of an entity: equal labels, and values equal in type and content under equal keys. */
import { ByteWriter } from '../../base/index.ts';
import { encodeValue, type Value } from '../../value/index.ts';
import type { NodeState } from './entity-change.ts';

/** Tells whether two states are the same. The labels of both must be in the same order. */
export function isSameState(before: NodeState, after: NodeState): boolean {
  if (before.labels.length !== after.labels.length || before.properties.size !== after.properties.size) return false;
  if (before.labels.some((label, index) => label !== after.labels[index])) return false;
  for (const [key, value] of before.properties) {
    const other = after.properties.get(key);
    if (other === undefined || !isSameValue(value, other)) return false;
  }
  return true;
}

/** Tells whether two values are stored alike: 1 and 1.0 are different, NaN equals itself. */
export function isSameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return Number.isNaN(a) && Number.isNaN(b);
  return bytesOf(a).equals(bytesOf(b));
}

function bytesOf(value: Value): Buffer {
  const writer = new ByteWriter();
  encodeValue(value, writer);
  return Buffer.from(writer.view());
}
