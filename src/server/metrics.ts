/**
 * What the server counts, for Prometheus. Every name starts with `graphdb_`, every label takes a few values known beforehand.
 *
 *   graphdb_queries_total{protocol,status}             statements; status: ok, or the code of the error
 *   graphdb_query_duration_seconds{protocol}           from their arrival to their last row
 *   graphdb_query_rows_total{protocol}                 rows answered
 *   graphdb_queries_in_flight{protocol}
 *   graphdb_store_requests_total{area,operation,outcome}, graphdb_store_request_duration_seconds{area,operation},
 *   graphdb_store_written_bytes_total{area}            area: wal (commits), data (flushes, merges), manifest, other
 *   graphdb_plan_cache_hits_total, graphdb_plan_cache_misses_total, graphdb_reads_by_page_total
 *   graphdb_automatic_indexes, graphdb_automatic_index_bytes, graphdb_automatic_indexes_made_total, graphdb_automatic_indexes_dropped_total,
 *   graphdb_automatic_index_seeks_total                indexes that nobody declared
 *   graphdb_worker_reads_total                         statements that threads for reading ran
 *   graphdb_workers_ended_total                        threads that were ended and replaced
 *   graphdb_waiting_writers                            who wait for their turn
 *   graphdb_unflushed_bytes, graphdb_unflushed_commits, graphdb_wal_objects
 *   graphdb_flushes_total, graphdb_flushed_ssts_total, graphdb_merged_tables_total, graphdb_merged_rows_total,
 *   graphdb_collected_objects_total, graphdb_collected_bytes_total
 *   graphdb_sst_cache_hits_total, graphdb_sst_cache_misses_total, graphdb_sst_cache_bytes, graphdb_sst_cache_budget_bytes (all 0 when it is off)
 *   graphdb_manifest_version, graphdb_epoch, graphdb_writer (1 while this is the writer)
 *   graphdb_process_…, graphdb_nodejs_…                memory, event-loop delay, garbage collection
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { GraphDBError, monotonicMs } from '../base/index.ts';
import type { BeginOptions, Engine, EngineStatistics, EngineStatus, EngineTransaction } from '../engine/index.ts';
import { intercept, type ObjectStore } from '../object-store/index.ts';
import { addSstCache } from './sst-cache-metrics.ts';
import { watchBatches } from './watched-batches.ts';

export interface Metrics {
  /** The same engine; what it is asked counts under this protocol. */
  measureEngine(engine: Engine, protocol: 'http' | 'bolt'): Engine;
  measureStore(store: ObjectStore): ObjectStore;
  /** Prometheus text. */
  text(): Promise<string>;
}

const SECONDS = [0.000_25, 0.001, 0.004, 0.016, 0.064, 0.25, 1, 4, 16, 64];
const AREAS = ['wal', 'data', 'manifest'];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'graphdb_' });
  const statements = createStatementMetrics(registry);
  addSstCache(registry);
  return {
    measureEngine(engine, protocol) {
      addStatus(registry, () => engine.status());
      addStatistics(registry, () => engine.statistics());
      return measured(engine, () => statements.begin(protocol));
    },
    measureStore: createStoreMetrics(registry),
    text: () => registry.metrics(),
  };
}

interface RunningStatement {
  rows(count: number): void;
  end(error?: unknown): void;
}

function createStatementMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['protocol'] as const;
  const total = new Counter({ name: 'graphdb_queries_total', help: 'Statements', labelNames: ['protocol', 'status'], registers });
  const name = 'graphdb_query_duration_seconds';
  const duration = new Histogram({ name, help: 'Time of statements', labelNames, registers, buckets: SECONDS });
  const rows = new Counter({ name: 'graphdb_query_rows_total', help: 'Rows answered', labelNames, registers });
  const inFlight = new Gauge({ name: 'graphdb_queries_in_flight', help: 'Statements that run now', labelNames, registers });
  return {
    begin(protocol: string): RunningStatement {
      const labels = { protocol };
      const start = monotonicMs();
      inFlight.inc(labels);
      return {
        rows: (count) => rows.inc(labels, count),
        end(error) {
          inFlight.dec(labels);
          duration.observe(labels, (monotonicMs() - start) / 1_000);
          total.inc({ protocol, status: statusOf(error) });
        },
      };
    },
  };
}

function statusOf(error: unknown): string {
  if (error === undefined) return 'ok';
  return error instanceof GraphDBError ? error.code : 'INTERNAL';
}

function measured(engine: Engine, begin: () => RunningStatement): Engine {
  const execute =
    (run: EngineTransaction['execute']): EngineTransaction['execute'] =>
    async (query, params, options) => {
      const statement = begin();
      try {
        const result = await run(query, params, options);
        statement.rows(result.rows.length);
        statement.end();
        return result;
      } catch (error) {
        statement.end(error);
        throw error;
      }
    };
  const stream =
    (run: Engine['stream']): Engine['stream'] =>
    async (query, params, options) => {
      const statement = begin();
      try {
        const { columns, batches, summary } = await run(query, params, options);
        const watched = watchBatches(batches, { onBatch: (rows) => statement.rows(rows), onEnd: (error) => statement.end(error) });
        return { columns, batches: watched, summary };
      } catch (error) {
        statement.end(error);
        throw error;
      }
    };
  const transaction = (inner: EngineTransaction): EngineTransaction => ({
    execute: execute((...statement) => inner.execute(...statement)),
    stream: stream((...statement) => inner.stream(...statement)),
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
  });
  // What is not measured stays the engine's own.
  return Object.assign(Object.create(engine) as Engine, {
    execute: execute((...statement) => engine.execute(...statement)),
    stream: stream((...statement) => engine.stream(...statement)),
    begin: async (options: BeginOptions) => transaction(await engine.begin(options)),
  });
}

