/**
 * `npm run bench:workers`: what read workers buy and cost, over 100,000 nodes and 1 million relationships.
 *
 * - How long others wait: a server without workers and one with one per core, each asked two long reads without a pause
 *   by two clients while a third asks for /v0/health and for one node in turn. Medians and 99th percentiles of what the
 *   third one waits, in alternating rounds.
 * - What a round trip costs: the same short statement on the main thread and in a worker of this process, in
 *   alternating runs; and rows that come over.
 *
 *   --seconds <n>   of each round (4)   --rounds <n>   (3)
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Engine, openEngine, ReadWorkers } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';
import { powerLawGraph, writeCsv } from './power-law.ts';

const LONG = [
  'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE a.age < c.age RETURN count(*) AS paths, sum(c.age) AS ages',
  'MATCH (a:Person)-[r:KNOWS]->(b:Person) WHERE a.age > b.age RETURN a.age AS age, r.since AS since, count(*) AS n, avg(b.age) ' +
    'AS mean ORDER BY n DESC LIMIT 10',
];
const POINT = 'MATCH (p:Person {id: $id}) RETURN p.age AS age';
const NODES = 100_000;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '3' } } });
const program = (name: string): string => resolve(import.meta.dirname, '../bin', name);

const folder = mkdtempSync(join(tmpdir(), 'graphdb-workers-'));
try {
  const csv = { nodes: join(folder, 'nodes.csv'), relationships: join(folder, 'relationships.csv') };
  await writeCsv(powerLawGraph(NODES, 1_000_000), csv.nodes, csv.relationships);
  await compareServers(csv);
  await compareRoundTrips();
} finally {
  rmSync(folder, { recursive: true });
}

// -------------------------------------------------------------- how long others wait

interface Waits {
  readonly health: number[];
  readonly point: number[];
  long: number;
}

async function compareServers(csv: { nodes: string; relationships: string }): Promise<void> {
  const servers = [await started(csv, '0'), await started(csv, '2')];
  const waits: Waits[] = servers.map(() => ({ health: [], point: [], long: 0 }));
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, { url }] of servers.entries()) await load(url, waits[i]!);
    }
  } finally {
    for (const { child } of servers) {
      child.kill();
      await once(child, 'exit');
    }
  }
  console.log('workers   health median / p99 / worst ms   point read median / p99 / worst ms   long reads answered');
  for (const [i, { workers }] of servers.entries()) {
    const { health, point, long } = waits[i]!;
    console.log(`${workers.padStart(7)}   ${figures(health).padEnd(30)}   ${figures(point).padEnd(34)}   ${long}`);
  }
}

async function started({ nodes, relationships }: { nodes: string; relationships: string }, workers: string) {
  const store = join(folder, `store-${workers}`);
  mkdirSync(store);
  const uri = `file://${store}?ns=bench`;
  execFileSync(program('graphdb'), ['import', '--store', uri, '--nodes', `Person=${nodes}`, '--relationships', `KNOWS=${relationships}`], {
    stdio: 'ignore',
  });
  const child = spawn(program('graphdb-server'), ['--listen', '127.0.0.1:0', '--store', uri, '--read-workers', workers], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, RUST_LOG: 'info' },
  });
  const url = await new Promise<string>((found) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const line = /listening on (http:\/\/[\d.:]+)/.exec(log);
      if (line !== null) found(line[1]!);
    });
  });
  await ask(url, 'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE');
  for (const query of [...LONG, ...LONG]) await ask(url, query);
  return { workers, child, url };
}

async function load(url: string, waits: Waits): Promise<void> {
  let isOver = false;
  const clients = LONG.map(async (query) => {
    for (; !isOver; waits.long++) await ask(url, query);
  });
  for (const end = performance.now() + Number(values.seconds) * 1_000; performance.now() < end; ) {
    waits.health.push(await timed(() => fetch(`${url}/v0/health`).then((response) => response.text())));
    waits.point.push(await timed(() => ask(url, POINT, { id: Math.floor(Math.random() * NODES) })));
    await sleep(5);
  }
  isOver = true;
  await Promise.all(clients);
}

async function ask(url: string, query: string, params: object = {}): Promise<void> {
  const response = await fetch(`${url}/v0/cypher`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, params }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
}

// -------------------------------------------------------------- what a round trip costs

async function compareRoundTrips(): Promise<void> {
  const workers = new ReadWorkers({ count: 1, firstSliceMs: 0 });
  const engine = await openEngine('memory://workers', { flushIntervalMs: 0 }, { workers });
  await engine.execute('UNWIND range(0, 99999) AS id CREATE (:Person {id: id, name: "person " + toString(id), age: id % 90})', new Map());
  await engine.execute('CREATE INDEX FOR (p:Person) ON (p.id)', new Map());
  for (const [name, query, runs] of [
    ['one node', 'MATCH (p:Person {id: 77}) RETURN p.age', 500],
    ['100,000 rows of a number and a string', 'MATCH (p:Person) RETURN p.id, p.name', 7],
    ['100,000 nodes', 'MATCH (p:Person) RETURN p', 7],
  ] as const) {
    const times: { here: number[]; there: number[] } = { here: [], there: [] };
    for (let run = 0; run < runs; run++) {
      times.here.push(await timedIn(engine, workers, query, 60_000));
      times.there.push(await timedIn(engine, workers, query, 0));
    }
    console.log(`${name}: main thread ${median(times.here).toFixed(3)} ms, in a worker ${median(times.there).toFixed(3)} ms`);
  }
  await engine.close();
  await workers.close();
}

async function timedIn(engine: Engine, workers: ReadWorkers, query: string, firstSliceMs: number): Promise<number> {
  workers.firstSliceMs = firstSliceMs;
  return timed(() => engine.execute(query, new Map<string, Value>()));
}

// -------------------------------------------------------------- figures

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function figures(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return [sorted.length >> 1, Math.floor(sorted.length * 0.99), sorted.length - 1].map((at) => sorted[at]!.toFixed(1)).join(' / ');
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
