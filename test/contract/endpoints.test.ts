/** The endpoints, one test each: who may ask, what comes back, to the letter; and what holds for the answers of every statement. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { type Answer, ask, cypher, serve, serveLater, temporaryStore } from './outside.ts';

const TOKEN = { authorization: 'Bearer the-token' };
const NOTHING_WRITTEN = { nodes_created: 0, edges_created: 0, nodes_deleted: 0, edges_deleted: 0, properties_set: 0 };
const server = await serve(['--store', temporaryStore('endpoints'), '--auth-token', 'the-token', '--flush-interval', '0s']);
const open = await serve(['--store', 'memory://endpoints']);

const post = (path: string, body?: unknown): Promise<Answer> => ask(server, 'POST', path, { body, headers: TOKEN });

async function assertBearer(path: string): Promise<void> {
  const others: readonly Record<string, string>[] = [{}, { authorization: 'Bearer other' }, { authorization: 'Basic the-token' }];
  for (const headers of others) {
    const { status, json } = await ask(server, 'POST', path, { body: { query: 'CREATE (:Never)' }, headers });
    assert.deepEqual([status, json.code], [401, 'UNAUTHORIZED']);
  }
}

test('GET /v0/health: public; status, namespace, manifest version, epoch, role', async () => {
  const { status, headers, body } = await ask(server, 'GET', '/v0/health');
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  assert.equal(body, '{"status":"ok","namespace":"endpoints","manifest_version":1,"epoch":1,"role":"writer"}');
});

test('GET /v0/health: 503 and another status while reads cannot be served', async (context) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  context.after(() => silent.close());
  const { port } = silent.address() as { port: number }; // as: it listens on a port
  const store = `s3://bucket?ns=slow&region=auto&endpoint=http://127.0.0.1:${port}&allow_http=true`;
  const starting = await serveLater(['--store', store], { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' });
  const health = await ask(starting, 'GET', '/v0/health');
  assert.deepEqual([health.status, health.json.status], [503, 'starting']);
  const refused = await cypher(starting, 'RETURN 1 AS x');
  assert.deepEqual([refused.status, refused.json.code, refused.headers['retry-after']], [503, 'STORE_UNAVAILABLE', '1']);
});

test('GET /v0/version: public; version and build target', async () => {
  const { status, headers, body } = await ask(server, 'GET', '/v0/version');
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  assert.match(body, /^\{"version":"0\.3\.0","build_target":"graphdb-server"[,}]/);
});

test('POST /v0/cypher: columns, rows, and of a statement that can write its outcome', async () => {
  await assertBearer('/v0/cypher');
  const read = await post('/v0/cypher', { query: 'UNWIND [$p, null] AS b RETURN b, 1 AS a', params: { p: 'x' } });
  assert.deepEqual([read.status, read.headers['content-type']], [200, 'application/json']);
  assert.equal(read.headers['content-length'], String(read.body.length));
  assert.equal(read.body, '{"columns":["b","a"],"rows":[{"b":"x","a":1},{"b":null,"a":1}]}');
  const write = await post('/v0/cypher', { query: "CREATE (a:A {_id: 'a1', p: 1, q: 2})-[:R {w: 1}]->(:B) SET a.p = 3 REMOVE a.q" });
  assert.deepEqual(
    write.body,
    '{"columns":[],"rows":[],"write_outcome":{"nodes_created":2,"edges_created":1,"nodes_deleted":0,"edges_deleted":0,"properties_set":5}}',
  );
});

test('POST /v0/cypher: columns without rows; write_outcome where nothing changed, and never of a read', async () => {
  assert.equal((await cypher(open, 'MATCH (n:None) RETURN n.z AS z, n')).body, '{"columns":["z","n"],"rows":[]}');
  const unchanged = await cypher(open, 'MATCH (n:None) SET n.p = 1 RETURN n.p AS p');
  assert.deepEqual(unchanged.json, { columns: ['p'], rows: [], write_outcome: NOTHING_WRITTEN });
  for (const read of ['RETURN 1 AS x', 'EXPLAIN CREATE (:Never)', 'CALL db.labels()', 'SHOW INDEXES', 'PROFILE RETURN 1 AS x'])
    assert.deepEqual(Object.keys((await cypher(open, read)).json), ['columns', 'rows'], read);
  for (const write of [
    'CREATE INDEX FOR (n:L) ON (n.p)',
    'MERGE (:M {k: 1})',
    'MATCH (m:M) DETACH DELETE m',
    'FOREACH (i IN [] | CREATE (:F))',
  ])
    assert.deepEqual(Object.keys((await cypher(open, write)).json.write_outcome ?? {}), Object.keys(NOTHING_WRITTEN), write);
});

test('POST /v0/cypher: write_outcome counts what CREATE, MERGE, SET, REMOVE and DELETE did', async () => {
  const outcomes: readonly [query: string, changed: Partial<typeof NOTHING_WRITTEN>][] = [
    ['CREATE (:C {a: 1, b: null})-[:R {c: 1}]->(:C)', { nodes_created: 2, edges_created: 1, properties_set: 2 }],
    ['MERGE (:C {a: 1})', {}],
    ['MERGE (n:C {a: 2}) ON CREATE SET n.b = 1', { nodes_created: 1, properties_set: 2 }],
    ['MATCH (n:C {a: 1}) SET n.a = 1, n.b = 2', { properties_set: 2 }],
    ['MATCH (n:C {a: 1}) REMOVE n.b, n.none', { properties_set: 1 }],
    ['MATCH (n:C {a: 1}) SET n += {d: 1, e: 2}', { properties_set: 2 }],
    ['MATCH (n:C) DETACH DELETE n', { nodes_deleted: 3, edges_deleted: 1 }],
  ];
  for (const [query, changed] of outcomes) {
    const { json } = await cypher(open, query);
    assert.deepEqual(json.write_outcome, { ...NOTHING_WRITTEN, ...changed }, query);
  }
});

test('a statement is all or nothing', async () => {
  const failed = await cypher(open, 'UNWIND [2, 1, 0] AS d CREATE (:Half {v: 1 / d})');
  assert.equal(failed.json.code, 'ARITHMETIC_ERROR');
  assert.deepEqual((await cypher(open, 'MATCH (h:Half) RETURN count(h) AS n')).json.rows, [{ n: 0 }]);
});

test('POST /v0/admin/flush: no body; SSTs written and the manifest version', async () => {
  await assertBearer('/v0/admin/flush');
  await post('/v0/cypher', { query: 'CREATE (:Flushed)' });
  const { status, headers, json } = await post('/v0/admin/flush');
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  const counts = json as unknown as { ssts_written: number; manifest_version: number };
  assert.ok(counts.ssts_written >= 1);
  assert.equal(counts.manifest_version, (await ask(server, 'GET', '/v0/health')).json.manifest_version);
  assert.deepEqual((await post('/v0/admin/flush')).json, { ...counts, ssts_written: 0 }, 'nothing is left to be flushed');
});

test('POST /v0/admin/compact: counts and the manifest version', async () => {
  await assertBearer('/v0/admin/compact');
  await post('/v0/cypher', { query: 'CREATE (:Flushed)' });
  const { status, headers, json } = await post('/v0/admin/compact');
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  for (const [name, count] of Object.entries(json)) assert.ok(Number.isInteger(count), name);
  assert.equal(json.manifest_version, (await ask(server, 'GET', '/v0/health')).json.manifest_version);
});

test('POST /v0/cypher/stream: a header, rows, a summary or an error, a line each', async () => {
  await assertBearer('/v0/cypher/stream');
  const read = await post('/v0/cypher/stream', { query: 'UNWIND [1.0, null] AS x RETURN x' });
  assert.deepEqual([read.status, read.headers['content-type']], [200, 'application/x-ndjson']);
  assert.match(
    read.body,
    /^\{"type":"header","columns":\["x"\]\}\n\{"type":"row","row":\{"x":1\.0\}\}\n\{"type":"row","row":\{"x":null\}\}\n\{"type":"summary","rows":2,"elapsed_ms":[\d.]+\}\n$/,
  );
  const write = await post('/v0/cypher/stream', { query: 'CREATE (n:S) RETURN 1 AS x' });
  const last = JSON.parse(write.body.trimEnd().split('\n').at(-1) ?? '');
  assert.deepEqual(Object.keys(last), ['type', 'rows', 'elapsed_ms', 'write_outcome']);
  assert.deepEqual([last.rows, last.write_outcome], [1, { ...NOTHING_WRITTEN, nodes_created: 1 }]);
  const late = (await post('/v0/cypher/stream', { query: 'UNWIND range(5000, 0, -1) AS x RETURN 1 / x AS y' })).body;
  assert.deepEqual(JSON.parse(late.trimEnd().split('\n').at(-1) ?? ''), {
    type: 'error',
    error: 'division by zero',
    code: 'ARITHMETIC_ERROR',
  });
  const early = await post('/v0/cypher/stream', { query: 'RETURN' });
  assert.deepEqual([early.status, early.json.code, early.json.line, early.json.column], [400, 'SYNTAX_ERROR', 1, 7]);
});

test('POST /v0/cypher/arrow: an Arrow IPC stream', async () => {
  await assertBearer('/v0/cypher/arrow');
  const response = await fetch(`${server.url}/v0/cypher/arrow`, {
    method: 'POST',
    headers: { ...TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'UNWIND [1, 2] AS x RETURN x, toString(x) AS s, null AS n' }),
  });
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/vnd.apache.arrow.stream']);
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
  assert.deepEqual(
    table.schema.fields.map(({ name }) => name),
    ['x', 's', 'n'],
  );
  assert.deepEqual([table.getChild('x')?.toArray(), table.getChild('s')?.toJSON()], [BigInt64Array.of(1n, 2n), ['1', '2']]);
  assert.equal((await post('/v0/cypher/arrow', { query: 'RETURN' })).json.code, 'SYNTAX_ERROR');
});

test('GET /v0/metrics: public; Prometheus text whose names start with graphdb_', async () => {
  const { status, headers, body } = await ask(server, 'GET', '/v0/metrics');
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8']);
  const names = [...body.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gm)].map(([, name]) => name ?? '');
  for (const line of body.split('\n')) assert.match(line, /^(# (HELP|TYPE) graphdb_\S+ .*|graphdb_\w+(\{[^}]*\})? \S+|)$/);
  for (const name of [
    'graphdb_queries_total',
    'graphdb_query_duration_seconds',
    'graphdb_manifest_version',
    'graphdb_epoch',
    'graphdb_writer',
    'graphdb_process_resident_memory_bytes',
  ])
    assert.ok(names.includes(name), name);
  assert.match(body, /^graphdb_queries_total\{protocol="http",status="ok"\} \d+$/m);
});

test('GET /v0/openapi.json: public; OpenAPI 3.1 of exactly these endpoints', async () => {
  const { status, headers, body } = await ask(server, 'GET', '/v0/openapi.json');
  assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
  const document = JSON.parse(body);
  assert.match(document.openapi, /^3\.1\./);
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  );
  assert.deepEqual(endpoints.sort(), [
    'delete /v0/statements/{id}',
    'delete /v0/transactions/{id}',
    'get /v0/changes',
    'get /v0/health',
    'get /v0/live',
    'get /v0/metrics',
    'get /v0/openapi.json',
    'get /v0/ready',
    'get /v0/statements',
    'get /v0/version',
    'post /v0/admin/compact',
    'post /v0/admin/flush',
    'post /v0/cypher',
    'post /v0/cypher/arrow',
    'post /v0/cypher/stream',
    'post /v0/transactions',
    'post /v0/transactions/{id}/commit',
    'post /v0/transactions/{id}/cypher',
    'post /v0/transactions/{id}/cypher/stream',
  ]);
});