function addStatus(registry: Registry, status: () => EngineStatus): void {
  const gauge = (name: string, help: string, read: (status: EngineStatus) => number): void => {
    if (registry.getSingleMetric(name) !== undefined) return;
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(status()));
      },
    });
  };
  gauge('graphdb_manifest_version', 'Version of the manifest that is served', ({ manifestVersion }) => manifestVersion);
  gauge('graphdb_epoch', 'Epoch of the writer', ({ epoch }) => epoch);
  gauge('graphdb_writer', '1 while this process is the writer of its namespace', ({ role }) => (role === 'writer' ? 1 : 0));
}

/** Gauges of what is now, counters of what has been done. */
const STATISTICS: readonly { readonly name: string; readonly help: string; readonly of: keyof EngineStatistics }[] = [
  { name: 'graphdb_plan_cache_hits_total', help: 'Statements whose plan was there', of: 'planCacheHits' },
  { name: 'graphdb_plan_cache_misses_total', help: 'Statements that were planned', of: 'planCacheMisses' },
  {
    name: 'graphdb_reads_by_page_total',
    help: 'Statements answered from the pages that they touch, tables not in memory',
    of: 'readsByPage',
  },
  { name: 'graphdb_automatic_indexes', help: 'Indexes that nobody declared', of: 'automaticIndexes' },
  { name: 'graphdb_automatic_index_bytes', help: 'Memory of these indexes', of: 'automaticIndexBytes' },
  {
    name: 'graphdb_automatic_indexes_made_total',
    help: 'Indexes made since look-ups would have paid for them',
    of: 'automaticIndexesMade',
  },
  { name: 'graphdb_automatic_indexes_dropped_total', help: 'Of these, those that were dropped again', of: 'automaticIndexesDropped' },
  { name: 'graphdb_automatic_index_seeks_total', help: 'Statements that asked such an index', of: 'automaticIndexSeeks' },
  { name: 'graphdb_worker_reads_total', help: 'Statements that threads for reading ran', of: 'workerReads' },
  { name: 'graphdb_workers_ended_total', help: 'Threads for reading that did not answer or had no memory left', of: 'workersEnded' },
  { name: 'graphdb_waiting_writers', help: 'Writers that wait for their turn', of: 'waitingWriters' },
  { name: 'graphdb_unflushed_bytes', help: 'Bytes in the write-ahead log and in no SST', of: 'unflushedBytes' },
  { name: 'graphdb_unflushed_commits', help: 'Commits in the write-ahead log and in no SST', of: 'unflushedCommits' },
  { name: 'graphdb_wal_objects', help: 'Objects of the write-ahead log from its floor on', of: 'walObjects' },
  { name: 'graphdb_flushes_total', help: 'Flushes', of: 'flushes' },
  { name: 'graphdb_flushed_ssts_total', help: 'SSTs that flushes wrote', of: 'flushedSsts' },
  { name: 'graphdb_merged_tables_total', help: 'Tables whose SSTs were merged', of: 'mergedTables' },
  { name: 'graphdb_merged_rows_total', help: 'Rows that merges wrote', of: 'mergedRows' },
  { name: 'graphdb_background_tasks', help: 'Flushes, merges and collections under way', of: 'backgroundTasks' },
  { name: 'graphdb_collected_objects_total', help: 'Objects that garbage collection removed', of: 'collectedObjects' },
  { name: 'graphdb_collected_bytes_total', help: 'Bytes that garbage collection removed', of: 'collectedBytes' },
];

function addStatistics(registry: Registry, statistics: () => EngineStatistics): void {
  for (const { name, help, of } of STATISTICS) {
    if (registry.getSingleMetric(name) !== undefined) continue;
    const metric = name.endsWith('_total') ? Counter : Gauge;
    new metric({
      name,
      help,
      registers: [registry],
      collect(this: Counter | Gauge) {
        this.reset();
        this.inc(statistics()[of]);
      },
    });
  }
}

function createStoreMetrics(registry: Registry): (store: ObjectStore) => ObjectStore {
  const registers = [registry];
  const requests = new Counter({
    name: 'graphdb_store_requests_total',
    help: 'Requests to the object store',
    labelNames: ['area', 'operation', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'graphdb_store_request_duration_seconds',
    help: 'Time of requests to the object store',
    labelNames: ['area', 'operation'],
    registers,
    buckets: SECONDS,
  });
  const written = new Counter({
    name: 'graphdb_store_written_bytes_total',
    help: 'Bytes written to the object store',
    labelNames: ['area'],
    registers,
  });
  return (store) =>
    intercept(store, async ({ operation, key, bytes }, proceed) => {
      const area = areaOf(key);
      const start = monotonicMs();
      let outcome = 'error';
      try {
        const answer = await proceed();
        outcome = 'ok';
        written.inc({ area }, bytes?.length ?? 0);
        return answer;
      } finally {
        requests.inc({ area, operation, outcome });
        duration.observe({ area, operation }, (monotonicMs() - start) / 1_000);
      }
    });
}

function areaOf(key: string): string {
  const area = key.split('/', 1)[0] ?? '';
  return AREAS.includes(area) ? area : 'other';
}
