/**
 * How soon GET /v0/health is answered while statements work hard on two threads of reads: walks, products, texts, sorts
 * and lists that end by their limit or by memory, and one that never looks at any limit. 20 requests a second; median,
 * p99 and the longest.
 *
 *   npm run bench:health [-- --seconds <n> --read-workers <n>]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const STATEMENTS: readonly string[] = [
  'MATCH (a:P), (b:P), (c:P), (d:P) RETURN count(a.i + b.i + c.i + d.i) AS c',
  'MATCH (a:P {i: 1})-[:K*]->(b) RETURN count(*) AS c',
  'UNWIND range(1, 100000000) AS i WITH collect(toString(i)) AS all RETURN size(all) AS c',
  'UNWIND range(1, 10000000) AS i RETURN i ORDER BY i % 1000, i DESC LIMIT 3',
  'RETURN size(split(reduce(s = "a", i IN range(1, 20) | s + s), "a")) AS c',
  'MATCH (t:Text) RETURN toUpper(t.text) AS text',
];
const PROBES_PER_SECOND = 20;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' }, 'read-workers': { type: 'string', default: '2' } } });
const root = join(import.meta.dirname, '..');
const limits = ['--query-timeout', '1s', '--query-memory', '128MiB', '--read-workers', values['read-workers']];
const server = spawn(join(root, 'bin/graphdb-server'), ['--listen', '127.0.0.1:0', '--store', 'memory://health', ...limits], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, RUST_LOG: 'error', NODE_OPTIONS: `--import=${join(root, 'test/isolation/planted-loops.ts')}` },
});

try {
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = /listening on (\S+)/.exec(line)![1]!;
  await ask(url, 'UNWIND range(1, 300) AS i CREATE (:P {i: i})');
  await ask(url, 'MATCH (a:P), (b:P) WHERE a.i < b.i AND b.i < a.i + 12 CREATE (a)-[:K]->(b)');
  await ask(url, 'CREATE (:Text {text: "endless loop"})');
  let goesOn = true;
  const clients = STATEMENTS.map(async (statement) => {
    while (goesOn) await ask(url, statement);
  });
  const times: number[] = [];
  for (let probe = 0; probe < Number(values.seconds) * PROBES_PER_SECOND; probe++) {
    const start = performance.now();
    await (await fetch(`${url}/v0/health`)).arrayBuffer();
    times.push(performance.now() - start);
    await sleep(1_000 / PROBES_PER_SECOND);
  }
  goesOn = false;
  await Promise.all(clients);
  times.sort((a, b) => a - b);
  const at = (share: number): string => `${times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1)} ms`;
  console.log(`health, ${times.length} requests: median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
} finally {
  server.kill('SIGKILL');
}

async function ask(url: string, query: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await (await fetch(`${url}/v0/cypher`, { method: 'POST', headers, body: JSON.stringify({ query }) })).arrayBuffer();
}
