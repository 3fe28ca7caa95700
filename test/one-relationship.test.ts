/**
 * Steps along a type of which every node has one relationship at most are no loop with steps of its own: until some
 * node gets a second one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/index.ts';

const MESSAGES = 2_000;
const STEP =
  'MATCH (m:Message) OPTIONAL MATCH (m)-[:BY]->(p:Person) WITH m, p WHERE p IS NOT NULL RETURN p.age AS age, count(*) AS n, ' +
  'sum(m.length) AS length ORDER BY age';

test('a step along single relationships is one with its scan, and a list again once some node has two', async () => {
  const uri = 'memory://one-relationship';
  const lengths = Array.from({ length: MESSAGES }, (_, k) => k % 97);
  {
    await using db = await open(uri);
    await db.query('UNWIND range(0, 9) AS k CREATE (:Person {k: k, age: 20 + k % 5})');
    await db.query('UNWIND range(0, size($lengths) - 1) AS k CREATE (:Message {k: k, length: $lengths[k]})', { lengths });
    // Each third message has nobody.
    await db.query('MATCH (m:Message) WHERE m.k % 3 <> 0 MATCH (p:Person {k: m.k % 10}) CREATE (m)-[:BY]->(p)');
    await db.flush();
  }
  {
    await using db = await open(uri);
    assert.deepEqual(await steps(db), { single: true, answer: expected(lengths) });
    await db.query('MATCH (m:Message)-[b:BY]->() WHERE m.k = 1 DELETE b');
    assert.deepEqual((await steps(db)).answer, expected(lengths, [{ k: 1, add: -1 }]));
    await db.query('MATCH (m:Message {k: 2}), (p:Person {k: 4}) CREATE (m)-[:BY]->(p)');
    const second = [
      { k: 1, add: -1 },
      { k: 2, add: 1, to: 4 },
    ];
    assert.deepEqual(await steps(db), { single: false, answer: expected(lengths, second) });
    await db.flush();
  }
  await using db = await open(uri, { readOnly: true });
  const answer = expected(lengths, [
    { k: 1, add: -1 },
    { k: 2, add: 1, to: 4 },
  ]);
  assert.deepEqual(await steps(db), { single: false, answer });
});

test('where every node has just one relationship, its place is that of the node; until one has none, or two', async () => {
  const uri = 'memory://just-one-relationship';
  const lengths = Array.from({ length: MESSAGES }, (_, k) => k % 89);
  const all =
    'MATCH (m:Message) OPTIONAL MATCH (m)-[b:BY]->(p:Person) WITH m, b, p WHERE p IS NOT NULL RETURN count(*) AS n, ' +
    'sum(m.length) AS length, sum(b.w) AS w, sum(p.k) AS k';
  {
    await using db = await open(uri);
    await db.query('UNWIND range(0, 9) AS k CREATE (:Person {k: k})');
    await db.query('UNWIND range(0, size($lengths) - 1) AS k CREATE (:Message {k: k, length: $lengths[k]})', { lengths });
    await db.query('MATCH (m:Message) MATCH (p:Person {k: m.k % 10}) CREATE (m)-[:BY {w: m.k}]->(p)');
    await db.flush();
  }
  await using db = await open(uri);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const totals = { n: MESSAGES, length: sum(lengths), w: (MESSAGES * (MESSAGES - 1)) / 2, k: 4.5 * MESSAGES };
  assert.deepEqual((await db.query(all)).rows, [totals]);
  assert.match(await db.explain(all, { verbose: true }), /const k\d+ = n\d+ - base\d+;/);
  await db.query('MATCH (:Message {k: 7})-[b:BY]->() SET b.w = 1007');
  await db.query('MATCH (:Message {k: 5})-[b:BY]->() DELETE b');
  const fewer = { n: totals.n - 1, length: totals.length - lengths[5]!, w: totals.w + 1000 - 5, k: totals.k - 5 };
  assert.deepEqual((await db.query(all)).rows, [fewer]);
  await db.query('MATCH (m:Message {k: 9}), (p:Person {k: 1}) CREATE (m)-[:BY {w: 3}]->(p)');
  assert.deepEqual((await db.query(all)).rows, [{ n: totals.n, length: fewer.length + lengths[9]!, w: fewer.w + 3, k: fewer.k + 1 }]);
});

test('of a scan of several tables, in rows of which all have one relationship and in others, each node has its own', async () => {
  const uri = 'memory://one-relationship-of-rows';
  const kinds = ['Post', 'Comment', 'Post', 'Comment'];
  const isWritten = (k: number): boolean => k < 2_600 || k % 5 === 0 || k > 4_900;
  {
    await using db = await open(uri);
    await db.query('UNWIND range(0, 9) AS k CREATE (:Person {k: k, age: 20 + k % 7})');
    for (const [at, kind] of kinds.entries()) {
      await db.query(`UNWIND range(0, 1499) AS k CREATE (:Message:${kind} {k: $from + k, length: (k * 31) % 97})`, { from: 1_500 * at });
      // Ordinals between the messages that are none of them.
      await db.query('UNWIND range(0, 99) AS k CREATE (:Other)');
    }
    const ks = Array.from({ length: 6_000 }, (_, k) => k).filter(isWritten);
    await db.query('UNWIND $ks AS k MATCH (m:Message {k: k}), (p:Person {k: (k * 7) % 10}) CREATE (m)-[:BY]->(p)', { ks });
    await db.flush();
  }
  await using db = await open(uri);
  const query =
    'MATCH (m:Message) WITH m SKIP 0 MATCH (m)-[:BY]->(p:Person) RETURN p.age AS age, count(*) AS n, sum(m.length) AS length, ' +
    'sum(m.k) AS k ORDER BY age';
  const check = async (without: readonly number[]): Promise<void> => {
    const groups = new Map<number, { age: number; n: number; length: number; k: number }>();
    for (let k = 0; k < 6_000; k++) {
      if (!isWritten(k) || without.includes(k)) continue;
      const age = 20 + (((k * 7) % 10) % 7);
      const group = groups.get(age) ?? { age, n: 0, length: 0, k: 0 };
      groups.set(age, { age, n: group.n + 1, length: group.length + (((k % 1_500) * 31) % 97), k: group.k + k });
    }
    assert.deepEqual(
      (await db.query(query)).rows,
      [...groups.values()].sort((x, y) => x.age - y.age),
    );
  };
  assert.match(await db.explain(query, { verbose: true }), /if \(each\d+\) \{/);
  await check([]);
  await db.query('MATCH (:Message {k: 1700})-[b:BY]->() DELETE b');
  await db.query('MATCH (m:Message {k: 300}) DETACH DELETE m');
  await check([300, 1700]);
});

async function steps(db: Database): Promise<{ single: boolean; answer: readonly unknown[] }> {
  const { rows } = await db.query(STEP);
  const code = await db.explain(STEP, { verbose: true });
  return { single: !/-= e\d+ - k\d+ \+ 1/.test(code), answer: rows.map(({ age, n, length }) => [age, n, length]) };
}

/** Worked out without the engine; `changes` take a relationship of message k away, or give it one more. */
function expected(lengths: readonly number[], changes: readonly { k: number; add: number; to?: number }[] = []): readonly unknown[] {
  const groups = new Map<number, [number, number]>();
  const count = (k: number, person: number, add: number): void => {
    const age = 20 + (person % 5);
    const [n, length] = groups.get(age) ?? [0, 0];
    groups.set(age, [n + add, length + add * lengths[k]!]);
  };
  for (let k = 0; k < lengths.length; k++) if (k % 3 !== 0) count(k, k % 10, 1);
  for (const { k, add, to } of changes) count(k, to ?? k % 10, add);
  return [...groups].sort(([a], [b]) => a - b).map(([age, [n, length]]) => [age, n, length]);
}
