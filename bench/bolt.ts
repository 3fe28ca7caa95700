/**
 * Bolt beside HTTP, against one server in the same run: small statements per second, and records per second of a large result, with the
 * server's memory while it is sent. Server and clients share the machine, so ratios say more than figures; medians of the rounds.
 *
 *   npm run bench:bolt [-- --seconds <n>] [--records <n>]
 *
 * The official driver decodes every value into objects of its own; the raw client reads the bytes only. So the one says
 * what a user gets, the other what the server gives.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import neo4j from 'neo4j-driver';
import { RawClient } from '../src/bolt/raw-client.fixture.ts';
import { launchServer } from '../test/server/launched-server.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '2' }, records: { type: 'string', default: '1000000' } } });
const limitMs = Number(values.seconds) * 1_000;
const records = Number(values.records);
const ROUNDS = 3;
const LANES = 16;
const STREAM = 'UNWIND range(1, $n) AS x RETURN x, x * 0.5 AS half, toString(x) AS text';
const SMALL = 'MATCH (p:Person {id: $id}) RETURN p.name AS name';

const server = await launchServer(['--store', 'memory://bench-bolt', '--bolt-listen', '127.0.0.1:0'], { env: { RUST_LOG: 'error' } });
const boltUrl = (await server.boltUrl)!;
const driver = neo4j.driver(boltUrl, neo4j.auth.basic('neo4j', ''), { fetchSize: 1_000 });
try {
  await driver.executeQuery('CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE');
  await driver.executeQuery("UNWIND range(0, 9999) AS id CREATE (:Person {id: id, name: 'person ' + toString(id)})");
  await compare(`small statements per second, ${LANES} at once`, {
    'HTTP, fetch': () => perSecond((id) => askHttp(SMALL, { id })),
    'Bolt, official driver': smallOverDriver,
    'Bolt, raw client': smallOverRaw,
  });
  await compare(`records per second, ${records} records of three values`, {
    'HTTP, NDJSON as bytes': streamHttp,
    'Bolt, official driver': streamDriver,
    'Bolt, raw client as bytes': streamRaw,
  });
  console.log(`memory of the server at most, all of the above: ${peakMebibytes()} MiB`);
} finally {
  await driver.close();
  await server.end('SIGTERM');
}

async function compare(title: string, ways: Readonly<Record<string, () => Promise<number>>>): Promise<void> {
  const found = new Map(Object.keys(ways).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, run] of Object.entries(ways)) {
      const figure = await run();
      if (round > 0) found.get(name)!.push(figure); // The first round warms up.
    }
  }
  console.log(title);
  const medians = [...found].map(([name, figures]): [string, number] => [name, figures.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!]);
  const yardstick = medians[0]![1];
  for (const [name, median] of medians) {
    console.log(`  ${name.padEnd(28)} ${String(Math.round(median)).padStart(10)}  ${(median / yardstick).toFixed(2)} × ${medians[0]![0]}`);
  }
}

async function perSecond(ask: (n: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - start < limitMs) await ask((count++ * 7_919) % 10_000);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return (count * 1_000) / (performance.now() - start);
}

async function askHttp(query: string, params: Record<string, unknown>): Promise<void> {
  await (await request('/v0/cypher', query, params)).arrayBuffer();
}

function request(path: string, query: string, params: Record<string, unknown>): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ query, params }) });
}

async function smallOverDriver(): Promise<number> {
  const sessions = Array.from({ length: LANES }, () => driver.session());
  const result = await perSecond(async (id) => {
    const session = sessions.pop()!;
    await session.run(SMALL, { id: neo4j.int(id) });
    sessions.push(session);
  });
  await Promise.all(sessions.map((session) => session.close()));
  return result;
}

async function smallOverRaw(): Promise<number> {
  const clients = await Promise.all(Array.from({ length: LANES }, () => RawClient.ready(boltUrl)));
  const result = await perSecond(async (id) => {
    const client = clients.pop()!;
    await client.run(SMALL, { id });
    client.received.length = 0;
    clients.push(client);
  });
  for (const client of clients) client.socket.destroy();
  return result;
}

async function streamHttp(): Promise<number> {
  const start = performance.now();
  const { body } = await request('/v0/cypher/stream', STREAM, { n: records });
  let bytes = 0;
  for await (const chunk of body!) bytes += chunk.length;
  if (bytes < records) throw new Error('too little came back');
  return (records * 1_000) / (performance.now() - start);
}

async function streamDriver(): Promise<number> {
  const start = performance.now();
  const session = driver.session();
  let count = 0;
  for await (const record of session.run(STREAM, { n: neo4j.int(records) })) count += record.length / 3;
  await session.close();
  if (count !== records) throw new Error(`${count} records came back`);
  return (records * 1_000) / (performance.now() - start);
}

/** Looks for the end of the stream in the bytes only. */
async function streamRaw(): Promise<number> {
  const client = await RawClient.ready(boltUrl);
  client.socket.removeAllListeners('data');
  let bytes = 0;
  let tail = '';
  const ended = new Promise<void>((resolve) => {
    client.socket.on('data', (data) => {
      bytes += data.length;
      tail = (tail + data.subarray(-200).toString('latin1')).slice(-200);
      if (tail.includes('bookmark')) resolve();
    });
  });
  const start = performance.now();
  client.send('run', STREAM, { n: records }, {});
  client.send('pull', { n: -1 });
  await ended;
  const elapsedMs = performance.now() - start;
  client.socket.destroy();
  if (bytes < records) throw new Error('too little came back');
  return (records * 1_000) / elapsedMs;
}

function peakMebibytes(): number {
  const status = readFileSync(join('/proc', String(server.child.pid), 'status'), 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
