/**
 * `npm run bench:compaction`: merges all tables of a large namespace in a server while eight clients read and one
 * writes, and compares their times with those when nothing is merged. The server is a process of its own; the clients
 * are this one.
 *
 *   --rows <n> (50,000,000; about a fifth nodes), --rate <n> requests per second of each reader (25), --seconds <n> of
 *   each idle phase (20), --keep leaves the namespace behind, --namespace <folder> uses one that was left behind
 *
 * Printed: times of reads and writes when idle and while merging, their ratio, the server's memory above what it had
 * before, requests that failed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ServerProcess } from '../test/support/server-process.ts';
import { askAtPace, percentile, post } from './compaction/clients.ts';
import { makeNamespace } from './compaction/namespace.ts';

const READERS = 8;
const WRITES_PER_SECOND = 50;
const ROWS_PER_PERSON = 5.4;
const FLUSH_INTERVAL = '5s';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '50000000' },
    rate: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '20' },
    keep: { type: 'boolean' },
    namespace: { type: 'string' },
  },
});

const READS: readonly [share: number, query: string][] = [
  [0.6, 'MATCH (p:Person {id: $id}) RETURN p.name AS name, p.age AS age'],
  [0.25, 'MATCH (:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(f) RETURN count(f) AS friends, max(f.age) AS oldest'],
  [0.15, 'MATCH (:Person {id: $id})-[r:KNOWS]->(f) RETURN f.city AS city, avg(f.age) AS age, sum(r.weight) AS weight'],
];
const WRITES: readonly string[] = [
  'CREATE (:Event {n: $n, text: $text})',
  'MATCH (p:Person {id: $id}) SET p.age = 30',
  'MATCH (p:Person {id: $id}), (q:Person {id: $other}) CREATE (p)-[:KNOWS {since: 2024, weight: 1.5}]->(q)',
];

const persons = Math.floor(Number(options.rows) / ROWS_PER_PERSON);
const folder = options.namespace ?? mkdtempSync(join(tmpdir(), 'graphdb-compaction-'));
try {
  await main();
} finally {
  if (options.keep || options.namespace !== undefined) console.log(`the namespace is in ${folder}`);
  else rmSync(folder, { recursive: true });
}

async function main(): Promise<void> {
  const store = `file://${folder}?ns=bench`;
  if (options.namespace === undefined) console.log(`${await makeNamespace(store, persons)} rows in files`);
  await using server = await ServerProcess.start({ store, flushInterval: FLUSH_INTERVAL });
  await warmUp(server);
  const alone = await measure('reads alone', server, seconds());
  const idle = await measure('reads and writes', server, seconds(), { writes: true });
  const merging = await measure('the same while merging', server, () => compact(server), { writes: true });
  console.log(
    `p99 of reads while merging: ${(merging / idle).toFixed(1)} times that beside writes, ${(merging / alone).toFixed(1)} times that alone`,
  );
}

function seconds(): () => Promise<string> {
  return async () => {
    await sleep(Number(options.seconds) * 1_000);
    return '';
  };
}

/** Has in memory, and compiled, what the clients ask for. */
async function warmUp(server: ServerProcess): Promise<void> {
  await ask(server, 'CREATE INDEX FOR (p:Person) ON (p.id)', 0);
  for (const query of [...READS.map(([, read]) => read), ...WRITES]) for (let n = 0; n < 200; n++) await ask(server, query, n);
}

async function ask(server: ServerProcess, query: string, n: number): Promise<void> {
  const { status, text } = await post(undefined, `${server.address}/v0/cypher`, statement(query, n));
  if (status !== 200) throw new Error(text);
}

async function compact(server: ServerProcess): Promise<string> {
  const start = performance.now();
  const { status, text } = await post(undefined, `${server.address}/v0/admin/compact`, '');
  if (status !== 200) throw new Error(text);
  const { rows_written: rows } = JSON.parse(text) as { rows_written: number };
  return `, ${rows} rows written in ${((performance.now() - start) / 1_000).toFixed(1)} s`;
}

async function measure(name: string, server: ServerProcess, phase: () => Promise<string>, { writes = false } = {}): Promise<number> {
  const ending = new AbortController();
  const memory = watchMemory(server.pid, ending.signal);
  const pace = { url: server.address, until: ending.signal };
  const reading = askAtPace({ ...pace, clients: READERS, perSecond: Number(options.rate), body: read });
  const writing = writes ? askAtPace({ ...pace, clients: 1, perSecond: WRITES_PER_SECOND, body: write }) : null;
  const remark = await phase();
  ending.abort();
  const [reads, written, grownBytes] = await Promise.all([reading, writing, memory]);
  const failures = [...reads.failures, ...(written?.failures ?? [])];
  const writeTimes = written === null ? '' : `; writes ${times(written.timesMs)}`;
  console.log(
    `${name}: reads ${times(reads.timesMs)}${writeTimes}; memory +${(grownBytes / 2 ** 20).toFixed(0)} MiB; ${failures.length} ` +
      `failed${remark}`,
  );
  for (const failure of new Set(failures)) console.log(`  ${failure}`);
  return percentile(reads.timesMs, 99);
}

function times(all: readonly number[]): string {
  const shares = [50, 99, 99.9, 100].map((share) => percentile(all, share).toFixed(2));
  return `(${all.length}) p50/p99/p99.9/max ${shares.join('/')} ms`;
}

/** How much more the process took at its highest than at the beginning. */
async function watchMemory(pid: number, until: AbortSignal): Promise<number> {
  const first = residentBytes(pid);
  let highest = first;
  while (!until.aborted) {
    highest = Math.max(highest, residentBytes(pid));
    await sleep(50);
  }
  return highest - first;
}

function residentBytes(pid: number): number {
  return 1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
}

function read(n: number): string {
  const turn = (n * 0.618_034) % 1;
  let below = 0;
  const [, query] = READS.find(([share]) => turn < (below += share)) ?? READS[0]!;
  return statement(query, n);
}

function write(n: number): string {
  return statement(WRITES[n % WRITES.length]!, n);
}

function statement(query: string, n: number): string {
  const id = (n * 7_919_317) % persons;
  return JSON.stringify({ query, params: { id, other: (id * 31 + 7) % persons, n, text: 'something happened' } });
}
