/**
 * Ten million rows through `/v0/cypher/stream` and `/v0/cypher/arrow`: rows per second and the memory of the server;
 * the same beside a client that has stopped to read; and how soon the statement of a client that went away has ended.
 *
 *   npm run bench:streams [-- --rows <n>]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ServerProcess } from '../test/support/server-process.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000000' } } });
const rows = Number(values.rows);
const query = `UNWIND range(1, ${rows}) AS x RETURN x, 'row ' + toString(x) AS text`;

await using server = await ServerProcess.start({ store: 'memory://streams' });
for (const path of ['/v0/cypher/stream', '/v0/cypher/arrow']) console.log(`${path}: ${await whole(path)}`);
const slow = await ask('/v0/cypher/stream');
await sleep(1_000);
console.log(`/v0/cypher/stream beside a client that takes nothing: ${await whole('/v0/cypher/stream')}`);
await slow.body?.cancel();
for (const path of ['/v0/cypher/stream', '/v0/cypher/arrow'])
  console.log(`${path}, left: the statement ended after ${await ended(path)} ms`);

async function whole(path: string): Promise<string> {
  const before = await metric('graphdb_process_resident_memory_bytes');
  const start = performance.now();
  let [most, bytes, isRead] = [0, 0, false];
  const watch = async (): Promise<void> => {
    for (; !isRead; await sleep(200)) most = Math.max(most, await metric('graphdb_process_resident_memory_bytes'));
  };
  const read = async (): Promise<void> => {
    for await (const piece of (await ask(path)).body ?? []) bytes += piece.length;
    isRead = true;
  };
  await Promise.all([read(), watch()]);
  const seconds = (performance.now() - start) / 1_000;
  const memory = `${megabytes(before)} MiB before, ${megabytes(most)} MiB at most`;
  return (
    `${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en')} rows per second, ${megabytes(bytes)} MiB; ` +
    `memory ${memory}`
  );
}

/** Milliseconds from the client's going away; up to 5 of them are the asking. */
async function ended(path: string): Promise<number> {
  const client = new AbortController();
  const answer = await ask(path, client.signal);
  await answer.body?.getReader().read();
  client.abort();
  const start = performance.now();
  while ((await metric('graphdb_queries_in_flight{protocol="http"}')) > 0) await sleep(1);
  return Math.round(performance.now() - start);
}

function ask(path: string, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(server.address + path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.address}/v0/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1),
  );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
