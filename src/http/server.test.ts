/** The HTTP contract, row by row: endpoints, authentication, error shapes and codes, exact numbers. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessToken, ERROR_CODES, type ErrorCode, GraphDBError, type Identify, identifyBy, silentLogger } from '../base/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { makeFloat, Node, type ResultValue } from '../value/index.ts';
import { createFakeEngine, type FakeEngine, type FakeEngineParts } from './engine.fixture.ts';
import { createHttpServer, type HttpServer } from './server.ts';

type Reply = Awaited<ReturnType<HttpServer['inject']>>;

interface Bench {
  readonly engine: FakeEngine;
  readonly server: HttpServer;
  cypher(body: unknown, headers?: Record<string, string>): Promise<Reply>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function start(parts: FakeEngineParts = {}, options: { identify?: Identify; maxRequestBytes?: number } = {}): Promise<Bench> {
  const engine = createFakeEngine(parts);
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000, ...options });
  server.serve(oneNamespace(engine));
  return {
    engine,
    server,
    cypher: (body, headers = {}) =>
      server.inject({
        method: 'POST',
        url: '/v0/cypher',
        headers: { ...JSON_TYPE, ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
  };
}

function answering(columns: string[], ...rows: ResultValue[][]): FakeEngineParts {
  return { execute: () => ({ columns, rows }) };
}

function assertError(reply: Reply, status: number, code: ErrorCode): void {
  const body = reply.json();
  assert.equal(body.code, code, reply.body);
  assert.equal(reply.statusCode, status);
  assert.equal(reply.headers['content-type'], 'application/json');
  assert.equal(typeof body.error, 'string');
  assert.deepEqual(
    Object.keys(body).filter((key) => !['error', 'code', 'line', 'column'].includes(key)),
    [],
  );
  assert.doesNotMatch(reply.body, /\bat .*:\d+:\d+/, 'no stack trace');
}

test('health tells the state of the namespace', async () => {
  const { server } = await start();
  const reply = await server.inject({ url: '/v0/health' });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'application/json');
  assert.deepEqual(reply.json(), { status: 'ok', namespace: 'test', manifest_version: 7, epoch: 3, role: 'writer' });
});

test('health is 503 when reads cannot be served', async () => {
  const { server } = await start({ status: { status: 'store unavailable', role: 'reader' } });
  const reply = await server.inject({ url: '/v0/health' });
  assert.equal(reply.statusCode, 503);
  assert.equal(reply.json().status, 'store unavailable');
});

test('version names release and build target', async () => {
  const { server } = await start();
  const reply = await server.inject({ url: '/v0/version' });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.json().version, '0.3.0');
  assert.equal(reply.json().build_target, 'graphdb-server');
});

test('a statement answers columns in order and rows as objects', async () => {
  const { engine, cypher } = await start(answering(['b', 'a'], [1, 'x'], [null, true]));
  const reply = await cypher({ query: 'RETURN 1', params: { p: 1 } });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'application/json');
  assert.equal(reply.body, '{"columns":["b","a"],"rows":[{"b":1,"a":"x"},{"b":null,"a":true}]}');
  assert.equal(engine.asked[0]?.query, 'RETURN 1');
  assert.deepEqual(engine.asked[0]?.params, new Map([['p', 1]]));
});

test('columns are there without rows, and a result without columns is one', async () => {
  const { cypher } = await start(answering(['a']));
  assert.equal((await cypher({ query: 'q' })).body, '{"columns":["a"],"rows":[]}');
  const empty = await start();
  assert.equal((await empty.cypher({ query: 'q' })).body, '{"columns":[],"rows":[]}');
});

test('write_outcome has exactly its five counters, even when nothing changed', async () => {
  const counts = { nodesCreated: 1, edgesCreated: 2, nodesDeleted: 3, edgesDeleted: 4, propertiesSet: 5, labelsAdded: 6, labelsRemoved: 7 };
  const { cypher } = await start({ execute: () => ({ columns: [], rows: [], writeOutcome: counts }) });
  assert.equal(
    (await cypher({ query: 'q' })).body,
    '{"columns":[],"rows":[],"write_outcome":{"nodes_created":1,"edges_created":2,"nodes_deleted":3,"edges_deleted":4,"properties_set":5}}',
  );
});

test('numbers are exact both ways', async () => {
  const { engine, cypher } = await start(
    answering(['v'], [9223372036854775807n], [-9223372036854775808n], [makeFloat(1)], [Number.NaN], [0.5]),
  );
  const reply = await cypher('{"query":"q","params":{"i":9223372036854775807,"j":1,"f":1.0,"g":1e0,"h":-0.0}}');
  assert.equal(
    reply.body,
    '{"columns":["v"],"rows":[{"v":9223372036854775807},{"v":-9223372036854775808},{"v":1.0},{"v":null},{"v":0.5}]}',
  );
  const params = engine.asked[0]?.params;
  assert.equal(params?.get('i'), 9223372036854775807n);
  assert.equal(params?.get('j'), 1);
  assert.deepEqual(params?.get('f'), makeFloat(1));
  assert.deepEqual(params?.get('g'), makeFloat(1));
  assert.deepEqual(params?.get('h'), makeFloat(-0));
});

test('an integer parameter beyond 64 bits is an ARGUMENT_ERROR', async () => {
  const { engine, cypher } = await start();
  assertError(await cypher('{"query":"q","params":{"i":9223372036854775808}}'), 400, 'ARGUMENT_ERROR');
  assert.equal(engine.asked.length, 0);
});

test('__proto__ is a name like any other', async () => {
  const properties = new Map<string, ResultValue>([['__proto__', 1]]);
  const { engine, cypher } = await start(answering(['__proto__', 'constructor'], [properties as ResultValue, 2]));
  const reply = await cypher('{"query":"q","params":{"__proto__":{"constructor":3}},"__proto__":{"query":1}}');
  assert.equal(reply.body, '{"columns":["__proto__","constructor"],"rows":[{"__proto__":{"__proto__":1},"constructor":2}]}');
  assert.deepEqual(engine.asked[0]?.params, new Map([['__proto__', new Map([['constructor', 3]])]]));
});

test('a node is told with its kind, id, labels and properties', async () => {
  const node = new Node('n1', 0, ['Person', 'Admin'], new Map([['name', 'Ann']]));
  const { cypher } = await start(answering(['n'], [node]));
  assert.deepEqual((await cypher({ query: 'q' })).json().rows, [
    { n: { _kind: 'node', id: 'n1', label: 'Person', labels: ['Person', 'Admin'], properties: { name: 'Ann' } } },
  ]);
});

test('a large result comes whole, in pieces without a length', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => [index, `é${'x'.repeat(50)}`]);
  const { cypher } = await start(answering(['i', 's'], ...rows));
  const reply = await cypher({ query: 'q' });
  assert.equal(reply.json().rows.length, 20_000);
  assert.deepEqual([reply.headers['content-type'], reply.headers['content-length']], ['application/json', undefined]);
  const short = await (await start(answering(['i'], ...rows.slice(0, 10).map(([i]) => [i!])))).cypher({ query: 'q' });
  assert.equal(Number(short.headers['content-length']), short.rawPayload.byteLength);
});

test('params may be null or absent; unknown members are ignored', async () => {
  const { engine, cypher } = await start();
  for (const body of [{ query: 'q' }, { query: 'q', params: null }, { query: 'q', params: {}, extra: { deep: [1] } }]) {
    assert.equal((await cypher(body)).statusCode, 200, JSON.stringify(body));
  }
  assert.deepEqual(
    engine.asked.map(({ params }) => params.size),
    [0, 0, 0],
  );
});

test('what is not a request is a BAD_REQUEST', async () => {
  const { engine, cypher } = await start();
  const bodies = ['', '{', 'null', '[]', '"q"', '{}', '{"query":1}', '{"query":null}', '{"query":["q"]}', '{"query":"q","params":[]}'];
  bodies.push('{"query":"q","params":1}', '{"query":"q","params":"x"}', '{"query":"q",}', '{"query":"q"} x', "{'query':'q'}");
  for (const body of bodies) assertError(await cypher(body), 400, 'BAD_REQUEST');
  assertError(await cypher(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'BAD_REQUEST');
  assertError(await cypher(`{"query":"q","params":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`), 400, 'BAD_REQUEST');
  assert.equal(engine.asked.length, 0);
});

test('half of a surrogate pair is no text', async () => {
  const { engine, cypher } = await start();
  assertError(await cypher('{"query":"\\ud800"}'), 400, 'ARGUMENT_ERROR');
  assert.equal(engine.asked.length, 0);
});

test('every code of an engine becomes its status and shape', async () => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const { cypher } = await start({
    execute: ({ query }) => {
      throw new GraphDBError(query as ErrorCode, `message of ${query}`);
    },
  });
  for (const code of codes) {
    const reply = await cypher({ query: code });
    assertError(reply, ERROR_CODES[code].httpStatus, code);
    assert.equal(reply.headers['retry-after'], [429, 503].includes(reply.statusCode) ? '1' : undefined);
    if (code !== 'INTERNAL') assert.match(reply.json().error, new RegExp(`message of ${code}`));
  }
});

test('a fault at a place in the text says where', async () => {
  const { cypher } = await start({
    execute: () => {
      throw new GraphDBError('SYNTAX_ERROR', 'unexpected ")"', { line: 2, column: 7 });
    },
  });
  assert.deepEqual((await cypher({ query: 'q' })).json(), { error: 'unexpected ")"', code: 'SYNTAX_ERROR', line: 2, column: 7 });
});

test('an unforeseen failure says nothing of itself', async () => {
  const { cypher } = await start({
    execute: () => {
      throw new TypeError('secret of the implementation');
    },
  });
  const reply = await cypher({ query: 'q' });
  assertError(reply, 500, 'INTERNAL');
  assert.doesNotMatch(reply.body, /secret/);
});

test('flush answers its counts', async () => {
  const { server } = await start();
  for (const request of [{}, { headers: JSON_TYPE, payload: '{}' }, { headers: { 'content-type': 'text/plain', 'content-length': '0' } }]) {
    const reply = await server.inject({ method: 'POST', url: '/v0/admin/flush', ...request });
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(reply.json(), { ssts_written: 2, manifest_version: 8 });
  }
});

test('compact answers its counts, and says who cannot', async () => {
  const { server } = await start();
  const reply = await server.inject({ method: 'POST', url: '/v0/admin/compact' });
  assert.equal(reply.statusCode, 200);
  assert.deepEqual(reply.json(), {
    ssts_written: 2,
    tables_merged: 3,
    ssts_removed: 9,
    ssts_added: 3,
    rows_written: 1000,
    objects_removed: 12,
    bytes_removed: 4096,
    manifest_version: 11,
  });
  for (const [code, status] of [
    ['READ_ONLY', 403],
    ['WRITER_FENCED', 409],
  ] as const) {
    const { server: refusing } = await start({ compact: async () => Promise.reject(new GraphDBError(code, 'not here')) });
    assertError(await refusing.inject({ method: 'POST', url: '/v0/admin/compact' }), status, code);
  }
});

test('bearer endpoints want the token, whatever the case of the scheme; public ones do not', async () => {
  const { engine, server, cypher } = await start({}, { identify: identifyBy(() => [accessToken('secret-token', 'write')]) });
  for (const authorization of ['Bearer secret-token', 'bearer secret-token', 'BEARER  secret-token']) {
    assert.equal((await cypher({ query: 'q' }, { authorization })).statusCode, 200, authorization);
  }
  const asked = engine.asked.length;
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer secret-toke',
    'Bearer secret-token2',
    'Basic secret-token',
    'secret-token',
  ]) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const reply = await cypher('not JSON at all', { ...headers, 'content-type': 'text/plain' });
    assertError(reply, 401, 'UNAUTHORIZED');
    assert.equal(reply.headers['www-authenticate'], 'Bearer realm="graphdb"');
    assertError(await server.inject({ method: 'POST', url: '/v0/admin/flush', headers }), 401, 'UNAUTHORIZED');
    assertError(await server.inject({ method: 'POST', url: '/v0/admin/compact', headers }), 401, 'UNAUTHORIZED');
  }
  assert.equal(engine.asked.length, asked);
  assert.equal((await server.inject({ url: '/v0/health' })).statusCode, 200);
  assert.equal((await server.inject({ url: '/v0/version' })).statusCode, 200);
});

test('without a token everyone is served', async () => {
  const { cypher } = await start();
  assert.equal((await cypher({ query: 'q' }, { authorization: 'Bearer whatever' })).statusCode, 200);
});

test('unknown paths are 404, whatever the body', async () => {
  const { server } = await start({}, { identify: identifyBy(() => [accessToken('secret', 'write')]) });
  for (const url of ['/nothing', '/v0', '/v0/cypher/', '/v0/nothing?x=1', '/v1/cypher', '/v0/%63ypher%']) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'] as const) {
      const headers = { 'content-type': 'text/plain' };
      const reply = await server.inject({ method, url, headers, ...(method === 'POST' && { payload: 'x' }) });
      if (url.includes('%')) assertError(reply, 400, 'BAD_REQUEST');
      else assertError(reply, 404, 'NOT_FOUND');
    }
  }
});

test('other methods on known paths are 405 and told what is allowed', async () => {
  const { server } = await start({}, { identify: identifyBy(() => [accessToken('secret', 'write')]) });
  const allowed = { '/v0/cypher': 'OPTIONS, POST', '/v0/admin/flush': 'OPTIONS, POST', '/v0/health': 'GET, HEAD, OPTIONS' };
  for (const [url, allow] of Object.entries(allowed)) {
    for (const method of ['DELETE', 'PUT', 'PATCH'] as const) {
      const reply = await server.inject({ method, url });
      assertError(reply, 405, 'METHOD_NOT_ALLOWED');
      assert.equal(reply.headers.allow, allow);
    }
    const options = await server.inject({ method: 'OPTIONS', url });
    assert.equal(options.statusCode, 204);
    assert.equal(options.headers.allow, allow);
  }
  assertError(await server.inject({ url: '/v0/cypher' }), 405, 'METHOD_NOT_ALLOWED');
  assertError(await server.inject({ method: 'POST', url: '/v0/health', payload: 'x' }), 405, 'METHOD_NOT_ALLOWED');
  const head = await server.inject({ method: 'HEAD', url: '/v0/health' });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, '');
});

test('a body of another type is 415', async () => {
  const { engine, cypher } = await start();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp', 'nonsense', '']) {
    assertError(await cypher('{"query":"q"}', { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  }
  assertError(await cypher('{"query":"q"}', { 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  assert.equal(engine.asked.length, 0);
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) {
    assert.equal((await cypher('{"query":"q"}', { 'content-type': type })).statusCode, 200, type);
  }
});

test('a body beyond the limit is 413', async () => {
  const { cypher } = await start({}, { maxRequestBytes: 100 });
  assertError(await cypher({ query: 'x'.repeat(200) }), 413, 'PAYLOAD_TOO_LARGE');
  assert.equal((await cypher({ query: 'x'.repeat(20) })).statusCode, 200);
});

test('before there is an engine, and when stopping, statements are 503 and health says so', async () => {
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000 });
  const ask = () => server.inject({ method: 'POST', url: '/v0/cypher', headers: JSON_TYPE, payload: '{"query":"q"}' });
  assertError(await ask(), 503, 'STORE_UNAVAILABLE');
  const health = await server.inject({ url: '/v0/health' });
  assert.equal(health.statusCode, 503);
  assert.equal(health.json().status, 'starting');
  assert.equal((await server.inject({ url: '/v0/version' })).statusCode, 200);
  server.serve(oneNamespace(createFakeEngine()));
  assert.equal((await ask()).statusCode, 200);
});
