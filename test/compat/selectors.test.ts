/**
 * Selectors choose, of all paths that the pattern without a selector has, the shortest of each pair of ends, and bind
 * what a match without one binds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, makeFloat, type Value } from '../../src/value/index.ts';
import { type Random, seededRandom } from '../support/random.ts';

const PATTERNS = [
  '(a:A)-[:R]->(b)-[:S]->(c)',
  '(a:A)-[r:R]->+(b)-[:S]-(c)',
  '(a)-[:R]->{0,2}(b:B)-[:S]->{0,2}(c)',
  '(a:A) ((x)-[:R]->(y)-[:S|R]->(z)){1,2} (c)',
  '(a)-[:S]->(b)-[:R]->{1,3}(a)',
  '(a:A) ((x)-[r:R]->(y WHERE y.n > 0)-[s:S|R]-(z)){1,2} (c)',
  '(a)<-[:R]-(b)-[r:S*0..2 {w: 1}]->(c {n: 2})',
  '(a WHERE a.n < 3)-[r:R WHERE r.w = 1]-(b) ((x)-[s]->(y) WHERE s.w < 2 OR x.n = y.n)*(c:B)',
  '(a:A)-[:R|S]->{1,3}(c)',
  '(a {n: 1})-[:R]->*(b)<-[:S]-*(c)',
  '(a:A)-[q:R]->{0,0}(b)-[r:S]->{1,2}(c)',
  '(a)-[r:R]->(b) ((x)-[s]->(y)-[q]->(z)){0,0} (c)',
  '(a)-[r:R*0..0]->(b)-[s:S*0..1]->(c)',
  // What speaks of two nodes that no relationship joins is enumerated.
  '(a) ((x)-[r]->(y)-[s]->(z) WHERE x.n <> z.n){1,2} (c)',
  '(a)-[:R]->(b)-[:S]->(d)-[:R]->(c WHERE c.n > b.n)',
];

/** MATCH clauses before, which say which ends are known when the search begins. */
const BEFORE = ['', 'MATCH (a) WHERE a.n < 3 WITH a ', 'MATCH (c) WHERE c.n > 1 WITH c ', 'MATCH (a:A), (c:B) '];

/** The lengths that each selector keeps of those of the paths between two nodes, ascending. */
const SELECTORS: Record<string, (lengths: readonly number[]) => readonly number[]> = {
  'SHORTEST 1': (lengths) => lengths.slice(0, 1),
  'ANY SHORTEST': (lengths) => lengths.slice(0, 1),
  ANY: (lengths) => lengths.slice(0, 1),
  'SHORTEST 3': (lengths) => lengths.slice(0, 3),
  'ALL SHORTEST': (lengths) => lengths.filter((length) => length === lengths[0]),
  'SHORTEST 2 GROUPS': (lengths) => lengths.filter((length) => [...new Set(lengths)].indexOf(length) < 2),
};

let graphs = 0;

async function randomGraph(random: Random): Promise<Engine> {
  const engine = await openEngine(`memory://selectors-${++graphs}`);
  const nodes = Array.from({ length: 5 }, (_, n) => `(n${n}:${random.pick(['A', 'B'])} {n: ${n}})`);
  const relationships = Array.from(
    { length: 12 },
    () => `(n${random.between(0, 4)})-[:${random.pick(['R', 'R', 'S'])} {w: ${random.between(1, 2)}}]->(n${random.between(0, 4)})`,
  );
  await engine.execute(`CREATE ${[...nodes, ...relationships].join(', ')}`, new Map());
  return engine;
}

interface Matches {
  /** Lengths by ends. */
  readonly lengths: Map<string, number[]>;
  /** Every variable of the pattern, as text. */
  readonly bindings: ReadonlySet<string>;
}

