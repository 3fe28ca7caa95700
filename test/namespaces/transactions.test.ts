/** SHOW and TERMINATE TRANSACTIONS, and the endpoints of statements: who sees what runs, and who may end it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessToken, identifyBy } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { type NamespacesBench, startNamespaces } from './namespaces-bench.ts';

/** Runs until somebody stops it. */
const ENDLESS = 'UNWIND range(1, 1000000000000) AS i WITH i WHERE i < 0 RETURN count(*)';
const OTHERS = "WHERE NOT currentQuery STARTS WITH 'SHOW'";

async function start(context: TestContext): Promise<NamespacesBench> {
  const identify = identifyBy(() => [
    accessToken('root', 'admin'),
    accessToken('ada', 'writer', { namespaces: new Set(['a']), name: 'ada' }),
    accessToken('alan', 'reader', { namespaces: new Set(['a', 'b']), name: 'alan' }),
    accessToken('boss', 'admin', { namespaces: new Set(['b']), name: 'boss' }),
  ]);
  const bench = await startNamespaces(context, { identify });
  for (const name of ['a', 'b']) assert.equal((await bench.cypher('', `CREATE DATABASE ${name}`, { token: 'root' })).status, 200);
  return bench;
}

/** Asks again until the rows are as many as expected. */
async function shown(bench: NamespacesBench, token: string, count: number, path = '/a'): Promise<Record<string, unknown>[]> {
  for (;;) {
    const { rows } = await bench.cypher(path, `SHOW TRANSACTIONS YIELD * ${OTHERS}`, { token });
    if (rows.length === count) return rows;
    await sleep(1);
  }
}

async function requested(bench: NamespacesBench, method: 'GET' | 'DELETE', url: string, token: string) {
  const reply = await bench.http.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
  return { status: reply.statusCode, body: reply.json() as { statements?: Record<string, unknown>[]; code?: string; user?: string } };
}

test('a statement is seen by whoever sent it and whoever governs its namespace, and ended by them alone', {
  timeout: 60_000,
}, async (context) => {
  const bench = await start(context);
  const adas = bench.cypher('/a', ENDLESS, { token: 'ada' });
  const ofB = bench.cypher('/b', ENDLESS, { token: 'alan' });
  const [mine] = await shown(bench, 'ada', 1);
  assert.equal(mine!['database'], 'a');
  assert.equal(mine!['username'], 'ada');
  assert.equal(mine!['currentQuery'], ENDLESS);
  assert.equal(mine!['status'], 'Running');
  assert.equal(mine!['protocol'], 'http');
  assert.match(String(mine!['elapsedTime']), /^PT/);
  const all = await shown(bench, 'root', 2);
  assert.deepEqual(all.map(({ username }) => username).sort(), ['ada', 'alan']);
  assert.deepEqual(
    (await shown(bench, 'boss', 1, '/b')).map(({ database }) => database),
    ['b'],
  );
  await shown(bench, 'alan', 1);

  const terminate = async (token: string, path: string, ids: unknown): Promise<unknown> =>
    (await bench.cypher(path, 'TERMINATE TRANSACTIONS $ids', { token, params: { ids } })).rows;
  const id = String(mine!['transactionId']);
  const other = String(all.find(({ username }) => username === 'alan')!['transactionId']);
  const notFound = { username: null, message: 'Transaction not found.' };
  // Of others, of another namespace, of nobody: the answer is the same.
  assert.deepEqual(await terminate('alan', '/a', [id, 'a-transaction-0']), [
    { transactionId: id, ...notFound },
    { transactionId: 'a-transaction-0', ...notFound },
  ]);
  assert.deepEqual(await terminate('boss', '/b', id), [{ transactionId: id, ...notFound }]);
  assert.deepEqual(await terminate('ada', '/a', other), [{ transactionId: other, ...notFound }]);
  assert.deepEqual(await terminate('boss', '/b', [other]), [
    { transactionId: other, username: 'alan', message: 'Transaction terminated.' },
  ]);
  assert.equal((await ofB).code, 'CANCELLED');
  assert.match((await ofB).body, /terminated by boss/);
  assert.deepEqual(await terminate('ada', '/a', id), [{ transactionId: id, username: 'ada', message: 'Transaction terminated.' }]);
  assert.equal((await adas).status, 499);
  assert.deepEqual(await shown(bench, 'root', 0), []);
});

test('the endpoints of statements', { timeout: 60_000 }, async (context) => {
  const bench = await start(context);
  const adas = bench.cypher('/a', ENDLESS, { token: 'ada' });
  await shown(bench, 'root', 1);
  const { body } = await requested(bench, 'GET', '/v0/statements', 'ada');
  const [statement] = body.statements!;
  const id = String(statement!['id']);
  assert.deepEqual(
    { ...statement, started_at: null, elapsed_ms: null },
    {
      id,
      namespace: 'a',
      user: 'ada',
      protocol: 'http',
      client_address: '127.0.0.1',
      started_at: null,
      elapsed_ms: null,
      status: 'running',
      query: ENDLESS,
    },
  );
  assert.deepEqual((await requested(bench, 'GET', '/v0/statements', 'alan')).body.statements, []);
  assert.deepEqual((await requested(bench, 'GET', '/b/v0/statements', 'root')).body.statements, []);
  assert.equal((await requested(bench, 'GET', '/a/v0/statements', 'root')).body.statements?.length, 1);
  assert.equal((await requested(bench, 'GET', '/a/v0/statements', 'boss')).status, 403);
  for (const [token, url] of [
    ['alan', `/v0/statements/${id}`],
    ['boss', `/v0/statements/${id}`],
    ['root', `/b/v0/statements/${id}`],
    ['root', '/v0/statements/none'],
  ] as const) {
    assert.equal((await requested(bench, 'DELETE', url, token)).body.code, 'NOT_FOUND', `${token} ${url}`);
  }
  assert.deepEqual((await requested(bench, 'DELETE', `/a/v0/statements/${id}`, 'root')).body, { id, user: 'ada', status: 'terminated' });
  assert.equal((await adas).code, 'CANCELLED');
});

