/**
 * Metrics of engines for Prometheus, other than those of statements, summed over all engines that a server has open.
 * The work of closed engines still counts, since a counter never falls.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Engine, EngineStatistics, EngineStatus, ReadWorkers } from '../engine/index.ts';

/** The engines of a server. */
export interface ObservedEngines {
  /** Returns the engine of the default namespace; null if it is not open. */
  readonly main: () => Engine | null;
  readonly all: () => readonly Engine[];
  /** The read workers that all engines share; null if each engine has its own. */
  readonly workers: ReadWorkers | null;
  /** The memory that the process may hold, in bytes. */
  readonly memoryBytes: number;
}

/** The metrics of engines. */
export interface EngineMetrics {
  /** Wraps an engine so that its counts stay when it is closed. */
  counting(engine: Engine): Engine;
  observe(engines: ObservedEngines): void;
}

/** The metrics: a name that ends in `_total` is a counter of work done, any other a gauge of the present. */
const STATISTICS: readonly { readonly name: string; readonly help: string; readonly of: keyof EngineStatistics }[] = [
  { name: 'graphdb_plan_cache_hits_total', help: 'Statements whose plan was there', of: 'planCacheHits' },
  { name: 'graphdb_plan_cache_misses_total', help: 'Statements that were planned', of: 'planCacheMisses' },
  {
    name: 'graphdb_reads_by_page_total',
    help: 'Statements answered from the pages that they touch, tables not in memory',
    of: 'readsByPage',
  },
  { name: 'graphdb_graph_bytes', help: 'Memory of tables and columns that were read whole or written', of: 'graphBytes' },
  { name: 'graphdb_resident_page_bytes', help: 'Memory of pages of what is not in memory as a whole', of: 'pageBytes' },
  { name: 'graphdb_page_evictions_total', help: 'Pages that have left memory for others', of: 'pageEvictions' },
  { name: 'graphdb_unloads_total', help: 'Times that this memory was given back for statements that needed it', of: 'unloads' },
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

type Counts = Partial<Record<keyof EngineStatistics, number>>;

/** Creates the metrics of engines. */
export function createEngineMetrics(registry: Registry): EngineMetrics {
  /** The counts of closed engines. */
  const retired: Counts = {};
  let observed: ObservedEngines | null = null;
  return {
    counting(engine) {
      return Object.assign(Object.create(engine) as Engine, {
        async close() {
          const counts = engine.statistics();
          await engine.close();
          for (const { name, of } of STATISTICS) if (name.endsWith('_total')) retired[of] = (retired[of] ?? 0) + counts[of];
        },
      });
    },
    observe(engines) {
      const isFirst = observed === null;
      observed = engines;
      if (!isFirst) return;
      new Gauge({
        name: 'graphdb_memory_budget_bytes',
        help: 'Memory that the process may hold',
        registers: [registry],
        collect() {
          this.set(observed?.memoryBytes ?? 0);
        },
      });
      addStatus(registry, () => observed?.main()?.status() ?? null);
      addStatistics(registry, (of) => {
        const { workers, all } = observed!;
        if (workers !== null && of === 'workerReads') return workers.reads;
        if (workers !== null && of === 'workersEnded') return workers.endedThreads;
        return all().reduce((sum, engine) => sum + engine.statistics()[of], retired[of] ?? 0);
      });
    },
  };
}

function addStatus(registry: Registry, status: () => EngineStatus | null): void {
  const gauge = (name: string, help: string, read: (status: EngineStatus) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const now = status();
        this.set(now === null ? 0 : read(now));
      },
    });
  };
  gauge(
    'graphdb_manifest_version',
    'Version of the manifest that is served, of the default namespace; 0: it is not open',
    (now) => now.manifestVersion,
  );
  gauge('graphdb_epoch', 'Epoch of the writer', ({ epoch }) => epoch);
  gauge('graphdb_writer', '1 while this process is the writer of its namespace', ({ role }) => (role === 'writer' ? 1 : 0));
}

function addStatistics(registry: Registry, read: (of: keyof EngineStatistics) => number): void {
  for (const { name, help, of } of STATISTICS) {
    const metric = name.endsWith('_total') ? Counter : Gauge;
    new metric({
      name,
      help,
      registers: [registry],
      collect(this: Counter | Gauge) {
        this.reset();
        this.inc(read(of));
      },
    });
  }
}
