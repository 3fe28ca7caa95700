/**
 * The exact requests to the object store, and their bytes, that each thing makes which a database does, held in
 * requests.golden.txt. Rewrite it with UPDATE_GOLDEN=1 and review the difference. The tables are large enough to be
 * read by column and block; a namespace of small ones is read file by file.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { dropMemoryStore, openMemoryStore, type StoreMetrics, withMetrics } from '../object-store/index.ts';
import { type Engine, type EngineOptions, openEngine } from './index.ts';
import { VirtualTime } from './testing/virtual-time.ts';

const GOLDEN = new URL('./requests.golden.txt', import.meta.url);
const none = new Map();
const PEOPLE = 70_000;

test('everything that a database does makes the requests that it should', async () => {
  const uri = { scheme: 'memory', name: 'requests', namespace: 'requests' } as const;
  const time = new VirtualTime();
  const lines: string[] = [];
  const engines: Engine[] = [];
  let metrics: StoreMetrics;
  const open = async (writerId: string | null, options: EngineOptions): Promise<Engine> => {
    const metered = withMetrics(openMemoryStore(uri, { now: () => time.now() }));
    metrics = metered.metrics;
    metrics.trace = [];
    const engine = await openEngine('memory://requests', options, {
      clock: time,
      schedule: time.schedule,
      decorateStore: () => metered.store,
      ...(writerId === null ? {} : { writerId }),
    });
    engines.push(engine);
    return engine;
  };
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (metrics !== undefined) metrics.trace = [];
    const result = await work();
    lines.push(name, ...(metrics.trace ?? []).map((line) => `  ${withoutRandomness(line)}`), '');
    return result;
  };
  const isAtWork = (): boolean => engines.some((engine) => engine.statistics().backgroundTasks > 0);
  /** All that goes on without time passing, in other threads as well: until nothing is under way and nothing was asked for a while. */
  const settled = async (): Promise<void> => {
    for (let asked = -1; isAtWork() || asked !== metrics.trace?.length; ) {
      asked = metrics.trace?.length ?? 0;
      for (let turns = 0; turns < 40; turns++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const passes = (ms: number) => (): Promise<void> => time.advance(ms, settled);

  const first = await step('create a namespace', () => open('first', {}));
  await step('commit a table of 70,000 nodes', () =>
    run(first, `UNWIND range(1, ${PEOPLE}) AS i CREATE (:Person {id: i, age: i % 90, name: 'name ' + i})`),
  );
  await step('commit 70,000 relationships', () =>
    run(first, `MATCH (a:Person), (b:Person) WHERE b.id = (a.id * 31) % ${PEOPLE} + 1 CREATE (a)-[:KNOWS {since: a.id % 50}]->(b)`),
  );
  await step('flush', () => first.flush());
  await step('close', () => first.close());

  const writer = await step('open', () => open('second', {}));
  await step('first count of nodes', () => run(writer, 'MATCH (p:Person) RETURN count(p)'));
  await step('first count of relationships', () => run(writer, 'MATCH ()-[k:KNOWS]->() RETURN count(k)'));
  await step('a query that touches one column of one table', () => run(writer, 'MATCH (p:Person) RETURN sum(p.age)'));
  await step('the same again', () => run(writer, 'MATCH (p:Person) RETURN sum(p.age)'));
  await step('two hops', () => run(writer, 'MATCH (a:Person)-[:KNOWS]->()-[:KNOWS]->(c) WHERE a.age = 7 RETURN count(c)'));
  for (let i = 0; i < 4; i++) {
    await step('commit', () => run(writer, `CREATE (:Person {id: ${PEOPLE + i + 1}, age: 1, name: 'new'})`));
    await step('half a minute later: flush, and a merge when there are four', passes(30_000));
  }
  await step('a quarter of an hour later: collections', passes(15 * 60_000));
  await step('an idle day', passes(24 * 3_600_000));
  await step('compact', () => writer.compact());
  await passes(15 * 60_000)();

  const follower = await step('open a follower', () => open(null, { readOnly: true }));
  await step('its poll, nothing new', passes(250));
  await run(writer, "CREATE (:Person {id: 0, age: 0, name: 'last'})");
  await step('its poll, a commit', passes(750));
  await step('a query of it', () => run(follower, 'MATCH (p:Person) RETURN max(p.age)'));
  await step('its first minute without news', passes(60_000));
  await follower.close();
  await writer.close();
  dropMemoryStore(uri);

  const text = summarized(lines).join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, text);
  assert.equal(text, readFileSync(GOLDEN, 'utf8'));
});

async function run(engine: Engine, query: string): Promise<void> {
  await engine.execute(query, none);
}

function withoutRandomness(line: string): string {
  return line.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<random>');
}

/** Lines that repeat, alone or in turns of two, as one with their number. */
function summarized(lines: readonly string[]): string[] {
  const short: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const turn = [1, 2].find((length) => repeats(lines, i, length) >= 3);
    const times = turn === undefined ? 1 : repeats(lines, i, turn);
    const some = lines.slice(i, i + (turn ?? 1));
    short.push(...(times === 1 ? some : some.map((line) => `${line} (${times} times)`)));
    i += some.length * times;
  }
  return short;
}

function repeats(lines: readonly string[], from: number, length: number): number {
  const same = (at: number): boolean => lines.slice(from, from + length).join('\n') === lines.slice(at, at + length).join('\n');
  let times = 1;
  while (lines[from] !== '' && same(from + times * length)) times++;
  return times;
}