test('transactions of Bolt: one that waits is rolled back, one that runs is stopped, and the client is told', {
  timeout: 60_000,
}, async (context) => {
  const bench = await start(context);
  await using client = await RawClient.ready(bench.boltUrl, [5, 4], 'ada');
  client.send('begin', { db: 'a' });
  assert.equal((await client.answer())?.kind, 'success');
  client.send('run', 'CREATE (:X)', {}, {});
  assert.equal((await client.answer())?.kind, 'success');
  client.send('pull', { n: -1 });
  await client.result();
  const [waiting] = await shown(bench, 'root', 1);
  assert.equal(waiting!['protocol'], 'bolt');
  assert.equal(waiting!['currentQuery'], '');
  await bench.cypher('/a', 'TERMINATE TRANSACTION $id', { token: 'root', params: { id: waiting!['transactionId'] } });
  client.send('run', 'CREATE (:X)', {}, {});
  assert.equal((await client.answer())?.content['code'], 'Neo.ClientError.Transaction.Terminated');
  assert.deepEqual((await bench.cypher('/a', 'MATCH (x:X) RETURN count(x) AS n', { token: 'ada' })).rows, [{ n: 0 }]);
  client.send('reset');
  assert.equal((await client.answer())?.kind, 'success');

  client.send('run', ENDLESS, {}, { db: 'a' });
  const [running] = await shown(bench, 'root', 1);
  assert.equal(running!['currentQuery'], ENDLESS);
  await bench.cypher('/a', 'TERMINATE TRANSACTION $id', { token: 'root', params: { id: running!['transactionId'] } });
  client.send('pull', { n: -1 });
  let answer = await client.answer();
  if (answer?.kind === 'success') answer = (await client.result()).answer;
  assert.equal(answer?.content['code'], 'Neo.ClientError.Transaction.Terminated');
  assert.deepEqual(await shown(bench, 'root', 0), []);
});

test('metadata of transactions of Bolt is shown with them; what is too large or no map is refused', {
  timeout: 60_000,
}, async (context) => {
  const bench = await start(context);
  await using client = await RawClient.ready(bench.boltUrl, [5, 4], 'ada');
  client.send('begin', { db: 'a', tx_metadata: { app: 'ledger', tags: ['x', 'y'] } });
  assert.equal((await client.answer())?.kind, 'success');
  client.send('run', 'CREATE (:X)', {}, { tx_metadata: { app: 'ignored in a transaction' } });
  assert.equal((await client.answer())?.kind, 'success');
  client.send('pull', { n: -1 });
  await client.result();
  const [open] = await shown(bench, 'root', 1);
  assert.deepEqual(open!['metaData'], { app: 'ledger', tags: ['x', 'y'] });
  client.send('rollback');
  assert.equal((await client.answer())?.kind, 'success');

  client.send('run', 'UNWIND range(1, 100000) AS i RETURN i', {}, { db: 'a', tx_metadata: { step: 2 } });
  assert.equal((await client.answer())?.kind, 'success');
  const [alone] = await shown(bench, 'root', 1);
  assert.deepEqual(alone!['metaData'], { step: 2 });
  client.send('reset');
  assert.equal((await client.answer())?.kind, 'success');

  client.send('run', 'UNWIND range(1, 100000) AS i RETURN i', {}, { db: 'a' });
  assert.equal((await client.answer())?.kind, 'success');
  const [without] = await shown(bench, 'root', 1);
  assert.deepEqual(without!['metaData'], {});
  client.send('reset');
  assert.equal((await client.answer())?.kind, 'success');

  client.send('begin', { db: 'a', tx_metadata: { text: 'x'.repeat(8_192) } });
  const refused = await client.answer();
  assert.deepEqual(
    [refused?.kind, refused?.content['code'], /at most 8192 bytes/.test(String(refused?.content['message']))],
    ['failure', 'Neo.ClientError.Request.Invalid', true],
  );
  client.send('reset');
  assert.equal((await client.answer())?.kind, 'success');
  client.send('begin', { db: 'a', tx_metadata: { text: 'x'.repeat(8_100) } });
  assert.equal((await client.answer())?.kind, 'success');
  client.send('rollback');
  assert.equal((await client.answer())?.kind, 'success');
  client.send('begin', { db: 'a', tx_metadata: 'app' });
  assert.deepEqual(
    [(await client.answer())?.content['code'], await shown(bench, 'root', 0)],
    ['Neo.ClientError.Request.InvalidFormat', []],
  );
});
