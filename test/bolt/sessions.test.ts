/**
 * Sessions of the official drivers against a server: many at once, retries, bookmarks on followers and across
 * protocols, routing, cancellation, large results.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphDBError, VERSION } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import type { Engine } from '../../src/engine/index.ts';
import { DRIVERS, driverFor, startBolt } from './bolt-bench.ts';

for (const [name, neo4j] of Object.entries(DRIVERS)) {
  test(`driver ${name}: a hundred sessions at once`, async (context) => {
    const { url } = await startBolt(context);
    const driver = driverFor(context, url, { neo4j, maxConnectionPoolSize: 100 });
    await driver.executeQuery('CREATE (:Counter {n: 0})');
    const work = async (i: number): Promise<void> => {
      const session = driver.session();
      await session.executeWrite(async (tx) => {
        const { records } = await tx.run('MATCH (c:Counter) RETURN c.n AS n');
        await tx.run('MATCH (c:Counter) SET c.n = $n', { n: records[0]!.get('n').add(1) });
      });
      const { records } = await session.executeRead((tx) => tx.run('UNWIND range(1, 100) AS x RETURN x, $i AS i', { i: neo4j.int(i) }));
      assert.equal(records.length, 100);
      assert.ok(records.every((record) => record.get('i').toNumber() === i));
      await session.close();
    };
    await Promise.all(Array.from({ length: 100 }, (_, i) => work(i)));
    const { records } = await driver.executeQuery('MATCH (c:Counter) RETURN c.n');
    assert.equal(records[0]!.get(0).toNumber(), 100, 'no update is lost');
  });

  test(`driver ${name}: a time limit of the client's own is told as such`, async (context) => {
    const { url } = await startBolt(context);
    const driver = driverFor(context, url, { neo4j });
    const session = driver.session();
    const endless = 'UNWIND range(1, 1000000000) AS x WITH x WHERE x % 2 = 3 RETURN x';
    const told = { code: 'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration', retriable: false };
    await assert.rejects(session.run(endless, {}, { timeout: 30 }), told);
    await assert.rejects(
      session.executeRead((tx) => tx.run(endless), { timeout: 30 }),
      told,
    );
    await assert.rejects(
      session.executeWrite((tx) => tx.run(endless), { timeout: neo4j.int(30) }),
      told,
    );
    const transaction = session.beginTransaction({ timeout: 30 });
    await transaction.run('CREATE (:Late)');
    await sleep(60);
    await assert.rejects(transaction.commit(), told);
    await assert.rejects(driver.executeQuery(endless, {}, { transactionConfig: { timeout: 30 } }), told);
    assert.equal((await session.run('MATCH (n) RETURN n', {}, { timeout: 30_000 })).records.length, 0);
    await session.close();
  });

  test(`driver ${name}: a transaction function runs again after what may pass`, async (context) => {
    let refusals = 2;
    const refusing = (engine: Engine): Engine =>
      Object.assign(Object.create(engine) as Engine, {
        begin: async (...options: Parameters<Engine['begin']>) => {
          if (refusals-- > 0) throw new GraphDBError('OVERLOADED', 'try again');
          return engine.begin(...options);
        },
      });
    const { url } = await startBolt(context, { wrap: refusing });
    const session = driverFor(context, url, { neo4j }).session();
    let attempts = 0;
    const work = (tx: { run(query: string): Promise<{ summary: { counters: { updates(): { nodesCreated: number } } } }> }) => {
      attempts++;
      return tx.run('CREATE (:Once)');
    };
    const { summary } = await session.executeWrite((tx) => work(tx as unknown as Parameters<typeof work>[0]));
    assert.equal(summary.counters.updates().nodesCreated, 1);
    assert.ok(attempts >= 1 && refusals < 0);
    let permanent = 0;
    await assert.rejects(
      session.executeWrite((tx) => {
        permanent++;
        return tx.run('RETURN 1 / 0');
      }),
      { code: 'Neo.ClientError.Statement.ArithmeticError' },
    );
    assert.equal(permanent, 1);
    await session.close();
  });

  test(`driver ${name}: routing finds writer and readers, and leaves a server that lost its writer`, async (context) => {
    const uri = `memory://bolt-routing-${name}`;
    const first = await startBolt(context, { uri });
    const driver = driverFor(context, first.url.replace('bolt:', 'neo4j:'), { neo4j, maxTransactionRetryTime: 0 });
    await driver.verifyConnectivity({ database: 'neo4j' });
    assert.equal(await driver.supportsMultiDb(), true);
    await driver.executeQuery('CREATE (:Routed)');
    await startBolt(context, { uri });
    const session = driver.session();
    await assert.rejects(
      session.run('CREATE (:Refused)'),
      ({ code }: { code: string }) => code === 'SessionExpired' || code === 'Neo.ClientError.Cluster.NotALeader',
    );
    await using raw = await RawClient.ready(first.url);
    raw.send('run', 'CREATE (:Refused)', {}, {});
    assert.equal((await raw.answer())?.content['code'], 'Neo.ClientError.Cluster.NotALeader');
    raw.send('reset');
    raw.send('route', { address: 'graph.example:7687' }, [], { db: 'neo4j' });
    await raw.answer();
    const { rt } = (await raw.answer())!.content as { rt: { servers: { role: string; addresses: string[] }[]; db: string } };
    assert.equal(rt.db, 'neo4j');
    assert.deepEqual(
      rt.servers.map(({ role, addresses }) => [role, addresses]),
      [
        ['READ', ['graph.example:7687']],
        ['ROUTE', ['graph.example:7687']],
      ],
    );
    const { records } = await session.executeRead((tx) => tx.run('MATCH (n:Routed) RETURN count(n)'));
    assert.equal(records[0]!.get(0).toNumber(), 1, 'reading goes on');
    await session.close();
  });
}

test('bookmarks: a follower waits for what a client has written elsewhere', async (context) => {
  const uri = 'memory://bolt-bookmarks';
  const writer = await startBolt(context, { uri });
  await writer.engine.execute('CREATE (:Before)', new Map());
  const follower = await startBolt(context, {
    uri,
    engineOptions: { readOnly: true, pollIntervalMs: 0 },
    limits: { bookmarkMs: 100 },
  });
  const write = driverFor(context, writer.url).session();
  for (let i = 0; i < 5; i++) await write.executeWrite((tx) => tx.run('CREATE (:Written)'));
  const bookmarks = write.lastBookmarks();
  assert.equal(bookmarks.length, 1);
  const driver = driverFor(context, follower.url);
  const stale = await driver.session().run('MATCH (n:Written) RETURN count(n)');
  assert.equal(stale.records[0]!.get(0).toNumber(), 0);
  const read = driver.session({ bookmarks });
  assert.equal((await read.run('MATCH (n:Written) RETURN count(n)')).records[0]!.get(0).toNumber(), 5);
  assert.deepEqual(read.lastBookmarks(), bookmarks);
  await writer.engine.execute('CREATE (:Written)', new Map());
  const { namespace, sequence } = writer.engine.status();
  const inTransaction = driver.session({ bookmarks: [`graphdb:${namespace}:${sequence}`], defaultAccessMode: 'READ' }).beginTransaction();
  assert.equal((await inTransaction.run('MATCH (n:Written) RETURN count(n)')).records[0]!.get(0).toNumber(), 6);
  await inTransaction.commit();
  const ahead = driver.session({ bookmarks: [`graphdb:${namespace}:${sequence + 1}`] });
  await assert.rejects(ahead.run('RETURN 1'), { code: 'Neo.TransientError.Transaction.BookmarkTimeout' });
  await assert.rejects(driver.session().run('CREATE (:Refused)'), { code: 'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase' });
});

test('a result is fetched as it is read: the server holds a batch, not all of it', async (context) => {
  let fetched = 0;
  const counting = (engine: Engine): Engine =>
    Object.assign(Object.create(engine) as Engine, {
      stream: async (...statement: Parameters<Engine['stream']>) => {
        const stream = await engine.stream(...statement);
        const batches = async function* () {
          for await (const batch of stream.batches) {
            fetched += batch.length;
            yield batch;
          }
        };
        return { ...stream, batches: batches() };
      },
    });
  const { url } = await startBolt(context, { wrap: counting });
  const session = driverFor(context, url, { fetchSize: 100 }).session();
  const result = session.run('UNWIND range(1, 1000000) AS x RETURN x');
  let seen = 0;
  for await (const record of result) {
    assert.equal(record.get('x').toNumber(), ++seen);
    if (seen === 5_000) break;
  }
  assert.ok(fetched < 20_000, `${fetched} rows were fetched for 5000`);
  await session.close();
});

test('a session that is closed stops its statement', async (context) => {
  const { url, engine } = await startBolt(context);
  const session = driverFor(context, url).session();
  const running = session.run('CREATE (:Held) WITH 1 AS one UNWIND range(1, 1000000000) AS x WITH x WHERE x % 2 = 3 RETURN x').then(
    () => 'finished',
    () => 'stopped',
  );
  await sleep(20);
  await session.close();
  assert.equal(await running, 'stopped');
  await (await engine.begin({ mode: 'write' })).rollback();
  assert.deepEqual((await engine.execute('MATCH (n) RETURN count(n)', new Map())).rows, [[0]]);
});

test('TLS: bolt+ssc and neo4j+ssc connect, plain text does not', async (context) => {
  const file = (name: string) => readFileSync(join(import.meta.dirname, '../server', name));
  const { url } = await startBolt(context, { tls: { cert: file('localhost.cert.pem'), key: file('localhost.key.pem') } });
  assert.match(url, /^bolt\+s:/);
  for (const scheme of ['bolt+ssc:', 'neo4j+ssc:']) {
    const driver = driverFor(context, url.replace('bolt+s:', scheme));
    assert.equal((await driver.executeQuery('RETURN 1')).records.length, 1);
  }
  await using plain = await RawClient.connect(url);
  await plain.shakeHands([[5, 4]]);
  assert.equal(await plain.answer(), undefined);
});

test('what tools ask when they connect', async (context) => {
  const { url } = await startBolt(context);
  const driver = driverFor(context, url, { disableLosslessIntegers: true });
  await driver.executeQuery("CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person)");
  const rows = async (query: string, database = 'neo4j') =>
    (await driver.executeQuery(query, {}, { database })).records.map((record) => record.toObject());
  assert.deepEqual(await rows('CALL db.ping()'), [{ success: true }]);
  const components = await rows('CALL dbms.components() YIELD name, versions, edition');
  assert.deepEqual(components, [
    { name: 'Neo4j Kernel', versions: ['2026.1.0'], edition: 'community' },
    { name: 'GraphDB', versions: [VERSION], edition: 'community' },
  ]);
  const { agent } = await driver.getServerInfo();
  assert.equal(agent, `Neo4j/2026.1.0-GraphDB-${VERSION}`);
  for (const database of ['neo4j', 'system']) {
    const [shown] = await rows('SHOW DATABASES', database);
    assert.deepEqual([shown?.['name'], shown?.['currentStatus']], ['neo4j', 'online']);
  }
  assert.deepEqual(
    (await rows('CALL db.labels()')).map((row) => row['label']),
    ['Person'],
  );
  for (const query of [
    'CALL dbms.licenseAgreementDetails()',
    'CALL db.relationshipTypes()',
    'CALL db.propertyKeys()',
    'CALL dbms.clientConfig()',
    'CALL dbms.showCurrentUser()',
    'SHOW PROCEDURES YIELD name WHERE name STARTS WITH "db." RETURN name',
    'SHOW FUNCTIONS',
    'SHOW INDEXES',
    'SHOW CONSTRAINTS',
    'CALL db.schema.visualization()',
    'CALL apoc.meta.data()',
    'CALL apoc.schema.nodes()',
    'CALL apoc.meta.graphSample()',
  ]) {
    assert.ok(Array.isArray(await rows(query)), query);
  }
});
