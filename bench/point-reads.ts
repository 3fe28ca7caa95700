/**
 * `npm run bench:point-reads -- <folder>`: point reads over HTTP and Bolt of this checkout's server against those of another one, such as a worktree of the commit before a change.
 *
 *   npm run bench:point-reads -- <folder> [--rounds <n>] [--seconds <n>] [--connections <n>]
 *
 * Both servers run at once, and are asked in turns, so that what else the machine does disturbs both alike. Printed: the medians of statements per second and of the processor time of the server's process for one, and the
 * median of the ratios of neighbouring turns (of the rate above 1, of the processor time below 1: this checkout is faster).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RawClient } from '../src/bolt/raw-client.fixture.ts';
import { type LaunchedServer, launchServer } from '../test/server/launched-server.ts';
import { runLoad } from './http/load.ts';

const NODES = 100_000;
const QUERY = 'MATCH (p:Person {id: $id}) RETURN p.name AS name';
const CHECKOUTS = ['this', 'other'] as const;
type Checkout = (typeof CHECKOUTS)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1.5' },
    connections: { type: 'string', default: '16' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('the folder of another checkout is missing');
const connections = Number(values.connections);
const durationMs = Number(values.seconds) * 1_000;
/** Ticks of a clock in /proc, in a second. */
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

const servers: Readonly<Record<Checkout, LaunchedServer>> = {
  this: await launch(join(import.meta.dirname, '..')),
  other: await launch(resolve(folder)),
};
try {
  await compare(
    'HTTP',
    async ({ url }) =>
      (await runLoad({ url, connections, durationMs, body: (n) => JSON.stringify({ query: QUERY, params: { id: idOf(n) } }) })).perSecond,
  );
  await compare('Bolt', overBolt);
} finally {
  for (const server of Object.values(servers)) await server.end('SIGKILL');
}

async function launch(root: string): Promise<LaunchedServer> {
  const args = ['--store', 'memory://point-reads?ns=main', '--bolt-listen', '127.0.0.1:0'];
  const server = await launchServer(args, { program: join(root, 'bin/graphdb-server'), env: { RUST_LOG: 'error' } });
  await server.cypher('CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE');
  await server.cypher(`UNWIND range(0, ${NODES - 1}) AS id CREATE (:Person {id: id, name: 'person ' + toString(id)})`);
  return server;
}

function idOf(n: number): number {
  return (n * 7_919) % NODES;
}

async function compare(protocol: string, perSecond: (server: LaunchedServer) => Promise<number>): Promise<void> {
  const rates: Record<Checkout, number[]> = { this: [], other: [] };
  const costs: Record<Checkout, number[]> = { this: [], other: [] };
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const checkout of round % 2 === 0 ? CHECKOUTS : CHECKOUTS.toReversed()) {
      const before = processorSeconds(servers[checkout]);
      const start = performance.now();
      const rate = await perSecond(servers[checkout]);
      const statements = (rate * (performance.now() - start)) / 1_000;
      if (round === 0) continue; // It warms up.
      rates[checkout].push(rate);
      costs[checkout].push(((processorSeconds(servers[checkout]) - before) * 1e6) / statements);
    }
  }
  const ratio = (of: Record<Checkout, number[]>): string => median(of.this.map((figure, i) => figure / of.other[i]!)).toFixed(3);
  const each = (of: Record<Checkout, number[]>, digits: number): string =>
    CHECKOUTS.map((checkout) => `${checkout} ${median(of[checkout]).toFixed(digits)}`).join(', ');
  console.log(
    `${protocol}: statements per second: ${each(rates, 0)}, ratio ${ratio(rates)}; µs of the server's processor each: ${each(costs, 1)}, ratio ${ratio(costs)}`,
  );
}

async function overBolt({ boltUrl }: LaunchedServer): Promise<number> {
  const url = (await boltUrl)!;
  const clients = await Promise.all(Array.from({ length: connections }, () => RawClient.ready(url)));
  const start = performance.now();
  let count = 0;
  const ask = async (client: RawClient): Promise<void> => {
    while (performance.now() - start < durationMs) {
      await client.run(QUERY, { id: idOf(count++) });
      client.received.length = 0;
    }
  };
  await Promise.all(clients.map(ask));
  const perSecond = (count * 1_000) / (performance.now() - start);
  for (const client of clients) client.socket.destroy();
  return perSecond;
}

/** Of all threads of the server since it began. */
function processorSeconds({ child }: LaunchedServer): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
