/**
 * The last ordinals of relationships: they are given, found again by every way that leads to them, and the one after
 * the last is refused without a trace.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openObjectStore, parseStorageUri } from '../object-store/index.ts';
import { openNamespace } from '../storage/index.ts';
import type { Engine } from './api.ts';
import { openEngine } from './open.ts';

/** The counter of the namespace. The largest ordinal is 2^32 − 3. */
const FIRST = 2 ** 32 - 10;
const OPTIONS = { flushIntervalMs: 0, pollIntervalMs: 5 };
const NONE = new Map();

async function nearTheEnd(uri: string): Promise<void> {
  const store = await openObjectStore(parseStorageUri(uri));
  const namespace = await openNamespace(store, { name: 'default' });
  await namespace.publish({ add: [], remove: [], nextRelationshipOrdinal: FIRST });
  await namespace.close();
}

async function ids(engine: Engine): Promise<string> {
  const { rows } = await engine.execute('MATCH (a)-[r:R]->(b) RETURN id(r) + ":" + r.w + ":" + a.k + ":" + b.k ORDER BY r.w', NONE);
  return rows.join();
}

test('the last ordinals of relationships are given, flushed, merged, followed and found; one more is refused', async () => {
  const uri = 'memory://last-ordinals';
  await nearTheEnd(uri);
  const writer = await openEngine(uri, OPTIONS, { sstCache: null });
  const follower = await openEngine(uri, { ...OPTIONS, readOnly: true }, { sstCache: null });
  await writer.execute('UNWIND range(0, 3) AS k CREATE (:N {k: k})', NONE);
  const create = 'UNWIND range($from, $to) AS w MATCH (a:N {k: w % 4}), (b:N {k: (w + 1) % 4}) CREATE (a)-[:R {w: w}]->(b)';
  const added = (from: number, to: number) =>
    writer.execute(
      create,
      new Map([
        ['from', from],
        ['to', to],
      ]),
    );
  await added(0, 4);
  await writer.flush();
  await added(5, 6);
  await writer.execute('MATCH ()-[r:R {w: 2}]->() DELETE r', NONE);
  await writer.flush();
  await assert.rejects(added(7, 8), { code: 'UNSUPPORTED', message: /all of its 4,294,967,294 relationship ordinals/ });
  await added(7, 7);
  const expected = [0, 1, 3, 4, 5, 6, 7].map((w) => `r${FIRST + w}:${w}:${w % 4}:${(w + 1) % 4}`).join();
  assert.equal(await ids(writer), expected);
  await assert.rejects(added(8, 8), { code: 'UNSUPPORTED' });
  await follower.reach(writer.status().sequence, { timeoutMs: 20_000 });
  assert.equal(await ids(follower), expected);
  await writer.flush();
  await writer.compact();
  assert.equal(await ids(writer), expected);
  const again = await openEngine(uri, { ...OPTIONS, readOnly: true }, { sstCache: null });
  assert.equal(await ids(again), expected);
  await writer.execute('MATCH ()-[r:R {w: 7}]->() SET r.w = 70 RETURN r', NONE);
  const { rows } = await writer.execute(`MATCH ()-[r]->() WHERE id(r) = 'r${FIRST + 7}' RETURN r.w`, NONE);
  assert.deepEqual(rows, [[70]]);
  for (const engine of [again, follower, writer]) await engine.close();
});
