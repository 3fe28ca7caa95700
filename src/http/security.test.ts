/**
 * Attacks over JSON, paths and headers get a 400 (or their like), or the right value; nothing is reached without the
 * token. Real engine.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { accessToken, createLogger, identifyBy, parseLogFilter, silentLogger } from '../base/index.ts';
import { openEngine } from '../engine/index.ts';
import { oneNamespace } from '../namespaces/index.ts';
import { createFakeEngine } from './engine.fixture.ts';
import { createHttpServer } from './server.ts';

let stores = 0;

async function start(context: TestContext) {
  const engine = await openEngine(`memory://security-test-${++stores}`, { flushIntervalMs: 0 });
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000_000 });
  server.serve(oneNamespace(engine));
  context.after(() => engine.close());
  return async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await server.inject({ method: 'POST', url: '/v0/cypher', headers, payload: body });
    return { status: reply.statusCode, body: reply.body, code: (JSON.parse(reply.body) as { code?: string }).code };
  };
}

test('__proto__ and constructor are names like others, in parameters, maps, properties and columns', async (context) => {
  const ask = await start(context);
  const { body } = await ask(
    '{"query":"RETURN $p AS p, $`__proto__` AS `__proto__`","params":{"p":{"__proto__":{"x":1},"constructor":2},"__proto__":3}}',
  );
  assert.equal(body, '{"columns":["p","__proto__"],"rows":[{"p":{"__proto__":{"x":1},"constructor":2},"__proto__":3}]}');
  await ask('{"query":"CREATE (n:`__proto__` {`__proto__`: 1, `constructor`: 2})"}');
  const read = await ask('{"query":"MATCH (n:`__proto__`) RETURN n.`__proto__` AS a, n.constructor AS b, n.toString AS c"}');
  assert.equal(read.body, '{"columns":["a","b","c"],"rows":[{"a":1,"b":2,"c":null}]}');
  assert.ok(!('x' in {}));
});

test('a parameter that was not given is missing, also where objects inherit one of its name', async (context) => {
  const ask = await start(context);
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.equal((await ask(`{"query":"RETURN $\`${name}\` AS x","params":{}}`)).code, 'PARAMETER_MISSING', name);
    if (name !== 'toString') assert.equal((await ask(`{"query":"RETURN ${name}(1) AS x"}`)).status, 400, name);
  }
});

test('of a name given twice the last counts', async (context) => {
  const ask = await start(context);
  assert.equal(
    (await ask('{"query":"nonsense","query":"RETURN $p AS p","params":{"p":1,"p":2}}')).body,
    '{"columns":["p"],"rows":[{"p":2}]}',
  );
});

test('text that is not Unicode is a 400', async (context) => {
  const ask = await start(context);
  for (const text of ['\\ud800', '\\udc00', 'a\\ud800b', '\\udc00\\ud800']) {
    assert.equal((await ask(`{"query":"RETURN $p AS p","params":{"p":"${text}"}}`)).status, 400, text);
  }
  assert.equal((await ask('{"query":"RETURN $p AS p","params":{"p":"\\ud83d\\ude00"}}')).body, '{"columns":["p"],"rows":[{"p":"😀"}]}');
});

test('numbers beyond their range are refused, within it exact', async (context) => {
  const ask = await start(context);
  for (const number of ['9223372036854775808', '-9223372036854775809', `1${'0'.repeat(10_000)}`, '1e400', '-1e309']) {
    assert.equal((await ask(`{"query":"RETURN $p AS p","params":{"p":${number}}}`)).code, 'ARGUMENT_ERROR', number.slice(0, 30));
  }
  const { body } = await ask('{"query":"RETURN $p AS p","params":{"p":-9223372036854775808}}');
  assert.equal(body, '{"columns":["p"],"rows":[{"p":-9223372036854775808}]}');
});

test('deep nesting of JSON and of statements is a 400', async (context) => {
  const ask = await start(context);
  for (const depth of [1_000, 100_000]) {
    assert.equal((await ask(`{"query":"q","params":{"p":${'['.repeat(depth)}${']'.repeat(depth)}}}`)).code, 'BAD_REQUEST');
    assert.equal((await ask(`{"query":"RETURN ${'('.repeat(depth)}1${')'.repeat(depth)} AS x"}`)).code, 'SYNTAX_ERROR');
  }
});

test('values beyond what memory holds end the statement, and the server goes on', async (context) => {
  const ask = await start(context);
  const queries = [
    "RETURN reduce(s = 'ab', x IN range(1, 40) | s + s) AS s",
    'RETURN range(1, 10000000000) AS l',
    'RETURN size(range(1, 1000000000)) AS n',
  ];
  for (const query of queries) assert.equal((await ask(JSON.stringify({ query }))).code, 'MEMORY_LIMIT', query);
  assert.equal((await ask('{"query":"RETURN 1 AS x"}')).status, 200);
});

test('nothing before authentication touches the engine, on any path that needs the token', async () => {
  const engine = createFakeEngine();
  const server = await createHttpServer({
    version: '0.3.0',
    logger: silentLogger,
    maxRequestBytes: 1_000,
    identify: identifyBy(() => [accessToken('secret', 'write')]),
  });
  server.serve(oneNamespace(engine));
  for (const url of server.paths().filter((path) => path.startsWith('/v0/cypher') || path.startsWith('/v0/admin'))) {
    for (const authorization of ['', 'Bearer', 'Bearer x', 'Basic secret', 'Bearer secret secret', 'Bearer secre', 'Bearer secret2']) {
      const headers = { 'content-type': 'application/json', authorization };
      const reply = await server.inject({ method: 'POST', url, headers, payload: '{"query":"RETURN 1"}' });
      assert.equal(reply.statusCode, 401, `${url} ${authorization}`);
    }
  }
  assert.deepEqual([...engine.asked, ...engine.calls], []);
});

test('a token for reading reads, and is refused what changes something', async (context) => {
  const engine = await openEngine(`memory://security-test-${++stores}`, { flushIntervalMs: 0 });
  context.after(() => engine.close());
  const identify = identifyBy(() => [accessToken('reader', 'read'), accessToken('writer', 'write')]);
  const server = await createHttpServer({ version: '0.3.0', logger: silentLogger, maxRequestBytes: 1_000, identify });
  server.serve(oneNamespace(engine));
  const ask = (token: string, url: string, query?: string) => {
    const headers = { authorization: `Bearer ${token}`, ...(query === undefined ? {} : { 'content-type': 'application/json' }) };
    return server.inject({ method: 'POST', url, headers, ...(query === undefined ? {} : { payload: JSON.stringify({ query }) }) });
  };
  assert.equal((await ask('writer', '/v0/cypher', 'CREATE (:N)')).statusCode, 200);
  for (const url of ['/v0/cypher', '/v0/cypher/stream', '/v0/cypher/arrow']) {
    assert.equal((await ask('reader', url, 'MATCH (n) RETURN count(*) AS n')).statusCode, 200, url);
    const refused = await ask('reader', url, 'MATCH (n) DELETE n');
    assert.deepEqual([refused.statusCode, (refused.json() as { code: string }).code], [403, 'FORBIDDEN'], url);
  }
  for (const url of ['/v0/admin/flush', '/v0/admin/compact']) {
    assert.equal((await ask('reader', url)).statusCode, 403, url);
    assert.equal((await ask('writer', url)).statusCode, 200, url);
    assert.equal((await ask('nobody', url)).statusCode, 401, url);
  }
  assert.equal((await ask('reader', '/v0/cypher', 'CREATE INDEX FOR (n:N) ON (n.p)')).statusCode, 403);
  assert.deepEqual((await ask('reader', '/v0/cypher', 'MATCH (n:N) RETURN count(*) AS n')).json(), { columns: ['n'], rows: [{ n: 1 }] });
});

test('no log line holds a token or a parameter', async () => {
  const lines: string[] = [];
  const logger = await createLogger(parseLogFilter('trace', 'info'), { write: (line) => lines.push(line) });
  const engine = createFakeEngine({
    execute: () => {
      throw new TypeError('a fault of ours');
    },
  });
  const server = await createHttpServer({
    version: '0.3.0',
    logger,
    maxRequestBytes: 1_000,
    identify: identifyBy(() => [accessToken('tok-3n', 'write')]),
  });
  server.serve(oneNamespace(engine));
  const headers = { 'content-type': 'application/json', authorization: 'Bearer tok-3n' };
  const request = { method: 'POST', url: '/v0/cypher?x=tok-3n', headers, payload: '{"query":"q","params":{"p":"s3cr3t"}}' } as const;
  assert.equal((await server.inject(request)).statusCode, 500);
  assert.ok(lines.length >= 2);
  for (const line of lines) assert.doesNotMatch(line, /tok-3n|s3cr3t/);
});
