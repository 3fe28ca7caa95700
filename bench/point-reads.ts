/**
 * `npm run bench:point-reads -- <folder>`: point reads over HTTP and Bolt of this checkout's server against those of
 * another one, such as a worktree of the commit before a change.
 *
 *   npm run bench:point-reads -- <folder> [--launches <n>] [--rounds <n>] [--seconds <n>] [--connections <n>]
 *
 * Both servers run at once, and are asked in turns, so that what else the machine does disturbs both alike. Two
 * processes of the same code differ by 5 % in either direction: both are launched anew several times, this one first
 * and the other one first in turns. Printed: the medians of statements per second and of the processor time of the
 * server's process for one, and the median of the ratios of neighbouring turns (of the rate above 1, of the processor
 * time below 1: this checkout is faster), with its lowest and highest among the launches.
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
    launches: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '6' },
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

type Servers = Readonly<Record<Checkout, LaunchedServer>>;
/** Rates, indexed by launch and by turn in it. */
interface Figures {
  readonly rates: Record<Checkout, number[][]>;
  readonly costs: Record<Checkout, number[][]>;
}
const ROOTS: Readonly<Record<Checkout, string>> = { this: join(import.meta.dirname, '..'), other: resolve(folder) };
const measured: Readonly<Record<'HTTP' | 'Bolt', Figures>> = { HTTP: noFigures(), Bolt: noFigures() };

for (let at = 0; at < Number(values.launches); at++) {
  const launched = new Map<Checkout, LaunchedServer>();
  try {
    for (const checkout of at % 2 === 0 ? CHECKOUTS : CHECKOUTS.toReversed()) launched.set(checkout, await launch(ROOTS[checkout]));
    const servers = { this: launched.get('this')!, other: launched.get('other')! };
    await compare(measured.HTTP, servers, overHttp);
    await compare(measured.Bolt, servers, overBolt);
  } finally {
    for (const server of launched.values()) await server.end('SIGKILL');
  }
}
for (const protocol of ['HTTP', 'Bolt'] as const) report(protocol, measured[protocol]);

function noFigures(): Figures {
  return { rates: { this: [], other: [] }, costs: { this: [], other: [] } };
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

async function compare({ rates, costs }: Figures, servers: Servers, perSecond: (server: LaunchedServer) => Promise<number>): Promise<void> {
  for (const figures of [rates, costs]) for (const checkout of CHECKOUTS) figures[checkout].push([]);
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const checkout of round % 2 === 0 ? CHECKOUTS : CHECKOUTS.toReversed()) {
      const before = processorSeconds(servers[checkout]);
      const start = performance.now();
      const rate = await perSecond(servers[checkout]);
      const statements = (rate * (performance.now() - start)) / 1_000;
      if (round === 0) continue; // It warms up.
      rates[checkout].at(-1)!.push(rate);
      costs[checkout].at(-1)!.push(((processorSeconds(servers[checkout]) - before) * 1e6) / statements);
    }
  }
}

function report(protocol: string, { rates, costs }: Figures): void {
  const ratio = (of: Record<Checkout, number[][]>): string => {
    const launches = of.this.map((turns, launch) => turns.map((figure, turn) => figure / of.other[launch]![turn]!));
    const medians = launches.map(median).toSorted((a, b) => a - b);
    return `${median(launches.flat()).toFixed(3)} (${medians[0]!.toFixed(3)} to ${medians.at(-1)!.toFixed(3)})`;
  };
  const each = (of: Record<Checkout, number[][]>, digits: number): string =>
    CHECKOUTS.map((checkout) => `${checkout} ${median(of[checkout].flat()).toFixed(digits)}`).join(', ');
  console.log(
    `${protocol}: statements per second: ${each(rates, 0)}, ratio ${ratio(rates)}; µs of the server's processor each: ` +
      `${each(costs, 1)}, ratio ${ratio(costs)}`,
  );
}

async function overHttp({ url }: LaunchedServer): Promise<number> {
  const body = (n: number): string => JSON.stringify({ query: QUERY, params: { id: idOf(n) } });
  return (await runLoad({ url, connections, durationMs, body })).perSecond;
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

/** Processor time of all threads of the server since it began, in seconds. */
function processorSeconds({ child }: LaunchedServer): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
