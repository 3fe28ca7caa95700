/**
 * Patterns that close: counted where nobody asks which relationship closes them, and listed where somebody does. Random
 * graphs with loops and parallel relationships, some of whose nodes have very many; the two ways must agree.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../src/index.ts';
import { seededRandom } from './support/random.ts';

const PATTERNS: readonly string[] = ['->', '<-', '-'].flatMap((last) => {
  const step = (name: string, arrow: string): string => (arrow === '<-' ? `<-[${name}:R]-` : `-[${name}:R]${arrow}`);
  return ['->', '-'].flatMap((first) => [
    `(a:N)${step('r1', first)}(b)${step('r2', '->')}(c)${step('r3', last)}(a)`,
    `(a:N)${step('r1', first)}(b)${step('r2', first)}(c)${step('r3', '-')}(d)${step('r4', last)}(a)`,
    `(a:N)${step('r1', first)}(b), (a)${step('r2', last)}(b)`,
    `(a:N)${step('r1', first)}(a)${step('r2', last)}(a)`,
    `(a:N)${step('r1', first)}(b)${step('r2', '->')}(c), (c)${step('r3', last)}(a), (b)${step('r4', last)}(a)`,
  ]);
});

const MANY = 3;

for (const seed of [1, 2, MANY]) {
  test(`closed patterns are counted as they are listed, seed ${seed}`, async () => {
    const uri = `memory://closing-edges-${seed}`;
    await fill(uri, seed);
    await using db = await open(uri, { readOnly: true });
    assert.match(await db.explain(`MATCH ${PATTERNS[0]!} RETURN count(*) AS n`, { verbose: true }), /addWeights/);
    // As many parallel ones as a byte cannot count.
    assert.match(
      await db.explain(`MATCH ${PATTERNS[0]!} RETURN count(*) AS n`, { verbose: true }),
      seed === MANY ? /takeWeights/ : /takeByteWeights/,
    );
    for (const pattern of PATTERNS) {
      if (seed === MANY && pattern.includes('r4')) continue;
      const last = pattern.includes('r4') ? 'r4' : pattern.includes('r3') ? 'r3' : 'r2';
      const counted = await db.query(`MATCH ${pattern} RETURN count(*) AS n, sum(a.k) AS k`);
      const listed = await db.query(`MATCH ${pattern} RETURN count(${last}) AS n, sum(a.k) AS k, max(id(${last})) AS used`);
      assert.deepEqual([counted.rows[0]?.n, counted.rows[0]?.k], [listed.rows[0]?.n, listed.rows[0]?.k], pattern);
    }
  });
}

test('whether two nodes are neighbours is the same with and without the weights of neighbours', async () => {
  const uri = 'memory://closing-edges-tests';
  await fill(uri, MANY);
  await using db = await open(uri, { readOnly: true });
  for (const [edge, listed] of [
    ['(a)-[:R]->(c)', '(a)-[x:R]->(c) WHERE x.no IS NULL'],
    ['(a)<-[:R]-(c)', '(a)<-[x:R]-(c) WHERE x.no IS NULL'],
    ['(a)-[:R]-(c)', '(a)-[x:R]-(c) WHERE x.no IS NULL'],
    ['(a)-[:R]->(a)', '(a)-[x:R]->(a) WHERE x.no IS NULL'],
  ]) {
    for (const not of ['', 'NOT ']) {
      const rows = async (test: string): Promise<unknown> =>
        (await db.query(`MATCH (a:N)-[:R]->(b:N)-[:R]->(c:N) WHERE ${test} RETURN a.k AS a, c.k AS c, count(*) AS n ORDER BY a, c`)).rows;
      assert.deepEqual(await rows(`${not}${edge}`), await rows(`${not}EXISTS { MATCH ${listed} }`), `${not}${edge}`);
    }
  }
  const plain = 'MATCH (a:N)-[:R]->(b)-[:R]->(c:N) WHERE NOT (a)-[:R]->(c) RETURN c.k';
  assert.match(await db.explain(plain, { verbose: true }), /addWeights/);
});

/** As many relationships, most of them elsewhere, as it takes to be kept in sorted lists. */
async function fill(uri: string, seed: number): Promise<void> {
  await using db = await open(uri);
  const random = seededRandom(seed);
  const nodes = 9;
  const pairs = Array.from({ length: 45 }, () => ({
    a: random.between(0, nodes - 1) >> random.between(0, 1),
    b: random.between(0, nodes - 1),
  }));
  // More parallel relationships than one byte can count.
  if (seed === MANY) pairs.push(...Array.from({ length: 260 }, () => ({ a: 7, b: 8 })));
  await db.query('UNWIND range(0, 2000) AS k CREATE (:M)-[:R]->(:M)');
  await db.query('UNWIND range(0, $last) AS k CREATE (:N {k: k})', { last: nodes - 1 });
  await db.query('UNWIND $pairs AS pair MATCH (a:N {k: pair.a}), (b:N {k: pair.b}) CREATE (a)-[:R]->(b)', { pairs });
  await db.flush();
}
