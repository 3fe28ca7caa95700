/**
 * About how many bytes of memory a value takes beside the field of the row that holds it. Only what is long counts: a short value is in the price of its field
 * (memory-account.ts). Of long lists a few elements speak for all.
 */
import { Node, Path, Relationship } from '../../../value/index.ts';

export const LONG_TEXT = 64;
const BYTES_PER_ELEMENT = 8;
const BYTES_PER_ENTRY = 48;
const SAMPLES = 16;
const DEEPEST = 4;

/** True for most values, and quick to tell: nothing is to be counted. */
export function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= LONG_TEXT : typeof value !== 'object' || value === null;
}

export function bytesBeside(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length > LONG_TEXT ? value.length : 0;
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return 0;
  if (Array.isArray(value)) return BYTES_PER_ELEMENT * value.length + bytesOfElements(value, depth);
  if (value instanceof Map) return BYTES_PER_ENTRY * value.size + bytesOfEntries(value, depth);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Node || value instanceof Relationship) return bytesBeside(value.properties, depth + 1);
  if (value instanceof Path) return bytesBeside(value.nodes, depth) + bytesBeside(value.relationships, depth);
  return 0;
}

function bytesOfElements(list: readonly unknown[], depth: number): number {
  const step = Math.max(1, Math.floor(list.length / SAMPLES));
  let bytes = 0;
  for (let i = 0; i < list.length; i += step) bytes += bytesBeside(list[i], depth + 1);
  return bytes * step;
}

/** Maps have few entries: each counts. */
function bytesOfEntries(map: ReadonlyMap<unknown, unknown>, depth: number): number {
  let bytes = 0;
  for (const value of map.values()) bytes += bytesBeside(value, depth + 1);
  return bytes;
}
