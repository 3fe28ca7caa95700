/**
 * The conformance suite against a server that runs already: TEST_STORE_URI names a bucket that exists, the vendor's
 * variables hold the credentials. Started by scripts/test-stores.ts.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { openObjectStore } from '../open-store.ts';
import { formatStorageUri, parseStorageUri, type StorageUri } from '../storage-uri.ts';
import { testConformance } from './conformance.ts';

const OPTIONS = { raceRounds: 30, pageObjects: 1_000 };
const text = process.env['TEST_STORE_URI'];
if (text === undefined) throw new Error('TEST_STORE_URI is not set; run npm run test:stores');
const uri = parseStorageUri(text);
const noRetry = { retry: { attempts: 1 } };

for (const prefix of ['', "some prefix/ä+&=%'"]) {
  const place = withChanges({ prefix, namespace: `ns-${randomUUID()}` });
  const subject = { open: () => openObjectStore(place), dispose: async () => {} };
  testConformance(formatStorageUri(place), async () => subject, OPTIONS);
}

test('two namespaces, one of whose names begins with the other, do not mix', async () => {
  const namespace = `ns-${randomUUID()}`;
  const [store, longer] = [
    await openObjectStore(withChanges({ namespace })),
    await openObjectStore(withChanges({ namespace: `${namespace}-b` })),
  ];
  await longer.put('k', Uint8Array.of(1));
  assert.deepEqual(await store.list(''), []);
  assert.equal(await store.get('k'), null);
  await longer.delete('k');
});

test('a bucket that does not exist: STORE_UNAVAILABLE, not an empty store', async () => {
  const missing: Record<string, string> = uri.scheme === 'az' ? { container: 'no-such-container' } : { bucket: 'no-such-bucket' };
  const store = await openObjectStore(withChanges(missing), noRetry);
  // Not every service can tell by a read of one object: answers to HEAD have no body.
  for (const operation of [() => store.list(''), () => store.putIfAbsent('k', Uint8Array.of(1))]) {
    await assert.rejects(operation, { code: 'STORE_UNAVAILABLE' });
  }
});

test('a server that cannot be reached: STORE_UNAVAILABLE that says why', async () => {
  const store = await openObjectStore(withChanges({ endpoint: `http://127.0.0.1:${await closedPort()}` }), noRetry);
  await assert.rejects(store.get('k'), { code: 'STORE_UNAVAILABLE', message: /ECONNREFUSED/ });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // as: it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the URI under test with some members changed, which must be members of its scheme (`as`). */
function withChanges(changes: Record<string, string>): StorageUri {
  return { ...uri, ...changes } as StorageUri;
}
