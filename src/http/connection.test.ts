/** Tests that need real connections: clients that go away, bytes that are no request, stopping with requests under way. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphDBError, type Logger, silentLogger } from '../base/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { type AskedStatement, createFakeEngine, type FakeResult } from './engine.fixture.ts';
import { createHttpServer, type HttpServer } from './server.ts';

interface Bench {
  readonly server: HttpServer;
  readonly url: string;
  /** The statement that runs until its signal is aborted. */
  readonly hanging: Promise<AskedStatement>;
}

const RESULT: FakeResult = { columns: ['a'], rows: [[1]] };

async function listen(context: TestContext): Promise<Bench> {
  const { promise: hanging, resolve } = Promise.withResolvers<AskedStatement>();
  const engine = createFakeEngine({
    execute: async (statement) => {
      if (statement.query !== 'hang') return RESULT;
      resolve(statement);
      const signal = statement.options?.signal;
      assert(signal !== undefined);
      await once(signal, 'abort');
      throw new GraphDBError('CANCELLED', 'the statement was cancelled');
    },
  });
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000 });
  context.after(() => server.stop({ graceMs: 0 }));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  server.serve(oneNamespace(engine));
  return { server, url, hanging };
}

function ask(url: string, query: string, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${url}/v0/cypher`, { method: 'POST', headers, body: JSON.stringify({ query }), signal: signal ?? null });
}

test('listening on port 0 tells the port, and a taken port is refused', async (context) => {
  const { url } = await listen(context);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal((await ask(url, 'quick')).status, 200);
  const second = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000 });
  await assert.rejects(second.listen({ host: '127.0.0.1', port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
  await second.stop({ graceMs: 0 });
});

test('a client that goes away cancels its statement, and only its own', async (context) => {
  const { url, hanging } = await listen(context);
  const client = new AbortController();
  const answer = ask(url, 'hang', client.signal);
  const signal = (await hanging).options?.signal;
  assert(signal !== undefined && !signal.aborted);
  const aborted = once(signal, 'abort');
  client.abort();
  await assert.rejects(answer, { name: 'AbortError' });
  await aborted;
  assert.equal((await ask(url, 'quick')).status, 200);
});

test('a client that goes away in the middle of a body is no fault of the server', async (context) => {
  const logged: unknown[] = [];
  const note = (...line: unknown[]): void => void logged.push(line);
  const logger: Logger = { ...silentLogger, warn: note, error: note, module: () => logger };
  const server = await createHttpServer({ version: '0.3.0', logger, maxRequestBytes: 1_000_000 });
  context.after(() => server.stop({ graceMs: 0 }));
  server.serve(oneNamespace(createFakeEngine()));
  const socket = connect(Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port), '127.0.0.1');
  socket.write('POST /v0/cypher HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"query":');
  await sleep(100);
  socket.destroy();
  await sleep(200);
  assert.deepEqual(logged, []);
});

test('stopping refuses new requests and stops what runs when the grace is over', async (context) => {
  const { server, url, hanging } = await listen(context);
  const running = ask(url, 'hang');
  await hanging;
  const stopped = server.stop({ graceMs: 50 });
  const answer = await running;
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(((await answer.json()) as { code: string }).code, 'SHUTTING_DOWN');
  await stopped;
  await assert.rejects(ask(url, 'quick'));
});

test('stopping lets what runs finish', async (context) => {
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000 });
  context.after(() => server.stop({ graceMs: 0 }));
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  server.serve(
    oneNamespace(
      createFakeEngine({
        execute: async () => {
          begun.resolve();
          await release.promise;
          return RESULT;
        },
      }),
    ),
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const running = ask(url, 'slow');
  await begun.promise;
  const stopped = server.stop({ graceMs: 60_000 });
  release.resolve();
  assert.equal((await running).status, 200);
  await stopped;
});

test('a request that arrives whole only after the stop has begun is answered 503', async (context) => {
  const { server, url, hanging } = await listen(context);
  const running = ask(url, 'hang');
  await hanging;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const received = text(socket);
  const body = '{"query":"quick"}';
  const head =
    `POST /v0/cypher HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ` +
    `${body.length}\r\nexpect: 100-continue\r\n\r\n`;
  socket.write(head);
  await once(socket, 'readable'); // 100 Continue: the request is under way
  const stopped = server.stop({ graceMs: 100 });
  socket.write(body);
  const answer = await received;
  assert.match(answer, /HTTP\/1\.1 503 /);
  assert.match(answer, /connection: close/i);
  assert.match(answer, /"code":"SHUTTING_DOWN"/);
  assert.equal((await running).status, 503);
  await stopped;
});

test('bytes that are no request get the usual error shape', async (context) => {
  const { url } = await listen(context);
  const oversized = `GET /v0/health HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`;
  for (const bytes of ['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', oversized]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(bytes);
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    assert.match(head ?? '', /^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/json/);
    assert.equal(JSON.parse(body ?? '').code, 'BAD_REQUEST');
  }
});

test('a method that HTTP knows and this server does not is 405', async (context) => {
  const { url } = await listen(context);
  const answer = await fetch(`${url}/v0/cypher`, { method: 'PROPFIND' });
  assert.equal(answer.status, 405);
  assert.equal(((await answer.json()) as { code: string }).code, 'METHOD_NOT_ALLOWED');
});
