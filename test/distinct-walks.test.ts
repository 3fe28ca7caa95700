/**
 * Ends of walks, each once: what a breadth-first search finds are the ends of all trails. Random graphs with loops and
 * parallel relationships, kept in sorted lists, in the log behind them, and with relationships that were deleted since.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/index.ts';
import { seededRandom } from './support/random.ts';

const LENGTHS = ['*0..0', '*0..1', '*1..1', '*1..2', '*1..3', '*0..3', '*1..5'];
const STEPS: readonly ((walk: string) => string)[] = [(walk) => `-[${walk}]->`, (walk) => `<-[${walk}]-`, (walk) => `-[${walk}]-`];
const TYPES = ['r:R', 'r:R|S', 'r'];
const NODES = 40;

for (const seed of [1, 2]) {
  test(`ends of walks are those of trails, each once, seed ${seed}`, async () => {
    await using db = await filled(`memory://distinct-walks-${seed}`, seed);
    await compare(db, 'sorted lists');
    await db.query(
      'MATCH (a:N {k: 1}), (b:N {k: 2}) CREATE (a)-[:R {no: -1}]->(b), (b)-[:R {no: -2}]->(:N {k: 1000})-[:S {no: -3}]->(a), ' +
        '(a)-[:R {no: -4}]->(a)',
    );
    await compare(db, 'and a log');
    await db.query('MATCH (:N)-[r:R]->() WHERE r.no % 7 = 0 DELETE r');
    await db.query('MATCH (n:N {k: 3}) DETACH DELETE n');
    await compare(db, 'and deleted ones');
  });
}

/** Compares with the same search by a statement in which lengths of lists matter, so that all trails are walked. */
async function compare(db: Database, state: string): Promise<void> {
  for (const type of TYPES) {
    for (const length of LENGTHS) {
      for (const step of STEPS) {
        const pattern = step(`${type.slice(1)}${length}`);
        const ks = [1, 2, 7];
        const walked = `MATCH (a:N)${step(`${type}${length}`)}(f) WHERE a.k IN $ks RETURN a.k AS a, f.k AS f, size(r) AS hops`;
        const trails = (await db.query(walked, { ks })).rows;
        const ends = [...new Set(trails.map(({ f }) => f as number))].sort((a, b) => a - b);
        const what = `${pattern}, ${state}`;
        const one = async (query: string): Promise<unknown> => Object.values((await db.query(query, { ks })).rows[0]!)[0];
        const all = `MATCH (a:N)${pattern}(f) WHERE a.k IN $ks`;
        assert.equal(await one(`${all} RETURN count(DISTINCT f) AS n`), ends.length, what);
        assert.equal(await one(`${all} WITH f WHERE f.k > 5 RETURN count(DISTINCT f) AS n`), ends.filter((k) => k > 5).length, what);
        const listed = (await db.query(`${all} WITH DISTINCT f RETURN f.k AS k`, { ks })).rows.map(({ k }) => k as number);
        assert.deepEqual(
          listed.toSorted((a, b) => a - b),
          ends,
          what,
        );
        const grouped = (await db.query(`${all} RETURN a.k AS a, count(DISTINCT f) AS n`, { ks })).rows;
        for (const { a, n } of grouped) assert.equal(n, new Set(trails.filter((row) => row.a === a).map(({ f }) => f)).size, what);
        const reaching = `MATCH (a:N), (b:N) WHERE a.k IN $ks AND b.k < 8 AND EXISTS { (a)${pattern}(b) } RETURN a.k AS a, b.k AS f`;
        const pairs = (await db.query(reaching, { ks })).rows.map(({ a, f }) => `${a} ${f}`).sort();
        const expected = new Set(trails.filter(({ f }) => (f as number) < 8).map(({ a, f }) => `${a} ${f}`));
        assert.deepEqual(pairs, [...expected].sort(), what);
      }
    }
  }
}

test('a walk that is left before its end leaves nothing behind for the next', async () => {
  await using db = await filled('memory://distinct-walks-left', 3);
  const count = async (): Promise<unknown> => (await db.query('MATCH (:N {k: 1})-[:R*1..3]->(f) RETURN count(DISTINCT f) AS n')).rows[0]?.n;
  const before = await count();
  for (let i = 0; i < 10; i++) {
    assert.equal((await db.query('MATCH (:N)-[:R*1..4]->(f) RETURN DISTINCT f LIMIT 2')).rows.length, 2);
    assert.equal(await count(), before);
  }
});

test('nodes that may be null are distinct, and so are those of several searches', async () => {
  await using db = await open('memory://distinct-walks-null');
  await db.query('CREATE (a:A {k: 1})-[:R]->(:B {k: 2})-[:R]->(a), (:A {k: 3}), (:A {k: 4})');
  const distinct = 'MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) WITH DISTINCT b RETURN b.k AS k ORDER BY k';
  assert.deepEqual((await db.query(distinct)).rows, [{ k: 2 }, { k: null }]);
  assert.deepEqual((await db.query('MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) RETURN count(DISTINCT b) AS n')).rows, [{ n: 1 }]);
  const inside = 'UNWIND [1, 3, 1] AS k CALL (k) { MATCH (:A {k: k})-[:R*0..2]->(b) RETURN count(DISTINCT b) AS n } RETURN k, n';
  assert.deepEqual((await db.query(inside)).rows, [
    { k: 1, n: 2 },
    { k: 3, n: 1 },
    { k: 1, n: 2 },
  ]);
});

test('ends of one walk are counted without being looked up', async () => {
  await using db = await filled('memory://distinct-walks-run', 1);
  const whole = await db.explain('MATCH (:N {k: 1})-[:R*1..3]->(f) RETURN count(DISTINCT f)', { verbose: true });
  assert.match(whole, /addRun/);
  const filtered = await db.explain('MATCH (:N {k: 1})-[:R*1..3]->(f) WHERE f.k > 1 RETURN count(DISTINCT f)', { verbose: true });
  assert.doesNotMatch(filtered, /addRun/);
});

/** As many relationships, most of them elsewhere, as it takes to be kept in sorted lists. */
async function filled(uri: string, seed: number): Promise<Database> {
  const random = seededRandom(seed);
  const db = await open(uri);
  await db.query('UNWIND range(0, $last) AS k CREATE (:N {k: k})', { last: NODES - 1 });
  const one = (no: number): { no: number; a: number; b: number } => ({
    no,
    a: random.between(0, NODES - 1),
    b: random.between(0, NODES - 1),
  });
  for (const type of ['R', 'S']) {
    const rows = Array.from({ length: type === 'R' ? 55 : 20 }, (_, no) => one(no));
    await db.query(`UNWIND $rows AS row MATCH (a:N {k: row.a}), (b:N {k: row.b}) CREATE (a)-[:${type} {no: row.no}]->(b)`, { rows });
    await db.query(`UNWIND range(1, 1200) AS i CREATE (:Far)-[:${type}]->(:Far)`);
  }
  return db;
}
