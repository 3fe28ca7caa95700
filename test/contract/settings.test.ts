/**
 * Settings of the server: each by its variable and by its flag, which wins; what it does; and that a bad value stops
 * the start with one line that names it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { LaunchedServer, LaunchOptions } from '../server/launched-server.ts';
import { launchServer } from '../server/launched-server.ts';
import { ask, cypher, metric, runToEnd, temporaryStore, until } from './outside.ts';

const CERTIFICATE = join(import.meta.dirname, '../server/localhost.cert.pem');
const KEY = join(import.meta.dirname, '../server/localhost.key.pem');
const ENDLESS = 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a WHERE a < 0 RETURN count(*) AS n';

/** In memory, unless the arguments or variables name another store. */
async function start(context: TestContext, args: string[], options: LaunchOptions = {}): Promise<LaunchedServer> {
  const server = await launchServer(args, { ...options, env: { GRAPHDB_STORE: 'memory://settings', ...options.env } });
  context.after(() => server.child.kill('SIGKILL'));
  return server;
}

async function namespaceOf(server: LaunchedServer): Promise<string> {
  return (await ask(server, 'GET', '/v0/health')).json.namespace;
}

test('GRAPHDB_STORE, --store', async (context) => {
  const byVariable = await start(context, [], { env: { GRAPHDB_STORE: temporaryStore('one') } });
  assert.equal(await namespaceOf(byVariable), 'one');
  const byFlag = await start(context, ['--store', temporaryStore('two')], { env: { GRAPHDB_STORE: 'nonsense://' } });
  assert.equal(await namespaceOf(byFlag), 'two');
});

