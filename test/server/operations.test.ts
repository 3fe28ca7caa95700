/**
 * A server as those who run it see it: request ids, the log of statements, probes, metrics of answers, a configuration
 * file, and `npm start`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { cleanEnvironment, launchServer } from './launched-server.ts';

test('a request keeps the id of its client, in the answer and in the log beside who sent what', async () => {
  const env = { GRAPHDB_LOG: 'debug' };
  const server = await launchServer(['--store', 'memory://operations', '--auth-token', 'secret'], { env });
  const ask = (id: string, path = '/v0/cypher') =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'x-request-id': id, 'content-type': 'application/json', authorization: 'Bearer secret' },
      body: JSON.stringify({ query: 'UNWIND [1, 2, $third] AS x RETURN x', params: { third: 'a value of a parameter' } }),
    });
  assert.equal((await ask('proxy-7f.3')).headers.get('x-request-id'), 'proxy-7f.3');
  await (await ask('streamed', '/v0/cypher/stream')).text();
  const replaced = (await ask('two words')).headers.get('x-request-id');
  assert.match(replaced ?? '', /^[a-z0-9]+-[a-z0-9]+$/);
  const refused = await fetch(`${server.url}/v0/nothing`, { headers: { 'x-request-id': 'lost' } });
  assert.deepEqual([refused.status, refused.headers.get('x-request-id')], [404, 'lost']);
  const metrics = await (await fetch(`${server.url}/v0/metrics`)).text();
  assert.match(metrics, /^graphdb_http_responses_total\{status="200"\} 3$/m);
  assert.match(metrics, /^graphdb_http_responses_total\{status="404"\} 1$/m);
  assert.match(metrics, /^graphdb_build_info\{version="[\d.]+",node_version="[\d.]+",platform="\w+-\w+"\} 1$/m);
  await server.end('SIGTERM');
  const log = await server.log;
  const statements = log
    .split('\n')
    .filter((line) => line.includes('"msg":"statement"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = statements.map(({ requestId, user, protocol, namespace, rows, result }) => [
    requestId,
    user,
    protocol,
    namespace,
    rows,
    result,
  ]);
  const user = told[0]?.[1];
  assert.ok(typeof user === 'string' && user !== '');
  assert.deepEqual(
    told,
    ['proxy-7f.3', 'streamed', replaced].map((id) => [id, user, 'http', 'default', 3, 'ok']),
  );
  assert.doesNotMatch(log, /value of a parameter|secret/);
});

test('answers that leave in pieces carry the id of their request, too', async () => {
  const server = await launchServer(['--store', 'memory://operations']);
  for (const [path, query] of [
    ['/v0/cypher', 'UNWIND range(1, 100000) AS i RETURN i'],
    ['/v0/cypher/stream', 'RETURN 1 AS i'],
    ['/v0/cypher/arrow', 'RETURN 1 AS i'],
  ] as const) {
    const headers = { 'x-request-id': 'r-1', 'content-type': 'application/json' };
    const sent = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    assert.deepEqual([sent.status, sent.headers.get('x-request-id')], [200, 'r-1'], path);
    await sent.arrayBuffer();
  }
  await server.end('SIGKILL');
});

test('probes tell whether it is alive and whether it is ready; a configuration file is enough to start', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-operations-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'graphdb.conf'), 'store = "memory://configured"   # for this test\nlisten = 127.0.0.1:0\n');
  const server = await launchServer(['--config', join(folder, 'graphdb.conf')], { listen: null });
  for (const [path, status] of [
    ['/v0/live', 'alive'],
    ['/v0/ready', 'ready'],
  ]) {
    const answer = await fetch(`${server.url}${path}`);
    assert.deepEqual([answer.status, await answer.json()], [200, { status }]);
  }
  await server.end('SIGTERM');
});

test('npm start hands a signal on to the server, which ends in order', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-npm-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = cleanEnvironment({
    GRAPHDB_LISTEN: '127.0.0.1:0',
    GRAPHDB_STORE: `file://${folder}?ns=a`,
    PATH: `${process.execPath.replace(/\/node$/, '')}:${process.env['PATH']}`,
  });
  const npm = spawn('npm', ['start', '--silent'], { cwd: join(import.meta.dirname, '../..'), env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: npm.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const url = /listening on (\S+)$/.exec(line)?.[1] ?? '';
  assert.equal((await fetch(`${url}/v0/live`)).status, 200);
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await assert.rejects(fetch(`${url}/v0/live`));
});
