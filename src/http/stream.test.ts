/** POST /v0/cypher/stream on a real engine: lines, failures before and after the header, back-pressure, clients that go away. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '../base/index.ts';
import { type Engine, openEngine } from '../engine/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import type { ResultValue } from '../value/index.ts';
import { encodeNdjson } from './ndjson.ts';
import { createHttpServer } from './server.ts';

const HEADERS = { 'content-type': 'application/json' };
let stores = 0;

interface Bench {
  readonly url: string;
  /** How many batches of rows the server has asked the engine for, and whether it has left them. */
  readonly taken: Taken;
}

interface Taken {
  batches: number;
  isLeft: boolean;
}

async function serve(context: TestContext, options: { stallLimitMs?: number } = {}): Promise<Bench> {
  const opened = await openEngine(`memory://stream-test-${++stores}`, { flushIntervalMs: 0 });
  const taken = { batches: 0, isLeft: false };
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000, ...options });
  context.after(async () => {
    await server.stop({ graceMs: 0 });
    await opened.close();
  });
  server.serve(oneNamespace(counting(opened, taken)));
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }), taken };
}

function counting(engine: Engine, taken: Taken): Engine {
  const stream: Engine['stream'] = async (...statement) => {
    const inner = await engine.stream(...statement);
    async function* batches() {
      try {
        for await (const batch of inner.batches) {
          taken.batches++;
          yield batch;
        }
      } finally {
        taken.isLeft = true;
      }
    }
    return { columns: inner.columns, batches: batches(), summary: () => inner.summary() };
  };
  return Object.assign(Object.create(engine) as Engine, { stream });
}

function ask(url: string, query: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v0/cypher/stream`, { method: 'POST', headers: HEADERS, body: JSON.stringify({ query }), signal: signal ?? null });
}

async function linesOf(answer: Response): Promise<Record<string, unknown>[]> {
  const text = await answer.text();
  assert.ok(text.endsWith('\n'), text);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a header, a line per row, a summary', async (context) => {
  const { url } = await serve(context);
  const answer = await ask(url, 'UNWIND [1, 2] AS b RETURN b, toString(b) AS a');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
  const lines = await linesOf(answer);
  const elapsed = lines.at(-1)?.['elapsed_ms'];
  assert.equal(typeof elapsed, 'number');
  assert.deepEqual(lines, [
    { type: 'header', columns: ['b', 'a'] },
    { type: 'row', row: { b: 1, a: '1' } },
    { type: 'row', row: { b: 2, a: '2' } },
    { type: 'summary', rows: 2, elapsed_ms: elapsed },
  ]);
});

test('a write tells its outcome', async (context) => {
  const { url } = await serve(context);
  const lines = await linesOf(await ask(url, 'CREATE (:A {p: 1})'));
  assert.deepEqual(lines[0], { type: 'header', columns: [] });
  assert.equal(lines.length, 2);
  assert.deepEqual(lines[1]?.['write_outcome'], {
    nodes_created: 1,
    edges_created: 0,
    nodes_deleted: 0,
    edges_deleted: 0,
    properties_set: 1,
  });
});

test('what fails before the header has a status, what fails after it is the last line', async (context) => {
  const { url } = await serve(context);
  const early = await ask(url, 'RETURN nothing');
  assert.equal(early.status, 400);
  assert.equal(((await early.json()) as { code: string }).code, 'SEMANTIC_ERROR');
  const late = await ask(url, 'UNWIND range(5000, 0, -1) AS x RETURN 1 / x AS y');
  assert.equal(late.status, 200);
  const lines = await linesOf(late);
  assert.equal(lines[0]?.['type'], 'header');
  assert.equal(lines.at(-1)?.['type'], 'error');
  assert.equal(lines.at(-1)?.['code'], 'ARITHMETIC_ERROR');
  assert.equal(typeof lines.at(-1)?.['error'], 'string');
});

test('a client that does not read stops the statement where it is, and others are served', async (context) => {
  const { url, taken } = await serve(context);
  const client = request(`${url}/v0/cypher/stream`, { method: 'POST', headers: HEADERS });
  client.end(JSON.stringify({ query: 'UNWIND range(1, 100000000) AS x RETURN x, toString(x) AS text' }));
  const [answer] = await once(client, 'response');
  answer.pause();
  let seen = -1;
  while (seen !== taken.batches) {
    seen = taken.batches;
    await sleep(50);
  }
  assert.ok(seen < 1_000, `${seen} batches were made for a client that takes none`);
  assert.equal((await linesOf(await ask(url, 'RETURN 1 AS x'))).length, 3);
  answer.on('error', () => {});
  client.destroy();
});

test('a client that takes nothing for too long is cut off', async (context) => {
  const { url, taken } = await serve(context, { stallLimitMs: 50 });
  const client = request(`${url}/v0/cypher/stream`, { method: 'POST', headers: HEADERS });
  client.end(JSON.stringify({ query: 'UNWIND range(1, 100000000) AS x RETURN x' }));
  const [answer] = await once(client, 'response');
  // A message whose end nobody listens for ends in silence.
  const failed = once(answer, 'error');
  answer.pause();
  while (!taken.isLeft) await sleep(10);
  answer.resume();
  const [error] = await failed;
  assert.equal(error.code, 'ECONNRESET');
});

test('a client that goes away stops its statement within 100 ms', async (context) => {
  const { url, taken } = await serve(context);
  const client = new AbortController();
  const answer = await ask(url, 'UNWIND range(1, 100000000) AS x RETURN x', client.signal);
  const reader = answer.body!.getReader();
  await reader.read();
  client.abort();
  await assert.rejects(reader.read(), { name: 'AbortError' });
  await sleep(100);
  const { batches } = taken;
  await sleep(50);
  assert.equal(taken.batches, batches);
});

test('a stop waits for a stream, and not for the connection that it leaves open', { timeout: 30_000 }, async (context) => {
  const engine = await openEngine(`memory://stream-test-${++stores}`, { flushIntervalMs: 0 });
  context.after(() => engine.close());
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000 });
  server.serve(oneNamespace(engine));
  const answer = await ask(await server.listen({ host: '127.0.0.1', port: 0 }), 'UNWIND range(1, 300000) AS x RETURN x');
  const stopped = server.stop({ graceMs: 600_000 });
  assert.equal((await linesOf(answer)).at(-1)?.['rows'], 300_000);
  await stopped;
});

