/**
 * Many active namespaces in one server under a memory budget: heavy statements over all of them in turns, beside light
 * clients that each read points of one namespace. Every answer is checked. Tells the times of the light clients alone
 * and beside the others, and the resident memory.
 *
 *   npm run bench:namespaces [-- --namespaces <n> (200) --rows <n> of each (20000) --memory <size> (1GiB) --seconds <n> (20)
 *     --light <n> (8) --heavy <n> (2)]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LaunchedServer, launchServer } from '../test/server/launched-server.ts';

/** Between two point reads of a light client. */
const PAUSE_MS = 20;
const GROUPS = 10;
const LOADED_TOGETHER = 2;

const { values } = parseArgs({
  options: {
    namespaces: { type: 'string', default: '200' },
    rows: { type: 'string', default: '20000' },
    memory: { type: 'string', default: '1GiB' },
    seconds: { type: 'string', default: '20' },
    light: { type: 'string', default: '8' },
    heavy: { type: 'string', default: '2' },
  },
});
const [namespaces, rows, seconds, light, heavy] = [values.namespaces, values.rows, values.seconds, values.light, values.heavy].map(
  Number,
) as [number, number, number, number, number];
const folder = mkdtempSync(join(tmpdir(), 'graphdb-namespaces-'));
const store = ['--store', `file://${folder}/place`, '--memory', values.memory];
let wrong = 0;
try {
  const loading = await launchServer(store);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: LOADED_TOGETHER }, async (_, first) => {
      for (let i = first; i < namespaces; i += LOADED_TOGETHER) await load(loading, i);
    }),
  );
  console.log(
    `${namespaces} namespaces of ${rows} nodes and ${rows - 1} relationships: ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
  );
  await loading.end('SIGTERM');
  const server = await launchServer(store);
  const alone = await measure(server, 0);
  console.log(`light clients alone: ${figures(alone.times)}; resident ${alone.residentMiB} MiB`);
  const beside = await measure(server, heavy);
  console.log(
    `beside ${heavy} clients that group all of them in turns: ${figures(beside.times)}; resident ${beside.residentMiB} MiB at most`,
  );
  console.log(
    `${beside.statements} heavy statements; ratio of p99 ${(at(beside.times, 0.99) / at(alone.times, 0.99)).toFixed(2)}; wrong ` +
      `answers ${wrong}`,
  );
  await server.end('SIGTERM');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

async function load(server: LaunchedServer, i: number): Promise<void> {
  const { status, body } = await server.cypher(`CREATE DATABASE \`tenant-${i}\``);
  if (status !== 200) throw new Error(`tenant-${i}: ${status} ${body.error}`);
  await ask(server, i, 'CREATE CONSTRAINT FOR (n:Item) REQUIRE n.key IS UNIQUE');
  await ask(
    server,
    i,
    `UNWIND range(1, ${rows}) AS k CREATE (:Item {key: k, secret: k * ${i + 1}, group: k % ${GROUPS}, text: 'item ' + k + ' of ` +
      `namespace ${i}'})`,
  );
  await ask(server, i, `MATCH (a:Item) WITH a MATCH (b:Item {key: a.key + 1}) CREATE (a)-[:NEXT]->(b)`);
}

/** Light clients read points for some seconds, beside heavy ones. */
async function measure(
  server: LaunchedServer,
  heavyClients: number,
): Promise<{ times: number[]; statements: number; residentMiB: number }> {
  const times: number[] = [];
  let goesOn = true;
  let statements = 0;
  let residentMiB = 0;
  let next = light;
  const lightClient = async (i: number): Promise<void> => {
    for (let key = 1; goesOn; key = (key % rows) + 1) {
      const start = performance.now();
      const found = await ask(server, i, `MATCH (n:Item {key: ${key}}) RETURN n.secret AS secret`);
      times.push(performance.now() - start);
      if (found[0]?.['secret'] !== key * (i + 1)) wrong++;
      await sleep(PAUSE_MS);
    }
  };
  const heavyClient = async (): Promise<void> => {
    while (goesOn) {
      const i = next;
      next = next + 1 < namespaces ? next + 1 : light;
      const groups = await ask(
        server,
        i,
        'MATCH (n:Item)-[:NEXT]->(m) RETURN n.group AS group, sum(n.secret) AS sum, count(m.text) AS count ORDER BY group',
      );
      const total = groups.reduce((sum, row) => sum + Number(row['sum']), 0);
      if (groups.length !== GROUPS || total !== ((rows * (rows - 1)) / 2) * (i + 1)) wrong++;
      statements++;
    }
  };
  const watch = async (): Promise<void> => {
    while (goesOn) {
      const status = readFileSync(`/proc/${server.child.pid}/status`, 'latin1');
      residentMiB = Math.max(residentMiB, Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024));
      await sleep(50);
    }
  };
  // Each namespace is opened before the clock starts: opening is no point read.
  for (let i = 0; i < light; i++) await ask(server, i, 'MATCH (n:Item {key: 1}) RETURN n.secret');
  const clients = [
    watch(),
    ...Array.from({ length: light }, (_, i) => lightClient(i)),
    ...Array.from({ length: heavyClients }, heavyClient),
  ];
  await sleep(seconds * 1_000);
  goesOn = false;
  await Promise.all(clients);
  return { times: times.sort((a, b) => a - b), statements, residentMiB };
}

async function ask(server: LaunchedServer, i: number, query: string): Promise<Record<string, unknown>[]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/tenant-${i}/v0/cypher`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const body = (await response.json()) as { rows?: Record<string, unknown>[]; error?: string }; // as: what the API says
  if (!response.ok) throw new Error(`tenant-${i}: ${response.status} ${body.error}`);
  return body.rows!;
}

function at(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

function figures(times: readonly number[]): string {
  return (
    `${times.length} reads, median ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms, longest ` +
    `${at(times, 1).toFixed(1)} ms`
  );
}
