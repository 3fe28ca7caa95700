/**
 * Estimates the bytes of memory that a value takes beside the place that holds it. Everything inside the value counts,
 * as often as it appears. Values do not change, so the size of a large one is remembered; code that makes a value
 * records its size if that is cheap.
 */
import { Node, NodeValue, Path, PathValue, Relationship, RelationshipValue } from '../../../value/index.ts';

/** Texts with more characters than this are charged by their length. */
export const LONG_TEXT = 64;

/** Bytes for an element's place in a list. */
export const BYTES_PER_ELEMENT = 8;

/** Bytes for an entry's place in a map. */
export const BYTES_PER_ENTRY = 48;
/** Bytes for an object without parts of its own: a date, a float, a reference to a node. */
const BYTES_PER_OBJECT = 48;
const BYTES_PER_RELATIONSHIP = 64;
/** Bytes for a node or relationship with everything but its properties. */
const BYTES_PER_ENTITY = 256;
const BYTES_PER_TEXT = 24;
const BYTES_PER_NUMBER = 16;
/** The sizes of lists and maps of more bytes than this are remembered. */
export const LARGE = 4096;
/** Binary logarithm of the elements of a list measured in the time of one step. */
const MEASURED = 4;

/** Counts the work of measuring. */
export interface Work {
  count(steps: number): void;
}

const known = new WeakMap<object, number>();

/** Tells, quickly, whether a value takes no memory beside its place; true for most values. */
export function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= LONG_TEXT : typeof value !== 'object' || value === null;
}

/** Returns the bytes of a value beside the field of a row that holds it; the price of a field includes a short value. */
export function bytesBeside(value: unknown, work: Work): number {
  if (typeof value === 'string') return value.length > LONG_TEXT ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return bytesOfObject(value, work);
}

/** Returns the bytes of a value beside its place in a list or a map. */
export function bytesInside(value: unknown, work: Work): number {
  if (typeof value === 'number') return (value | 0) === value ? 0 : BYTES_PER_NUMBER;
  if (typeof value === 'string') return BYTES_PER_TEXT + value.length;
  if (typeof value === 'object') return value === null ? 0 : bytesOfObject(value, work);
  return typeof value === 'bigint' ? BYTES_PER_TEXT : 0;
}

/** Returns the extra bytes of long texts in UTF-8: the other functions count one byte per character. */
export function bytesBeyondCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length > LONG_TEXT ? Buffer.byteLength(value) - value.length : 0;
  if (!Array.isArray(value)) return 0;
  let bytes = 0;
  for (const element of value) if (typeof element === 'string') bytes += bytesBeyondCharacters(element);
  return bytes;
}

/** Returns the bytes of a key in a Map or a Set, beside its place; 0 unless it is a long text. */
export function bytesOfKey(key: string | number | bigint | boolean | null): number {
  return typeof key === 'string' && key.length > LONG_TEXT ? key.length : 0;
}

/** Records the size in bytes of a value that was just made, if it is large. */
export function knowBytes(value: object, bytes: number): void {
  if (bytes > LARGE) known.set(value, bytes);
}

/** Returns the bytes of a list whose elements take nothing beside their places. */
export function flatBytes(length: number): number {
  return BYTES_PER_OBJECT + BYTES_PER_ELEMENT * length;
}

function bytesOfObject(value: object, work: Work): number {
  if (Array.isArray(value)) return bytesOfList(value, work);
  if (value instanceof Map) return bytesOfMap(value, work);
  if (value instanceof NodeValue) return BYTES_PER_OBJECT;
  if (value instanceof RelationshipValue) return BYTES_PER_RELATIONSHIP;
  if (value instanceof PathValue) return BYTES_PER_OBJECT + (BYTES_PER_ELEMENT + BYTES_PER_RELATIONSHIP) * value.nodes.length;
  if (ArrayBuffer.isView(value)) return BYTES_PER_OBJECT + value.byteLength;
  if (value instanceof Node || value instanceof Relationship) return BYTES_PER_ENTITY + bytesOfMap(value.properties, work);
  if (value instanceof Path) return bytesOfList(value.nodes, work) + bytesOfList(value.relationships, work);
  return BYTES_PER_OBJECT;
}

/** Measures a list. A short list without nested lists or maps is measured as quickly as a remembered size is found. */
function bytesOfList(list: readonly unknown[], work: Work): number {
  let size = list.length > LONG_TEXT ? known.get(list) : undefined;
  if (size !== undefined) return size;
  if (list.length > LONG_TEXT) work.count(list.length >> MEASURED);
  let isNested = list.length > LONG_TEXT;
  let bytes = flatBytes(list.length);
  for (let i = 0; i < list.length; i++) {
    const element = list[i];
    if (!isNested && typeof element === 'object' && element !== null) {
      size = known.get(list);
      if (size !== undefined) return size;
      isNested = true;
    }
    bytes += bytesInside(element, work);
  }
  knowBytes(list, bytes);
  return bytes;
}

function bytesOfMap(map: ReadonlyMap<unknown, unknown>, work: Work): number {
  let isNested = map.size > LONG_TEXT;
  let size = isNested ? known.get(map) : undefined;
  if (size !== undefined) return size;
  if (isNested) work.count(map.size >> 2);
  let bytes = BYTES_PER_OBJECT + BYTES_PER_ENTRY * map.size;
  for (const value of map.values()) {
    if (!isNested && typeof value === 'object' && value !== null) {
      size = known.get(map);
      if (size !== undefined) return size;
      isNested = true;
    }
    bytes += bytesInside(value, work);
  }
  knowBytes(map, bytes);
  return bytes;
}
