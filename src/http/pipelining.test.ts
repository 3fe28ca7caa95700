/** S4: clients that send many requests behind each other, and those that do not take what they asked for. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Logger, silentLogger } from '../base/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { createFakeEngine, type FakeEngine, type FakeEngineParts } from './engine.fixture.ts';
import { MAX_REQUESTS_IN_FLIGHT, REQUESTS_OF_PIECE } from './request-gate.ts';
import { createHttpServer, type HttpServerOptions } from './server.ts';

async function listen(context: TestContext, parts: FakeEngineParts, options: Partial<HttpServerOptions> = {}) {
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000, ...options });
  context.after(() => server.stop({ graceMs: 0 }));
  const engine: FakeEngine = createFakeEngine(parts);
  server.serve(oneNamespace(engine));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const open = (): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    context.after(() => socket.destroy());
    return socket.on('error', () => socket.destroy());
  };
  return { engine, url, open };
}

function statement(query: string): string {
  const body = JSON.stringify({ query });
  return `POST /v0/cypher HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Resolves with all that has come once it holds so many matches. */
async function received(socket: Socket, pattern: RegExp, count: number): Promise<string> {
  let text = '';
  for await (const bytes of socket) {
    text += String(bytes);
    if ((text.match(pattern)?.length ?? 0) >= count) return text;
  }
  throw new Error(`the connection ended after ${text.length} characters`);
}

