/** Stores, clocks and commits for tests of the protocol. */

import assert from 'node:assert/strict';
import type { Clock } from '../../base/index.ts';
import { type MemoryStoreOptions, type ObjectStore, openMemoryStore, parseStorageUri } from '../../object-store/index.ts';
import type { Commit, Namespace } from '../api.ts';

let stores = 0;

/** Opens an empty store in memory, under a name of its own. */
export function freshStore(options?: MemoryStoreOptions): ObjectStore {
  const uri = parseStorageUri(`memory://storage-test-${++stores}`);
  assert.ok(uri.scheme === 'memory');
  return openMemoryStore(uri, options);
}

/** A clock whose time passes only when code sleeps or the test advances it. */
export class TestClock implements Clock {
  #nowMs = 1_700_000_000_000;

  now(): number {
    return this.#nowMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await null;
    signal?.throwIfAborted();
    this.#nowMs += ms;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }

  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}

export function commit(sequence: number, text = `commit ${sequence}`): Commit {
  return { sequence, changes: Buffer.from(text) };
}

export function textOf({ changes }: Commit): string {
  return Buffer.from(changes).toString();
}

export async function appendAll(namespace: Namespace, from: number, to: number, text?: string): Promise<void> {
  for (let sequence = from; sequence <= to; sequence++) await namespace.append(commit(sequence, text));
}
