/**
 * SHOW SETTINGS and dbms.checkConfigValue: real settings of the engine and of the server, under Neo4j's names and
 * columns, and never a token.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { open } from '../../src/index.ts';
import { launchServer } from '../server/launched-server.ts';

const COLUMNS = [
  'name',
  'value',
  'isDynamic',
  'defaultValue',
  'description',
  'startupValue',
  'isExplicitlySet',
  'validValues',
  'isDeprecated',
];

test('in the library: options and switches', async () => {
  await using db = await open('memory://settings', { flushIntervalMs: 5_000 });
  const names = async (query: string, params = {}) => (await db.query(query, params)).rows.map((row) => row['name']);
  assert.deepEqual((await db.query('SHOW SETTINGS')).columns, COLUMNS.slice(0, 5));
  assert.deepEqual((await db.query('SHOW SETTINGS YIELD *')).columns, COLUMNS);
  const all = await names('SHOW SETTINGS');
  assert.ok(all.includes('graphdb.adjacency') && all.includes('server.directories.import'));
  assert.deepEqual(all, all.toSorted());
  assert.deepEqual((await db.query("SHOW SETTING 'graphdb.flush_interval' YIELD *")).rows, [
    {
      name: 'graphdb.flush_interval',
      value: '5000ms',
      isDynamic: false,
      defaultValue: '30s',
      description: 'how often the memtable is written to SSTs; 0s: only when asked',
      startupValue: '5000ms',
      isExplicitlySet: true,
      validValues: 'duration',
      isDeprecated: false,
    },
  ]);
  assert.deepEqual((await db.query("SHOW SETTINGS 'server.directories.import' YIELD value, defaultValue")).rows, [
    { value: 'No Value', defaultValue: 'No Value' },
  ]);
  const two = ['graphdb.adjacency', 'graphdb.wcoj'];
  for (const query of [
    "SHOW SETTINGS 'graphdb.wcoj', 'graphdb.adjacency'",
    "SHOW SETTINGS ['graphdb.wcoj', 'graphdb.adjacency', 'nope']",
    'SHOW SETTINGS $two',
    'SHOW SETTINGS $two[0], $two[1] YIELD name',
    'SHOW SETTINGS $two YIELD name, value WHERE value IS NOT NULL RETURN name ORDER BY name',
    "SHOW SETTINGS YIELD name WHERE name ENDS WITH 'wcoj' OR name ENDS WITH 'adjacency'",
    'SHOW SETTINGS WHERE name IN $two',
    'SHOW SETTINGS YIELD name WHERE name IN $two RETURN * ORDER BY name',
  ])
    assert.deepEqual(await names(query, { two }), two, query);
  assert.deepEqual(await names('SHOW SETTINGS YIELD name ORDER BY name SKIP 1 LIMIT 1'), [all[1]]);
  assert.deepEqual(await names("SHOW SETTINGS 'nope'"), []);
  await assert.rejects(db.query('SHOW SETTINGS YIELD nothing'), { code: 'SEMANTIC_ERROR' });
  const check = async (name: unknown, value: unknown) =>
    (await db.query('CALL dbms.checkConfigValue($name, $value)', { name, value } as Record<string, string>)).rows[0];
  assert.deepEqual(await check('graphdb.flush_interval', '500ms'), { valid: true, message: 'requires restart' });
  for (const wrong of ['', '5', '5 days', '-1s', '1e3s', '😀', '9'.repeat(400)])
    assert.equal((await check('graphdb.flush_interval', wrong))?.['valid'], false, wrong);
  assert.match(String((await check('nope', '1'))?.['message']), /no setting "nope"/);
  for (const wrong of [null, 1, true]) {
    await assert.rejects(check(wrong, '1'), { code: 'TYPE_ERROR' });
    await assert.rejects(check('graphdb.wcoj', wrong), { code: 'TYPE_ERROR' });
  }
});

test('on a server, over HTTP and Bolt: what it was told, and no token', async () => {
  const token = 'very-secret-token';
  const server = await launchServer(['--store', 'memory://settings', '--bolt-listen', '127.0.0.1:0', '--query-timeout', '7s'], {
    env: { GRAPHDB_AUTH_TOKEN: token, GRAPHDB_SLOW_QUERY: '250ms' },
  });
  const ask = async (query: string) => {
    const response = await fetch(`${server.url}/v0/cypher`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    return ((await response.json()) as { rows: Record<string, unknown>[] }).rows;
  };
  const all = await ask('SHOW SETTINGS YIELD *');
  assert.equal(JSON.stringify(all).includes(token), false);
  assert.equal(
    all.some(({ name }) => String(name).includes('token') && name !== 'graphdb.auth_tokens_file'),
    false,
  );
  const setting = (name: string) => {
    const { value, defaultValue, isExplicitlySet } = all.find((row) => row['name'] === name) ?? {};
    return [value, defaultValue, isExplicitlySet];
  };
  assert.deepEqual(setting('db.transaction.timeout'), ['7s', '120s', true]);
  assert.deepEqual(setting('db.logs.query.threshold'), ['250ms', '1s', true]);
  assert.deepEqual(setting('db.memory.transaction.max'), ['2GiB', '2GiB', false]);
  assert.deepEqual(setting('server.bolt.listen_address'), ['127.0.0.1:0', 'No Value', true]);
  assert.deepEqual(setting('server.bolt.enabled'), ['true', 'false', true]);
  assert.deepEqual(setting('dbms.security.auth_enabled'), ['true', 'false', true]);
  assert.deepEqual(setting('graphdb.store'), ['memory://settings', 'No Value', true]);
  assert.deepEqual(setting('graphdb.adjacency'), ['true', 'true', false]);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  assert.deepEqual(await ask("CALL dbms.checkConfigValue('server.bolt.enabled', 'true')"), [{ valid: true, message: 'requires restart' }]);
  const isValid = async (name: string, value: string) => (await ask(`CALL dbms.checkConfigValue('${name}', '${value}')`))[0]?.['valid'];
  assert.equal(await isValid('db.transaction.timeout', '1 day'), false);
  assert.equal(await isValid('server.http.listen_address', 'localhost:7474'), true);
  // Whether there is such a file is nobody's business.
  for (const path of ['/etc/passwd', '/no/such/file']) {
    for (const name of ['graphdb.tls_key', 'graphdb.tls_cert', 'graphdb.auth_tokens_file', 'server.directories.import'])
      assert.equal(await isValid(name, path), true, name);
  }
  await using client = await RawClient.ready((await server.boltUrl)!, [5, 4], token);
  const { records } = await client.run("SHOW SETTINGS 'db.transaction.timeout' YIELD name, value");
  assert.deepEqual(records, [['db.transaction.timeout', '7s']]);
  assert.equal(await server.end('SIGTERM'), 0);
});
