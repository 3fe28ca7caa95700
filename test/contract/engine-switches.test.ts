/**
 * Variables that the engine and the log read: what each does to a server. That no switch changes an answer is held by
 * `test/engine-flags.test.ts` over many questions, and here over one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, cypher, metric, runToEnd, serve, temporaryStore } from './outside.ts';

const TRIANGLES = 'MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN a.k AS a, b.k AS b, c.k AS c ORDER BY a, b, c';

const start = async (env: Record<string, string>) => {
  const server = await serve(['--store', temporaryStore()], { env });
  await cypher(server, 'UNWIND range(0, 8) AS k CREATE (:N {k: k})');
  await cypher(server, 'MATCH (a:N), (b:N) WHERE b.k = (a.k + 1) % 9 OR b.k = (a.k + 7) % 9 CREATE (a)-[:R]->(b)');
  return server;
};
const planOf = async (server: { readonly url: string }) => (await cypher(server, `EXPLAIN ${TRIANGLES}`)).body;

const byDefault = await start({});
const off = await start({
  GRAPHDB_ADJACENCY: '0',
  GRAPHDB_NODE_CACHE: 'OFF',
  GRAPHDB_SST_CACHE: 'OFF',
  GRAPHDB_FACTORIZE: '0',
  RUST_LOG: 'off',
});
const on = await start({
  GRAPHDB_FACTORIZE: 'yes',
  GRAPHDB_WCOJ: '1',
  GRAPHDB_PROFILE_DUMP: 'ON',
  GRAPHDB_SST_CACHE: 'on',
  RUST_LOG: 'warn,http=debug',
});
const rows = (await cypher(byDefault, TRIANGLES)).json.rows;

test('GRAPHDB_ADJACENCY, GRAPHDB_NODE_CACHE: answers are the same without', async () => {
  assert.equal(rows.length, 27);
  assert.deepEqual((await cypher(off, TRIANGLES)).json.rows, rows);
});

test('GRAPHDB_SST_CACHE: 0 and OFF are off, anything else and nothing are on', async () => {
  const budgets = await Promise.all([byDefault, on, off].map((server) => metric(server, 'graphdb_sst_cache_budget_bytes')));
  assert.deepEqual(budgets, [128 * 2 ** 20, 128 * 2 ** 20, 0]);
});

test('GRAPHDB_FACTORIZE and GRAPHDB_WCOJ: off by default, and the second needs the first', async () => {
  assert.match(await planOf(on), /MultiwayJoin/);
  assert.deepEqual((await cypher(on, TRIANGLES)).json.rows, rows);
  assert.doesNotMatch(await planOf(byDefault), /MultiwayJoin/);
  assert.doesNotMatch(await planOf(await start({ GRAPHDB_WCOJ: '1' })), /MultiwayJoin/);
});

test('GRAPHDB_PROFILE_DUMP and RUST_LOG: both on stderr', async () => {
  await cypher(on, 'RETURN $secret AS x', { secret: 'a parameter' });
  await Promise.all([byDefault, on, off].map((server) => server.end('SIGTERM')));
  const [info, debug, none] = await Promise.all([byDefault.log, on.log, off.log]);
  const dumped = debug.split('\n').find((line) => line.includes('RETURN $secret AS x'));
  assert.equal(typeof JSON.parse(dumped ?? '{}'), 'object');
  assert.doesNotMatch(debug, /a parameter/);
  assert.doesNotMatch(info, /ORDER BY a, b, c/, 'off by default');
  const levels = (log: string) =>
    new Set([...log.matchAll(/"level":"(\w+)".*"module":"(\w+)"/g)].map(([, level, module]) => `${module} ${level}`));
  assert.ok(levels(info).has('server info') && !levels(info).has('http debug'), 'info by default');
  assert.ok(levels(debug).has('http debug') && !levels(debug).has('server info'), 'a level per module');
  assert.equal(none, '');
});

test('RUST_LOG: a line is one object of JSON on stderr, and stdout has where the server listens', async () => {
  const refused = await runToEnd(['--store', 'memory://x', '--listen', '203.0.113.1:1'], { RUST_LOG: 'debug' });
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  const lines = (await byDefault.log).trimEnd().split('\n');
  for (const line of lines) assert.deepEqual(Object.keys(JSON.parse(line)).slice(0, 4), ['level', 'time', 'pid', 'module'], line);
});

test('a flag of the engine is no setting of the server: another value of it stops nothing', async () => {
  assert.equal((await ask(await serve(['--store', 'memory://x'], { env: { GRAPHDB_WCOJ: 'whatever' } }), 'GET', '/v0/health')).status, 200);
});
