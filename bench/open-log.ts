/**
 * `npm run bench:open-log`: what opening costs when the write-ahead log is long. A writer makes `--commits` (45,000)
 * small commits, each an object of its own, and is gone without a flush; then the namespace is opened again over a
 * store that takes `--latency` (20) ms for each request, twice, as after two crashes. Printed: time, requests, and the
 * files that the flush after it has made.
 */
import { parseArgs } from 'node:util';
import { type Engine, openEngine } from '../src/engine/index.ts';
import { intercept, type ObjectStore, type StoreMetrics, withMetrics } from '../src/object-store/index.ts';

const { values: options } = parseArgs({
  options: { commits: { type: 'string', default: '45000' }, latency: { type: 'string', default: '20' } },
});
const commits = Number(options.commits);
const latencyMs = Number(options.latency);
const uri = 'memory://open-log';

await write();
for (const opening of ['first', 'second']) await open(opening);

async function write(): Promise<void> {
  const writer = await openEngine(uri, { flushIntervalMs: 0, flushBytes: 2 ** 40 }, { decorateStore: withoutFiles });
  for (let i = 0; i < commits; i++) await writer.execute('CREATE (:Reading {sensor: $i % 100, value: $i * 0.5})', new Map([['i', i]]));
}

/** No flush succeeds: what the log looks like when a server was killed again and again before it had flushed. */
function withoutFiles(store: ObjectStore): ObjectStore {
  return intercept(store, (request, proceed) => {
    if (request.operation === 'putIfAbsent' && request.key.startsWith('data/')) throw new Error('no files in this part');
    return proceed();
  });
}

async function open(opening: string): Promise<void> {
  let metrics: StoreMetrics | undefined;
  let store: ObjectStore | undefined;
  const decorateStore = (inner: ObjectStore): ObjectStore => {
    store = inner;
    const metered = withMetrics(withLatency(inner));
    metrics = metered.metrics;
    return metered.store;
  };
  const start = performance.now();
  const engine: Engine = await openEngine(uri, {}, { decorateStore });
  const seconds = (performance.now() - start) / 1_000;
  const requests = Object.values(metrics!.operations).reduce((sum, { requests }) => sum + requests, 0);
  const [[rows] = []] = (await engine.execute('MATCH (n:Reading) RETURN count(n.value)', new Map())).rows;
  // The time between two crashes.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const left = (await store!.list('wal/')).length;
  const floor = (await store!.list('data/')).length;
  console.log(
    `${opening} opening: ${seconds.toFixed(1)} s, ${requests} requests, ${String(rows)} rows; 5 s later ${left} objects in the ` +
      `log, ${floor} files`,
  );
}

function withLatency(store: ObjectStore): ObjectStore {
  return intercept(store, async (_request, proceed) => {
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    return proceed();
  });
}
