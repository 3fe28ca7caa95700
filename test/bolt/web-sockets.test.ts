/**
 * Bolt over WebSockets: the driver's build for browsers, frames cut anywhere, pages that may not connect, and requests
 * that are no upgrade.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { createWebSocketStream, WebSocket } from 'ws';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { startBolt } from './bolt-bench.ts';

const webUrl = (url: string): string => url.replace(/^bolt:/, 'ws:');

async function opened(url: string, origin?: string): Promise<WebSocket> {
  const socket = new WebSocket(webUrl(url), origin === undefined ? {} : { origin });
  await once(socket, 'open');
  return socket;
}

/** Answers the status with which an upgrade was refused. */
async function refusal(url: string, origin: string): Promise<number> {
  const socket = new WebSocket(webUrl(url), { origin });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number; destroy(): void }];
  response.destroy();
  return response.statusCode;
}

test('the driver as it is built for browsers', async (context) => {
  const { url } = await startBolt(context);
  // @ts-expect-error the build for browsers has no types of its own
  const { default: neo4j } = (await import('neo4j-driver/lib/browser/neo4j-web.esm.js')) as { default: typeof import('neo4j-driver') };
  const driver = neo4j.driver(url, neo4j.auth.basic('neo4j', ''));
  context.after(() => driver.close());
  await driver.executeQuery("UNWIND range(1, 20000) AS i CREATE (:N {i: i, s: 'text ' + i})");
  const { records } = await driver.executeQuery('MATCH (n:N) RETURN n.i AS i, n.s AS s ORDER BY i');
  assert.equal(records.length, 20_000);
  assert.equal(records[19_999]?.get('s'), 'text 20000');
  const session = driver.session();
  const long = 'x'.repeat(1_000_000);
  const length = await session.executeWrite(async (tx) =>
    (await tx.run('RETURN size($long) AS n', { long })).records[0]?.get('n').toNumber(),
  );
  assert.equal(length, 1_000_000);
  await assert.rejects(session.run('RETURN 1 +'), { code: 'Neo.ClientError.Statement.SyntaxError' });
  await session.close();
});

test('messages may be cut anywhere, in frames of a byte', async (context) => {
  const { url } = await startBolt(context);
  const socket = await opened(url);
  const stream = createWebSocketStream(socket);
  const cut = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _, written) => {
      for (const byte of bytes) socket.send(Buffer.from([byte]));
      written();
    },
  });
  stream.on('data', (bytes) => cut.push(bytes));
  const client = new RawClient(cut);
  await client.welcome();
  assert.deepEqual((await client.run('UNWIND [1, 2] AS x RETURN x, $text', { text: 'ä' })).records, [
    [1, 'ä'],
    [2, 'ä'],
  ]);
  socket.terminate();
});

test('without a token pages of this machine may connect, others that are named', async (context) => {
  const { url } = await startBolt(context);
  for (const origin of ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:8080']) (await opened(url, origin)).terminate();
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example'])
    assert.equal(await refusal(url, origin), 403, origin);
  const named = await startBolt(context, { origins: ['https://browser.example'] });
  (await opened(named.url, 'https://browser.example')).terminate();
  assert.equal(await refusal(named.url, 'http://localhost'), 403);
  const all = await startBolt(context, { origins: ['*'] });
  (await opened(all.url, 'https://evil.example')).terminate();
});

/** Sends text to the port, and answers all that comes back until the server ends the connection. */
async function answerTo(url: string, ...texts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
  });
  for (const text of texts) await new Promise((sent) => socket.write(text, sent));
  await once(socket, 'close');
  return answer;
}

test('requests that are no upgrade are told so, and those that never end are cut off', async (context) => {
  const { url } = await startBolt(context, { limits: { authenticationMs: 200 } });
  assert.match(await answerTo(url, 'GE', 'T / HTTP/1.1\r\nhost: x\r\n\r\n'), /^HTTP\/1.1 426 Upgrade Required[\s\S]*This port speaks Bolt/);
  assert.equal(await answerTo(url, 'POST / HTTP/1.1\r\n\r\n'), '');
  assert.equal(await answerTo(url, 'GET / HTTP/1.1\r\nhost: '), '');
  assert.equal(await answerTo(url, 'GE'), '');
  const silent = await opened(url);
  await once(silent, 'close');
  const large = await opened((await startBolt(context)).url);
  large.on('error', () => undefined);
  large.send(Buffer.alloc(300 * 1_024));
  await once(large, 'close');
});

test('of requests that come together only the first is answered; one may come in pieces with frames behind it', async (context) => {
  const { url } = await startBolt(context);
  const at = { host: '127.0.0.1', port: Number(new URL(url).port) };
  const many = connect(at);
  let answer = '';
  many.on('data', (bytes) => {
    answer += bytes.toString('latin1');
  });
  many.on('error', () => undefined);
  many.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3_000));
  await new Promise((closed) => many.on('close', closed));
  // The rest was not read, so the answer may be lost with the connection.
  assert.ok((answer.match(/HTTP\/1\.1 /g)?.length ?? 0) <= 1, answer);
  // Binary, not masked by anything: the handshake of Bolt 5.4.
  const handshake = Buffer.from(`829400000000${'6060b01700000405000000000000000000000000'}`, 'hex');
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  const upgrade =
    `GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: ` +
    `13\r\nsec-websocket-key: ${key}\r\n\r\n`;
  const cut = connect(at);
  const received: Buffer[] = [];
  cut.on('data', (bytes) => received.push(bytes));
  const whole = Buffer.concat([Buffer.from(upgrade), handshake]);
  for (const [from, to] of [[0, 30], [30, upgrade.length - 2], [upgrade.length - 2, whole.length]] as const) // biome-ignore format: one line
    await new Promise((written) => cut.write(whole.subarray(from, to), written));
  while (
    !Buffer.concat(received)
      .subarray(-4)
      .equals(Buffer.from([0, 0, 4, 5]))
  )
    await once(cut, 'data');
  cut.destroy();
});
