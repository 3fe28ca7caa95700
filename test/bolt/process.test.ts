/** The server as a process: Bolt beside HTTP, over one engine, with one token, one set of limits and one set of metrics. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { launchServer } from '../server/launched-server.ts';

test('--bolt-listen serves the engine that HTTP serves', async () => {
  const limits = ['--max-request-bytes', '10000', '--query-timeout', '300ms'];
  const server = await launchServer(['--store', 'memory://process', '--bolt-listen', '127.0.0.1:0', ...limits]);
  const url = await server.boltUrl;
  assert.ok(url !== undefined);
  await using client = await RawClient.ready(url);
  await server.cypher('CREATE (:FromHttp)');
  assert.deepEqual((await client.run('CREATE (:FromBolt) WITH 1 AS one MATCH (n) RETURN count(n)')).records, [[2]]);
  assert.deepEqual((await server.cypher('MATCH (n) RETURN count(n) AS n')).body.rows, [{ n: 2 }]);
  const { pull } = await client.run('UNWIND range(1, 1000000000) AS x WITH x WHERE x % 2 = 3 RETURN x', {}, { tx_timeout: 3_600_000 });
  assert.equal(
    pull?.content['code'],
    'Neo.ClientError.Transaction.TransactionTimedOut',
    'a client cannot ask for more time than the server gives',
  );
  client.send('reset');
  await client.answer();
  const { pull: own } = await client.run('UNWIND range(1, 1000000000) AS x WITH x WHERE x % 2 = 3 RETURN x', {}, { tx_timeout: 30 });
  assert.equal(own?.content['code'], 'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration');
  client.send('reset');
  await client.answer();
  const metrics = await (await fetch(`${server.url}/v0/metrics`)).text();
  assert.match(metrics, /graphdb_queries_total\{protocol="bolt",status="ok"\} 1/);
  assert.match(metrics, /graphdb_queries_total\{protocol="bolt",status="QUERY_TIMEOUT"\} 2/);
  client.send('run', 'RETURN $x', { x: 'x'.repeat(11_000) }, {});
  assert.equal((await client.answer())?.content['code'], 'Neo.ClientError.Request.Invalid');
  assert.equal(await server.end('SIGTERM'), 0);
});
