/**
 * The parts of an engine that the program which opens it may replace. Settings, which people choose, are
 * `EngineOptions`; the public library offers those alone.
 *
 * Programs give a few of the parts; most are for tests, the simulation and benchmarks.
 */
import type { Clock, EngineFlags, Logger, Schedule, ShownSetting } from '../base/index.ts';
import type { Procedure } from '../exec/index.ts';
import type { ObjectStore } from '../object-store/index.ts';
import type { ArtefactKind, LogWindow, PageCache, SstCache } from '../storage/index.ts';
import type { Databases } from './databases.ts';
import type { Planner } from './planning/planner.ts';
import type { AutomaticIndexLimits } from './statements/automatic-indexer.ts';
import type { Transactions } from './transactions.ts';
import type { ReadWorkers } from './workers/read-workers.ts';

/** The parts of an engine that its opener may replace. */
export interface EngineParts {
  /** The logger; absent: nothing is logged. */
  readonly logger?: Logger;
  /** Wraps the object store of the engine, for metrics or injected faults. */
  readonly decorateStore?: (store: ObjectStore) => ObjectStore;
  /** The settings of the program, which SHOW SETTINGS lists in place of the engine's own. */
  readonly programSettings?: readonly ShownSetting[];

  /**
   * Called with the text of a statement when it begins on the main thread, and about every millisecond while it runs
   * there; not while it runs in a worker.
   */
  readonly statementRuns?: (text: string) => void;
  /**
   * The databases of the server that has opened the engine, for CREATE, DROP and SHOW DATABASE; absent: there is one
   * database, and no other can be created.
   */
  readonly databases?: Databases;
  /**
   * False if callers of the engine must learn nothing of each other: it takes no projected graphs, and lists no tasks of
   * other statements. Absent: true.
   */
  readonly sharesCatalog?: boolean;
  /** The open transactions of the server's clients, for SHOW and TERMINATE TRANSACTIONS; absent: no list of them is kept. */
  readonly transactions?: Transactions;
  /**
   * The thread that plans long statements, so that others need not wait: true for one of the engine's own, or one that
   * several engines share, which its creator closes. Absent: true if the engine has read workers.
   */
  readonly planner?: boolean | Planner;

  /** The wall clock; absent: the system's. */
  readonly clock?: Clock;
  /** Schedules background work; absent: by timers. */
  readonly schedule?: Schedule;
  /** The name of this opening in the bucket, which must be unique there: 1 to 64 of `A–Z a–z 0–9 _ -`; absent: random. */
  readonly writerId?: string;
  /** Read workers that several engines share, in place of `EngineOptions.readWorkers`; their creator closes them. */
  readonly workers?: ReadWorkers;
  /**
   * The cache of what is read from SSTs; absent: that of the process (GRAPHDB_SST_CACHE), which a store on local files
   * uses only if the variable is set. Null: no cache.
   */
  readonly sstCache?: SstCache | null;
  /**
   * The cache on local disk of what is read from remote stores; absent: that of `EngineOptions.cacheDirectory`, for
   * remote stores only. Null: no cache.
   */
  readonly pageCache?: PageCache | null;
  /** Merges and flushes of at least this many bytes of files run in a thread of their own; Infinity: none does. Absent: 256 KiB. */
  readonly threadFromBytes?: number;
  /** The most bytes that the object of a manifest holds itself, before a child takes them. */
  readonly manifestOwnBytes?: number;
  /** The most puts of the log in flight at once, and whether they are spaced in time; absent: at most four, spaced. */
  readonly logWindow?: LogWindow;
  /** The limits of automatic indexes; absent: `AUTOMATIC_INDEXES`. */
  readonly automaticIndexes?: Partial<AutomaticIndexLimits>;
  /**
   * Makes statements spill from their beginning, with operators that write this many rows at a time; absent: they spill
   * when memory runs short.
   */
  readonly spillAfterRows?: number;
  /**
   * Milliseconds for which a statement keeps the main thread between two turns of the event loop; Infinity: until it
   * ends, so that a run does not depend on how fast the machine is. Absent: 4.
   */
  readonly sliceMs?: number;
  /** Switches of speed and memory; absent: those of the environment. */
  readonly flags?: EngineFlags;
  /** A table with up to this many rows in files is read whole when a short read first needs it, a larger one by page. Absent: 65,536. */
  readonly wholeTableRows?: number;
  /** Returns the bytes that tables and columns may still take; absent: the memory that is left to the process. */
  readonly availableMemory?: () => number;
  /** See `PageLimits.pageBytes`. */
  readonly pageBytes?: number;
  /** Procedures beside the built-in ones. */
  readonly procedures?: readonly Procedure[];
  /** Kinds of artefacts that are built; absent: the built-in ones. */
  readonly artefactKinds?: readonly ArtefactKind[];
  /** The least number of rows of a file that artefacts cover; absent: 10,000. */
  readonly artefactsFromRows?: number;
}
