/**
 * The new process of `open.ts` and `cold.ts`: opens the namespace whose URI is its argument and prints what each step
 * took and read, and the memory that it left. A second argument has the questions, as JSON: [name, text, parameters]
 * each.
 */

import { type Engine, openEngine } from '../src/engine/index.ts';
import { type StoreMetrics, withMetrics } from '../src/object-store/index.ts';

type Question = readonly [name: string, query: string, parameters?: { readonly [name: string]: string | number }];

const QUERIES: readonly Question[] = [
  ['first count', 'MATCH (n) RETURN count(n) AS n'],
  ['count of relationships', 'MATCH ()-[r:KNOWS]->() RETURN count(r) AS n'],
  ['lookup by property', 'MATCH (p:Person {id: 4711}) RETURN p.age AS n'],
  ['count over a property', 'MATCH (p:Person) WHERE p.age > 50 RETURN count(p) AS n'],
  ['neighbours of one node', 'MATCH (p:Person {id: 4711})-[:KNOWS]->(q) RETURN count(q) AS n'],
  ['count over a property of relationships', 'MATCH ()-[r:KNOWS]->() WHERE r.since > 2010 RETURN count(r) AS n'],
];

const [uri, asked] = process.argv.slice(2);
const questions = asked === undefined ? QUERIES : (JSON.parse(asked) as readonly Question[]);
let metrics: StoreMetrics | undefined;
let engine: Engine | undefined;
await step('open', async () => {
  engine = await openEngine(
    uri!,
    { readOnly: true },
    {
      decorateStore: (store) => {
        const metered = withMetrics(store);
        metrics = metered.metrics;
        return metered.store;
      },
    },
  );
});
for (const [name, query, parameters = {}] of questions) {
  await step(name, async () => (await engine!.execute(query, new Map(Object.entries(parameters)))).rows[0]?.[0]);
}
await engine?.close();

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const before = read();
  const start = performance.now();
  const busy = process.cpuUsage();
  const answer = await run();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(busy);
  const after = read();
  const requests = after.requests - before.requests;
  const kilobytes = (after.bytes - before.bytes) / 1e3;
  const suffix = answer === undefined ? '' : `, answer ${String(answer)}`;
  const times = `${ms.toFixed(1)} ms, ${((user + system) / 1e3).toFixed(1)} ms of processors`;
  const resident = `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident`;
  console.log(`${name}: ${times}, ${requests} requests, ${kilobytes.toFixed(1)} kB read, ${resident}${suffix}`);
}

function read(): { requests: number; bytes: number } {
  const operations = Object.values(metrics?.operations ?? {});
  return {
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    bytes: operations.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  };
}
