/**
 * The object store: the one interface over memory, a local folder, S3, Google Cloud Storage and Azure Blob Storage.
 *
 * A store is opened for one namespace. Keys are relative to the namespace root (`<prefix>/<ns>/`), parts separated by '/'.
 * - An object is immutable in practice (B1): it is created once by `putIfAbsent`, the only primitive that every backend
 *   has with the same meaning.
 * - Whatever was put can be read at once, by everybody; `list` shows it at once too.
 * - A put is all or nothing: no reader ever sees half an object, and an answered put survives a crash of the machine.
 * - Every operation costs one request (`list` one per 1,000 keys on remote stores, `readInto` as `getRange`).
 *
 * Errors, by code: STORE_UNAVAILABLE (the store cannot be reached or refuses; after a put its outcome is unknown: read back, B5),
 * CANCELLED (the signal was aborted; a put may have happened all the same), CORRUPTION (an answer that contradicts itself), UNSUPPORTED.
 */

import { assert } from '../base/index.ts';

/** The options of a request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The options of a list. */
export interface ListOptions extends RequestOptions {
  /** Only keys greater than this one, in byte order. */
  readonly startAfter?: string | undefined;
  /** The most objects to return; all of them when left out. */
  readonly limit?: number | undefined;
}

/** An object in a list. */
export interface ObjectInfo {
  readonly key: string;
  readonly size: number;
  /** When the object was stored, by the store's clock. */
  readonly lastModifiedMs: number;
}

/** An object store. */
export interface ObjectStore {
  /** The storage URI, for messages; holds no secret. */
  readonly location: string;

  /** Returns the whole object, or null when it does not exist. The array belongs to the caller. */
  get(key: string, options?: RequestOptions): Promise<Uint8Array | null>;

  /**
   * Returns `length` bytes from `offset`, fewer only at the object's end (none beyond it), or null when the object does
   * not exist. The array belongs to the caller.
   */
  getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null>;

  /**
   * Fills `target`, which may lie on a SharedArrayBuffer, with the object's bytes from `offset`. Returns how many bytes
   * were read, fewer than `target.length` only at the object's end, or null when the object does not exist. After an
   * error the content of `target` is undefined.
   */
  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null>;

  /** Returns the size of the object in bytes, or null when it does not exist. */
  size(key: string, options?: RequestOptions): Promise<number | null>;

  /**
   * Creates the object, and returns true; returns false when an object of that name exists, which stays as it is.
   * `bytes` must not change until the promise is settled.
   */
  putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean>;

  /** Creates or replaces the object. `bytes` must not change until the promise is settled. */
  put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void>;

  /** Returns the objects whose key starts with `prefix` (any string, '' for all), ascending by the bytes of the key. */
  list(prefix: string, options?: ListOptions): Promise<ObjectInfo[]>;

  /** Removes the object; does nothing when it does not exist. A crash of the machine may undo a removal. */
  delete(key: string, options?: RequestOptions): Promise<void>;

  /** Releases connections and handles. Operations under way may fail. */
  close(): Promise<void>;
}

const MAX_KEY_LENGTH = 600;
const MAX_PART_LENGTH = 200;
const PART = '[A-Za-z0-9_=+@%~-](?:[A-Za-z0-9._=+@%~-]*[A-Za-z0-9_=+@%~-])?';
const KEY = new RegExp(`^${PART}(?:/${PART})*$`);

/**
 * Asserts that a key is valid. GraphDB makes all keys, users none. A key has at most 600 characters; each part between
 * slashes has 1 to 200 letters, digits and `. _ = + @ % ~ -`, and neither begins nor ends with a dot. All five backends
 * (and file systems that fold or refuse other names) take such keys as they are. No key may be a folder of another one.
 */
export function assertKey(key: string): void {
  if (!isKey(key)) assert(false, `bad object key: ${JSON.stringify(key)}`);
}

/** Whether a key is valid. A list may show objects of other names, which somebody else has put into the namespace. */
export function isKey(key: string): boolean {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) return false;
  return key.length <= MAX_PART_LENGTH || key.split('/').every((part) => part.length <= MAX_PART_LENGTH);
}

/** Asserts that offset and length of a range are safe integers, and not negative. */
export function assertRange(offset: number, length: number): void {
  const isRange = Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 0;
  if (!isRange) assert(false, `bad range: ${offset}+${length}`);
}

/** Implements `readInto` for a store whose client returns arrays of its own: reads the range and copies it. */
export async function readIntoByCopy(
  store: Pick<ObjectStore, 'getRange'>,
  key: string,
  offset: number,
  target: Uint8Array,
  options?: RequestOptions,
): Promise<number | null> {
  const bytes = await store.getRange(key, offset, target.length, options);
  if (bytes === null) return null;
  target.set(bytes);
  return bytes.length;
}
