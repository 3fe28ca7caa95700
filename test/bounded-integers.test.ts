/**
 * Integers that are known to be small are added and multiplied without a look at each result; lists of neighbours are
 * counted by their offsets. The answers are those of exact arithmetic, and of rows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/index.ts';
import { seededRandom } from './support/random.ts';

const VALUES = [0, 1, -1, 7, 46_341, -46_341, 2 ** 31 - 1, -(2 ** 31), 2 ** 30];

const FORMULAS: readonly (readonly [string, (a: bigint, b: bigint) => bigint])[] = [
  ['n.a + n.b', (a, b) => a + b],
  ['n.a - n.b', (a, b) => a - b],
  ['n.a * n.b', (a, b) => a * b],
  ['n.a * n.b - n.b', (a, b) => a * b - b],
  ['n.a * 4194304 - n.b', (a, b) => a * 4_194_304n - b],
  ['(n.a + n.b) * 7 - (n.a - n.b)', (a, b) => (a + b) * 7n - (a - b)],
  ['n.a - 0', (a) => a],
];

test('arithmetic of columns of 32 bits is exact', async () => {
  await using db = await open('memory://bounded-integers');
  const pairs = VALUES.flatMap((a) => VALUES.map((b) => ({ a, b })));
  await db.query('UNWIND $pairs AS pair CREATE (:N {a: pair.a, b: pair.b})', { pairs });
  for (const [text, formula] of FORMULAS) {
    const expected = pairs.map(({ a, b }) => formula(BigInt(a), BigInt(b)));
    const rows = (await db.query(`MATCH (n:N) RETURN n.a AS a, n.b AS b, ${text} AS x`)).rows;
    for (const { a, b, x } of rows)
      assert.equal(BigInt(x as number), formula(BigInt(a as number), BigInt(b as number)), `${text} of ${a}, ${b}`);
    // Sums of these would leave the range on the way.
    if (text.includes('n.a * n.b')) continue;
    const sum = (await db.query(`MATCH (n:N) RETURN sum(${text}) AS x`)).rows[0]!.x;
    assert.equal(
      BigInt(sum as number),
      expected.reduce((all, one) => all + one),
      text,
    );
  }
  // 0 times a negative number is no negative zero.
  assert.deepEqual((await db.query('MATCH (n:N {a: 0, b: -1}) RETURN 1.0 / toFloat(n.a * n.b) AS x')).rows, [
    { x: Number.POSITIVE_INFINITY },
  ]);
  assert.match(await db.explain('MATCH (n:N) RETURN n.a + n.b', { verbose: true }), /\(\w+ \+ \w+\)/);
  assert.match(await db.explain('MATCH (n:N) RETURN n.a * n.b', { verbose: true }), /multiplyInteger/);
});

const PATHS = [
  '(a:N)-[:R]->(b:N)-[:R]->(c:N)',
  '(a)-[:R]->(b)-[:R]->(c)',
  '(a:N)-[:R]->(b)<-[:R]-(c:N)',
  '(a:N)<-[:R]-(b)-[:S]->(c)',
  '(a)-[:S]->(b)-[:R]->(c:N)',
];

test('paths of two are counted as they are listed', async () => {
  const uri = 'memory://bounded-integers-paths';
  await fill(uri);
  await using db = await open(uri);
  const code = await db.explain('MATCH (a:N)-[:R]->(b:N)-[:R]->(c:N) RETURN count(*)', { verbose: true });
  assert.match(code, /const x\d+ = \(degree\d+ \* degree\d+ \+ 0\);/);
  // Every node is in both lists: nobody asks where those begin and end.
  assert.match(code, /const degree\d+ = \(off\d+/);
  await compare(db, 'sorted lists');
  await db.query('CREATE (a:N {k: -1})-[:R]->(:N {k: -2})-[:R]->(a), (a)-[:S]->(a), (:N {k: -3})');
  await compare(db, 'nodes behind the lists');
  await db.query('MATCH (n:N {k: 5}) SET n:Moved');
  await db.query('MATCH (:N {k: 6})-[r:R]->() DELETE r');
  await compare(db, 'moved and deleted');
});

test('lists that do not reach all nodes are counted for all', async () => {
  const uri = 'memory://bounded-integers-range';
  await fill(uri, 'CREATE (:N {k: -1})');
  await using db = await open(uri, { readOnly: true });
  const code = await db.explain('MATCH (a:N)-[:R]->(b:N)-[:R]->(c:N) RETURN count(*)', { verbose: true });
  assert.match(code, /const degree\d+ = \(n\d+ >= base|const degree\d+ = \(row\d+ >= base/);
  await compare(db, 'a node before all lists');
});

async function compare(db: Database, state: string): Promise<void> {
  for (const path of PATHS) {
    const [counted, listed] = await Promise.all(
      ['count(*)', 'size(collect(1))'].map((how) => db.query(`MATCH ${path} RETURN ${how} AS n`)),
    );
    assert.deepEqual(counted!.rows, listed!.rows, `${path}, ${state}`);
    const [one, other] = await Promise.all(
      ['count(*)', 'size(collect(1))'].map((how) => db.query(`MATCH ${path} RETURN b.k AS k, ${how} AS n ORDER BY k`)),
    );
    assert.deepEqual(one!.rows, other!.rows, `${path}, by its middle, ${state}`);
  }
}

/** So many relationships that they are kept in sorted lists; the first and the last node have some each way. */
async function fill(uri: string, first = ''): Promise<void> {
  await using db = await open(uri);
  const random = seededRandom(5);
  if (first !== '') await db.query(first);
  await db.query('UNWIND range(0, 99) AS k CREATE (:N {k: k})');
  const pairs = Array.from({ length: 1500 }, () => ({ a: random.between(0, 99), b: random.between(0, 99) >> random.between(0, 2) }));
  pairs.push({ a: 0, b: 99 }, { a: 99, b: 0 });
  for (const type of ['R', 'S'])
    await db.query(`UNWIND $pairs AS pair MATCH (a:N {k: pair.a}), (b:N {k: pair.b}) CREATE (a)-[:${type}]->(b)`, { pairs });
  await db.flush();
}
