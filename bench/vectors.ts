/**
 * `npm run bench:vectors`: the ten nearest of many vectors, exactly, by `ORDER BY cosine_similarity(…) DESC LIMIT 10`
 * and by a vector index, of all and of each hundredth, beside loops written by hand over the same numbers in one flat
 * array: a plain one, and one that has four sums at a time and knows the length of the query. Ratios count, not times.
 * The answers are compared first.
 *
 *   --vectors <n> (20000), --dimensions <n> (384), --rounds <n> (15)
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/engine/index.ts';
import { seededRandom } from '../test/support/random.ts';

const { values } = parseArgs({
  options: {
    vectors: { type: 'string', default: '20000' },
    dimensions: { type: 'string', default: '384' },
    rounds: { type: 'string', default: '15' },
  },
});
const count = Number(values.vectors);
const dimensions = Number(values.dimensions);
const rounds = Number(values.rounds);
const NEAREST = 10;
const BATCH = 1000;

const random = seededRandom(1);
const component = (): number => random.between(-1_000_000, 1_000_000) / 1_000_000;
const flat = Float32Array.from({ length: count * dimensions }, component);
const query = Float32Array.from({ length: dimensions }, component);

const engine = await openEngine('memory://bench-vectors', { flushIntervalMs: 0 });
for (let from = 0; from < count; from += BATCH) {
  const rows = Array.from(
    { length: Math.min(BATCH, count - from) },
    (_, i) =>
      new Map<string, number | Float32Array>([
        ['i', from + i],
        ['e', flat.slice((from + i) * dimensions, (from + i + 1) * dimensions)],
      ]),
  );
  await engine.execute('UNWIND $rows AS row CREATE (d:Document) SET d = row', new Map([['rows', rows]]));
}

await engine.execute('CREATE VECTOR INDEX documents FOR (d:Document) ON d.e WITH [d.group]', new Map());
await engine.execute('MATCH (d:Document) SET d.group = d.i % 100', new Map());

const querySquare = query.reduce((sum, one) => sum + one * one, 0);

type Measure = (at: number) => number;

function plain(at: number): number {
  let dot = 0;
  let square = 0;
  let own = 0;
  for (let i = 0; i < dimensions; i++) {
    const a = flat[at + i]!;
    const b = query[i]!;
    dot += a * b;
    square += a * a;
    own += b * b;
  }
  return dot / Math.sqrt(square * own);
}

function fourSums(at: number): number {
  let d0 = 0;
  let d1 = 0;
  let d2 = 0;
  let d3 = 0;
  let s0 = 0;
  let s1 = 0;
  for (let i = 0; i < dimensions; i += 4) {
    const a0 = flat[at + i]!;
    const a1 = flat[at + i + 1]!;
    const a2 = flat[at + i + 2]!;
    const a3 = flat[at + i + 3]!;
    d0 += a0 * query[i]!;
    d1 += a1 * query[i + 1]!;
    d2 += a2 * query[i + 2]!;
    d3 += a3 * query[i + 3]!;
    s0 += a0 * a0 + a2 * a2;
    s1 += a1 * a1 + a3 * a3;
  }
  return (d0 + d1 + d2 + d3) / Math.sqrt((s0 + s1) * querySquare);
}

function nearestByHand(measure: Measure, step = 1): number[] {
  const best: { i: number; similarity: number }[] = [];
  for (let i = 0; i < count; i += step) {
    const similarity = measure(i * dimensions);
    if (best.length === NEAREST && similarity <= best[NEAREST - 1]!.similarity) continue;
    const at = best.findIndex((one) => similarity > one.similarity);
    best.splice(at < 0 ? best.length : at, 0, { i, similarity });
    if (best.length > NEAREST) best.pop();
  }
  return best.map(({ i }) => i);
}

const SORT = `MATCH (d:Document) RETURN d.i ORDER BY cosine_similarity(d.e, $query) DESC LIMIT ${NEAREST}`;
const SEARCH = `MATCH (d:Document) SEARCH d IN (VECTOR INDEX documents FOR $query LIMIT ${NEAREST}) RETURN d.i`;
const FILTERED = `MATCH (d:Document) SEARCH d IN (VECTOR INDEX documents FOR $query WHERE d.group = 0 LIMIT ${NEAREST}) RETURN d.i`;

async function nearest(text: string): Promise<number[]> {
  return (await engine.execute(text, new Map([['query', query]]))).rows.map(([i]) => Number(i));
}

const ways: Readonly<Record<string, () => number[] | Promise<number[]>>> = {
  query: () => nearest(SORT),
  index: () => nearest(SEARCH),
  'index, 1 %': () => nearest(FILTERED),
  'by hand, plain': () => nearestByHand(plain),
  'by hand, four sums': () => nearestByHand(fourSums),
};
const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
for (let round = -3; round < rounds; round++) {
  for (const [name, run] of Object.entries(ways)) {
    const start = performance.now();
    const found = await run();
    const ms = performance.now() - start;
    if (round < 0) assert.deepEqual(found, nearestByHand(plain, name === 'index, 1 %' ? 100 : 1), name);
    else times.get(name)!.push(ms);
  }
}
await engine.close();
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;
const own = median(times.get('query')!);
console.log(`${count} vectors of ${dimensions} components, the ${NEAREST} nearest; medians of ${rounds}`);
for (const [name, list] of times)
  console.log(`${name.padEnd(20)} ${median(list).toFixed(2)} ms  ${(median(list) / own).toFixed(2)}× the query`);
