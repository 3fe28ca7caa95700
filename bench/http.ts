/**
 * Requests per second over HTTP, beside a bare Fastify echo in the same run: point reads, small writes, and nine reads
 * to one write, at 1, 32 and 256 connections. Server and echo are processes of their own; the client is this one, so
 * that on few cores it takes its share of both. Ratios to the echo say more than figures.
 *
 *   npm run bench:http [-- --seconds <n>]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Load, runLoad } from './http/load.ts';

const NODES = 100_000;
const CONNECTIONS = [1, 32, 256];

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const durationMs = Number(values.seconds) * 1_000;
const directory = mkdtempSync(join(tmpdir(), 'graphdb-bench-'));
const root = join(import.meta.dirname, '..');
const echo = spawn(process.execPath, [join(import.meta.dirname, 'http/echo.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
const server = spawn(join(root, 'bin/graphdb-server'), ['--listen', '127.0.0.1:0', '--store', `file://${directory}?ns=bench`], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, RUST_LOG: 'error' },
});

const read = (n: number): string => statement('MATCH (p:Person {id: $id}) RETURN p.name AS name', { id: (n * 7_919) % NODES });
const write = (n: number): string => statement('CREATE (:Event {n: $n, text: $text})', { n, text: 'a small write' });
const LOADS: readonly { name: string; body: Load['body'] }[] = [
  { name: 'point reads', body: read },
  { name: 'small writes', body: write },
  { name: '9 reads : 1 write', body: (n) => (n % 10 === 9 ? write(n) : read(n)) },
];

try {
  const [echoUrl, serverUrl] = await Promise.all([urlOf(echo), urlOf(server)]);
  await ask(serverUrl, 'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE');
  await ask(serverUrl, `UNWIND range(0, ${NODES - 1}) AS id CREATE (:Person {id: id, name: 'person ' + toString(id)})`);
  for (const url of [echoUrl, serverUrl]) await runLoad({ url, connections: 32, durationMs: 1_000, body: read });
  console.log('connections  load                per second   of echo   median ms    p99 ms  failures');
  for (const connections of CONNECTIONS) {
    const yardstick = await measure('echo', { url: echoUrl, connections, durationMs, body: read });
    for (const { name, body } of LOADS) await measure(name, { url: serverUrl, connections, durationMs, body }, yardstick);
  }
} finally {
  echo.kill();
  server.kill();
  await once(server, 'exit');
  rmSync(directory, { recursive: true, force: true });
}

async function measure(name: string, load: Load, yardstick?: number): Promise<number> {
  const { perSecond, medianMs, p99Ms, failures } = await runLoad(load);
  const share = `${Math.round((100 * perSecond) / (yardstick ?? perSecond))} %`;
  const cells = [
    String(Math.round(perSecond)).padStart(12),
    share.padStart(9),
    medianMs.toFixed(2).padStart(11),
    p99Ms.toFixed(2).padStart(9),
  ];
  console.log(`${String(load.connections).padStart(11)}  ${name.padEnd(18)}${cells.join(' ')} ${String(failures).padStart(9)}`);
  return perSecond;
}

function statement(query: string, params: Record<string, unknown>): string {
  return JSON.stringify({ query, params });
}

async function ask(url: string, query: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v0/cypher`, { method: 'POST', headers, body: statement(query, {}) });
  if (!answer.ok) throw new Error(await answer.text());
}

async function urlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  const [line] = await once(child.stdout, 'data');
  const url = /http:\S+/.exec(String(line))?.[0];
  if (url === undefined) throw new Error(`no address in ${String(line)}`);
  return url;
}
