/** Selectors over patterns of several relationships choose, of all paths that the pattern without a selector has, the shortest of each pair of ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { type Random, seededRandom } from '../support/random.ts';

const PATTERNS = [
  '(a:A)-[:R]->(b)-[:S]->(c)',
  '(a:A)-[r:R]->+(b)-[:S]-(c)',
  '(a)-[:R]->{0,2}(b:B)-[:S]->{0,2}(c)',
  '(a:A) ((x)-[:R]->(y)-[:S|R]->(z)){1,2} (c)',
  '(a)-[:S]->(b)-[:R]->{1,3}(a)',
];

/** What the selector keeps of the lengths of the paths between two nodes, ascending. */
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
    () => `(n${random.between(0, 4)})-[:${random.pick(['R', 'R', 'S'])}]->(n${random.between(0, 4)})`,
  );
  await engine.execute(`CREATE ${[...nodes, ...relationships].join(', ')}`, new Map());
  return engine;
}

/** Lengths by ends. */
async function lengths(engine: Engine, match: string, to: string): Promise<Map<string, number[]>> {
  const { rows } = await engine.execute(`${match} RETURN a.n, ${to}.n AS into, length(p) AS length ORDER BY length`, new Map());
  const byEnds = Map.groupBy(rows, ([from, into]) => `${from} ${into}`);
  return new Map([...byEnds].map(([ends, found]) => [ends, found.map(([, , length]) => Number(length))]));
}

for (const pattern of PATTERNS) {
  test(`selectors over ${pattern}`, async () => {
    const to = pattern.endsWith('(a)') ? 'a' : 'c';
    let paths = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const engine = await randomGraph(seededRandom(seed));
      const all = await lengths(engine, `MATCH p = ${pattern}`, to);
      paths += [...all.values()].flat().length;
      for (const [selector, keep] of Object.entries(SELECTORS)) {
        const expected = new Map([...all].map(([ends, found]) => [ends, keep(found)]));
        const answer = await lengths(engine, `MATCH p = ${selector} ${pattern}`, to);
        if (selector !== 'ANY') assert.deepEqual(answer, expected, `${selector}, seed ${seed}`);
        else
          assert.deepEqual(
            [...answer.values()].map((found) => found.length),
            [...expected.values()].map((found) => found.length),
          );
      }
      await engine.close();
    }
    assert.ok(paths > 15, `only ${paths} paths`);
  });
}
