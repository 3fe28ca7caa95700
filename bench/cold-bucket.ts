/**
 * `npm run bench:cold-bucket`: what the first question of a server costs that has just been started over a large graph
 * on an S3 server behind a proxy with 30 ms to the first byte and 100 MB/s.
 *
 *   --relationships <n>,… (10000000)   --rounds <n> (3)   --log (prints the requests)   --data <folder> (keeps the
 *     graphs; a temporary one)   --sources (runs the sources, not the built package)
 *   --cache-dir <folder> (the server keeps pages there; each question is asked twice, of a process each, and the second is measured)
 *
 * For each size one graph: persons with a declared key, ten relationships each in the mean, imported. For each question
 * a new process of the built package: the time from its start to "ready"; then, for the question, the time, requests,
 * rounds of requests that depend on one another, and bytes; and the memory that is resident. Hops begin at persons with
 * ten relationships; one more hop at persons with fifty.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { bundle, PROGRAM } from '../scripts/bundle.ts';
import { installFolder } from '../scripts/test-stores/install.ts';
import { startServer } from '../scripts/test-stores/process.ts';
import { SERVERS } from '../scripts/test-stores/servers.ts';
import { startSlowProxy } from './cold-bucket/slow-proxy.ts';
import { powerLawGraph, writeCsv } from './power-law.ts';
import { median } from './social/table.ts';

const { values: options } = parseArgs({
  options: {
    relationships: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '3' },
    log: { type: 'boolean', default: false },
    data: { type: 'string' },
    sources: { type: 'boolean', default: false },
    'cache-dir': { type: 'string' },
  },
});
const DISTANCE = { firstByteMs: 30, bytesPerSecond: 100e6 };
const RELATIONSHIPS_PER_NODE = 10;
/** Acquaintances of a person who counts as knowing many. */
const MANY = 50;
const HOP = 'MATCH (:Person {id: $id})-[:KNOWS]->(q) RETURN q.id, q.age';
const QUESTIONS: Readonly<Record<string, string>> = {
  'point look-up by key': 'MATCH (p:Person {id: $id}) RETURN p.age',
  'one hop': HOP,
  [`one hop to ${MANY} persons`]: HOP,
  'one hop against the direction': 'MATCH (:Person {id: $id})<-[:KNOWS]-(q) RETURN q.id, q.age',
  'two hops, grouped':
    'MATCH (:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(q) RETURN q.age AS age, count(*) AS n ORDER BY n DESC, age LIMIT 5',
  count: 'MATCH ()-[r:KNOWS]->() RETURN count(r)',
};

const degrees = new Map<number, Uint16Array>();

const folder = options.data ?? mkdtempSync(join(tmpdir(), 'graphdb-cold-'));
mkdirSync(join(folder, 'bucket'), { recursive: true });
const programs = options.sources ? join(import.meta.dirname, '../bin') : await buildPackage(join(folder, 'package'));
const s3 = SERVERS.find(({ scheme }) => scheme === 's3')!;
const installed = installFolder(s3.name);
await s3.install(installed);
const running = await startServer((port) => s3.command({ folder: installed, data: join(folder, 'bucket'), port }));
const proxy = await startSlowProxy(running.port, DISTANCE);
try {
  const { environment } = existsSync(join(folder, 'environment.json'))
    ? { environment: JSON.parse(readFileSync(join(folder, 'environment.json'), 'utf8')) as Record<string, string> }
    : await s3.prepare(running.port);
  writeFileSync(join(folder, 'environment.json'), JSON.stringify(environment));
  const env = { ...process.env, ...environment };
  console.log(
    '| relationships | question | ready, ms | question, ms | requests | rounds | MB | resident, MB |\n|---|---|---|---|---|---|---|---|',
  );
  for (const size of options.relationships.split(',').map(Number)) {
    await makeGraph(size, env);
    for (const question of Object.keys(QUESTIONS)) await ask(size, question, env);
  }
} finally {
  await proxy.close();
  await running.stop();
  if (options.data === undefined) rmSync(folder, { recursive: true });
}

function uriOf(size: number, port: number): string {
  return `s3://graphdb-test?ns=cold-${size}&region=us-east-1&endpoint=http://127.0.0.1:${port}&allow_http=true`;
}

