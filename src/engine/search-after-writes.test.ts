/** Searches by index in and behind transactions that change, remove or take back what is indexed. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { type Engine, openEngine } from './index.ts';

const COUNT = 400;
const DIMENSIONS = 4;

const names: string[] = [];
after(() => {
  for (const name of names) dropMemoryStore({ scheme: 'memory', name, namespace: 'default' });
});

async function withEngine(use: (engine: Engine) => Promise<void>): Promise<void> {
  const name = `search-after-writes-${names.length}`;
  names.push(name);
  const engine = await openEngine(`memory://${name}`, {}, { artefactsFromRows: 0 });
  try {
    await use(engine);
  } finally {
    await engine.close();
  }
}

type Asked = Pick<Engine, 'execute'>;

async function rowsOf(asked: Asked, query: string, values: Readonly<Record<string, Value>> = {}): Promise<readonly (readonly Value[])[]> {
  return (await asked.execute(query, new Map(Object.entries(values)))).rows as Value[][]; // as: no large values are asked for
}

const TEXTS = {
  node: 'CALL db.index.fulltext.queryNodes("nodes", "apple") YIELD node RETURN node.i',
  relationship: 'CALL db.index.fulltext.queryRelationships("links", "apple") YIELD relationship AS r RETURN r.i',
};

test('a text that its own transaction has removed again is not found', async () => {
  for (const indexedFirst of [true, false]) {
    await withEngine(async (engine) => {
      await rowsOf(engine, 'CREATE FULLTEXT INDEX nodes FOR (n:A) ON EACH [n.t, n.u]');
      await rowsOf(engine, 'CREATE FULLTEXT INDEX links FOR ()-[r:LINK]-() ON EACH [r.t]');
      const transaction = await engine.begin({ mode: 'write' });
      await rowsOf(transaction, 'CREATE (a:A {i: 1, t: "apple"})-[:LINK {i: 1, t: "apple"}]->(:A {i: 2, t: "apple", u: "apple"})');
      if (indexedFirst) for (const query of Object.values(TEXTS)) assert.ok((await rowsOf(transaction, query)).length > 0);
      await rowsOf(transaction, 'MATCH (n:A) REMOVE n.t');
      await rowsOf(transaction, 'MATCH ()-[r:LINK]->() SET r += {t: null}');
      for (const asked of [transaction, engine]) {
        if (asked === engine) await transaction.commit();
        assert.deepEqual(await rowsOf(asked, TEXTS.node), [[2]]);
        assert.deepEqual(await rowsOf(asked, TEXTS.relationship), []);
      }
    });
  }
});

/** Writes relationships whose vectors are in clusters, and one, number 0, without a vector. */
async function writeLinks(engine: Engine): Promise<void> {
  await rowsOf(engine, 'CREATE VECTOR INDEX links FOR ()-[r:LINK]-() ON r.e WITH [r.third]');
  const rows = Array.from(
    { length: COUNT },
    (_, i) =>
      new Map<string, Value>([
        ['i', i],
        ['third', i % 3],
        ['e', i === 0 ? null : vectorOf(i)],
      ]),
  );
  await rowsOf(engine, 'UNWIND $rows AS row CREATE (:A)-[r:LINK]->(:A) SET r = row', { rows });
  await engine.flush();
  await engine.compact();
}

const vectorOf = (i: number): Float32Array => Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin((i + 1) * (at + 1)));

const LINKS =
  'CALL db.index.vector.queryRelationships("links", $k, $q, $options) YIELD relationship AS r, score RETURN r.i, score ORDER BY r.i';

/** Asserts that the clusters give what a comparison of all vectors does. */
async function checkLinks(asked: Asked, count: number, message: string): Promise<void> {
  const q = vectorOf(1_000);
  for (const filter of [[], [['third', '>=', 0]], [['third', '=', 1]]]) {
    const found = await rowsOf(asked, LINKS, { k: COUNT, q, options: new Map([['filter', filter]]) });
    const exact = await rowsOf(asked, LINKS, {
      k: COUNT,
      q,
      options: new Map<string, Value>([
        ['filter', filter],
        ['recall', 1],
      ]),
    });
    assert.deepEqual(found, exact, message);
    if (filter.length === 0) assert.equal(found.length, count, message);
  }
}

test('a relationship that gets a vector after others were clustered is found', async () => {
  await withEngine(async (engine) => {
    await writeLinks(engine);
    await checkLinks(engine, COUNT - 1, 'before');
    const transaction = await engine.begin({ mode: 'write' });
    await rowsOf(transaction, 'MATCH ()-[r:LINK {i: 0}]->() SET r.e = $e', { e: vectorOf(0) });
    await checkLinks(transaction, COUNT, 'within the transaction');
    await transaction.commit();
    await checkLinks(engine, COUNT, 'behind it');
  });
});

test('a relationship whose change is not seen, or was taken back, is found once', async () => {
  await withEngine(async (engine) => {
    await writeLinks(engine);
    const reader = await engine.begin({ mode: 'read' });
    await checkLinks(reader, COUNT - 1, 'before');
    const transaction = await engine.begin({ mode: 'write' });
    await rowsOf(transaction, 'MATCH ()-[r:LINK]->() WHERE r.i % 2 = 0 SET r.e = $e', { e: vectorOf(5_000) });
    await rowsOf(transaction, 'MATCH ()-[r:LINK]->() WHERE r.i % 7 = 1 DELETE r');
    const left = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 7 !== 1).length;
    await checkLinks(transaction, left, 'within the transaction');
    await checkLinks(reader, COUNT - 1, 'beside it');
    await transaction.rollback();
    await checkLinks(engine, COUNT - 1, 'behind the rollback');
    await rowsOf(engine, 'MATCH ()-[r:LINK]->() WHERE r.i % 2 = 0 SET r.third = 1');
    await checkLinks(engine, COUNT - 1, 'behind a change');
    await checkLinks(reader, COUNT - 1, 'before that change');
    await reader.commit();
  });
});

test('any number of hits may be asked for', async () => {
  await withEngine(async (engine) => {
    await writeLinks(engine);
    for (const k of [COUNT, 4_000_000_000, 2n ** 63n - 1n])
      assert.equal((await rowsOf(engine, LINKS, { k, q: vectorOf(3), options: new Map() })).length, COUNT - 1);
  });
});
