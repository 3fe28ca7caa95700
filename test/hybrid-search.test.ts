/** `search.hybrid`: nodes that a vector index and a full-text index find, in one ranking. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Database, open, type Parameters } from '../src/index.ts';

let db: Database;

before(async () => {
  db = await open('memory://hybrid-search');
  await db.query(
    'CREATE VECTOR INDEX v FOR (d:Doc) ON (d.vector) OPTIONS {indexConfig: {`vector.dimensions`: 2, ' +
      "`vector.similarity_function`: 'cosine'}}",
  );
  await db.query('CREATE FULLTEXT INDEX t FOR (d:Doc) ON EACH [d.text]');
  await db.query(`UNWIND [[1, 'graph bucket', [1, 0]], [2, 'graph', [0, 1]], [3, 'bucket bucket', [0.9, 0.1]],
    [4, 'nothing', [1, 0.05]], [5, 'road', [-1, 0]]] AS row
    CREATE (:Doc {k: row[0], text: row[1], vector: row[2], year: 2000 + row[0]})`);
});

async function ranked(search: Parameters): Promise<readonly (readonly [number, number])[]> {
  const { rows } = await db.query<{ k: number; score: number }>('CALL search.hybrid($search) YIELD node, score RETURN node.k AS k, score', {
    search,
  });
  return rows.map(({ k, score }) => [k, score]);
}

const BOTH = { vectorIndex: 'v', vector: [1, 0], fulltextIndex: 't', query: 'bucket' };

test('ranks are fused by their reciprocals', async () => {
  const found = await ranked({ ...BOTH, k: 5 });
  // By vector: 1, 4, 3, 2, 5; by text: 3 and 1, of which 3 has the word twice.
  const expected = new Map([[1, 1 / 61 + 1 / 62], [3, 1 / 63 + 1 / 61], [4, 1 / 62], [2, 1 / 64], [5, 1 / 65]]); // biome-ignore format: one line
  assert.deepEqual(found.map(([k]) => k), [1, 3, 4, 2, 5]); // biome-ignore format: one line
  for (const [k, score] of found) assert.ok(Math.abs(score - expected.get(k)!) < 1e-9, `${k} ${score}`);
  assert.deepEqual(await ranked({ ...BOTH, k: 2 }), found.slice(0, 2));
});

test('scores are fused as parts of the best, by weights', async () => {
  const found = await ranked({ ...BOTH, fusion: 'linear', weights: { vector: 0.25, fulltext: 2 }, k: 3 });
  assert.deepEqual(found.map(([k]) => k), [3, 1, 4]); // biome-ignore format: one line
  assert.ok(Math.abs(found[2]![1] - 0.25 * ((1 + 1 / Math.hypot(1, 0.05)) / 2)) < 1e-6);
  assert.deepEqual((await ranked({ ...BOTH, weights: { fulltext: 0 } })).map(([k]) => k), [1, 4, 3, 2, 5]); // biome-ignore format: one line
});

test('filters hold before the best are taken, for both', async () => {
  const keys = async (filter: Parameters): Promise<number[]> => (await ranked({ ...BOTH, k: 2, filter })).map(([k]) => k);
  assert.deepEqual(await keys({ year: 2002 }), [2]);
  assert.deepEqual(await keys({ year: { '>': 2002, '<=': 2005 } }), [3, 4]);
  assert.deepEqual(await keys({ year: { '>=': 2001 }, text: 'graph' }), [2]);
  assert.deepEqual(await keys({ nothing: 1 }), []);
});

test('one index alone will do, and faults are told', async () => {
  assert.deepEqual((await ranked({ fulltextIndex: 't', query: 'road' })).map(([k]) => k), [5]); // biome-ignore format: one line
  assert.deepEqual((await ranked({ vectorIndex: 'v', vector: [0, 1], k: 1 })).map(([k]) => k), [2]); // biome-ignore format: one line
  const faults: readonly (readonly [Parameters, RegExp])[] = [
    [{}, /takes vectorIndex and vector/],
    [{ vectorIndex: 'v' }, /given together/],
    [{ ...BOTH, k: 0 }, /k is an Integer/],
    [{ ...BOTH, fusion: 'sum' }, /'rrf' or 'linear'/],
    [{ ...BOTH, weightings: {} }, /weightings/],
    [{ ...BOTH, weights: { text: 1 } }, /no weight/],
    [{ ...BOTH, filter: { year: { '~': 1 } } }, /compares by/],
    [{ ...BOTH, query: '(' }, /at character/],
    [{ ...BOTH, fulltextIndex: 'u' }, /no such fulltext schema index/],
  ];
  for (const [search, message] of faults) await assert.rejects(ranked(search), { code: 'ARGUMENT_ERROR', message });
});
