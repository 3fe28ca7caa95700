/**
 * A store over two others: writes go to the upper one, and objects that the upper one lacks are read from the lower
 * one, which stays as it is. So operations can be tried on a store without changing it. Removals affect the upper one
 * only.
 */
import type { ListOptions, ObjectInfo, ObjectStore, RequestOptions } from '../object-store.ts';

/** Lays the store `upper` over `lower`, which is only read. */
export function overlayStore(lower: ObjectStore, upper: ObjectStore): ObjectStore {
  return new OverlayStore(lower, upper);
}

class OverlayStore implements ObjectStore {
  readonly location: string;
  readonly #lower: ObjectStore;
  readonly #upper: ObjectStore;

  constructor(lower: ObjectStore, upper: ObjectStore) {
    this.location = lower.location;
    this.#lower = lower;
    this.#upper = upper;
  }

  async get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return (await this.#upper.get(key, options)) ?? this.#lower.get(key, options);
  }

  async getRange(key: string, offset: number, length: number, options?: RequestOptions): Promise<Uint8Array | null> {
    return (await this.#upper.getRange(key, offset, length, options)) ?? this.#lower.getRange(key, offset, length, options);
  }

  async readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    return (await this.#upper.readInto(key, offset, target, options)) ?? this.#lower.readInto(key, offset, target, options);
  }

  async size(key: string, options?: RequestOptions): Promise<number | null> {
    return (await this.#upper.size(key, options)) ?? this.#lower.size(key, options);
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<boolean> {
    return (await this.#lower.size(key, options)) === null && this.#upper.putIfAbsent(key, bytes, options);
  }

  put(key: string, bytes: Uint8Array, options?: RequestOptions): Promise<void> {
    return this.#upper.put(key, bytes, options);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectInfo[]> {
    const found = new Map((await this.#lower.list(prefix, options)).map((info) => [info.key, info]));
    for (const info of await this.#upper.list(prefix, options)) found.set(info.key, info);
    const sorted = [...found.values()].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    return sorted.slice(0, options.limit);
  }

  delete(key: string, options?: RequestOptions): Promise<void> {
    return this.#upper.delete(key, options);
  }

  async close(): Promise<void> {
    await this.#upper.close();
    await this.#lower.close();
  }
}