test('GRAPHDB_LISTEN, --listen', async (context) => {
  const byVariable = await start(context, [], { listen: null, env: { GRAPHDB_LISTEN: 'localhost:0' } });
  assert.match(byVariable.url, /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
  const byFlag = await start(context, [], { env: { GRAPHDB_LISTEN: '203.0.113.1:1' } });
  assert.equal((await ask(byFlag, 'GET', '/v0/health')).status, 200);
});

test('GRAPHDB_AUTH_TOKEN, --auth-token: unset is open, with a loud warning', async (context) => {
  const body = { query: 'RETURN 1 AS x' };
  const statusFor = async (server: LaunchedServer, token: string) =>
    (await ask(server, 'POST', '/v0/cypher', { body, headers: { authorization: `Bearer ${token}` } })).status;
  const byVariable = await start(context, [], { env: { GRAPHDB_AUTH_TOKEN: 'one' } });
  assert.deepEqual([await statusFor(byVariable, 'one'), await statusFor(byVariable, 'two')], [200, 401]);
  const byFlag = await start(context, ['--auth-token', 'two'], { env: { GRAPHDB_AUTH_TOKEN: 'one' } });
  assert.deepEqual([await statusFor(byFlag, 'one'), await statusFor(byFlag, 'two')], [401, 200]);
  const open = await start(context, []);
  assert.equal(await statusFor(open, 'whatever'), 200);
  await open.end('SIGTERM');
  assert.match(await open.log, /"level":"warn".*NO AUTH TOKEN IS SET/);
});

test('GRAPHDB_FLUSH_INTERVAL, --flush-interval: 0s is off', async (context) => {
  const byVariable = await start(context, [], { env: { GRAPHDB_FLUSH_INTERVAL: '100ms' } });
  await cypher(byVariable, 'CREATE (:N)');
  await until('a flush that nobody asked for', async () => (await metric(byVariable, 'graphdb_flushes_total')) === 1);
  const byFlag = await start(context, ['--flush-interval', '0s'], { env: { GRAPHDB_FLUSH_INTERVAL: '50ms' } });
  await cypher(byFlag, 'CREATE (:N)');
  await sleep(300);
  assert.equal(await metric(byFlag, 'graphdb_flushes_total'), 0);
});

/** The magic bytes of Bolt, and four times 5.4. What comes back is the version that the server chose. */
async function boltVersion(socket: Socket): Promise<string> {
  socket.write(Buffer.from('6060b01700000405000004050000040500000405', 'hex'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString('hex');
}

test('GRAPHDB_BOLT_LISTEN, --bolt-listen: unset is off', async (context) => {
  const byVariable = await start(context, [], { env: { GRAPHDB_BOLT_LISTEN: '127.0.0.1:0' } });
  const { port, hostname } = new URL((await byVariable.boltUrl) ?? '');
  assert.equal(await boltVersion(connect(Number(port), hostname)), '00000405');
  const byFlag = await start(context, ['--bolt-listen', '127.0.0.1:0'], { env: { GRAPHDB_BOLT_LISTEN: '203.0.113.1:1' } });
  assert.match((await byFlag.boltUrl) ?? '', /^bolt:\/\/127\.0\.0\.1:\d+$/);
  const off = await start(context, []);
  await off.end('SIGTERM');
  assert.equal(await off.boltUrl, undefined);
});

test('GRAPHDB_BOLT_ORIGINS, --bolt-origins: pages that may speak Bolt over WebSockets', async (context) => {
  const listening = ['--bolt-listen', '127.0.0.1:0'];
  const token = { GRAPHDB_AUTH_TOKEN: 'secret' };
  const named = { GRAPHDB_BOLT_ORIGINS: 'https://one.example,https://two.example' };
  const [local, remote, one, two] = ['http://localhost:3000', 'https://other.example', 'https://one.example', 'https://two.example'];
  for (const [args, env, mayConnect, mayNot] of [
    [[], {}, [local], [remote, one]],
    [[], token, [local, remote, one], []],
    [[], named, [one, two], [local, remote]],
    [['--bolt-origins', 'https://two.example'], named, [two], [local, one]],
    [['--bolt-origins', '*'], {}, [remote], []],
  ] as const) {
    const { boltUrl } = await start(context, [...listening, ...args], { env });
    const port = new URL((await boltUrl) ?? '').port;
    for (const origin of mayConnect) assert.equal(await upgradeStatus(port, origin), 101, origin);
    for (const origin of mayNot) assert.equal(await upgradeStatus(port, origin), 403, origin);
  }
});

async function upgradeStatus(port: string, origin: string): Promise<number> {
  const socket = connect(Number(port), '127.0.0.1');
  const key = Buffer.alloc(16).toString('base64');
  const head = `GET / HTTP/1.1\r\nhost: x\r\norigin: ${origin}\r\nconnection: upgrade\r\nupgrade: websocket\r\n`;
  socket.write(`${head}sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(answer.toString('latin1').split(' ')[1]);
}

test('GRAPHDB_READ_ONLY, --read-only: serves reads and claims no epoch', async (context) => {
  const store = temporaryStore();
  const writer = await start(context, ['--store', store]);
  await cypher(writer, 'CREATE (:N)');
  const { epoch } = (await ask(writer, 'GET', '/v0/health')).json;
  for (const [args, env] of [
    [[], { GRAPHDB_READ_ONLY: '1' }],
    [['--read-only'], { GRAPHDB_READ_ONLY: 'off' }],
  ] as const) {
    const reader = await start(context, ['--store', store, ...args], { env });
    const health = (await ask(reader, 'GET', '/v0/health')).json;
    assert.deepEqual([health.role, health.epoch, health.status], ['reader', epoch, 'ok']);
    assert.deepEqual((await cypher(reader, 'MATCH (n:N) RETURN count(*) AS n')).json.rows, [{ n: 1 }]);
    assert.equal((await cypher(reader, 'CREATE (:N)')).json.code, 'READ_ONLY');
  }
  assert.equal((await cypher(writer, 'CREATE (:N)')).status, 200, 'the writer is not fenced');
});

test('GRAPHDB_QUERY_TIMEOUT, --query-timeout: 0s is none', async (context) => {
  const byVariable = await start(context, [], { env: { GRAPHDB_QUERY_TIMEOUT: '50ms' } });
  assert.equal((await cypher(byVariable, ENDLESS)).json.code, 'QUERY_TIMEOUT');
  const byFlag = await start(context, ['--query-timeout', '0s'], { env: { GRAPHDB_QUERY_TIMEOUT: '1ms' } });
  assert.equal((await cypher(byFlag, 'UNWIND range(1, 300000) AS a RETURN count(a) AS n')).status, 200);
});

test('GRAPHDB_MAX_REQUEST_BYTES, --max-request-bytes', async (context) => {
  const bytes = (count: number) => `{"query":"RETURN 1 AS x"}`.padEnd(count);
  const headers = { 'content-type': 'application/json' };
  const statuses = async (server: LaunchedServer, limit: number) => [
    (await ask(server, 'POST', '/v0/cypher', { body: bytes(limit), headers })).status,
    (await ask(server, 'POST', '/v0/cypher', { body: bytes(limit + 1), headers })).status,
  ];
  const byVariable = await start(context, [], { env: { GRAPHDB_MAX_REQUEST_BYTES: '300' } });
  assert.deepEqual(await statuses(byVariable, 300), [200, 413]);
  const byFlag = await start(context, ['--max-request-bytes', '1KiB'], { env: { GRAPHDB_MAX_REQUEST_BYTES: '300' } });
  assert.deepEqual(await statuses(byFlag, 1024), [200, 413]);
});

test('GRAPHDB_QUERY_MEMORY, --query-memory', async (context) => {
  const collect = 'UNWIND range(1, 200000) AS a RETURN size(collect(a)) AS n';
  const byVariable = await start(context, [], { env: { GRAPHDB_QUERY_MEMORY: '1MiB' } });
  assert.equal((await cypher(byVariable, collect)).json.code, 'MEMORY_LIMIT');
  assert.equal((await cypher(byVariable, 'RETURN 1 AS x')).status, 200, 'the process lives on');
  const byFlag = await start(context, ['--query-memory', '1GiB'], { env: { GRAPHDB_QUERY_MEMORY: '1MiB' } });
  assert.deepEqual((await cypher(byFlag, collect)).json.rows, [{ n: 200_000 }]);
});

test(
  'GRAPHDB_CACHE_DIR and GRAPHDB_CACHE_SIZE, --cache-dir and --cache-size: temporary files of statements that need more than ' +
    'their memory',
  async (context) => {
    const directory = await mkdtemp(join(tmpdir(), 'cache-dir-'));
    context.after(() => rm(directory, { recursive: true }));
    const left = join(directory, 'graphdb-spill-left');
    const sorted = 'UNWIND range(1, 200000) AS a WITH a ORDER BY -a WITH a SKIP 199999 RETURN a';
    const memory = ['--query-memory', '1MiB'];
    const tooLittle = await start(context, memory, { env: { GRAPHDB_CACHE_DIR: directory, GRAPHDB_CACHE_SIZE: '1KiB' } });
    assert.match((await cypher(tooLittle, sorted)).json.error, /more than the 1024 bytes that its temporary files may take/);
    await writeFile(left, '');
    const byFlag = await start(context, [...memory, '--cache-dir', directory, '--cache-size', '1GiB'], {
      env: { GRAPHDB_CACHE_SIZE: '1KiB' },
    });
    assert.deepEqual((await cypher(byFlag, sorted)).json.rows, [{ a: 1 }]);
    assert.deepEqual(await readdir(directory), [], 'what was left in the directory is gone');
  },
);

test('GRAPHDB_READ_WORKERS, --read-workers', async (context) => {
  const long = 'MATCH (a:P), (b:P), (c:P) WHERE (a.i + b.i + c.i) % 1000 = 1 RETURN count(*) AS c';
  const readsOfWorkers = async (server: LaunchedServer) => {
    await cypher(server, 'UNWIND range(1, 100) AS i CREATE (:P {i: i})');
    assert.equal((await cypher(server, long)).status, 200);
    return metric(server, 'graphdb_worker_reads_total');
  };
  assert.equal(await readsOfWorkers(await start(context, [], { env: { GRAPHDB_READ_WORKERS: '1' } })), 1);
  assert.equal(await readsOfWorkers(await start(context, ['--read-workers', '0'], { env: { GRAPHDB_READ_WORKERS: '2' } })), 0);
});

test('GRAPHDB_TLS_CERT, GRAPHDB_TLS_KEY, --tls-cert, --tls-key: for HTTP and Bolt', async (context) => {
  const ca = await readFile(CERTIFICATE);
  const variables = { GRAPHDB_TLS_CERT: CERTIFICATE, GRAPHDB_TLS_KEY: KEY };
  const bolt = ['--bolt-listen', '127.0.0.1:0'];
  for (const [args, env] of [
    [bolt, variables],
    [[...bolt, '--tls-cert', CERTIFICATE, '--tls-key', KEY], { GRAPHDB_TLS_CERT: '/nowhere', GRAPHDB_TLS_KEY: '/nowhere' }],
  ] as const) {
    const server = await start(context, [...args], { env });
    assert.match(server.url, /^https:/);
    const [response] = (await once(get(`${server.url}/v0/health`, { ca, agent: false }), 'response')) as [IncomingMessage];
    assert.match(await text(response), /"status":"ok"/);
    const { port, hostname } = new URL((await server.boltUrl) ?? '');
    const socket = connectTls({ host: hostname, port: Number(port), ca });
    await once(socket, 'secureConnect');
    assert.equal(await boltVersion(socket), '00000405');
  }
});

test('GRAPHDB_SLOW_QUERY, --slow-query: the text, never the parameters; 0s is off', async (context) => {
  const logOf = async (server: LaunchedServer) => {
    await cypher(server, 'UNWIND range(1, $secret) AS i RETURN count(*) AS counted', { secret: 123_457 });
    await server.end('SIGTERM');
    return server.log;
  };
  const log = await logOf(await start(context, [], { env: { GRAPHDB_SLOW_QUERY: '1ms' } }));
  const line = log.split('\n').find((one) => one.includes('slow statement')) ?? '{}';
  const { level, query, elapsedMs } = JSON.parse(line);
  assert.deepEqual([level, query], ['warn', 'UNWIND range(1, $secret) AS i RETURN count(*) AS counted']);
  assert.ok(elapsedMs >= 1);
  assert.doesNotMatch(log, /123457/);
  assert.doesNotMatch(await logOf(await start(context, ['--slow-query', '0s'], { env: { GRAPHDB_SLOW_QUERY: '1ms' } })), /slow statement/);
});

test('the help names every flag, its variable and its default', async () => {
  const { status, stdout } = await runToEnd(['--help']);
  assert.equal(status, 0);
  const help = stdout.replace(/\s+/g, ' ');
  const rows = {
    '--store <uri>': /\[GRAPHDB_STORE\]/,
    '--listen <host:port>': /\[GRAPHDB_LISTEN, default 0\.0\.0\.0:8080\]/,
    '--auth-token <token>': /\[GRAPHDB_AUTH_TOKEN\]/,
    '--flush-interval <duration>': /\[GRAPHDB_FLUSH_INTERVAL, default 30s\]/,
    '--bolt-listen <host:port>': /\[GRAPHDB_BOLT_LISTEN\]/,
    '--bolt-origins <origins>': /\[GRAPHDB_BOLT_ORIGINS\]/,
    '--read-only ': /\[GRAPHDB_READ_ONLY, default off\]/,
    '--query-timeout <duration>': /\[GRAPHDB_QUERY_TIMEOUT, default 120s\]/,
    '--max-request-bytes <size>': /\[GRAPHDB_MAX_REQUEST_BYTES, default 64MiB\]/,
    '--query-memory <size>': /\[GRAPHDB_QUERY_MEMORY, default 2GiB\]/,
    '--cache-dir <directory>': /\[GRAPHDB_CACHE_DIR\]/,
    '--cache-size <size>': /\[GRAPHDB_CACHE_SIZE\]/,
    '--read-workers <count>': /one per core.*\[GRAPHDB_READ_WORKERS, default \d+\]/,
    '--tls-cert <file>': /\[GRAPHDB_TLS_CERT\]/,
    '--tls-key <file>': /\[GRAPHDB_TLS_KEY\]/,
    '--slow-query <duration>': /\[GRAPHDB_SLOW_QUERY, default 1s\]/,
    '--watchdog <duration>': /\[GRAPHDB_WATCHDOG, default 60s\]/,
    '--cdc-retention <duration>': /\[GRAPHDB_CDC_RETENTION\]/,
    '--load-csv-hosts <hosts>': /\[GRAPHDB_LOAD_CSV_HOSTS\]/,
  };
  for (const [flag, place] of Object.entries(rows)) {
    const at = help.indexOf(flag);
    assert.ok(at >= 0, flag);
    assert.match(help.slice(at, help.indexOf(']', at) + 1), place);
  }
  assert.match(help, /--load-csv-stores \[places\] [^\]]*\[GRAPHDB_LOAD_CSV_STORES\]/);
});

test('a bad value stops the start with one line that names its flag or its variable', async () => {
  const bad: readonly [name: string, value: string][] = [
    ['--store', 'nonsense://x'],
    ['GRAPHDB_LISTEN', '8080'],
    ['--auth-token', 'two words'],
    ['GRAPHDB_AUTH_TOKEN', ''],
    ['GRAPHDB_FLUSH_INTERVAL', '30'],
    ['--bolt-listen', 'bolt://localhost'],
    ['GRAPHDB_READ_ONLY', 'perhaps'],
    ['--query-timeout', '-1s'],
    ['GRAPHDB_MAX_REQUEST_BYTES', '64MB'],
    ['--query-memory', '0'],
    ['--cache-dir', '/nowhere'],
    ['GRAPHDB_CACHE_SIZE', 'half'],
    ['GRAPHDB_READ_WORKERS', 'many'],
    ['--tls-cert', '/nowhere.pem'],
    ['GRAPHDB_TLS_KEY', '/nowhere.pem'],
    ['--slow-query', '1 s'],
    ['GRAPHDB_WATCHDOG', '1'],
    ['GRAPHDB_CDC_RETENTION', 'for ever'],
    ['--load-csv-hosts', 'https://example.com'],
    ['GRAPHDB_LOAD_CSV_STORES', 'file:///x'],
    ['RUST_LOG', 'loud'],
  ];
  for (const [name, value] of bad) {
    const isFlag = name.startsWith('--');
    const env = { GRAPHDB_STORE: 'memory://bad', ...(isFlag ? {} : { [name]: value }) };
    const { status, stdout, stderr } = await runToEnd(isFlag ? [name, value] : [], env);
    assert.deepEqual([status, stdout], [2, ''], name);
    assert.match(stderr, new RegExp(`^graphdb-server: ${name}: .+\n$`));
  }
});

test('durations are ms, s and m; sizes are bytes or binary units', async (context) => {
  const args = [
    '--flush-interval',
    '5m',
    '--query-timeout',
    '500ms',
    '--slow-query',
    '30s',
    '--watchdog',
    '2m',
    '--max-request-bytes',
    '4096',
    '--query-memory',
    '64MiB',
  ];
  assert.equal((await ask(await start(context, args), 'GET', '/v0/health')).status, 200);
});
