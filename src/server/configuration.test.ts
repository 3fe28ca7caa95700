/** Settings: defaults, a flag over its variable, and a bad value named in one line. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Caller, EVERYONE, GraphDBError, silentLogger, systemClock } from '../base/index.ts';
import { readConfiguration } from './configuration.ts';
import { createAccess } from './identity/access.ts';

const STORE = { GRAPHDB_STORE: 'memory://test' };

function faultOf(argv: string[], environment: Record<string, string> = STORE): string {
  try {
    readConfiguration(argv, environment);
  } catch (error) {
    assert(error instanceof GraphDBError, String(error));
    assert.equal(error.code, 'ARGUMENT_ERROR');
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  return assert.fail('no fault');
}

test('defaults', () => {
  const { logFilter, shown, ...configuration } = readConfiguration([], STORE);
  const { memoryBytes, ...others } = configuration;
  assert.ok(memoryBytes > 2 ** 20);
  assert.deepEqual(others, {
    store: 'memory://test',
    defaultNamespace: 'default',
    listen: { host: '0.0.0.0', port: 8080 },
    boltListen: undefined,
    boltOrigins: undefined,
    reportedVersion: '2026.1.0',
    mcpWrite: false,
    openId: undefined,
    authToken: undefined,
    tokensFile: undefined,
    jwt: undefined,
    auditLog: undefined,
    callerLimits: { statementsAtOnce: 0, requestsPerSecond: 0 },
    flushIntervalMs: 30_000,
    readOnly: false,
    queryTimeoutMs: 120_000,
    maxRequestBytes: 64 * 2 ** 20,
    queryMemoryBytes: 2 * 2 ** 30,
    changeRetentionMs: undefined,
    csvDirectory: undefined,
    csvHosts: undefined,
    csvStores: undefined,
    cacheDirectory: undefined,
    cacheBytes: undefined,
    readWorkers: availableParallelism(),
    slowQueryMs: 1_000,
    watchdogMs: 60_000,
    tls: undefined,
  });
  assert.equal(logFilter.defaultLevel, 'info');
  assert.ok(shown.every(({ isExplicitlySet, name }) => isExplicitlySet === (name === 'graphdb.store')));
});

test('variables, and flags over them', () => {
  const environment = {
    GRAPHDB_STORE: 'memory://variable',
    GRAPHDB_LISTEN: 'localhost:1',
    GRAPHDB_BOLT_LISTEN: 'localhost:7687',
    GRAPHDB_AUTH_TOKEN: 'one',
    GRAPHDB_FLUSH_INTERVAL: '0s',
    GRAPHDB_READ_ONLY: 'true',
    GRAPHDB_QUERY_TIMEOUT: '5m',
    GRAPHDB_MAX_REQUEST_BYTES: '1024',
    GRAPHDB_QUERY_MEMORY: '1MiB',
    GRAPHDB_READ_WORKERS: '3',
    GRAPHDB_SLOW_QUERY: '250ms',
    GRAPHDB_WATCHDOG: '90s',
    RUST_LOG: 'warn,http=debug',
  };
  const fromVariables = readConfiguration([], environment);
  assert.equal(fromVariables.store, 'memory://variable');
  assert.deepEqual(fromVariables.listen, { host: 'localhost', port: 1 });
  assert.deepEqual(fromVariables.boltListen, { host: 'localhost', port: 7687 });
  assert.equal(fromVariables.authToken, 'one');
  assert.equal(fromVariables.flushIntervalMs, 0);
  assert.equal(fromVariables.readOnly, true);
  assert.equal(fromVariables.queryTimeoutMs, 300_000);
  assert.equal(fromVariables.maxRequestBytes, 1_024);
  assert.equal(fromVariables.queryMemoryBytes, 2 ** 20);
  assert.equal(fromVariables.readWorkers, 3);
  assert.equal(fromVariables.slowQueryMs, 250);
  assert.equal(fromVariables.watchdogMs, 90_000);
  assert.equal(fromVariables.logFilter.modules.get('http'), 'debug');

  const flags = [
    '--store',
    'memory://flag',
    '--listen',
    '[::1]:0',
    '--auth-token',
    'two',
    '--flush-interval',
    '1s',
    '--slow-query',
    '0s',
    '--watchdog',
    '0s',
    '--read-workers',
    '0',
  ];
  const fromFlags = readConfiguration(
    [...flags, '--query-timeout', '1ms', '--max-request-bytes', '1KiB', '--query-memory', '2KiB'],
    environment,
  );
  assert.equal(fromFlags.store, 'memory://flag');
  assert.deepEqual(fromFlags.listen, { host: '::1', port: 0 });
  assert.equal(fromFlags.authToken, 'two');
  assert.equal(fromFlags.flushIntervalMs, 1_000);
  assert.equal(fromFlags.readWorkers, 0);
  assert.equal(fromFlags.slowQueryMs, 0);
  assert.equal(fromFlags.watchdogMs, 0);
  assert.equal(fromFlags.queryTimeoutMs, 1);
  assert.equal(fromFlags.maxRequestBytes, 1_024);
  assert.equal(fromFlags.queryMemoryBytes, 2_048);
  assert.equal(readConfiguration(['--read-only'], STORE).readOnly, true);
});

test('an empty variable is unset, but an empty token is not', () => {
  assert.equal(readConfiguration([], { ...STORE, GRAPHDB_QUERY_TIMEOUT: '', GRAPHDB_READ_ONLY: '' }).queryTimeoutMs, 120_000);
  assert.match(faultOf([], { ...STORE, GRAPHDB_AUTH_TOKEN: '' }), /^GRAPHDB_AUTH_TOKEN: .*empty/);
});

test('a bad value is named by its flag or its variable', () => {
  const bad = {
    store: ['nowhere://x', 'file:///x?ns='],
    'default-namespace': ['.hidden', 'a/b'],
    memory: ['lots', '0'],
    listen: ['8080', 'host', 'host:99999', 'a b:1', '::1:80', ''],
    'bolt-listen': ['7687', 'bolt://localhost:7687'],
    'bolt-origins': ['browser.example', 'https://browser.example/', ''],
    'auth-token': ['two words', 'line\n', ''],
    'flush-interval': ['30', 'soon'],
    'query-timeout': ['1d'],
    'max-request-bytes': ['0', '64MB'],
    'query-memory': ['-1'],
    'read-workers': ['-1', '1.5', 'all', '257'],
    'slow-query': ['1'],
    watchdog: ['60', 'never'],
    jwks: ['http://keys.example/', 'ftp://x/'],
    'max-requests-per-second': ['-1', 'many'],
    'load-csv': ['/nowhere/at/all'],
    'tls-cert': ['/nowhere/cert.pem'],
    'tls-key': ['/nowhere/key.pem'],
  };
  for (const [flag, values] of Object.entries(bad)) {
    const variable = `GRAPHDB_${flag.toUpperCase().replaceAll('-', '_')}`;
    for (const value of values) {
      assert.equal(faultOf([`--${flag}=${value}`]).split(':', 1)[0], `--${flag}`, value);
      if (value !== '') assert.equal(faultOf([], { ...STORE, [variable]: value }).split(':', 1)[0], variable, value);
    }
  }
  assert.match(faultOf([], { ...STORE, GRAPHDB_READ_ONLY: 'maybe' }), /^GRAPHDB_READ_ONLY: "maybe"/);
  assert.match(faultOf([], { ...STORE, RUST_LOG: 'loud' }), /^RUST_LOG: "loud"/);
  assert.match(faultOf([], {}), /--store.*GRAPHDB_STORE/);
  assert.doesNotMatch(faultOf(['--auth-token', 'my secret']), /secret/);
});

test('a hint at another flag is for the flags of other servers only', (context) => {
  const written: string[] = [];
  context.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  for (const flag of ['--port', '--constructor']) assert.throws(() => readConfiguration([flag], STORE));
  context.mock.restoreAll();
  assert.deepEqual(written, [
    "error: unknown option '--port': the port is a part of the address: --listen 127.0.0.1:8080\n",
    "error: unknown option '--constructor'\n",
  ]);
});

test('TLS needs a certificate and its key', () => {
  const file = (name: string) => join(import.meta.dirname, '../../test/server', name);
  const cert = file('localhost.cert.pem');
  const key = file('localhost.key.pem');
  assert.match(faultOf(['--tls-cert', cert]), /--tls-key/);
  assert.match(faultOf(['--tls-key', key]), /--tls-cert/);
  assert.match(faultOf(['--tls-cert', key, '--tls-key', cert]), /--tls-cert and --tls-key/);
  assert.deepEqual(readConfiguration(['--tls-key', key, '--tls-cert', cert], STORE).tls, {
    cert: readFileSync(cert),
    key: readFileSync(key),
  });
});

test('a tokens file is read at the start, and a bad one named with its line', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-tokens-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tokens');
  writeFileSync(path, `${'0a'.repeat(32)} read someone\n`);
  assert.equal(readConfiguration(['--auth-tokens-file', path], STORE).tokensFile?.tokens[0]?.role, 'read');
  writeFileSync(path, `${'0a'.repeat(32)} owner\n`);
  assert.match(faultOf(['--auth-tokens-file', path]), /^--auth-tokens-file: .*tokens: line 1 is not/);
  assert.match(faultOf([], { ...STORE, GRAPHDB_AUTH_TOKENS_FILE: join(folder, 'none') }), /^GRAPHDB_AUTH_TOKENS_FILE: cannot read/);
});

test('tokens change when their file is read again, and stay when it is bad', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-tokens-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tokens');
  const line = (token: string, role: string) => `${createHash('sha256').update(token).digest('hex')} ${role}\n`;
  writeFileSync(path, line('a', 'read'));
  const access = createAccess(
    { ...readConfiguration(['--auth-tokens-file', path, '--auth-token', 'own'], STORE) },
    { clock: systemClock, logger: silentLogger },
  );
  context.after(() => access.close());
  const roles = () => ['own', 'a', 'b', undefined].map((token) => (access.identify(token) as Caller | undefined)?.role);
  assert.deepEqual([access.isOpen, roles()], [false, ['admin', 'read', undefined, undefined]]);
  writeFileSync(path, line('b', 'write'));
  access.reload();
  assert.deepEqual(roles(), ['admin', undefined, 'write', undefined]);
  writeFileSync(path, 'nonsense\n');
  access.reload();
  assert.deepEqual(roles(), ['admin', undefined, 'write', undefined]);
  assert.equal(createAccess({}, { clock: systemClock, logger: silentLogger }).identify(undefined), EVERYONE);
});

test('a configuration file has settings by the names of flags, below variables and flags', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-config-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'graphdb.conf');
  const written = (text: string): string[] => {
    writeFileSync(path, text);
    return ['--config', path];
  };
  const flags = written('# all of it\n\nstore = "memory://file"\nlisten=localhost:1   # here\nquery-timeout = 5m\nread-only = on\r\n');
  const configuration = readConfiguration([...flags, '--query-timeout', '1m'], { GRAPHDB_LISTEN: 'localhost:2' });
  assert.deepEqual(
    [configuration.store, configuration.listen.port, configuration.queryTimeoutMs, configuration.readOnly],
    ['memory://file', 2, 60_000, true],
  );
  assert.ok(configuration.shown.find(({ name }) => name === 'graphdb.store')?.isExplicitlySet);
  assert.equal(readConfiguration([], { GRAPHDB_CONFIG: path }).listen.port, 1);
  const faults = {
    listen: /:1: not of the form/,
    'port = 1': /:1: there is no setting "port"/,
    'listen = a:1\nlisten = a:2': /:2: "listen" stands/,
  };
  for (const [text, message] of Object.entries(faults)) assert.match(faultOf(written(text)), message);
  assert.match(faultOf(written('query-timeout = soon')), /^query-timeout \(.*graphdb\.conf:1\): "soon"/);
  assert.match(faultOf(['--config', join(folder, 'none')]), /^--config: cannot read/);
});

test('GRAPHDB_LOG wins over RUST_LOG', () => {
  assert.equal(readConfiguration([], { ...STORE, RUST_LOG: 'warn', GRAPHDB_LOG: 'debug' }).logFilter.defaultLevel, 'debug');
  assert.match(faultOf([], { ...STORE, GRAPHDB_LOG: 'loud' }), /^GRAPHDB_LOG: "loud"/);
});
