/** A store that leaves requests unanswered: which of them are sent again, and what their callers hear. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTimer } from '../../base/index.ts';
import type { FolderPage, ListPage, RemoteBackend, RemoteBody } from './backend.ts';
import { RemoteStore } from './remote-store.ts';

const CONTENT = Uint8Array.of(1, 2, 3);

/** Answers at once, but for the requests whose turns are given. */
class SilentBackend implements RemoteBackend {
  sent = 0;
  aborted = 0;
  readonly #silent: ReadonlySet<number>;

  constructor(...silent: number[]) {
    this.#silent = new Set(silent);
  }

  #answer<T>(answer: T, signal: AbortSignal): Promise<T> {
    if (!this.#silent.has(++this.sent)) return Promise.resolve(answer);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        this.aborted++;
        reject(signal.reason);
      });
    });
  }

  read(_name: string, _range: unknown, signal: AbortSignal): Promise<RemoteBody> {
    return this.#answer({ length: CONTENT.length, chunks: chunks() }, signal);
  }

  size(_name: string, signal: AbortSignal): Promise<number> {
    return this.#answer(CONTENT.length, signal);
  }

  put(_name: string, _bytes: Uint8Array, _ifAbsent: boolean, signal: AbortSignal): Promise<boolean> {
    return this.#answer(true, signal);
  }

  listPage(_request: unknown, signal: AbortSignal): Promise<ListPage> {
    return this.#answer({ objects: [{ key: 'n/k', size: 3, lastModifiedMs: 0 }], nextToken: null }, signal);
  }

  listFolders(_prefix: string, _token: string | undefined, signal: AbortSignal): Promise<FolderPage> {
    return this.#answer({ folders: [], nextToken: null }, signal);
  }

  delete(_name: string, signal: AbortSignal): Promise<void> {
    return this.#answer(undefined, signal);
  }

  explain(error: unknown): { code: string; message: string } {
    return { code: 'Error', message: String(error) };
  }

  close(): void {}
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield CONTENT;
}

function open(backend: SilentBackend, idleTimeoutMs?: number): RemoteStore {
  return new RemoteStore(backend, { location: 'test', prefix: '', namespace: 'n', idleTimeoutMs });
}

/** Shows how soon the store answers. */
async function warm(store: RemoteStore): Promise<void> {
  for (let request = 0; request < 3; request++) await store.size('k');
}

test('a read that is not answered is asked again, and the first request is ended', async () => {
  const backend = new SilentBackend(4);
  const store = open(backend);
  await warm(store);
  assert.deepEqual(await store.get('k'), CONTENT);
  assert.equal(backend.sent, 5);
  assert.equal(backend.aborted, 1);
});

test('so are sizes, pages of lists, and reads into memory that is there', async () => {
  for (const read of [
    (store: RemoteStore) => store.size('k'),
    (store: RemoteStore) => store.readInto('k', 0, new Uint8Array(3)),
    (store: RemoteStore) => store.getRange('k', 0, 3),
  ]) {
    const backend = new SilentBackend(4);
    const store = open(backend);
    await warm(store);
    await read(store);
    assert.equal(backend.sent, 5);
  }
  const backend = new SilentBackend(2);
  const store = open(backend);
  await store.list('');
  await store.list('');
  assert.equal(backend.sent, 3);
});

test('a put is sent once, and fails when its deadline has passed', async () => {
  const backend = new SilentBackend(1);
  const store = open(backend, 40);
  await assert.rejects(store.putIfAbsent('k', CONTENT), { code: 'STORE_UNAVAILABLE', message: /no answer within 40 ms/ });
  assert.equal(backend.sent, 1);
  assert.equal(backend.aborted, 1);
});

test('a read fails when none of its requests is answered within the deadline', async () => {
  const backend = new SilentBackend(4, 5, 6);
  const store = open(backend, 300);
  await warm(store);
  await assert.rejects(store.get('k'), { code: 'STORE_UNAVAILABLE', message: /no answer within 300 ms/ });
  assert.ok(backend.sent >= 5 && backend.sent === 3 + backend.aborted, `${backend.sent} requests, ${backend.aborted} ended`);
});

test('an event loop that is busy does not count as silence', async () => {
  const backend = new SilentBackend(1);
  const store = open(backend, 100);
  const put = store.putIfAbsent('k', CONTENT);
  let hasFailed = false;
  put.catch(() => {
    hasFailed = true;
  });
  const untilMs = performance.now() + 150;
  while (performance.now() < untilMs);
  // The first timer is due, the deadline is not: three quarters are left.
  await new Promise<void>((resolve) => void startTimer(0, resolve));
  assert.equal(hasFailed, false);
  await assert.rejects(put, { code: 'STORE_UNAVAILABLE' });
});
