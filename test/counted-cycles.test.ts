/**
 * Counts of cycles against the rows that are counted, over small random graphs with relationships side by side and from
 * a node to itself.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';
import { type Random, seededRandom } from './support/random.ts';

const none: ReadonlyMap<string, Value> = new Map();

/** A pattern, what is read of its rows, and the counts that are asked. */
const CYCLES = [
  '(a:A)-[:R]->(b)-[:R]->(c)-[:R]->(a)',
  '(a)-[:R]-(b)-[:R]-(c)-[:R]-(a)',
  '(a:A)-[:R]->(b)-[:R]->(c)-[:R]->(d)-[:R]->(a)',
  '(a)<-[:R]-(b)<-[:R]-(c)<-[:R]-(d)<-[:R]-(a)',
  '(a)-[:R]->(b)-[:S]->(c)-[:R]->(d)-[:S]->(a)',
  '(a)-[:R]->(b)-[:R]->(c:A)<-[:S]-(d)<-[:S]-(a)',
  '(a)-[:R]->(b)-[:R]->(c)<-[:R]-(d)<-[:R]-(a)',
  '(a)-[:R|S]->(b)-[:R]->(c)-[:S]->(d)-[:R]->(a)',
  '(a)-[:R]->(b)-[:R]->(c)-[:R]->(d)-[:R]->(e)-[:R]->(a)',
  '(a)-[:R]-(b)-[:R]-(c)-[:R]-(d)-[:R]-(a)',
];
const FILTERS = ['', ' WHERE a.i > 1', ' WHERE d.i < 3 AND b.i > 0', ' WHERE c.i = 1', ' WHERE b.i < d.i'];
const COUNTS = ['count(*)', 'a.i, count(*)', 'c.i, count(*)', 'a.i, d.i, count(*)', 'b.i, count(c)'];

const open = (uri: string): Promise<Engine> => openEngine(uri, { flushIntervalMs: 0 });

async function randomGraph(uri: string, random: Random): Promise<Engine> {
  const engine = await open(uri);
  const nodes = random.between(4, 14);
  for (let k = 0; k < nodes; k++) {
    await engine.execute(`CREATE (:${random.chance(0.7) ? 'A' : 'B'} {k: ${k}, i: ${random.between(0, 4)}})`, none);
  }
  const loops = random.chance(0.5);
  for (let r = random.between(nodes, 4 * nodes); r > 0; r--) {
    const [from, to] = [random.between(0, nodes - 1), random.between(0, nodes - 1)];
    if (from === to && !loops) continue;
    await engine.execute(`MATCH (a {k: ${from}}), (b {k: ${to}}) CREATE (a)-[:${random.chance(0.7) ? 'R' : 'S'}]->(b)`, none);
  }
  return engine;
}

/** Computes the answer of `items` from rows that were made one by one. */
async function counted(engine: Engine, pattern: string, filter: string, items: string): Promise<string> {
  const keys = items.split(', ').slice(0, -1);
  const { rows } = await engine.execute(`MATCH ${pattern}${filter} RETURN ${['1', ...keys].join(', ')}`, none);
  const groups = new Map<string, number>();
  for (const [, ...key] of rows) groups.set(JSON.stringify(key), (groups.get(JSON.stringify(key)) ?? 0) + 1);
  if (keys.length === 0) return JSON.stringify([[rows.length]]);
  return JSON.stringify([...groups].map(([key, count]) => [...JSON.parse(key), count]).sort());
}

test('the count of a cycle is the number of its rows', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = seededRandom(seed);
    const uri = `memory://counted-cycles-${seed}`;
    let engine = await randomGraph(uri, random);
    for (let reopened = 0; reopened < 2; reopened++) {
      for (const pattern of CYCLES) {
        const filter = FILTERS.filter((each) => !each.includes('d.') || pattern.includes('(d')).at(random.between(0, 2))!;
        const items = COUNTS.filter((each) => !each.includes('d.') || pattern.includes('(d')).at(random.between(0, 3))!;
        const { rows } = await engine.execute(`MATCH ${pattern}${filter} RETURN ${items}`, none);
        const given = items.includes(',') ? rows.map((row) => [...row]).sort() : rows;
        assert.equal(
          JSON.stringify(given),
          await counted(engine, pattern, filter, items),
          `seed ${seed}: ${pattern}${filter} RETURN ${items}`,
        );
      }
      // What is read from SSTs is in no log of new relationships: the code is another.
      await engine.flush();
      await engine.close();
      engine = await open(uri);
    }
    await engine.close();
  }
});

test('a cycle of four is counted from both sides', async () => {
  const engine = await randomGraph('memory://counted-cycles-plan', seededRandom(1));
  const { plan } = await engine.execute('EXPLAIN MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(d)-[:R]->(a) RETURN count(*)', none);
  assert.match(JSON.stringify(plan), /CountedJoin/);
  await engine.close();
});

