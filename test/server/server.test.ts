/** The server as a process: start, faults of the start, signals, and what a kill leaves. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER } from '../support/programs.ts';
import { cleanEnvironment, type LaunchedServer, launchServer } from './launched-server.ts';

async function temporaryStore(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return `file://${folder}?ns=test`;
}

async function start(context: TestContext, args: string[], env: Record<string, string> = {}): Promise<LaunchedServer> {
  const server = await launchServer(args, { env });
  context.after(() => server.child.kill('SIGKILL'));
  return server;
}

/** Runs it to its end. */
function run(args: string[], env: Record<string, string> = {}): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(SERVER, args, { env: cleanEnvironment(env), encoding: 'utf8', timeout: 20_000 });
}

function assertOneLine(stderr: string, pattern: RegExp): void {
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

test('what was answered survives a kill, and a clean stop exits with 0', async (context) => {
  const store = await temporaryStore(context);
  const first = await start(context, ['--store', store]);
  const { status, body } = await first.cypher('CREATE (n:Person {name: $name}) RETURN n.name AS name', { name: 'Ada' });
  assert.equal(status, 200);
  assert.deepEqual(body.rows, [{ name: 'Ada' }]);
  assert.deepEqual(body.write_outcome, { nodes_created: 1, edges_created: 0, nodes_deleted: 0, edges_deleted: 0, properties_set: 1 });
  assert.equal(await first.end('SIGKILL'), 'SIGKILL');

  const second = await start(context, ['--store', store]);
  assert.deepEqual((await second.cypher('MATCH (n:Person) RETURN n.name AS name')).body, { columns: ['name'], rows: [{ name: 'Ada' }] });
  assert.equal(await second.end('SIGTERM'), 0);

  const third = await start(context, ['--store', store]);
  assert.deepEqual((await third.cypher('MATCH (n) RETURN count(*) AS n')).body.rows, [{ n: 1 }]);
  assert.equal(await third.end('SIGINT'), 0);
});

test('flush writes SSTs and health follows', async (context) => {
  const server = await start(context, ['--store', await temporaryStore(context), '--flush-interval', '0s']);
  const health = async () =>
    (await (await fetch(`${server.url}/v0/health`)).json()) as { manifest_version: number; status: string; role: string };
  const before = await health();
  assert.equal(before.status, 'ok');
  assert.equal(before.role, 'writer');
  await server.cypher('UNWIND range(1, 100) AS i CREATE (:N {i: i})');
  const flushed = (await (await fetch(`${server.url}/v0/admin/flush`, { method: 'POST' })).json()) as Record<string, number>;
  assert.ok((flushed.ssts_written ?? 0) >= 1, JSON.stringify(flushed));
  assert.ok((flushed.manifest_version ?? 0) > before.manifest_version);
  assert.equal((await health()).manifest_version, flushed.manifest_version);
});

test('without a token it warns loudly; with one it asks for it and never logs it', async (context) => {
  const open = await start(context, ['--store', 'memory://open']);
  await open.end('SIGTERM');
  assert.match(await open.log, /NO AUTH TOKEN IS SET/);

  const closed = await start(context, ['--store', 'memory://closed'], { GRAPHDB_AUTH_TOKEN: 'very-secret-token', RUST_LOG: 'trace' });
  assert.equal((await closed.cypher('RETURN 1 AS x')).status, 401);
  const authorization = 'Bearer very-secret-token';
  const headers = { 'content-type': 'application/json', authorization };
  const answer = await fetch(`${closed.url}/v0/cypher?very-secret-token`, { method: 'POST', headers, body: '{"query":"RETURN 1 AS x"}' });
  assert.equal(await answer.text(), '{"columns":["x"],"rows":[{"x":1}]}');
  await closed.end('SIGTERM');
  const log = await closed.log;
  assert.match(log, /"msg":"request"/);
  assert.doesNotMatch(log, /very-secret-token/);
  assert.doesNotMatch(log, /NO AUTH TOKEN/);
});

test('a read-only server answers writes with 403', async (context) => {
  const store = await temporaryStore(context);
  const writer = await start(context, ['--store', store]);
  await writer.cypher('CREATE (:N)');
  const reader = await start(context, ['--store', store, '--read-only']);
  assert.deepEqual((await reader.cypher('MATCH (n:N) RETURN count(*) AS n')).body.rows, [{ n: 1 }]);
  const refused = await reader.cypher('CREATE (:N)');
  assert.equal(refused.status, 403);
  assert.equal(refused.body.code, 'READ_ONLY');
  assert.equal((await writer.cypher('CREATE (:N)')).status, 200, 'the writer keeps its epoch');
});

test('a read-only server follows the writer, through compaction and a new writer', async (context) => {
  const store = await temporaryStore(context);
  const writer = await start(context, ['--store', store]);
  await writer.cypher('CREATE (:N)');
  const reader = await start(context, ['--store', store, '--read-only']);
  const seen = async (count: number): Promise<number> => {
    const since = performance.now();
    for (;;) {
      const { body } = await reader.cypher('MATCH (n:N) RETURN count(*) AS n');
      if (body.rows[0]?.['n'] === count) return performance.now() - since;
      assert.ok(performance.now() - since < 10_000, `${JSON.stringify(body)} instead of ${count}`);
      await sleep(10);
    }
  };
  await writer.cypher('UNWIND range(1, 99) AS i CREATE (:N {i: i})');
  await seen(100);
  const compacted = await fetch(`${writer.url}/v0/admin/compact`, { method: 'POST' });
  assert.deepEqual([compacted.status, Object.keys((await compacted.json()) as object).includes('manifest_version')], [200, true]);
  assert.equal((await fetch(`${reader.url}/v0/admin/compact`, { method: 'POST' })).status, 403);
  await writer.cypher('MATCH (n:N {i: 5}) DELETE n');
  await seen(99);
  const successor = await start(context, ['--store', store]);
  await successor.cypher('CREATE (:N)');
  await seen(100);
  assert.equal((await writer.cypher('CREATE (:N)')).body.code, 'WRITER_FENCED');
  assert.equal((await fetch(`${writer.url}/v0/admin/compact`, { method: 'POST' })).status, 409);
});

test('a port in use is told, and does not fence the server that has it', async (context) => {
  const store = await temporaryStore(context);
  const first = await start(context, ['--store', store]);
  const second = run(['--listen', new URL(first.url).host, '--store', store], { RUST_LOG: 'off' });
  assert.equal(second.status, 1);
  assertOneLine(second.stderr, /^graphdb-server: cannot listen on 127\.0\.0\.1:\d+: another process has that port/);
  assert.equal((await first.cypher('CREATE (:N)')).status, 200);
});

test('with a certificate it serves https', async (context) => {
  const certificate = join(import.meta.dirname, 'localhost.cert.pem');
  const key = join(import.meta.dirname, 'localhost.key.pem');
  const server = await start(context, ['--store', 'memory://tls', '--tls-cert', certificate, '--tls-key', key]);
  assert.match(server.url, /^https:/);
  const request = get(`${server.url}/v0/health`, { ca: await readFile(certificate) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  assert.match(await text(response), /"status":"ok"/);
  const mismatched = run(['--store', 'memory://tls', '--tls-cert', key, '--tls-key', certificate]);
  assert.equal(mismatched.status, 2);
  assertOneLine(mismatched.stderr, /--tls-cert and --tls-key/);
});

test('wrong usage ends with 2 and one line', () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [[], {}, /--store.*GRAPHDB_STORE/],
    [['--store', 'memory://x'], { GRAPHDB_QUERY_TIMEOUT: 'soon' }, /GRAPHDB_QUERY_TIMEOUT: "soon"/],
    [['--store', 'file:///x?ns='], {}, /--store: .*ns/],
    [['--store', 'memory://x', '--unheard-of'], {}, /--unheard-of/],
    [['--store', 'memory://x', 'stray'], {}, /argument/],
  ];
  for (const [args, env, pattern] of cases) {
    const { status, stderr } = run(args, env);
    assert.equal(status, 2, args.join(' '));
    assertOneLine(stderr, pattern);
  }
});

test('help and version are answers', () => {
  const help = run(['--help']);
  assert.equal(help.status, 0);
  for (const name of ['GRAPHDB_STORE', '--listen', 'GRAPHDB_AUTH_TOKEN', '--read-only', 'RUST_LOG'])
    assert.ok(help.stdout.includes(name), name);
  assert.deepEqual(run(['--version']).stdout.trim(), '0.3.0');
});

test('help is no failure for whoever reads only its beginning', async () => {
  const child = spawn(SERVER, ['--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const errors = text(child.stderr);
  assert.deepEqual(await once(child, 'exit'), [0, null], await errors);
  assert.equal(await errors, '');
});