async function matches(engine: Engine, match: string, to: string): Promise<Matches> {
  const query = `${match} RETURN *, a.n AS startsAt, ${to}.n AS endsAt, length(p) AS length ORDER BY length`;
  const { columns, rows } = await engine.execute(query, new Map());
  const [startsAt, endsAt, length] = ['startsAt', 'endsAt', 'length'].map((name) => columns.indexOf(name)) as [number, number, number];
  const byEnds = Map.groupBy(rows, (row) => `${row[startsAt]} ${row[endsAt]}`);
  return {
    lengths: new Map([...byEnds].map(([ends, found]) => [ends, found.map((row) => Number(row[length]))])),
    bindings: new Set(rows.map((row) => row.map(literalText).join(' '))),
  };
}

/**
 * How many paths `pattern` has on six random graphs. `selected`: the pattern as it stands behind a selector; the same
 * one, with a WHERE in its parentheses perhaps.
 */
async function checkSelectors(pattern: string, where: string, selected: string): Promise<number> {
  const to = pattern.endsWith('(a)') ? 'a' : 'c';
  let paths = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const engine = await randomGraph(seededRandom(seed));
    const before = BEFORE[seed % (to === 'a' ? 2 : 4)]!;
    const all = await matches(engine, `${before}MATCH p = ${pattern}${where}`, to);
    paths += [...all.lengths.values()].flat().length;
    for (const [selector, keep] of Object.entries(SELECTORS)) {
      const expected = new Map([...all.lengths].map(([ends, found]) => [ends, keep(found)]));
      const answer = await matches(engine, `${before}MATCH p = ${selector} ${selected}`, to);
      const what = `${before}${selector} ${selected}, seed ${seed}`;
      assert.deepEqual(
        [...answer.bindings].filter((row) => !all.bindings.has(row)),
        [],
        what,
      );
      if (selector !== 'ANY') assert.deepEqual(answer.lengths, expected, what);
      else
        assert.deepEqual(
          [...answer.lengths].map(([ends, found]) => [ends, found.length]).sort(),
          [...expected].map(([ends, found]) => [ends, found.length]).sort(),
          what,
        );
    }
    await engine.close();
  }
  return paths;
}

for (const pattern of PATTERNS) {
  test(`selectors over ${pattern}`, async () => {
    const paths = await checkSelectors(pattern, '', pattern);
    assert.ok(paths > 5, `only ${paths} paths`);
  });
}

/** Patterns with conditions on one end, on both, on what lies between, and on lists of repetitions. */
const CONDITIONS: readonly (readonly [pattern: string, condition: string])[] = [
  ['(a:A)-[r:R]->+(c)', 'a.n < c.n'],
  ['(a:A)-[r:R]->+(c)', 'size(r) > 1'],
  ['(a)-[r:R]->{1,4}(c)', 'all(x IN r WHERE x.w = 1)'],
  ['(a)-[r:R]-{1,3}(c:B)', 'any(x IN r WHERE x.w = 2) AND c.n > 0'],
  ['(a:A) ((x)-[r:R]->(y))+ (c)', 'size(x) > 1 AND y[0].n > 0'],
  ['(a)-[r]->(c)', 'r.w = 1 OR a.n = 0'],
  ['(a)-[:R]->+(b)-[s:S]->(c)', 's.w > 1 OR b.n > a.n'],
  ['(a)-[:R]->{0,2}(b)-[:S]->{0,2}(c)', 'b.n <> c.n'],
  ['(a WHERE a.n < 4)-[:R|S]->{1,3}(c WHERE c.n > 0)', 'a:A AND a.n + c.n > 2'],
  ['(a)-[:S]->(b)-[:R]->{1,3}(a)', 'b.n > 1'],
];

for (const [pattern, condition] of CONDITIONS) {
  test(`selectors over the paths of ${pattern} with ${condition}`, async () => {
    const paths = await checkSelectors(pattern, ` WHERE ${condition}`, `(${pattern} WHERE ${condition})`);
    assert.ok(paths > 3, `only ${paths} paths`);
    if (pattern.endsWith('(c)')) await checkSelectors(pattern, ` WHERE ${condition}`, pattern.replace(/\(c\)$/, `(c WHERE ${condition})`));
  });
}

