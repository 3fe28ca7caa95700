/** Several namespaces in one server: by paths and by databases, opened and closed, created and dropped. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import neo4j from 'neo4j-driver';
import { EVERYONE } from '../../src/base/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { startNamespaces } from './namespaces-bench.ts';

const COUNT = 'MATCH (n) RETURN count(n) AS n';
let stores = 0;

function driverFor(context: TestContext, url: string) {
  const driver = neo4j.driver(url, neo4j.auth.basic('neo4j', 'x'), { disableLosslessIntegers: true });
  context.after(() => driver.close());
  return driver;
}

test('a path names a namespace; without one it is the default; unknown ones are 404', async (context) => {
  const { cypher, http } = await startNamespaces(context);
  assert.equal((await cypher('', 'CREATE (:D)')).status, 200);
  assert.deepEqual([(await cypher('/a', COUNT)).status, (await cypher('/a', COUNT)).code], [404, 'NOT_FOUND']);
  assert.equal((await cypher('', 'CREATE DATABASE a')).status, 200);
  assert.equal((await cypher('', 'CREATE DATABASE `b-1.x_Y`')).status, 200);
  for (const [path, label] of [
    ['/a', 'A'],
    ['/b-1.x_Y', 'B'],
  ] as const) {
    assert.equal((await cypher(path, `CREATE (:${label}), (:${label})`)).status, 200);
    assert.deepEqual((await cypher(path, 'MATCH (n) RETURN DISTINCT labels(n)[0] AS l, count(*) AS n')).rows, [{ l: label, n: 2 }]);
  }
  assert.deepEqual((await cypher('', COUNT)).rows, [{ n: 1 }]);
  assert.deepEqual((await cypher('/default', COUNT)).rows, [{ n: 1 }]);
  assert.deepEqual((await cypher('/%61', COUNT)).rows, [{ n: 2 }], 'a path may be encoded');
  for (const path of ['/A', '/b', '/neo4j', '/system', '/v0', '/.hidden', '/~dropped', '/%00', '/a%2Fb', `/${'a'.repeat(200)}`])
    assert.equal((await cypher(path, COUNT)).code, 'NOT_FOUND', path);
  const health = async (path: string) => (await http.inject({ url: `${path}/v0/health` })).json() as { namespace: string; role: string };
  assert.deepEqual([(await health('')).namespace, (await health('/a')).namespace, (await health('/a')).role], ['default', 'a', 'writer']);
  assert.equal((await http.inject({ url: '/none/v0/health' })).statusCode, 404);
  for (const what of ['flush', 'compact'])
    assert.equal((await http.inject({ method: 'POST', url: `/a/v0/admin/${what}` })).statusCode, 200);
  const streamed = await http.inject({
    method: 'POST',
    url: '/a/v0/cypher/stream?x=1',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ query: COUNT }),
  });
  assert.match(streamed.body, /"row":\{"n":2\}/);
  const wrong = await http.inject({ url: '/a/v0/cypher' });
  assert.deepEqual([wrong.statusCode, wrong.headers['allow']], [405, 'OPTIONS, POST']);
  assert.match((await http.inject({ url: '/a/v0/nothing' })).body, /\/a\/v0\/nothing/);
});

test('CREATE, SHOW and DROP DATABASE', async (context) => {
  const { cypher } = await startNamespaces(context);
  const names = async (query = 'SHOW DATABASES YIELD name') => (await cypher('', query)).rows.map(({ name }) => name);
  assert.deepEqual(await names(), ['default']);
  assert.equal((await cypher('', 'CREATE DATABASE $name IF NOT EXISTS', { params: { name: 'one' } })).status, 200);
  await cypher('', 'CREATE DATABASE two.three WAIT');
  assert.deepEqual(await names(), ['default', 'one', 'two.three']);
  assert.deepEqual(await names('SHOW DEFAULT DATABASE'), ['default']);
  assert.deepEqual(await names('SHOW HOME DATABASE YIELD name RETURN name'), ['default']);
  assert.deepEqual(await names('SHOW DATABASE one'), ['one']);
  const [shown] = (
    await cypher('/one', "SHOW DATABASES YIELD * WHERE name = 'default' RETURN name, default, home, aliases, currentStatus, access")
  ).rows;
  assert.deepEqual(shown, {
    name: 'default',
    default: true,
    home: true,
    aliases: ['neo4j'],
    currentStatus: 'online',
    access: 'read-write',
  });
  assert.equal((await cypher('', 'CREATE DATABASE one')).code, 'CONSTRAINT_VIOLATION');
  assert.equal((await cypher('', 'CREATE DATABASE one IF NOT EXISTS')).status, 200);
  for (const name of ['`a/b`', '`.x`', 'system', 'Neo4j', '`~dropped`', '``'])
    assert.equal((await cypher('', `CREATE DATABASE ${name}`)).status, 400, name);
  await cypher('/one', 'CREATE (:N)');
  assert.equal((await cypher('/one', 'DROP DATABASE one')).code, 'SEMANTIC_ERROR', 'not from within');
  assert.equal((await cypher('', 'DROP DATABASE default')).code, 'UNSUPPORTED');
  assert.equal((await cypher('', 'EXPLAIN DROP DATABASE one')).status, 200);
  assert.deepEqual((await cypher('/one', COUNT)).rows, [{ n: 1 }], 'explaining drops nothing');
  assert.equal((await cypher('', 'DROP DATABASE one')).status, 200);
  assert.equal((await cypher('/one', COUNT)).status, 404);
  assert.equal((await cypher('', 'DROP DATABASE one')).code, 'NOT_FOUND');
  assert.equal((await cypher('', 'DROP DATABASE one IF EXISTS')).status, 200);
  await cypher('', 'CREATE DATABASE one');
  assert.deepEqual((await cypher('/one', COUNT)).rows, [{ n: 0 }], 'a new one of that name is empty');
});

test('Bolt: databases of the driver, the usual name, system, bookmarks of all, codes that drivers know', async (context) => {
  const { boltUrl, cypher } = await startNamespaces(context);
  const driver = driverFor(context, boltUrl.replace('bolt:', 'neo4j:'));
  const run = (query: string, database?: string) => driver.executeQuery(query, {}, database === undefined ? {} : { database });
  await run('CREATE (:D)');
  await run('CREATE DATABASE a', 'system');
  await run('CREATE (:A), (:A)', 'a');
  const count = async (database?: string) => (await run(COUNT, database)).records[0]!.get('n');
  assert.deepEqual([await count(), await count('neo4j'), await count('default'), await count('a'), await count('system')], [1, 1, 1, 2, 0]);
  assert.deepEqual(
    (await run('SHOW DATABASES', 'system')).records.map((record) => record.get('name')),
    ['a', 'default'],
  );
  assert.equal((await run(COUNT, 'a')).summary.database.name, 'a');
  await assert.rejects(run(COUNT, 'none'), { code: 'Neo.ClientError.Database.DatabaseNotFound' });
  await assert.rejects(run('CREATE DATABASE a', 'system'), { code: 'Neo.ClientError.Database.ExistingDatabaseFound' });
  await assert.rejects(run('DROP DATABASE none', 'system'), { code: 'Neo.ClientError.Database.DatabaseNotFound' });
  await assert.rejects(run('CREATE (:S)', 'system'), { code: 'Neo.ClientError.Statement.NotSystemDatabaseError' });
  const session = driver.session({ database: 'a' });
  const transaction = session.beginTransaction();
  await transaction.run('CREATE (:A)');
  assert.deepEqual((await cypher('/a', COUNT)).rows, [{ n: 2 }]);
  await transaction.commit();
  assert.deepEqual((await cypher('/a', COUNT)).rows, [{ n: 3 }]);
  await session.close();
  const impersonating = driver.session({ database: 'a', impersonatedUser: 'somebody' });
  await assert.rejects(impersonating.run(COUNT), { code: 'Neo.ClientError.Security.Forbidden' });
  await impersonating.close();
  await run('DROP DATABASE a', 'system');
  await assert.rejects(count('a'), { code: 'Neo.ClientError.Database.DatabaseNotFound' });
});

test('a namespace called neo4j goes before the usual name of the default one', async (context) => {
  const uri = `memory://namespaces-usual-${stores++}`;
  const made = await openEngine(`${uri}?ns=neo4j`, { flushIntervalMs: 0 });
  await made.execute('CREATE (:N), (:N)', new Map());
  await made.close();
  const { boltUrl } = await startNamespaces(context, { uri });
  const driver = driverFor(context, boltUrl);
  const count = async (database?: string) =>
    (await driver.executeQuery(COUNT, {}, database === undefined ? {} : { database })).records[0]!.get('n');
  assert.deepEqual([await count('neo4j'), await count(), await count('default')], [2, 0, 0]);
});

test('what is idle is closed after five minutes, makes no request, and is there again with the next one', async (context) => {
  const { cypher, pass, open, requests, http } = await startNamespaces(context, { flushIntervalMs: 30_000 });
  for (const name of ['a', 'b']) await cypher('', `CREATE DATABASE ${name}`);
  await cypher('/a', 'CREATE (:A)');
  assert.deepEqual(open(), ['a', 'b', 'default']);
  await pass(200_000);
  assert.deepEqual((await cypher('/b', COUNT)).rows, [{ n: 0 }]);
  await pass(140_000);
  assert.deepEqual(open(), ['b']);
  await pass(300_000);
  assert.deepEqual(open(), []);
  const before = requests();
  await pass(600_000);
  for (const path of ['', '/a', '/b']) {
    const { statusCode, body } = await http.inject({ url: `${path}/v0/health` });
    assert.deepEqual([statusCode, JSON.parse(body).role], [200, 'writer'], 'health opens nothing');
  }
  assert.equal(requests(), before, 'what is closed costs nothing');
  assert.deepEqual(open(), []);
  assert.deepEqual((await cypher('/a', COUNT)).rows, [{ n: 1 }]);
  assert.deepEqual(open(), ['a']);
});

test('what is held is not closed, and over the budget of memory what is idle goes first', async (context) => {
  let isFull = false;
  const { cypher, pass, open, many } = await startNamespaces(context, { memory: { closings: () => (isFull ? 1 : 0) } });
  for (const name of ['a', 'b', 'c']) await cypher('', `CREATE DATABASE ${name}`);
  await pass(1_000);
  await cypher('/a', COUNT);
  const held = await many.view().hold({ namespace: 'b' }, EVERYONE, { requestId: 'x', address: null, stop: () => {} });
  isFull = true;
  await pass(60_000);
  assert.deepEqual(open(), ['b']);
  await held.engine.execute('CREATE (:B)', new Map());
  isFull = false;
  await pass(600_000);
  assert.deepEqual(open(), ['b'], 'whoever holds it may use it');
  held.release();
  held.release();
  await pass(600_000);
  assert.deepEqual(open(), []);
  assert.deepEqual((await cypher('/b', COUNT)).rows, [{ n: 1 }]);
});

test('a namespace that another process has taken over is only read, also after it was closed', async (context) => {
  const uri = `memory://namespaces-taken-${stores++}`;
  const first = await startNamespaces(context, { uri });
  await first.cypher('', 'CREATE DATABASE a');
  await first.cypher('/a', 'CREATE (:A)');
  const other = await openEngine(`${uri}?ns=a`, { flushIntervalMs: 0 });
  context.after(() => other.close());
  await other.execute('CREATE (:A)', new Map());
  const refused = async () => {
    const { status, code } = await first.cypher('/a', 'CREATE (:A)');
    return [status, code];
  };
  assert.deepEqual(await refused(), [409, 'WRITER_FENCED']);
  await first.pass(400_000);
  assert.deepEqual(first.open(), []);
  assert.deepEqual((await first.cypher('/a', COUNT)).rows, [{ n: 2 }]);
  assert.deepEqual(await refused(), [409, 'WRITER_FENCED']);
  const health = await first.http.inject({ url: '/a/v0/health' });
  assert.equal((health.json() as { role: string }).role, 'reader');
  await other.execute('CREATE (:A)', new Map());
});

test('a server that was started read-only opens what is there, and creates and drops nothing', async (context) => {
  const uri = `memory://namespaces-reader-${stores++}`;
  const writer = await startNamespaces(context, { uri });
  await writer.cypher('', 'CREATE DATABASE a');
  await writer.cypher('/a', 'CREATE (:A)');
  const reader = await startNamespaces(context, { uri, readOnly: true });
  assert.deepEqual((await reader.cypher('/a', COUNT)).rows, [{ n: 1 }]);
  for (const query of ['CREATE DATABASE b', 'DROP DATABASE b', 'CREATE (:A)'])
    assert.equal((await reader.cypher('/a', query)).code, 'READ_ONLY', query);
  assert.equal((await writer.cypher('/a', 'CREATE (:A)')).status, 200, 'nobody was fenced');
});

test('a hundred requests at once open each namespace once', async (context) => {
  const { cypher, open } = await startNamespaces(context);
  for (let i = 0; i < 5; i++) await cypher('', `CREATE DATABASE n${i}`);
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => cypher(`/n${i % 5}`, 'CREATE (:N)')));
  assert.ok(answers.every(({ status }) => status === 200));
  for (let i = 0; i < 5; i++) assert.deepEqual((await cypher(`/n${i}`, COUNT)).rows, [{ n: 20 }]);
  assert.equal(open().length, 6);
});

test('DROP DATABASE ends what runs there, and whoever comes meanwhile hears that it is gone', async (context) => {
  const { cypher, boltUrl } = await startNamespaces(context);
  await cypher('', 'CREATE DATABASE a');
  const driver = driverFor(context, boltUrl);
  const session = driver.session({ database: 'a' });
  const transaction = session.beginTransaction();
  await transaction.run('CREATE (:A)');
  const dropped = cypher('', 'DROP DATABASE a');
  const meanwhile = Promise.all(Array.from({ length: 10 }, () => cypher('/a', 'CREATE (:Late)')));
  assert.equal((await dropped).status, 200);
  await assert.rejects(transaction.commit());
  await session.close();
  for (const { code } of await meanwhile) assert.ok(code === 'NOT_FOUND' || code === 'SHUTTING_DOWN', code);
  await cypher('', 'CREATE DATABASE a');
  assert.deepEqual((await cypher('/a', COUNT)).rows, [{ n: 0 }]);
});
