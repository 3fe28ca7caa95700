/** The metrics of the server, whose labels are bounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../engine/index.ts';
import { createMetrics } from './metrics.ts';

async function serve(name: string) {
  const metrics = createMetrics();
  const engine = await openEngine(`memory://${name}`, { flushIntervalMs: 0 }, { decorateStore: metrics.measureStore });
  metrics.observe({ main: () => engine, all: () => [engine], workers: null, memoryBytes: 2 ** 30 });
  return { metrics, engine: metrics.measureEngine(engine, { protocol: 'http', namespace: 'default' }) };
}

function valueOf(text: string, line: string): number {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
  assert.ok(found !== undefined, `no ${line} in\n${text}`);
  return Number(found.slice(line.length + 1));
}

test('statements, rows, failures, log writes', async () => {
  const { metrics, engine } = await serve('metrics-test-1');
  await engine.execute('CREATE (:A)', new Map());
  await engine.execute('UNWIND range(1, 7) AS x RETURN x', new Map());
  await assert.rejects(engine.execute('RETURN', new Map()));
  const stream = await engine.stream('UNWIND range(1, 3) AS x RETURN x', new Map());
  assert.equal(valueOf(await metrics.text(), 'graphdb_queries_in_flight{protocol="http"}'), 1);
  for await (const batch of stream.batches) assert.equal(batch.length, 3);
  const text = await metrics.text();
  assert.equal(valueOf(text, 'graphdb_queries_total{protocol="http",status="ok"}'), 3);
  assert.equal(valueOf(text, 'graphdb_queries_total{protocol="http",status="SYNTAX_ERROR"}'), 1);
  assert.equal(valueOf(text, 'graphdb_query_rows_total{protocol="http"}'), 10);
  assert.equal(valueOf(text, 'graphdb_queries_in_flight{protocol="http"}'), 0);
  assert.equal(valueOf(text, 'graphdb_query_duration_seconds_count{protocol="http"}'), 4);
  assert.ok(valueOf(text, 'graphdb_store_written_bytes_total{area="wal"}') > 0);
  assert.equal(valueOf(text, 'graphdb_manifest_version'), engine.status().manifestVersion);
  assert.equal(valueOf(text, 'graphdb_epoch'), engine.status().epoch);
  assert.equal(valueOf(text, 'graphdb_writer'), 1);
  assert.equal(valueOf(text, 'graphdb_memory_budget_bytes'), 2 ** 30);
  assert.ok(valueOf(text, 'graphdb_graph_bytes') > 0);
  assert.equal(valueOf(text, 'graphdb_unloads_total'), 0);
  assert.equal(valueOf(text, 'graphdb_resident_page_bytes'), 0);
  assert.equal(valueOf(text, 'graphdb_page_evictions_total'), 0);
  assert.match(text, /^graphdb_process_resident_memory_bytes /m);
  assert.match(text, /^graphdb_nodejs_eventloop_lag_seconds /m);
  await engine.close();
});

test('what the engine does beside statements, and what waits', async () => {
  const { metrics, engine } = await serve('metrics-test-4');
  for (let i = 0; i < 3; i++) await engine.execute(`MATCH (a:A {v: ${i}}) RETURN a`, new Map());
  await engine.execute('CREATE (:A)', new Map());
  const before = await metrics.text();
  assert.equal(valueOf(before, 'graphdb_plan_cache_misses_total'), 2, 'statements that differ in literals share a plan');
  assert.ok(valueOf(before, 'graphdb_plan_cache_hits_total') >= 2);
  assert.deepEqual([valueOf(before, 'graphdb_unflushed_commits'), valueOf(before, 'graphdb_flushes_total')], [1, 0]);
  assert.ok(valueOf(before, 'graphdb_unflushed_bytes') > 0);
  await engine.flush();
  await engine.execute('CREATE (:A)', new Map());
  await engine.compact();
  const after = await metrics.text();
  assert.deepEqual(
    [
      'unflushed_commits',
      'unflushed_bytes',
      'flushes_total',
      'flushed_ssts_total',
      'merged_tables_total',
      'merged_rows_total',
      'waiting_writers',
    ].map((name) => valueOf(after, `graphdb_${name}`)),
    [0, 0, 2, 2, 1, 2, 0],
  );
  assert.ok(valueOf(after, 'graphdb_collected_objects_total') > 0 && valueOf(after, 'graphdb_collected_bytes_total') > 0);
  await engine.close();
});

test('a stream that is left before its first row has ended', async () => {
  const { metrics, engine } = await serve('metrics-test-2');
  const stream = await engine.stream('UNWIND range(1, 3) AS x RETURN x', new Map());
  await stream.batches[Symbol.asyncIterator]().return?.();
  const text = await metrics.text();
  assert.equal(valueOf(text, 'graphdb_queries_in_flight{protocol="http"}'), 0);
  assert.equal(valueOf(text, 'graphdb_queries_total{protocol="http",status="CANCELLED"}'), 1);
  await engine.close();
});

test('every name starts with graphdb_', async () => {
  const { metrics, engine } = await serve('metrics-test-3');
  const names = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(
    names.filter((line) => !line.startsWith('graphdb_')),
    [],
  );
  await engine.close();
});

test('the metrics of a namespace are the same whatever others there are', async (context) => {
  const metrics = createMetrics();
  const engine = await openEngine('memory://metrics-test-5', { flushIntervalMs: 0 });
  context.after(() => engine.close());
  metrics.observe({ main: () => null, all: () => [], workers: null, memoryBytes: 2 ** 30 });
  const ask = async (namespace: string) => {
    const measured = metrics.measureEngine(engine, { protocol: 'http', namespace });
    await measured.execute('UNWIND range(1, 7) AS x RETURN x', new Map());
  };
  await ask('first');
  const alone = await metrics.namespaceText('first');
  for (let i = 0; i < 150; i++) await ask(`other-${i}`);
  assert.equal(await metrics.namespaceText('first'), alone);
  await ask('late');
  await ask('late');
  const late = await metrics.namespaceText('late');
  assert.equal(valueOf(late, 'graphdb_namespace_queries_total{namespace="late",status="ok"}'), 2);
  assert.equal(valueOf(late, 'graphdb_namespace_query_rows_total{namespace="late"}'), 14);
  assert.doesNotMatch(late + alone, /other-|namespace=""|namespaces_open/);
  assert.doesNotMatch(await metrics.namespaceText('unknown'), /^graphdb_/m);
  const all = await metrics.namespacesText();
  assert.equal(valueOf(all, 'graphdb_namespace_queries_total{namespace="first",status="ok"}'), 1);
  assert.equal(valueOf(all, 'graphdb_namespace_queries_total{namespace="other-98",status="ok"}'), 1);
  assert.equal(valueOf(all, 'graphdb_namespace_queries_total{namespace="",status="ok"}'), 51 + 2);
  assert.doesNotMatch(all, /other-99|late/);
});

test('counts of namespaces that were closed long ago stay in the sum of all', async (context) => {
  const metrics = createMetrics();
  const engine = await openEngine('memory://metrics-test-6', { flushIntervalMs: 0 });
  context.after(() => engine.close());
  metrics.observe({ main: () => null, all: () => [], workers: null, memoryBytes: 2 ** 30 });
  const measured = (namespace: string) => metrics.measureEngine(engine, { protocol: 'http', namespace });
  for (let i = 0; i < 100; i++) measured(`named-${i}`);
  await measured('early').execute('RETURN 1', new Map());
  for (let i = 0; i < 10_000; i++) measured(`n${i}`);
  assert.doesNotMatch(await metrics.namespaceText('early'), /^graphdb_/m);
  const sum = 'graphdb_namespace_queries_total{namespace="",status="ok"}';
  assert.equal(valueOf(await metrics.namespacesText(), sum), 1);
  await measured('early').execute('RETURN 1', new Map());
  assert.equal(valueOf(await metrics.namespaceText('early'), 'graphdb_namespace_queries_total{namespace="early",status="ok"}'), 1);
  assert.equal(valueOf(await metrics.namespacesText(), sum), 2);
});
