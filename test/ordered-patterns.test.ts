/**
 * Patterns whose nodes are ordered by a condition: the planner takes relationships between different pairs of ordered
 * nodes for different ones, asks conditions after the relationships that close the pattern, and finds nodes from
 * whichever neighbour it knows for the shortest time. The oracle matches each relationship by a clause of its own and
 * compares them itself, so none of that applies. Random graphs with loops, parallel relationships, equal values, NaN,
 * nulls and values of several types.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from '../src/index.ts';
import { type Random, seededRandom } from './support/random.ts';

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly arrow: '-' | '->';
}

const edge = (text: string, arrow: Edge['arrow']): Edge => ({ from: text[0]!, to: text[1]!, arrow });
const SHAPES: readonly (readonly string[])[] = [
  ['ab', 'bc', 'ca'],
  ['ab', 'bc', 'cd', 'da'],
  ['ab', 'bc', 'cd', 'da', 'ac', 'bd'],
  ['ab', 'bc', 'ca', 'cd', 'db'],
];
const CONDITIONS = [
  'a.v < b.v AND b.v < c.v',
  'a.v < b.v AND c.v > b.v AND a.v <> c.v',
  'a.v > c.v AND b.w < c.w',
  'a <> c AND b.v < c.v',
  'a.v < b.v < c.v',
  'id(a) < id(b) AND id(b) < id(c)',
  'a.v <> b.v AND b.v <> c.v',
  'a.v < b.w AND b.v < c.v',
];
const RESULTS = ['count(*) AS n', 'a.k AS k, count(*) AS n', 'c.k AS k, b.k AS l, count(*) AS n'];

async function filled(uri: string, random: Random): Promise<Database> {
  const db = await open(uri);
  const value = (): string => random.pick(['0', '1', '2', '3', '4', '5', '1.5', "'x'", 'null', '0.0 / 0.0']);
  const nodes = random.between(6, 12);
  for (let k = 0; k < nodes; k++) await db.query(`CREATE (:N {k: ${k}, v: ${value()}, w: ${random.between(0, 5)}})`);
  for (let r = random.between(2 * nodes, 5 * nodes); r > 0; r--) {
    const [from, to] = [random.between(0, nodes - 1), random.between(0, nodes - 1)];
    await db.query(`MATCH (a:N {k: ${from}}), (b:N {k: ${to}}) CREATE (a)-[:R]->(b)`);
  }
  return db;
}

const sorted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();

/** Each relationship in a clause of its own, which does not differ from others by itself. */
function oracle(edges: readonly Edge[], condition: string, result: string): string {
  const clauses = edges.map(({ from, to, arrow }, at) => `MATCH (${from}:N)-[r${at}:R]${arrow}(${to}:N)`);
  const apart = edges.flatMap((_, at) => edges.slice(at + 1).map((__, other) => `r${at} <> r${at + 1 + other}`));
  return `${clauses.join(' ')} WITH * WHERE ${[...apart, condition].join(' AND ')} RETURN ${result}`;
}

for (const seed of [1, 2, 3]) {
  test(`patterns with an order on their nodes, seed ${seed}`, async () => {
    const random = seededRandom(seed);
    const uri = `memory://ordered-patterns-${seed}`;
    const db = await filled(uri, random);
    await db.flush();
    await db.close();
    await using reopened = await open(uri);
    for (const shape of SHAPES) {
      for (const condition of CONDITIONS) {
        const edges = shape.map((text) => edge(text, random.chance(0.5) ? '-' : '->'));
        const pattern = edges.map(({ from, to, arrow }) => `(${from}:N)-[:R]${arrow}(${to}:N)`).join(', ');
        const result = random.pick(RESULTS);
        const statement = `MATCH ${pattern} WHERE ${condition} RETURN ${result}`;
        const expected = await reopened.query(oracle(edges, condition, result));
        assert.deepEqual(sorted((await reopened.query(statement)).rows), sorted(expected.rows), statement);
      }
    }
  });
}