test('a statement that is stopped while its client is behind ends with the reason', async (context) => {
  const { url } = await serve(context);
  const { id } = (await (await fetch(`${url}/v0/transactions`, { method: 'POST' })).json()) as { id: string };
  const place = `${url}/v0/transactions/${id}`;
  const body = JSON.stringify({ query: `UNWIND range(1, 1000000) AS x RETURN x, '${'x'.repeat(1_000)}' AS text` });
  const sent = request(`${place}/cypher/stream`, { method: 'POST', headers: HEADERS }).end(body);
  const [response] = await once(sent, 'response');
  await once(response, 'readable');
  await sleep(500); // The server has filled all buffers.
  assert.equal((await fetch(place, { method: 'DELETE' })).status, 200);
  let text = '';
  for await (const piece of response) text = (text + piece).slice(-10_000);
  const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  assert.deepEqual(last, { type: 'error', error: 'the transaction was rolled back', code: 'CANCELLED' });
});

test('what has its last line already is not ended by another one', async () => {
  const stream = { columns: ['x'], batches: batchesOf([1]), summary: () => ({ type: 'read' as const, rows: 1 }) };
  const lines = encodeNdjson(stream, { startMs: 0, form: 'plain', fail: (error) => ({ error }) });
  for (const type of ['header', 'row', 'summary']) assert.match(String((await lines.next()).value), new RegExp(`"type":"${type}"`));
  assert.equal((await lines.throw(new Error('stopped'))).done, true);
  const long = { ...stream, batches: batchesOf(['x'.repeat(1_000_000)]) };
  const parts = encodeNdjson(long, { startMs: 0, form: 'plain', fail: (error) => ({ error }) });
  for (let part = 0; part < 2; part++) await parts.next();
  await assert.rejects(parts.throw(new Error('stopped')), /stopped/, 'no line behind a part of one');
});

async function* batchesOf(row: ResultValue[]): AsyncGenerator<ResultValue[][], void, void> {
  yield [row];
}