test('what WHERE says of the ends says which pairs there are; of the rest, it filters what was chosen', async () => {
  const engine = await openEngine('memory://selectors-where');
  await engine.execute(
    'CREATE (a:A {n: 1})-[:R]->(m:M {n: 2})-[:R]->(b:B {n: 3}), (a)-[:R]->(:M {n: 4})-[:R]->(:M {n: 5})-[:R]->(b), (b)-[:S]->(:C {n: 6})',
    new Map(),
  );
  const lengths = async (query: string) => (await engine.execute(query, new Map())).rows.map(([length]) => Number(length));
  const path = 'MATCH p = SHORTEST 1 (a)-[:R]->+(b)-[:S]->*(c)';
  assert.deepEqual(await lengths(`${path} WHERE a.n = 1 AND c.n = 6 RETURN length(p)`), [3]);
  assert.deepEqual(await lengths(`${path} WHERE a.n + 5 = c.n AND length(p) > 3 RETURN length(p)`), []);
  assert.deepEqual(await lengths('MATCH p = SHORTEST 2 (a:A)-[:R]->+(b:B) WHERE length(p) > 2 RETURN length(p)'), [3]);
  assert.deepEqual(await lengths('MATCH (a:A) OPTIONAL MATCH p = SHORTEST 2 (a)-[:S]->+(b)-[:R]->(c) RETURN coalesce(length(p), 0)'), [0]);
  await engine.close();
});

test('a path is found where all of them could not be listed', async () => {
  const engine = await openEngine('memory://selectors-many');
  // 200 rows of two nodes, all of a row joined with all of the next: 2^200 ways from one side to the other.
  await engine.execute(
    'UNWIND range(0, 200) AS i CREATE (:N {i: i}), (:N {i: i}) WITH count(*) AS _ MATCH (a:N), (b:N) WHERE a.i + 1 = b.i CREATE ' +
      '(a)-[:R]->(b)',
    new Map(),
  );
  const query =
    'MATCH (a:N {i: 0}) WITH a LIMIT 1 MATCH p = SHORTEST 3 (a)-[:R]->+(b)-[r:R]->(c:N {i: 200}) RETURN length(p) AS length, ' +
    'count(DISTINCT p) AS n';
  assert.deepEqual((await engine.execute(query, new Map())).rows, [[200, 6]]);
  await engine.close();
});

test('the number of paths may be a parameter', async () => {
  const engine = await randomGraph(seededRandom(7));
  const ask = async (query: string, k: Value) => (await engine.execute(query, new Map([['k', k]]))).rows.map((row) => row.map(literalText));
  const returned = 'RETURN a.n, c.n, length(p) AS length ORDER BY a.n, c.n, length';
  for (const pattern of ['(a:A)-[:R]->+(b)-[:S]-(c)', '(a)-[:R]->{1,3}(c)', '((a)-[:R]->{1,3}(c) WHERE c.n > 0)']) {
    for (const selector of ['SHORTEST $k', 'SHORTEST $k PATHS', 'SHORTEST $k GROUPS', 'ANY $k']) {
      const match = `MATCH p = ${selector} ${pattern} ${returned}`;
      for (const k of [1, 2, 3, 2n ** 62n])
        assert.deepEqual(await ask(match, k), await ask(match.replace('$k', String(k < 4 ? k : 1000)), null), `${match}, ${k}`);
      for (const wrong of [0, -1, null, '1', true, makeFloat(1)])
        await assert.rejects(ask(match, wrong), { code: 'ARGUMENT_ERROR' }, `${match}, ${wrong}`);
      await assert.rejects(engine.execute(match, new Map()), { code: 'PARAMETER_MISSING' });
    }
  }
  const listed = 'MATCH SHORTEST $k (a)-[:R]->(b)-[:S]->(d)-[:R]->(c WHERE c.n > b.n) RETURN count(*)';
  await assert.rejects(ask(listed, 1), { code: 'UNSUPPORTED' });
  await engine.close();
});
