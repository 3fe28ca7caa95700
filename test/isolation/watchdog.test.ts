/**
 * S3, the main thread: a server that is stuck ends, is begun again by its supervisor, and has all that it answered; one
 * that was paused lives on.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnvironment, launchServer } from '../server/launched-server.ts';
import { freePort } from '../support/free-port.ts';
import { SERVER } from '../support/programs.ts';

/** Beside what the test itself was started with. */
const PLANTED = { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${join(import.meta.dirname, 'planted-loops.ts')}` };
const HANG = 'MATCH (t:Text) WHERE $secret <> "" RETURN toUpper(t.text) AS text';

async function directory(context: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'graphdb-watchdog-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a main thread that loops for ever ends the process with 70, and a supervisor begins it again', {
  timeout: 120_000,
}, async (context) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v0/cypher`;
  const settings = ['--listen', `127.0.0.1:${port}`, '--store', `file://${await directory(context)}?ns=watched`];
  const supervisor = 'while "$@"; status=$?; [ $status -eq 70 ]; do echo "ended with $status"; done';
  const args = ['-c', supervisor, 'sh', SERVER, ...settings, '--read-workers', '0', '--query-timeout', '1s', '--watchdog', '2s'];
  const child = spawn('/bin/sh', args, { env: cleanEnvironment(PLANTED), detached: true });
  context.after(() => process.kill(-child.pid!, 'SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  const cypher = async (query: string): Promise<unknown> => {
    const body = JSON.stringify({ query, params: { secret: 'a value that no log has' } });
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return answer.json();
  };
  assert.match(await nextLine(), /listening/);
  await cypher('CREATE (:Text {text: "endless loop"})');
  await cypher('CREATE (:Answered)');
  await assert.rejects(cypher(HANG));
  assert.equal(await nextLine(), 'ended with 70');
  assert.match(await nextLine(), /listening/);
  const { rows } = (await cypher('MATCH (n) RETURN count(*) AS c')) as { rows: unknown };
  assert.deepEqual(rows, [{ c: 2 }]);
  const events = log.split('\n').filter((line) => line.includes('"module":"watchdog"'));
  const told = events.map((line) => JSON.parse(line) as { query: string; stuckMs: number; exitStatus?: number });
  assert.deepEqual(
    told.map(({ query, stuckMs, exitStatus }) => [query, stuckMs, exitStatus]),
    [
      [HANG, 1000, undefined],
      [HANG, 2000, 70],
    ],
  );
  assert.doesNotMatch(log, /a value that no log has/);
});

test('a process that was paused for longer than the watchdog waits lives on', { timeout: 60_000 }, async () => {
  const server = await launchServer(['--store', 'memory://paused', '--watchdog', '5s'], { env: { RUST_LOG: 'info' } });
  server.child.kill('SIGSTOP');
  await sleep(7_000);
  server.child.kill('SIGCONT');
  assert.equal((await server.cypher('RETURN 1 AS one')).status, 200);
  await sleep(1_500);
  assert.equal((await server.cypher('RETURN 1 AS one')).status, 200);
  assert.equal(await server.end('SIGTERM'), 0);
  assert.doesNotMatch(await server.log, /is stuck/);
});

test('without a watchdog a stuck process stays', { timeout: 60_000 }, async () => {
  const server = await launchServer(['--store', 'memory://unwatched', '--read-workers', '0', '--watchdog', '0s'], { env: PLANTED });
  await server.cypher('CREATE (:Text {text: "endless loop"})');
  const ended = once(server.child, 'exit');
  const hanging = server.cypher(HANG, { secret: 'x' }).catch(() => null);
  assert.equal(await Promise.race([ended, sleep(2_500).then(() => 'stays')]), 'stays');
  await server.end('SIGKILL');
  await hanging;
});
