/**
 * The metrics of the server, for Prometheus. Every name starts with `graphdb_`, every label takes a few values known beforehand.
 *
 *   graphdb_queries_total{protocol,status}             statements; status: ok, or the code of the error
 *   graphdb_query_duration_seconds{protocol}           from their arrival to their last row
 *   graphdb_query_rows_total{protocol}                 rows answered
 *   graphdb_queries_in_flight{protocol}
 *   graphdb_http_responses_total{status}               answers over HTTP
 *   graphdb_build_info{version,node_version,platform}  always 1
 *   graphdb_store_requests_total{area,operation,outcome}, graphdb_store_request_duration_seconds{area,operation},
 *   graphdb_store_written_bytes_total{area}            area: wal (commits), data (flushes, merges), manifest, other
 *   graphdb_plan_cache_hits_total, graphdb_plan_cache_misses_total, graphdb_reads_by_page_total
 *   graphdb_automatic_indexes, graphdb_automatic_index_bytes, graphdb_automatic_indexes_made_total,
 *   graphdb_automatic_indexes_dropped_total,
 *   graphdb_automatic_index_seeks_total                indexes that nobody declared
 *   graphdb_worker_reads_total                         statements that threads for reading ran
 *   graphdb_workers_ended_total                        threads that were ended and replaced
 *   graphdb_waiting_writers                            who wait for their turn
 *   graphdb_unflushed_bytes, graphdb_unflushed_commits, graphdb_wal_objects graphdb_flushes_total,
 *   graphdb_flushed_ssts_total, graphdb_merged_tables_total, graphdb_merged_rows_total,
 *   graphdb_collected_objects_total, graphdb_collected_bytes_total graphdb_sst_cache_hits_total,
 *   graphdb_sst_cache_misses_total, graphdb_sst_cache_bytes, graphdb_sst_cache_budget_bytes (all 0 when it is off)
 *   graphdb_page_cache_hits_total, graphdb_page_cache_misses_total, graphdb_page_cache_read_bytes_total,
 *   graphdb_page_cache_written_bytes_total, graphdb_page_cache_damaged_total, graphdb_page_cache_bytes,
 *   graphdb_page_cache_budget_bytes                    ranges of remote files on local disk (all 0 without --cache-dir)
 *   graphdb_graph_bytes, graphdb_unloads_total          tables and columns in memory, and how often they were given back
 *   graphdb_resident_page_bytes, graphdb_page_evictions_total   pages of others in memory, and how many have left it for others
 *   graphdb_memory_budget_bytes                        what the process may hold
 *   graphdb_manifest_version, graphdb_epoch, graphdb_writer (1 while this is the writer)
 *   graphdb_namespaces_open, graphdb_namespace_…{namespace}   see namespace-metrics.ts; told apart from the others
 *   graphdb_process_…, graphdb_nodejs_…                memory, event-loop delay, garbage collection
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { monotonicMs, VERSION } from '../base/index.ts';
import type { BeginOptions, Engine, EngineTransaction } from '../engine/index.ts';
import { intercept, type ObjectStore } from '../object-store/index.ts';
import { addCaches } from './cache-metrics.ts';
import { createEngineMetrics, type ObservedEngines } from './engine-metrics.ts';
import { createNamespaceMetrics } from './namespace-metrics.ts';
import type { RunningStatement } from './running-statement.ts';
import { CountedStatement, createStatementMetrics, SECONDS } from './statement-metrics.ts';
import { watchBatches } from './watched-batches.ts';

/** A protocol of the server. */
export type Protocol = 'http' | 'bolt';

/** The labels under which statements count. */
export interface MeasuredAs {
  readonly protocol: Protocol;
  readonly namespace: string;
}

/** The metrics of the server. */
export interface Metrics {
  /** Returns an engine whose statements are counted. */
  measureEngine(engine: Engine, as: MeasuredAs): Engine;
  measureStore(store: ObjectStore): ObjectStore;
  /** Wraps an engine so that its work still counts when it is closed. */
  counting(engine: Engine): Engine;
  /** Reports the counts of these engines from now on. */
  observe(engines: ObservedEngines): void;
  /** Counts an answer of HTTP by its status. */
  countResponse(status: number): void;
  /** Prometheus text, without names of namespaces. */
  text(): Promise<string>;
  /** Prometheus text of the metrics by namespace. */
  namespacesText(): Promise<string>;
  /** Prometheus text of the metrics of one namespace, which tells nothing of others. */
  namespaceText(namespace: string): Promise<string>;
}

const AREAS = ['wal', 'data', 'manifest'];

/** Creates the metrics of the server. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'graphdb_' });
  const statements = createStatementMetrics(registry);
  const namespaces = createNamespaceMetrics();
  const engines = createEngineMetrics(registry);
  addBuildInfo(registry);
  addCaches(registry);
  return {
    measureEngine(engine, { protocol, namespace }) {
      const ofProtocol = statements.countsOf(protocol);
      const ofNamespace = namespaces.countsOf(namespace);
      return measured(engine, () => new CountedStatement(ofProtocol, ofNamespace));
    },
    countResponse: createResponseMetrics(registry),
    measureStore: createStoreMetrics(registry),
    counting: engines.counting,
    observe(observed) {
      engines.observe(observed);
      namespaces.observe(observed);
    },
    text: async () => (await registry.metrics()) + statements.histogramText(),
    namespacesText: () => namespaces.text(),
    namespaceText: (namespace) => namespaces.textOf(namespace),
  };
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
  // Members that are not measured are inherited from the engine.
  return Object.assign(Object.create(engine) as Engine, {
    execute: execute((...statement) => engine.execute(...statement)),
    stream: stream((...statement) => engine.stream(...statement)),
    begin: async (options: BeginOptions) => transaction(await engine.begin(options)),
  });
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

/** Adds the release, as labels of a gauge that is always 1. */
function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'graphdb_build_info',
    help: 'The release, and what it runs on; always 1.',
    labelNames: ['version', 'node_version', 'platform'],
    registers: [registry],
  }).set({ version: VERSION, node_version: process.versions.node, platform: `${process.platform}-${process.arch}` }, 1);
}

/** Counts responses by their status, in plain numbers that a scrape turns into text. */
function createResponseMetrics(registry: Registry): (status: number) => void {
  const counts = new Map<number, number>();
  new Counter({
    name: 'graphdb_http_responses_total',
    help: 'Answers over HTTP, by their status.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of counts) this.inc({ status: String(status) }, count);
    },
  });
  return (status) => void counts.set(status, (counts.get(status) ?? 0) + 1);
}
