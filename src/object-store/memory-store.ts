/**
 * `memory://<name>`: objects in this process. Equal names and namespaces are one store within a process, for as long as
 * the process lives or until `dropMemoryStore`. Bytes are copied when they are put and when they are read, as with a
 * remote store.
 */

import { systemTimeMs } from '../base/index.ts';
import { throwIfAborted } from './faults.ts';
import {
  assertKey,
  assertRange,
  type ListOptions,
  type ObjectInfo,
  type ObjectStore,
  type RequestOptions,
  readIntoByCopy,
} from './object-store.ts';
import { DEFAULT_MEMORY_NAMESPACE, formatStorageUri, type MemoryUri } from './storage-uri.ts';

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly lastModifiedMs: number;
}

type Objects = Map<string, StoredObject>;

const registry = new Map<string, Objects>();

/** The options of a store in memory. */
export interface MemoryStoreOptions {
  /** Returns milliseconds since 1970; the default is the system clock. Used for `lastModifiedMs`. */
  readonly now?: () => number;
}

/** Opens the store of that name and namespace in this process, and creates it when it does not exist. */
export function openMemoryStore(uri: MemoryUri, options: MemoryStoreOptions = {}): ObjectStore {
  const location = formatStorageUri(uri);
  let objects = registry.get(location);
  if (objects === undefined) {
    objects = new Map();
    registry.set(location, objects);
  }
  return new MemoryStore(location, objects, options.now ?? systemTimeMs);
}

/** Returns the namespaces of the memory store of that name that hold objects, in no particular order. */
export function memoryNamespaces({ name }: Pick<MemoryUri, 'name'>): string[] {
  const others = `memory://${name}?ns=`;
  return [...registry].flatMap(([location, objects]) => {
    if (objects.size === 0) return [];
    if (location === `memory://${name}`) return [DEFAULT_MEMORY_NAMESPACE];
    return location.startsWith(others) ? [location.slice(others.length)] : [];
  });
}

/** Drops all objects of the store; the next `openMemoryStore` finds it empty. */
export function dropMemoryStore(uri: MemoryUri): void {
  registry.delete(formatStorageUri(uri));
}

class MemoryStore implements ObjectStore {
  readonly location: string;
  readonly #objects: Objects;
  readonly #now: () => number;

  constructor(location: string, objects: Objects, now: () => number) {
    this.location = location;
    this.#objects = objects;
    this.#now = now;
  }

  async get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return this.#find(key, options)?.bytes.slice() ?? null;
  }

  async getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null> {
    assertRange(offset, length);
    return this.#find(key, options)?.bytes.slice(offset, offset + length) ?? null;
  }

  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    return readIntoByCopy(this, key, offset, target, options);
  }

  async size(key: string, options?: RequestOptions): Promise<number | null> {
    return this.#find(key, options)?.bytes.length ?? null;
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean> {
    if (this.#find(key, options) !== undefined) return false;
    this.#store(key, bytes);
    return true;
  }

  async put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void> {
    throwIfAborted(options?.signal);
    assertKey(key);
    this.#store(key, bytes);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectInfo[]> {
    throwIfAborted(options.signal);
    const { startAfter = '', limit = Number.POSITIVE_INFINITY } = options;
    const found: ObjectInfo[] = [];
    for (const [key, { bytes, lastModifiedMs }] of this.#objects) {
      if (key.startsWith(prefix) && key > startAfter) found.push({ key, size: bytes.length, lastModifiedMs });
    }
    // Keys are ASCII: the order of strings is the order of bytes.
    found.sort((a, b) => (a.key < b.key ? -1 : 1));
    return limit < found.length ? found.slice(0, limit) : found;
  }

  async delete(key: string, options?: RequestOptions): Promise<void> {
    throwIfAborted(options?.signal);
    assertKey(key);
    this.#objects.delete(key);
  }

  async close(): Promise<void> {}

  #find(key: string, options: RequestOptions | undefined): StoredObject | undefined {
    throwIfAborted(options?.signal);
    assertKey(key);
    return this.#objects.get(key);
  }

  #store(key: string, bytes: Uint8Array): void {
    this.#objects.set(key, { bytes: Uint8Array.from(bytes), lastModifiedMs: this.#now() });
  }
}
