/**
 * `npm run bench:lookups`: nodes looked up again and again by properties without an index, with automatic indexes and
 * without, over 100,000 nodes with one label.
 *
 * Two engines in this process over equal data, asked in turns: answers must be equal. Printed: medians of the first 50
 * look-ups and of the last 500, how long all of them took, the most that the event loop was held, the memory of the
 * indexes; and how long updates of the nodes take beside.
 */
import { type Engine, openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';

const NODES = 100_000;
const LOOK_UPS = 1000;
const FIRST = 50;
const LAST = 500;
const UPDATES = 200;

const engines = {
  without: await openEngine(
    'memory://bench-lookups-without',
    { flushIntervalMs: 0 },
    {
      automaticIndexes: { leastNodes: Number.POSITIVE_INFINITY },
    },
  ),
  with: await openEngine('memory://bench-lookups-with', { flushIntervalMs: 0 }),
};
type Side = keyof typeof engines;
const SIDES: readonly Side[] = ['without', 'with'];

const QUESTIONS: readonly { readonly name: string; readonly query: string; readonly value: (i: number) => Value }[] = [
  { name: 'an Integer', query: 'MATCH (p:Person {number: $x}) RETURN p.name', value: (i) => i },
  { name: 'a String', query: 'MATCH (p:Person {name: $x}) RETURN p.number', value: (i) => `person ${i}` },
  { name: 'a value of 20 nodes', query: 'MATCH (p:Person {town: $x}) RETURN p.number', value: (i) => i % 5000 },
  {
    name: 'one of 10 Strings',
    query: 'MATCH (p:Person) WHERE p.mail IN $x RETURN p.number',
    value: (i) => Array.from({ length: 10 }, (_, k) => `${i + k}@example.org`),
  },
];

async function run(engine: Engine, query: string, x: Value): Promise<{ readonly ms: number; readonly rows: string }> {
  const start = performance.now();
  const { rows } = await engine.execute(query, new Map([['x', x]]));
  return { ms: performance.now() - start, rows: JSON.stringify(rows.toSorted()) };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

/** The event loop turns, and tells how long it took when that was not a statement. */
async function turn(): Promise<number> {
  const start = performance.now();
  await new Promise<void>((resolve) => setImmediate(resolve));
  return performance.now() - start;
}

const text = (ms: number): string => (ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`);

for (const side of SIDES) {
  const create = `UNWIND range(0, ${NODES - 1}) AS i
    CREATE (:Person {number: i, name: 'person ' + i, town: i % 5000, mail: toString(i) + '@example.org'})`;
  await engines[side].execute(create, new Map());
}
for (const { name, query, value } of QUESTIONS) {
  const times: Record<Side, number[]> = { without: [], with: [] };
  let longestTurn = 0;
  let others = 0;
  for (let i = 0; i < LOOK_UPS; i++) {
    const x = value((i * 7919) % NODES);
    const answers: string[] = [];
    for (const side of SIDES) {
      const { ms, rows } = await run(engines[side], query, x);
      times[side].push(ms);
      answers.push(rows);
    }
    if (answers[0] !== answers[1]) throw new Error(`${name}: other answers with an index: ${answers.join(' ')}`);
    const took = await turn();
    others += took;
    longestTurn = Math.max(longestTurn, took);
  }
  const sum = (side: Side): number => times[side].reduce((total, ms) => total + ms, 0);
  console.log(
    `${name}: first ${text(median(times.without.slice(0, FIRST)))} and ${text(median(times.with.slice(0, FIRST)))}, ` +
      `last ${text(median(times.without.slice(-LAST)))} and ` +
      `${text(median(times.with.slice(-LAST)))}; all ${text(sum('without'))} and ${text(sum('with'))} + ${text(others)} in ` +
      `turns, the longest ${text(longestTurn)}`,
  );
}
const { automaticIndexes, automaticIndexBytes } = engines.with.statistics();
console.log(`${automaticIndexes} indexes, ${automaticIndexBytes} bytes`);
for (const [name, query] of [
  ['one node set', 'MATCH (p) WHERE p._id = $id SET p.town = $x'],
  ['100 nodes created', "UNWIND range(1, 100) AS i CREATE (:Person {number: -i, name: 'new', town: $x, mail: $id})"],
] as const) {
  const times: Record<Side, number[]> = { without: [], with: [] };
  for (let i = 0; i < UPDATES; i++) {
    for (const side of SIDES) {
      const start = performance.now();
      await engines[side].execute(
        query,
        new Map<string, Value>([
          ['id', `n${i * 13}`],
          ['x', i],
        ]),
      );
      times[side].push(performance.now() - start);
      if (i % 10 === 0) for (const question of QUESTIONS) await run(engines[side], question.query, question.value(i));
    }
  }
  console.log(`${name}: ${text(median(times.without))} and ${text(median(times.with))}`);
}
for (const side of SIDES) await engines[side].close();
