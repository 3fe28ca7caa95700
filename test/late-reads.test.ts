/**
 * Columns that are no sort keys are read for the rows that get among the first alone; and what is read late is what was
 * read at once, errors included.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/index.ts';
import { seededRandom } from './support/random.ts';

const NEWEST =
  'MATCH (p:P)-[:R]->(m:M) WITH p, m.name AS name, m.at AS at, m.id AS id RETURN p.id AS p, name, at ORDER BY at DESC, id LIMIT 5';

test('what a row shows beside its first sort key is read where it gets among the first, and a property nobody needs never', async () => {
  await using db = await filled('memory://late-reads', 300);
  const code = await db.explain(NEWEST, { verbose: true });
  const [before = '', inside = ''] = code.slice(code.indexOf('function* pipeline1')).split(/if \(!\w+\.full /);
  const reads = (text: string): number => text.match(/(const|let) x\d+ = /g)?.length ?? 0;
  assert.deepEqual([reads(before), reads(inside)], [1, 1], code);
  assert.deepEqual([before.includes('.decode('), inside.includes('.decode(')], [false, true], code);
});

test('rows of a late read are those of all rows, sorted', async () => {
  await using db = await filled('memory://late-reads-rows', 300);
  const all = (await db.query(NEWEST.replace('LIMIT 5', ''))).rows;
  assert.deepEqual((await db.query(NEWEST)).rows, all.slice(0, 5));
  assert.deepEqual((await db.query(NEWEST.replace('LIMIT 5', 'LIMIT 100'))).rows, all.slice(0, 100));
  // Nodes that moved to another table, and values that are missing or of another type.
  await db.query('MATCH (m:M) WHERE m.id % 7 = 0 SET m:Extra, m.name = null, m.at = m.at + 0.5');
  await db.query('MATCH (m:M) WHERE m.id % 11 = 0 REMOVE m.at');
  const moved = (await db.query(NEWEST.replace('LIMIT 5', ''))).rows;
  assert.deepEqual((await db.query(NEWEST)).rows, moved.slice(0, 5));
  assert.ok(moved.some(({ name }) => name === null) && moved[0]?.at === null);
});

test('nodes of several tables are told apart by their ordinals, until one of them moves', async () => {
  await using db = await open('memory://late-reads-tables');
  for (const label of ['A', 'B', 'C']) await db.query(`UNWIND range(0, 9) AS k CREATE (:T:${label} {k: k, name: $label + k})`, { label });
  await db.query('CREATE (:Start) WITH * MATCH (s:Start), (t:T) CREATE (s)-[:R]->(t)');
  const query = 'MATCH (:Start)-[:R]->(t:T) RETURN t.name AS name, t:B AS isB ORDER BY t.k, name LIMIT 30';
  const expected = Array.from({ length: 30 }, (_, i) => {
    const label = 'ABC'[i % 3]!;
    return { name: `${label}${Math.floor(i / 3)}`, isB: label === 'B' };
  });
  assert.deepEqual((await db.query(query)).rows, expected);
  assert.doesNotMatch(await db.explain(query, { verbose: true }), /nodeTableOf/);
  await db.query('MATCH (t:A {k: 3}) REMOVE t:A SET t:B');
  expected[9]!.isB = true;
  assert.deepEqual((await db.query(query)).rows, expected);
});

test('nodes of tables whose ordinals are a few ranges are told apart by these', async () => {
  await using db = await open('memory://late-reads-ranges');
  await db.query('CREATE (:Start)');
  const add = (label: string, from: number): Promise<unknown> =>
    db.query(`MATCH (s:Start) UNWIND range($from, $from + 9) AS k CREATE (s)-[:R]->(:T:${label} {k: k, name: $label + k})`, {
      label,
      from,
    });
  const expected: { name: string; isB: boolean }[] = [];
  const query = 'MATCH (:Start)-[:R]->(t:T) RETURN t.name AS name, t:B AS isB ORDER BY t.k LIMIT 1000';
  const check = async (isRanges: boolean): Promise<void> => {
    const code = await db.explain(query, { verbose: true });
    assert.deepEqual([code.includes('ordinalRanges'), /nodeTableOf|nodeRowOf/.test(code)], [isRanges, !isRanges], code);
    assert.deepEqual((await db.query(query)).rows, expected);
  };
  const note = (label: string, from: number): void => {
    for (let k = from; k < from + 10; k++) expected.push({ name: `${label}${k}`, isB: label === 'B' });
  };
  const labels = ['A', 'B', 'A', 'C', 'B', 'A'];
  for (const [i, label] of labels.entries()) {
    await add(label, 10 * i);
    note(label, 10 * i);
    if (i > 1) await check(true);
  }
  // Rows that were taken back are written again, with other ordinals.
  const transaction = await db.begin({ mode: 'write' });
  await transaction.query("UNWIND range(0, 19) AS k CREATE (:T:A {k: k, name: 'gone'})");
  assert.equal((await transaction.query(query)).rows.length, 60);
  await transaction.rollback();
  for (const [i, label] of ['B', 'A'].entries()) {
    await add(label, 60 + 10 * i);
    note(label, 60 + 10 * i);
    await check(true);
  }
  for (const [i, label] of ['C', 'A'].entries()) {
    await add(label, 80 + 10 * i);
    note(label, 80 + 10 * i);
  }
  // Too many ranges.
  assert.match(await db.explain(query, { verbose: true }), /nodeRowOf/);
  assert.deepEqual((await db.query(query)).rows, expected);
  await db.query('MATCH (t:A {k: 3}) REMOVE t:A SET t:B');
  expected[3]!.isB = true;
  assert.deepEqual((await db.query(query)).rows, expected);
});

test('an expression that fails does so although nobody reads what it gives', async () => {
  await using db = await filled('memory://late-reads-errors', 20);
  await assert.rejects(db.query('MATCH (m:M) WITH m, 1 / (m.id - m.id) AS x RETURN m.id AS id ORDER BY id LIMIT 1'), {
    code: 'ARITHMETIC_ERROR',
  });
  await assert.rejects(db.query('MATCH (m:M) WITH m, m.name.first AS x RETURN m.id AS id ORDER BY id LIMIT 1'), { code: 'TYPE_ERROR' });
});

test('a Date is a sort key by its day', async () => {
  await using db = await open('memory://late-reads-days');
  await db.query("UNWIND range(0, 99) AS k CREATE (:D {k: k, day: date('2024-01-01') + duration({days: k * 37 % 50})})");
  const query = 'MATCH (d:D) RETURN d.day AS day, d.k AS k ORDER BY day DESC, k LIMIT 10';
  assert.match(await db.explain(query, { verbose: true }), /full \|\| \(\w+\.bound < k\d+ \?/);
  const found = (await db.query(query)).rows.map(({ k }) => k as number);
  const expected = Array.from({ length: 100 }, (_, k) => k).sort((a, b) => ((b * 37) % 50) - ((a * 37) % 50) || a - b);
  assert.deepEqual(found, expected.slice(0, 10));
  await db.query('CREATE (:D {k: 100})');
  assert.equal((await db.query(query)).rows[0]?.k, 100);
});

async function filled(uri: string, messages: number): Promise<Database> {
  const random = seededRandom(11);
  const db = await open(uri);
  await db.query('UNWIND range(0, 9) AS k CREATE (:P {id: k})');
  const rows = Array.from({ length: messages }, (_, id) => ({
    id,
    at: random.between(0, messages / 3),
    name: `m${random.between(0, 1_000_000)}`,
    by: id % 10,
  }));
  await db.query('UNWIND $rows AS row MATCH (p:P {id: row.by}) CREATE (p)-[:R]->(:M {id: row.id, at: row.at, name: row.name})', { rows });
  return db;
}

test('the end of a quantified pattern is in any table that its last step reaches, whichever way that goes', async () => {
  await using db = await open('memory://late-reads-ends');
  await db.query('CREATE (:A {k: 1})-[:R]->(:B {k: 2})<-[:R]-(:C {k: 3})<-[:S]-(:D {k: 4})');
  const ends = async (pattern: string) => (await db.query(`MATCH ${pattern} RETURN c.k AS k ORDER BY k`)).rows.map(({ k }) => k);
  assert.deepEqual(await ends('(a:A) ((x)-[:R]->(y)<-[:R]-(z)){1,1} (c)'), [3]);
  assert.deepEqual(await ends('(a:A) ((x)-[:R]->(y)<-[:R|S]-(z)){0,2} (c)'), [1, 3]);
  assert.deepEqual(await ends('(a:A) ((x)-[:R|S]-(z))+ (c)'), [2, 3, 4]);
});