/** Resolves when the connection is closed, with a reset or without. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

test('of requests behind each other few are at work, and all are answered in their order', async (context) => {
  const COUNT = 500;
  const release = Promise.withResolvers<void>();
  const { engine, url, open } = await listen(context, {
    execute: async ({ query }) => {
      await release.promise;
      return { columns: [query], rows: [] };
    },
  });
  const socket = open();
  socket.write(Array.from({ length: COUNT }, (_, i) => statement(`q${i}`)).join(''));
  // Another connection has its turn after what has come on this one was looked at.
  while (engine.asked.length < MAX_REQUESTS_IN_FLIGHT) assert.equal((await fetch(`${url}/v0/health`)).status, 200);
  for (let i = 0; i < 5; i++) await fetch(`${url}/v0/health`);
  assert.ok(engine.asked.length <= MAX_REQUESTS_IN_FLIGHT + REQUESTS_OF_PIECE, `${engine.asked.length} at work`);
  release.resolve();
  const text = await received(socket, /"columns":\["q\d+"\]/g, COUNT);
  assert.deepEqual(
    [...text.matchAll(/"columns":\["q(\d+)"\]/g)].map(([, number]) => Number(number)),
    Array.from({ length: COUNT }, (_, i) => i),
  );
});

test('for a client that does not read soon nothing more is done, and others are served; all comes once it reads', async (context) => {
  const COUNT = 3_000;
  const BYTES = 20_000;
  let done = 0;
  const debug = (fields: unknown): void => {
    if ((fields as { path?: string }).path === '/v0/metrics') done++;
  };
  const logger: Logger = { ...silentLogger, debug, logsDebug: true, module: () => logger };
  const { url, open } = await listen(
    context,
    {},
    { logger, metrics: { text: async () => `${'m'.repeat(BYTES - 1)}\n`, namespacesText: async () => '', namespaceText: async () => '' } },
  );
  const socket = open().pause();
  socket.write('GET /v0/metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(COUNT));
  for (let seen = -1; seen !== done || done === 0; ) {
    seen = done;
    for (let i = 0; i < 20; i++) assert.equal((await fetch(`${url}/v0/health`)).status, 200);
  }
  assert.ok(done < COUNT, `all ${done} were answered into memory`);
  let bytes = 0;
  for await (const piece of socket) if ((bytes += (piece as Buffer).length) > COUNT * BYTES) break;
});

test('however many requests come at once, one turn of the event loop answers few of one connection', async (context) => {
  const COUNT = 3_000;
  const CONNECTIONS = 4;
  let refused = 0;
  const { open } = await listen(context, {}, { identify: () => undefined, onRefused: () => refused++ });
  const sockets = Array.from({ length: CONNECTIONS }, open);
  for (const socket of sockets) socket.write(statement('q').repeat(COUNT));
  let most = 0;
  const reading = Promise.all(sockets.map((socket) => received(socket, /HTTP\/1\.1 401/g, COUNT)));
  for (let before = 0; refused < COUNT * CONNECTIONS; before = refused) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, refused - before);
  }
  await reading;
  assert.ok(most <= MAX_REQUESTS_IN_FLIGHT + REQUESTS_OF_PIECE, `${most} in one turn`);
});

test('a client that takes nothing of a plain answer is cut off; one that waits for a long statement is not', async (context) => {
  const release = Promise.withResolvers<void>();
  const execute = async () => {
    await release.promise;
    return { columns: ['a'], rows: [['b']] };
  };
  const { engine, open } = await listen(
    context,
    { execute },
    {
      stallLimitMs: 100,
      metrics: { text: async () => 'm'.repeat(4_000_000), namespacesText: async () => '', namespaceText: async () => '' },
    },
  );
  const waiting = open();
  waiting.write(statement('q'));
  const stalled = open().pause();
  stalled.write('GET /v0/metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(4));
  // Whoever sends a little now and then does not take anything by that.
  const probe = setInterval(() => stalled.write('GET'), 20);
  await closed(stalled);
  clearInterval(probe);
  assert.equal(engine.asked.length, 1);
  release.resolve();
  await received(waiting, /"rows":\[\{"a":"b"\}\]/g, 1);
});

test('a connection on which nothing is asked is ended', async (context) => {
  const { open } = await listen(context, {}, { stallLimitMs: 50 });
  const socket = open();
  socket.resume();
  await closed(socket);
});

test('a connection is kept behind an answer, for as long as its head says, and is ended by the server then', async (context) => {
  const { open } = await listen(context, {}, { stallLimitMs: 850 });
  const socket = open();
  let text = '';
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  const ended = once(socket, 'end');
  socket.write('GET /v0/version HTTP/1.1\r\nhost: x\r\n\r\n');
  socket.write(statement('q'));
  await ended;
  assert.equal(text.match(/HTTP\/1\.1 200 OK\r\n[^{]*Keep-Alive: timeout=1\r\n/gi)?.length, 2);
});

test('requests are told apart however they are cut, and a body may look like the end of headers', async (context) => {
  const { engine, open } = await listen(context, { execute: ({ query }) => ({ columns: [String(query.length)], rows: [] }) });
  const odd = `${'\\r\\n\\r\\n'.repeat(3)}`;
  const blank = `{"query":"q",${'\r\n\r\n'.repeat(400)} "params":null}`;
  const spaced = `POST /v0/cypher HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${blank.length}\r\n\r\n${blank}`;
  const bytes = [statement('a'), spaced, statement('bb'), `GET /v0/version HTTP/1.1\r\nhost: x\r\n\r\n`, statement(odd), spaced].join('');
  for (const size of [1, 7, 255, 1_000, bytes.length]) {
    const socket = open();
    socket.setNoDelay(true);
    const asked = engine.asked.length;
    const answers = received(socket, /HTTP\/1\.1 200/g, 6);
    for (let at = 0; at < bytes.length; at += size) {
      socket.write(bytes.slice(at, at + size));
      if (size < 10 && at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await answers;
    assert.deepEqual(
      engine.asked.slice(asked).map(({ query }) => query.length),
      [1, 1, 2, odd.length, 1],
      `pieces of ${size}`,
    );
    socket.destroy();
  }
});

test('after CONNECT nothing is parsed', async (context) => {
  const { engine, open } = await listen(context, {});
  const socket = open();
  socket.write(`CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n${statement('q').repeat(20)}`);
  assert.match(await received(socket, /METHOD_NOT_ALLOWED/g, 1), /^HTTP\/1\.1 405/);
  assert.equal(engine.asked.length, 0);
});
