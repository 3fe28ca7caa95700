/**
 * The codes of errors, one test each: what brings it, its status, and the shape
 * `{"error", "code", "line"?, "column"?}`. INTERNAL, which no request can bring, is held by `src/http/server.test.ts`,
 * SHUTTING_DOWN and WRITER_FENCED by `lifecycle.test.ts`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Answer, ask, cypher, metric, type Sent, sendBytes, serve, temporaryStore, until } from './outside.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const server = await serve([
  '--store',
  'memory://errors',
  '--query-timeout',
  '10s',
  '--query-memory',
  '2MiB',
  '--max-request-bytes',
  '64KiB',
]);
const post = (sent: Sent): Promise<Answer> => ask(server, 'POST', '/v0/cypher', sent);

function assertError(
  { status, headers, json, body }: Answer,
  expected: number,
  code: string,
  place: { line?: number; column?: number } = {},
): void {
  assert.deepEqual([status, json.code], [expected, code], body);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
  assert.deepEqual(json, { error: json.error, code, ...place });
  assert.ok(json.error.length > 0 && !/\bat .*:\d+:\d+/.test(json.error), json.error);
}

test('400 BAD_REQUEST: not JSON, no query, parameters of another kind; unknown members are ignored', async () => {
  const bad = [
    '',
    '{',
    '[]',
    'null',
    '{}',
    '{"query":1}',
    '{"query":null}',
    '{"query":"RETURN 1","params":[]}',
    '{"query":"RETURN 1","params":"x"}',
    '{"query":"RETURN 1"}}',
  ];
  for (const body of bad) assertError(await post({ body, headers: JSON_TYPE }), 400, 'BAD_REQUEST');
  const good = [
    '{"query":"RETURN 1 AS x","params":null}',
    '{"query":"RETURN 1 AS x","params":{}}',
    '{"parameters":3,"query":"RETURN 1 AS x","statements":[1e999,"\\ud800"]}',
  ];
  for (const body of good) assert.equal((await post({ body, headers: JSON_TYPE })).body, '{"columns":["x"],"rows":[{"x":1}]}', body);
});

test('400 SYNTAX_ERROR, with its place', async () => {
  assertError(await cypher(server, 'RETURN 1 AS\n )'), 400, 'SYNTAX_ERROR', { line: 2, column: 2 });
  assertError(await cypher(server, ''), 400, 'SYNTAX_ERROR', { line: 1, column: 1 });
  assertError(await cypher(server, 'RETURN 1 AS x; RETURN 2 AS y'), 400, 'SYNTAX_ERROR', { line: 1, column: 16 });
});

test('400 SEMANTIC_ERROR, with its place', async () => {
  assertError(await cypher(server, 'RETURN x'), 400, 'SEMANTIC_ERROR', { line: 1, column: 8 });
  assertError(await cypher(server, "MATCH (n) SET n._id = 'y'"), 400, 'SEMANTIC_ERROR', { line: 1, column: 15 });
});

test('400 PARAMETER_MISSING', async () => {
  assertError(await cypher(server, 'RETURN $p AS x', { q: 1 }), 400, 'PARAMETER_MISSING');
  assertError(await cypher(server, 'RETURN $constructor AS x', {}), 400, 'PARAMETER_MISSING');
});

test('400 TYPE_ERROR', async () => assertError(await cypher(server, 'RETURN 1 + $p AS x', { p: {} }), 400, 'TYPE_ERROR'));

test('400 ARGUMENT_ERROR', async () => {
  assertError(await cypher(server, "RETURN date('nope') AS x"), 400, 'ARGUMENT_ERROR');
  assertError(
    await post({ body: '{"query":"RETURN $x AS x","params":{"x":9223372036854775808}}', headers: JSON_TYPE }),
    400,
    'ARGUMENT_ERROR',
  );
});

test('400 ARITHMETIC_ERROR: integer overflow, division by zero', async () => {
  for (const query of ['RETURN 9223372036854775807 + $one AS x', 'RETURN $one / 0 AS x', 'RETURN $one % 0 AS x'])
    assertError(await cypher(server, query, { one: 1 }), 400, 'ARITHMETIC_ERROR');
});

test('400 ENTITY_NOT_FOUND', async () =>
  assertError(await cypher(server, 'CREATE (n:X) WITH n DELETE n RETURN n.a AS a'), 400, 'ENTITY_NOT_FOUND'));

test('400 UNSUPPORTED', async () => assertError(await cypher(server, "LOAD CSV FROM 'file:///x.csv' AS l RETURN l"), 400, 'UNSUPPORTED'));

test('401 UNAUTHORIZED, with WWW-Authenticate', async () => {
  const closed = await serve(['--store', 'memory://closed', '--auth-token', 't']);
  const refused = await cypher(closed, 'RETURN 1 AS x');
  assertError(refused, 401, 'UNAUTHORIZED');
  assert.equal(refused.headers['www-authenticate'], 'Bearer realm="graphdb"');
});

test('403 READ_ONLY: writes, flush and compact of a server started read-only', async () => {
  const store = temporaryStore();
  await serve(['--store', store]);
  const reader = await serve(['--store', store, '--read-only']);
  assertError(await cypher(reader, 'CREATE (:N)'), 403, 'READ_ONLY');
  for (const path of ['/v0/admin/flush', '/v0/admin/compact']) assertError(await ask(reader, 'POST', path), 403, 'READ_ONLY');
});

test('404 NOT_FOUND', async () => {
  for (const path of ['/nothing', '/v0', '/v0/cypher/', '/v0/health/', '/v1/cypher', '//v0/health'])
    assertError(await ask(server, 'GET', path), 404, 'NOT_FOUND');
});

test('405 METHOD_NOT_ALLOWED, with what is allowed', async () => {
  const refused = await ask(server, 'GET', '/v0/cypher');
  assertError(refused, 405, 'METHOD_NOT_ALLOWED');
  assert.equal(refused.headers.allow, 'OPTIONS, POST');
  assertError(await ask(server, 'DELETE', '/v0/health'), 405, 'METHOD_NOT_ALLOWED');
});

test('415 UNSUPPORTED_MEDIA_TYPE: another type, none, or compressed', async () => {
  const body = '{"query":"RETURN 1 AS x"}';
  assertError(await post({ body, headers: { 'content-type': 'text/plain' } }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  assertError(await post({ body }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  assertError(await post({ body, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON'])
    assert.equal((await post({ body, headers: { 'content-type': type } })).status, 200);
});

test('409 CONSTRAINT_VIOLATION: a duplicate _id, a relationship left, a constraint', async () => {
  await cypher(server, "CREATE (:C {_id: 'one'})-[:R]->(:C), (:K {k: 1})");
  await cypher(server, 'CREATE CONSTRAINT FOR (n:K) REQUIRE n.k IS UNIQUE');
  for (const query of ["CREATE (:D {_id: 'one'})", 'MATCH (c:C) DELETE c', 'CREATE (:K {k: 1})'])
    assertError(await cypher(server, query), 409, 'CONSTRAINT_VIOLATION');
});

test('413 PAYLOAD_TOO_LARGE, also to a client that is still sending', async () => {
  for (const bytes of [65 * 2 ** 10, 8 * 2 ** 20]) {
    const body = { query: 'x'.repeat(bytes) };
    assertError(await post({ body }), 413, 'PAYLOAD_TOO_LARGE');
    assertError(await post({ body, headers: { connection: 'keep-alive' } }), 413, 'PAYLOAD_TOO_LARGE');
    assertError(await post({ body, headers: { 'transfer-encoding': 'chunked' } }), 413, 'PAYLOAD_TOO_LARGE');
  }
});

test('413 MEMORY_LIMIT, and the process lives on', async () => {
  assertError(await cypher(server, 'UNWIND range(1, 1000000) AS a RETURN collect(a) AS x'), 413, 'MEMORY_LIMIT');
  assertError(await cypher(server, "RETURN reduce(s = 'ab', x IN range(1, 40) | s + s) AS s"), 413, 'MEMORY_LIMIT');
  assert.equal((await cypher(server, 'RETURN 1 AS x')).status, 200);
});

test('503 OVERLOADED, with Retry-After: more writers than may wait', async () => {
  const going = new AbortController();
  const holds = fetch(`${server.url}/v0/cypher`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ query: 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a WHERE a < 0 CREATE (:Never)' }),
    signal: going.signal,
  }).catch(() => {});
  await until('it has its turn', async () => (await metric(server, 'graphdb_queries_in_flight{protocol="http"}')) === 1);
  const body = '{"query":"CREATE (:Waited)"}';
  const request = (connection: string) =>
    `POST /v0/cypher HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: ` +
    `${connection}\r\n\r\n${body}`;
  // One connection has few requests at work.
  const five = request('keep-alive').repeat(4) + request('close');
  const answered = Promise.all(Array.from({ length: 202 }, () => sendBytes(server, five)));
  await until('all may wait that may', async () => (await metric(server, 'graphdb_waiting_writers')) === 1_000);
  assert.equal((await cypher(server, 'RETURN 1 AS x')).status, 200, 'reads go on');
  going.abort();
  await holds;
  const answers = (await answered).join('');
  assert.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, 1_000);
  const refused = answers.match(/HTTP\/1\.1 503 (?:.+\r\n)*retry-after: 1\r\n(?:.+\r\n)*\r\n\{"error":"[^"]+","code":"OVERLOADED"\}/g);
  assert.equal(refused?.length, 10);
});

test('504 QUERY_TIMEOUT', async () => {
  const short = await serve(['--store', 'memory://short', '--query-timeout', '20ms']);
  assertError(
    await cypher(short, 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a WHERE a < 0 RETURN count(*) AS n'),
    504,
    'QUERY_TIMEOUT',
  );
});

test('500 CORRUPTION: an object of the store is damaged', async () => {
  const store = temporaryStore();
  const writer = await serve(['--store', store]);
  await cypher(writer, "UNWIND range(1, 100) AS i CREATE (:N {t: 'text ' + toString(i)})");
  await ask(writer, 'POST', '/v0/admin/flush');
  await writer.end('SIGTERM');
  const folder = new URL(store).pathname;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!/(^|\/)data\//.test(name) || !statSync(path).isFile()) continue;
    writeFileSync(
      path,
      readFileSync(path).map((byte) => byte ^ 0x55),
    );
  }
  const damaged = await serve(['--store', store]);
  const { status, json } = await cypher(damaged, 'MATCH (n:N) RETURN n.t AS t');
  assert.deepEqual([status, json.code], [500, 'CORRUPTION']);
});
