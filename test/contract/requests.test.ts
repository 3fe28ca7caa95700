/** How the server takes requests, byte by byte where it matters: what is looked at first, and what HTTP allows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, sendBytes, serve } from './outside.ts';

const server = await serve(['--store', 'memory://requests', '--auth-token', 'token', '--max-request-bytes', '1KiB']);
const TOKEN = 'Authorization: Bearer token\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const STATEMENT = '{"query":"RETURN 1 AS x"}';
const ANSWER = '{"columns":["x"],"rows":[{"x":1}]}';

function requestOf(method: string, path: string, headers = '', body = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`;
}

/** Status and code of the only answer. */
async function outcome(bytes: string): Promise<string> {
  const answer = await sendBytes(server, bytes.replace('\r\n', '\r\nConnection: close\r\n'));
  const code = /"code":"(\w+)"/.exec(answer)?.[1];
  return `${answer.slice(9, 12)}${code === undefined ? '' : ` ${code}`}`;
}

test('first the path, then the method, the token, the type, the size, the content', async () => {
  const large = 'x'.repeat(2_000);
  const text = 'Content-Type: text/plain\r\n';
  assert.equal(await outcome(requestOf('POST', '/v0/nothing', text, large)), '404 NOT_FOUND');
  assert.equal(await outcome(requestOf('PUT', '/v0/cypher', text, large)), '405 METHOD_NOT_ALLOWED');
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', text, large)), '401 UNAUTHORIZED');
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', TOKEN + text, large)), '415 UNSUPPORTED_MEDIA_TYPE');
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', TOKEN + JSON_TYPE, large)), '413 PAYLOAD_TOO_LARGE');
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', TOKEN + JSON_TYPE, 'x')), '400 BAD_REQUEST');
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', TOKEN + JSON_TYPE, STATEMENT)), '200');
});

test('the scheme Bearer in any case, its token to the letter', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    assert.equal(await outcome(requestOf('POST', '/v0/cypher', `Authorization: ${scheme} token\r\n${JSON_TYPE}`, STATEMENT)), '200');
  for (const value of ['Bearer', 'Bearer Token', 'Bearer token2', 'token', 'Basic token', 'Bearer token token'])
    assert.equal(
      await outcome(requestOf('POST', '/v0/cypher', `Authorization: ${value}\r\n${JSON_TYPE}`, STATEMENT)),
      '401 UNAUTHORIZED',
      value,
    );
});

test('HEAD and OPTIONS', async () => {
  const head = await ask(server, 'HEAD', '/v0/health');
  assert.deepEqual([head.status, head.body, head.headers['content-type']], [200, '', 'application/json']);
  const options = await ask(server, 'OPTIONS', '/v0/cypher');
  assert.deepEqual([options.status, options.body, options.headers.allow], [204, '', 'OPTIONS, POST']);
  assert.equal((await ask(server, 'HEAD', '/v0/cypher')).status, 405);
});

test('what a client accepts changes nothing, and a query string neither', async () => {
  const accept = `Accept: text/html\r\nAccept-Encoding: gzip\r\n${TOKEN}${JSON_TYPE}`;
  const answer = await sendBytes(server, requestOf('POST', '/v0/cypher?x=1', `Connection: close\r\n${accept}`, STATEMENT));
  assert.ok(answer.endsWith(ANSWER) && !/content-encoding/i.test(answer), answer);
});

test('chunked bodies, requests behind each other on one connection, HTTP/1.0, Expect', async () => {
  const post = `POST /v0/cypher HTTP/1.1\r\nHost: x\r\n${TOKEN}${JSON_TYPE}`;
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"que\r\n14\r\nry":"RETURN 1 AS x"}\r\n0\r\n\r\n`;
  const answers = await sendBytes(
    server,
    chunked + requestOf('POST', '/v0/cypher', `${TOKEN}${JSON_TYPE}Connection: close\r\n`, STATEMENT),
  );
  assert.equal(answers.split(ANSWER).length, 3, answers);
  assert.match(await sendBytes(server, 'GET /v0/health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 [\s\S]*"status":"ok"/);
  const expecting = `${post}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${STATEMENT.length}\r\n\r\n${STATEMENT}`;
  assert.match(await sendBytes(server, expecting), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', `${TOKEN}${JSON_TYPE}Expect: the-unexpected\r\n`, STATEMENT)), '200');
});

test('flush wants no body: an empty one of any type is none, and JSON is not looked at', async () => {
  for (const headers of [
    '',
    'Content-Type: text/plain\r\nContent-Length: 0\r\n',
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n',
  ])
    assert.equal(await outcome(requestOf('POST', '/v0/admin/flush', TOKEN + headers)), '200', headers);
  assert.equal(await outcome(requestOf('POST', '/v0/admin/flush', TOKEN + JSON_TYPE, '{}')), '200');
});

test('what is no request, or none for this server, is told so in the usual shape', async () => {
  assert.equal(await outcome('nonsense\r\n\r\n'), '400 BAD_REQUEST');
  assert.equal(await outcome('GET /v0/health HTTP/1.1\r\n\r\n'), '400 BAD_REQUEST');
  assert.equal(await outcome(requestOf('POST', '/v0/cypher', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')), '400 BAD_REQUEST');
  assert.equal(await outcome(requestOf('GET', '/v0/health', `X: ${'x'.repeat(20_000)}\r\n`)), '400 BAD_REQUEST');
  assert.equal(await outcome('CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n'), '405 METHOD_NOT_ALLOWED');
  assert.equal(await outcome(requestOf('TRACE', '/v0/health')), '405 METHOD_NOT_ALLOWED');
});
