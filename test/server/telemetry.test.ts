/**
 * OpenTelemetry: what an SDK in the process is told of requests, statements, commits and the store; and that nothing is
 * told, and no API loaded, without one.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import neo4j from 'neo4j-driver';
import { ask, until } from '../contract/outside.ts';
import { launchServer } from './launched-server.ts';

const RECORDER = pathToFileURL(join(import.meta.dirname, 'telemetry-recorder.mjs')).href;
const TRACE = '0af7651916cd43dd8448eb211c80319c';

interface Told {
  readonly name: string;
  readonly spanId: string;
  readonly parent: string | null;
  readonly traceId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: number | null;
  readonly metric?: string;
  readonly type?: string;
  readonly value?: number;
  readonly collected?: boolean;
}

function recorded(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-telemetry-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'spans');
  const all = (): Told[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Told)
      : [];
  return { file, all };
}

test('spans of a request lead from the traceparent of the client to the statement, its commit and the store', async (context) => {
  const { file, all } = recorded(context);
  const env = { SPANS: file, NODE_OPTIONS: `--import=${RECORDER}` };
  const server = await launchServer(['--store', 'memory://telemetry', '--bolt-listen', '127.0.0.1:0'], { env });
  context.after(() => server.child.kill('SIGKILL'));
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  await ask(server, 'POST', '/v0/cypher', { body: { query: "CREATE (:Secret {name: 'hidden'})" }, headers });
  await ask(server, 'POST', '/v0/cypher', { body: { query: 'RETURN wrong' }, headers });
  const ofTrace = (): Told[] => all().filter(({ traceId }) => traceId === TRACE);
  const named = (name: string): Told[] => ofTrace().filter((span) => span.name === name);
  await until('the spans have ended', async () => named('POST /v0/cypher').length === 2);
  const [request, failed] = named('POST /v0/cypher') as [Told, Told];
  assert.deepEqual([request.parent, request.attributes['http.response.status_code']], ['b7ad6b7169203331', 200]);
  assert.equal(failed.attributes['http.response.status_code'], 400);
  const [statement, wrong] = named('statement') as [Told, Told];
  assert.deepEqual([statement.parent, statement.attributes['db.namespace']], [request.spanId, 'default']);
  assert.deepEqual([wrong.parent, wrong.status, wrong.attributes['error.type']], [failed.spanId, 2, 'SEMANTIC_ERROR']);
  const [commit] = named('commit') as [Told];
  assert.equal(commit.parent, statement.spanId);
  const puts = named('store putIfAbsent').filter(({ attributes }) => attributes['graphdb.store.area'] === 'wal');
  assert.ok(puts.some(({ parent }) => parent === commit.spanId));
  assert.doesNotMatch(readFileSync(file, 'utf8'), /Secret|hidden/, 'no text of a statement');

  const driver = neo4j.driver((await server.boltUrl)!, neo4j.auth.basic('', ''));
  await driver.executeQuery('RETURN 1');
  await driver.close();
  const names = all().map(({ name }) => name);
  for (const name of ['bolt HELLO', 'bolt RUN', 'bolt PULL']) assert.ok(names.includes(name), name);

  server.child.kill('SIGUSR2');
  await until('the metrics are told', async () => all().some(({ collected }) => collected === true));
  const metrics = all().filter(({ metric }) => metric === 'graphdb_queries_total');
  assert.ok(metrics.some(({ type, value, attributes }) => type === 'counter' && value! >= 1 && attributes['protocol'] === 'http'));
  assert.ok(all().some(({ metric, type }) => metric === 'graphdb_unflushed_bytes' && type === 'gauge'));
});
