/**
 * LOAD CSV over https and from object stores: what is named is read, in reads, writes and threads; whatever else a
 * statement asks for is refused, and nothing is sent there.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPublicAddress } from '../src/exec/csv/remote/csv-hosts.ts';
import { type LaunchedServer, launchServer } from './server/launched-server.ts';

const CERT = join(import.meta.dirname, 'server/localhost.cert.pem');
const tls = { cert: readFileSync(CERT), key: readFileSync(join(import.meta.dirname, 'server/localhost.key.pem')) };

async function listening(context: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function launched(context: TestContext, args: readonly string[], env: Record<string, string> = {}): Promise<LaunchedServer> {
  const server = await launchServer(['--store', 'memory://load-csv-remote', ...args], { env: { NODE_EXTRA_CA_CERTS: CERT, ...env } });
  context.after(() => server.child.kill('SIGKILL'));
  return server;
}

const LOAD = 'LOAD CSV WITH HEADERS FROM $url AS row RETURN row.name AS name, toInteger(row.age) AS age';

async function refusal(server: LaunchedServer, url: string): Promise<string> {
  const { status, body } = await server.cypher(LOAD, { url });
  assert.equal(status, 400, `${url}: ${JSON.stringify(body)}`);
  assert.equal(body.code, 'ARGUMENT_ERROR', url);
  return body.error!;
}

test('https: rows of named hosts, with redirects on the same host; all others are refused unasked', async (context) => {
  const asked: string[] = [];
  const slow = new EventEmitter();
  const many = `name,age\n${Array.from({ length: 30_000 }, (_, i) => `n${i},${i}`).join('\n')}\n`;
  const listener: RequestListener = async ({ url, headers }, response) => {
    asked.push(String(url));
    assert.deepEqual([headers.authorization, headers.cookie], [undefined, undefined]);
    if (url === '/people.csv') response.end('name,age\nAnn,30\nBob,40\n');
    else if (url === '/many.csv') response.end(many);
    else if (url === '/moved') response.writeHead(302, { location: '/people.csv' }).end();
    else if (url === '/away') response.writeHead(302, { location: 'https://127.0.0.1:1/people.csv' }).end();
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (url === '/huge') response.writeHead(200, { 'content-length': String(2 ** 31) }).end();
    else if (url === '/broken') {
      response.writeHead(200, { 'content-length': '1000' }).write('name,age\nAnn,30\n');
      await sleep(50);
      response.destroy();
    } else if (url === '/slow') {
      response.write('name,age\nAnn,30\n');
      slow.emit('asked', response);
    } else response.writeHead(404).end();
  };
  const port = await listening(context, createServer(tls, listener));
  const other = await listening(context, createServer(tls, listener));
  const plain = await listening(context, createHttpServer(listener));
  const hosts = `localhost:${port},127.0.0.1:${port},127.0.0.1,::1`;
  const server = await launched(context, ['--load-csv-hosts', hosts, '--read-workers', '1']);
  const base = `https://localhost:${port}`;
  const people = [
    { name: 'Ann', age: 30 },
    { name: 'Bob', age: 40 },
  ];
  for (const url of [`${base}/people.csv`, `${base}/moved`, `https://127.0.0.1:${port}/people.csv`])
    assert.deepEqual((await server.cypher(LOAD, { url })).body.rows, people, url);
  const written = await server.cypher('LOAD CSV WITH HEADERS FROM $url AS row CREATE (p:Person) SET p = row RETURN count(*) AS n', {
    url: `${base}/many.csv`,
  });
  assert.deepEqual(written.body.rows, [{ n: 30_000 }]);
  const batches = 'LOAD CSV WITH HEADERS FROM $url AS row CALL (row) { CREATE (:Batch {name: row.name}) } IN TRANSACTIONS OF 1000 ROWS';
  assert.equal((await server.cypher(batches, { url: `${base}/many.csv` })).body.write_outcome?.['nodes_created'], 30_000);
  const twice = 'LOAD CSV FROM $url AS a LOAD CSV FROM $url AS b RETURN count(*) AS n';
  assert.deepEqual((await server.cypher(twice, { url: `${base}/people.csv` })).body.rows, [{ n: 9 }]);

  assert.match(await refusal(server, `${base}/none.csv`), /answers 404/);
  assert.match(await refusal(server, `${base}/away`), /another host/);
  assert.match(await refusal(server, `${base}/loop`), /more than 5 times/);
  assert.match(await refusal(server, `${base}/huge`), /1024 MiB/);
  assert.match(await refusal(server, `${base}/broken`), /broken off/);
  const left = new AbortController();
  const body = JSON.stringify({ query: LOAD, params: { url: `${base}/slow` } });
  const asking = fetch(`${server.url}/v0/cypher`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: left.signal,
  });
  const [answer] = (await once(slow, 'asked')) as [ServerResponse];
  left.abort();
  await assert.rejects(asking);
  if (!answer.closed) await once(answer, 'close');

  asked.length = 0;
  for (const url of [
    `https://localhost:${other}/people.csv`,
    `http://localhost:${plain}/people.csv`,
    `https://user:secret@localhost:${port}/people.csv`,
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]:8443/x',
    'https://example.com/people.csv',
    `https://localhost.:${port}/people.csv`,
    `https://xlocalhost:${port}/people.csv`,
    'https://',
    'ftp://localhost/people.csv',
    'file:///etc/passwd',
    's3://bucket/people.csv',
  ])
    assert.ok(!(await refusal(server, url)).includes('secret'), url);
  assert.deepEqual(asked, []);
});

test('https: an address that is not public is refused unless it is named itself', async (context) => {
  let requests = 0;
  const port = await listening(
    context,
    createServer(tls, (_request, response) => {
      requests++;
      response.end('name,age\n');
    }),
  );
  const server = await launched(context, ['--load-csv-hosts', `localhost:${port}`]);
  assert.match(await refusal(server, `https://localhost:${port}/people.csv`), /not public/);
  assert.equal(requests, 0);
  const kinds = [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
  ];
  const more = ['fe80::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::1', '2002:a00:1::', '2001:db8::1', 'x'];
  for (const address of [...kinds, ...more]) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '193.0.6.139', '2a00:1450:4001::1', '2606:4700::1'])
    assert.equal(isPublicAddress(address), true, address);
});

test('object stores: objects below named places, with the settings that the server has for them', async (context) => {
  const objects = new Map([['lake/in/deep/people.csv', Buffer.from('name,age\nAnn,30\n')]]);
  const asked: string[] = [];
  const s3 = createHttpServer((request: IncomingMessage, response) => {
    const key = new URL(request.url!, 'http://x').pathname.slice(1);
    asked.push(`${request.method} ${key}`);
    const object = objects.get(key);
    if (object === undefined) return void response.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const body = from === undefined ? object : object.subarray(Number(from), Number(to) + 1);
    const headers: Record<string, string> = { 'content-length': String(body.length), etag: '"1"' };
    if (from !== undefined) headers['content-range'] = `bytes ${from}-${Number(from) + body.length - 1}/${object.length}`;
    response.writeHead(from === undefined ? 200 : 206, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  const port = await listening(context, s3);
  const place = `s3://lake/in?region=auto&endpoint=http://127.0.0.1:${port}&allow_http=true`;
  const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
  const server = await launched(context, ['--load-csv-stores', place], credentials);
  const { status, body } = await server.cypher(LOAD, { url: 's3://lake/in/deep/people.csv' });
  assert.deepEqual([status, body.rows], [200, [{ name: 'Ann', age: 30 }]], JSON.stringify(body));
  assert.match(await refusal(server, 's3://lake/in/none.csv'), /no such object/);
  asked.length = 0;
  for (const url of [
    's3://lake/out/people.csv',
    's3://lake/in/../out/people.csv',
    's3://lake/in/%2e%2e/out/people.csv',
    's3://lake/inside/people.csv',
    's3://other/in/people.csv',
    's3://lake/in/',
    's3://lake/in/deep/people.csv?endpoint=http://127.0.0.1:1',
    's3://lake/in/deep/people.csv?region=eu',
    'gs://lake/in/people.csv',
    'file:///etc/passwd',
  ])
    await refusal(server, url);
  assert.deepEqual(asked, []);
  const any = await launched(context, ['--load-csv-stores'], credentials);
  for (const parameter of ['endpoint=http://127.0.0.1:1', 'service_account=/etc/passwd', 'use_emulator=true', 'ns=x'])
    assert.match(await refusal(any, `s3://lake/people.csv?${parameter}`), /not for statements to say/);
});

test('settings: what is no host and no place stops the start; without any, LOAD CSV is refused', async (context) => {
  for (const args of [
    ['--load-csv-hosts', 'https://example.com'],
    ['--load-csv-hosts', 'a b'],
    ['--load-csv-stores', 'file:///x'],
    ['--load-csv-stores', 's3://b?ns=x'],
  ])
    await assert.rejects(launchServer(['--store', 'memory://x', ...args]), new RegExp(args[0]!));
  const server = await launched(context, []);
  const { status, body } = await server.cypher(LOAD, { url: 'https://example.com/x.csv' });
  assert.deepEqual([status, body.code], [400, 'UNSUPPORTED']);
});
