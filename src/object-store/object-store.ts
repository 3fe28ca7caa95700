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
  /** At most so many keys; without it, all of them. */
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

  /** The whole object; null: not there. The array belongs to the caller. */
  get(key: string, options?: RequestOptions): Promise<Uint8Array | null>;

  /** `length` bytes from `offset`, fewer only at the object's end (none beyond it); null: not there. The array belongs to the caller. */
  getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null>;

  /**
   * Fills `target` (on a SharedArrayBuffer too) with the object's bytes from `offset`. Returns how many bytes were read, fewer than
   * `target.length` only at the object's end; null: not there. After an error the content of `target` is undefined.
   */
  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null>;

  /** Bytes; null: not there. */
  size(key: string, options?: RequestOptions): Promise<number | null>;

  /** Creates the object. False: there is one of that name already, which stays as it is. `bytes` must not change until the answer. */
  putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean>;

  /** Creates or replaces the object. `bytes` must not change until the answer. */
  put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void>;

  /** All objects whose key starts with `prefix` (any string, '' for all), ascending by the bytes of the key. */
  list(prefix: string, options?: ListOptions): Promise<ObjectInfo[]>;

  /** Removes the object; nothing happens when it is not there. A removal may come undone by a crash of the machine. */
  delete(key: string, options?: RequestOptions): Promise<void>;

  /** Gives back connections and handles. Operations under way may fail. */
  close(): Promise<void>;
}

const MAX_KEY_LENGTH = 600;
const MAX_PART_LENGTH = 200;
const PART = '[A-Za-z0-9_=+@%~-](?:[A-Za-z0-9._=+@%~-]*[A-Za-z0-9_=+@%~-])?';
const KEY = new RegExp(`^${PART}(?:/${PART})*$`);

/**
 * Keys are made by GraphDB, never by users. Each part: letters, digits, `. _ = + @ % ~ -`, at most 200, neither first
 * nor last a dot: what all five backends (and file systems that fold or refuse other names) take as it is. No key may
 * be a folder of another one.
 */
export function assertKey(key: string): void {
  if (!isKey(key)) assert(false, `bad object key: ${JSON.stringify(key)}`);
}

function isKey(key: string): boolean {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) return false;
  return key.length <= MAX_PART_LENGTH || key.split('/').every((part) => part.length <= MAX_PART_LENGTH);
}

/** Asserts that a range is one. */
export function assertRange(offset: number, length: number): void {
  const isRange = Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 0;
  if (!isRange) assert(false, `bad range: ${offset}+${length}`);
}

/** Fills `readInto` for a store whose client hands out arrays of its own. */
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
