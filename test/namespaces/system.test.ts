/** `system`, where every caller may be: nobody hears of others there. And refusals of what is no statement, in the audit log. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { accessToken, CallerLimits, identifyBy } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { openEngine } from '../../src/engine/index.ts';
import { AuditLog } from '../../src/server/identity/audit-log.ts';
import { watchNamespaces } from '../../src/server/identity/watched-namespaces.ts';
import { startNamespaces } from './namespaces-bench.ts';

const identify = identifyBy(() => [
  accessToken('root', 'admin', { name: 'root' }),
  accessToken('ada', 'reader', { namespaces: new Set(['a']), name: 'ada' }),
  accessToken('bob', 'admin', { namespaces: new Set(['b']), name: 'bob' }),
]);

/** Returns the rows of a statement on `system`, or the code of its failure. */
async function onSystem(boltUrl: string, token: string, query: string): Promise<unknown> {
  await using client = await RawClient.ready(boltUrl, [5, 4], token);
  client.send('run', query, {}, { db: 'system' });
  const answer = await client.answer();
  if (answer?.kind !== 'success') return answer?.content['code'];
  client.send('pull', { n: -1 });
  const { records, answer: end } = await client.result();
  return end?.kind === 'success' ? records : end?.content['code'];
}

test('callers of several namespaces share no graphs and no tasks on system', async (context) => {
  const { boltUrl, cypher } = await startNamespaces(context, { identify });
  await cypher('', 'CREATE DATABASE a', { token: 'root' });
  for (const query of [
    "CALL gds.graph.generate('secret', 10, 2) YIELD name",
    "UNWIND [[1, 2]] AS pair RETURN gds.graph.project('secret', pair[0], pair[1])",
  ])
    assert.equal(await onSystem(boltUrl, 'ada', query), 'Neo.ClientError.Statement.FeatureNotSupported', query);
  assert.deepEqual(await onSystem(boltUrl, 'bob', 'CALL gds.graph.list() YIELD graphName'), []);
  assert.deepEqual(await onSystem(boltUrl, 'bob', 'CALL gds.listProgress() YIELD taskName'), []);
  assert.equal((await cypher('/a', "CALL gds.graph.generate('mine', 10, 2) YIELD name", { token: 'ada' })).status, 200);
});

test('on system callers see and end their own transactions, and none of others but by an admin of all', async (context) => {
  const { boltUrl } = await startNamespaces(context, { identify });
  await using waiting = await RawClient.ready(boltUrl, [5, 4], 'ada');
  waiting.send('begin', { db: 'system', mode: 'r' });
  assert.equal((await waiting.answer())?.kind, 'success');
  const seen = async (token: string) =>
    ((await onSystem(boltUrl, token, 'SHOW TRANSACTIONS YIELD username, transactionId')) as string[][])
      .map(([username]) => username)
      .sort();
  assert.deepEqual(await seen('ada'), ['ada', 'ada']);
  assert.deepEqual(await seen('bob'), ['bob']);
  assert.deepEqual(await seen('root'), ['ada', 'root']);
});

test('whether there is a namespace of the usual name shows to those alone who may see it', async (context) => {
  const uri = `memory://namespaces-usual-name-${process.pid}`;
  const answers: unknown[] = [];
  for (const isThere of [false, true]) {
    if (isThere) await (await openEngine(`${uri}?ns=neo4j`, { flushIntervalMs: 0 })).close();
    const tokens = [accessToken('root', 'admin'), accessToken('ada', 'reader', { namespaces: new Set(['default']) })];
    const { cypher } = await startNamespaces(context, { uri, identify: identifyBy(() => tokens) });
    const aliases = async (token: string) => (await cypher('', 'SHOW DEFAULT DATABASE YIELD name, aliases', { token })).rows;
    assert.deepEqual(await aliases('root'), [{ name: 'default', aliases: isThere ? [] : ['neo4j'] }]);
    answers.push(await aliases('ada'));
  }
  assert.deepEqual(answers[0], [{ name: 'default', aliases: ['neo4j'] }]);
  assert.deepEqual(answers[1], answers[0]);
});

test('the audit log has refusals of a status, of lists of statements, and of flush and compact', async (context) => {
  const lines: { event: string; who: string; namespace: string; result: string }[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const audit = new AuditLog(output, () => 0);
  const limits = new CallerLimits({ statementsAtOnce: 0, requestsPerSecond: 0 });
  const { http, cypher } = await startNamespaces(context, {
    identify,
    wrap: (namespaces, protocol) => watchNamespaces(namespaces, { protocol, limits, audit }),
  });
  await cypher('', 'CREATE DATABASE a', { token: 'root' });
  for (const [method, url, namespace] of [
    ['GET', '/b/v0/health', 'b'],
    ['GET', '/b/v0/ready', 'b'],
    ['GET', '/b/v0/statements', 'b'],
    ['GET', '/absent/v0/health', 'absent'],
    ['POST', '/a/v0/admin/flush', 'a'],
    ['POST', '/a/v0/admin/compact', 'a'],
  ] as const) {
    lines.length = 0;
    const { statusCode } = await http.inject({ method, url, headers: { authorization: 'Bearer ada' } });
    assert.equal(statusCode, 403, url);
    assert.deepEqual(
      lines.map(({ event, who, namespace: named, result }) => [event, who, named, result]),
      [['refused', 'ada', namespace, 'FORBIDDEN']],
      url,
    );
  }
  lines.length = 0;
  for (const url of ['/v0/health', '/v0/live', '/a/v0/health'])
    assert.equal((await http.inject({ url, headers: { authorization: 'Bearer ada' } })).statusCode, 200);
  assert.deepEqual(lines, []);
});