/** Cycles that look the same from each of their nodes, and some that only nearly do. */
const ALIKE = [
  '(a)-[:R]->(b)-[:R]->(a)',
  '(a:A)<-[:R]-(b:A)<-[:R]-(a)',
  '(a)-[:R]->(b)-[:R]->(c)-[:R]->(a)',
  '(a:A)<-[:R|S]-(b:A)<-[:S|R]-(c:A)<-[:R|S]-(a)',
  '(a)-[]-(b)-[]-(c)-[]-(a)',
  '(a:A)-[:R]-(b:A)-[:R]-(c:A)-[:R]-(a) WHERE a.i > 1 AND b.i > 1 AND c.i > 1',
  '(a)-[:R]->(b)-[:R]->(c)-[:R]->(d)-[:R]->(a)',
  '(a)<-[:R]-(b)<-[:R]-(c)<-[:R]-(d)<-[:R]-(a) WHERE a.i < 3 AND c.i < 3 AND d.i < 3 AND b.i < 3',
  '(a)-[:R]-(b)-[:R]-(c)-[:R]-(d)-[:R]-(a)',
];
const NOT_ALIKE = [
  '(a)-[:R]->(b)-[:R]->(c)<-[:R]-(a)',
  '(a)-[:R]->(b)-[:S]->(c)-[:R]->(a)',
  '(a)-[:R]-(b)-[:R]-(c)-[:R]-(a) WHERE a.i > 1 AND b.i > 1',
  '(a)-[r:R]->(b)-[s:R]->(c)-[t:R]->(a) WHERE id(r) < id(s)',
  '(a)-[r:R]->(b)-[s:R]->(c)-[t:R]->(a) WHERE a.i < b.i AND b.i < c.i',
  '(a)-[:R]->(b)-[:R]->(c), (c)-[:R]->(a), (b)-[:R]->(d)-[:R]->(b)',
];

test('cycles that look the same from each node are counted from their least one', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = seededRandom(100 + seed);
    const uri = `memory://symmetric-cycles-${seed}`;
    let engine = await randomGraph(uri, random);
    for (let reopened = 0; reopened < 2; reopened++) {
      for (const pattern of [...ALIKE, ...NOT_ALIKE]) {
        const text = `MATCH ${pattern} RETURN count(*), count(b)`;
        const { plan } = await engine.execute(`EXPLAIN ${text}`, none);
        assert.equal(JSON.stringify(plan).includes(' after '), ALIKE.includes(pattern), pattern);
        const { rows: listed } = await engine.execute(`MATCH ${pattern} RETURN 1`, none);
        for (const prefix of ['', 'PROFILE ']) {
          const { rows } = await engine.execute(prefix + text, none);
          assert.deepEqual(rows[0], [listed.length, listed.length], `seed ${seed}: ${prefix}${pattern}`);
        }
      }
      const { rows } = await engine.execute(
        'MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN count(*)',
        none,
      );
      const { rows: listed } = await engine.execute(
        'MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN 1',
        none,
      );
      assert.deepEqual(rows, [[listed.length]]);
      await engine.flush();
      await engine.close();
      engine = await open(uri);
    }
    await engine.close();
  }
});

test('a statement that writes counts what it has made, and leaves nothing behind for others', async () => {
  const walk = 'MATCH (a)-[:R]->(b)-[:S]->(c)-[:T]->(d)-[:U]->(a)';
  const made =
    'UNWIND range(1, 20) AS i CREATE (x:N) WITH collect(x) AS all UNWIND all AS x UNWIND all AS y ' +
    'CREATE (x)-[:R]->(y), (x)-[:S]->(y), (x)-[:T]->(y), (x)-[:U]->(y) WITH count(*) AS made';
  const other = await open('memory://counted-beside');
  await other.execute(`${made} RETURN made`, none);
  const one = await open('memory://counted-in-writes');
  const { rows } = await one.execute(`${made} CALL () { ${walk} RETURN count(*) AS n } RETURN n`, none);
  assert.deepEqual(rows, [[160_000]]);
  for (const engine of [other, one]) assert.deepEqual((await engine.execute(`${walk} RETURN count(*)`, none)).rows, [[160_000]]);
  const again =
    'UNWIND [1, 2] AS i CALL (i) { MATCH (a:N) WITH a LIMIT 1 CREATE (a)-[:R]->()-[:S]->()-[:T]->()-[:U]->(a) WITH count(*) AS made ' +
    `CALL () { ${walk} RETURN count(*) AS n } RETURN n } RETURN n`;
  const counts = (await one.execute(again, none)).rows.map(([n]) => Number(n));
  assert.ok(counts[1]! > counts[0]! && counts[0]! > 160_000, `${counts}`);
  await Promise.all([one.close(), other.close()]);
});