/** Builds the package that npm installs, as far as the server runs it. Returns the folder of its programs. */
async function buildPackage(root: string): Promise<string> {
  await bundle(PROGRAM, join(root, 'dist'));
  const checkout = join(import.meta.dirname, '..');
  cpSync(join(checkout, 'bin'), join(root, 'bin'), { recursive: true });
  cpSync(join(checkout, 'package.json'), join(root, 'package.json'));
  if (!existsSync(join(root, 'node_modules'))) symlinkSync(realpathSync(join(checkout, 'node_modules')), join(root, 'node_modules'));
  return join(root, 'bin');
}

/** How many relationships each person of the graph has. */
function degreesOf(size: number): Uint16Array {
  let known = degrees.get(size);
  if (known === undefined) {
    known = new Uint16Array(size / RELATIONSHIPS_PER_NODE);
    for (const source of powerLawGraph(known.length, size).sources) known[source]!++;
    degrees.set(size, known);
  }
  return known;
}

/** The first person from one on who knows so many. */
function personKnowing(count: number, known: Uint16Array, from: number): number {
  const at = known.indexOf(count, from);
  return at < 0 ? known.indexOf(count) : at;
}

async function makeGraph(size: number, env: NodeJS.ProcessEnv): Promise<void> {
  if (existsSync(join(folder, 'bucket', 'graphdb-test', `cold-${size}`))) return;
  const nodes = join(folder, 'nodes.csv');
  const relationships = join(folder, 'relationships.csv');
  await writeCsv(powerLawGraph(size / RELATIONSHIPS_PER_NODE, size), nodes, relationships);
  const uri = uriOf(size, running.port);
  execFileSync(
    join(programs, 'graphdb'),
    ['import', '--store', uri, '--nodes', `Person=${nodes}`, '--relationships', `KNOWS=${relationships}`],
    {
      stdio: 'ignore',
      env,
    },
  );
  const schema = 'CREATE CONSTRAINT person_id FOR (p:Person) REQUIRE p.id IS UNIQUE';
  execFileSync(join(programs, 'graphdb'), ['run', '--store', uri, schema], { stdio: 'ignore', env });
  execFileSync(join(programs, 'graphdb'), ['compact', '--store', uri], { stdio: 'ignore', env });
  rmSync(nodes);
  rmSync(relationships);
}

async function ask(size: number, question: string, env: NodeJS.ProcessEnv): Promise<void> {
  const rounds = Number(options.rounds);
  const figures: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const from = Math.floor((size / RELATIONSHIPS_PER_NODE) * ((round + 1) / (rounds + 2)));
    const id = personKnowing(question.includes(String(MANY)) ? MANY : RELATIONSHIPS_PER_NODE, degreesOf(size), from);
    // What the first process has kept on disk, the second has.
    if (options['cache-dir'] !== undefined) await askOnce(size, { query: QUESTIONS[question]!, id }, env);
    figures.push(await askOnce(size, { query: QUESTIONS[question]!, id }, env));
  }
  const medians = figures[0]!.map((_, i) => median(figures.map((each) => each[i]!))!.toPrecision(3));
  console.log(`| ${size} | ${question} | ${medians.join(' | ')} |`);
}

/** In a new process. The columns of the table. */
async function askOnce(
  size: number,
  { query, id }: { readonly query: string; readonly id: number },
  env: NodeJS.ProcessEnv,
): Promise<number[]> {
  const cache = options['cache-dir'] === undefined ? [] : ['--cache-dir', options['cache-dir']];
  const start = performance.now();
  const server = spawn(
    join(programs, 'graphdb-server'),
    ['--listen', '127.0.0.1:0', '--store', uriOf(size, proxy.port), '--read-only', ...cache],
    { stdio: ['ignore', 'ignore', 'pipe'], env },
  );
  try {
    const url = await readyUrl(server);
    const readyMs = performance.now() - start;
    proxy.take();
    const asked = performance.now();
    const answer = await fetch(`${url}/v0/cypher`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, params: { id } }),
    });
    const text = await answer.text();
    const ms = performance.now() - asked;
    if (!answer.ok) throw new Error(`${query}: HTTP ${answer.status} ${text}`);
    const { requests, rounds, bytes, log } = proxy.take();
    if (options.log) console.error(log.join('\n'), text.slice(0, 300));
    return [readyMs, ms, requests, rounds, bytes / 1e6, residentOf(server)];
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  }
}

async function readyUrl(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stderr! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) {
      server.stderr!.resume();
      return url;
    }
  }
  throw new Error('the server ended before it was ready');
}

function residentOf({ pid }: ChildProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1e3;
}
