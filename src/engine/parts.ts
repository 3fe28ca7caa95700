/**
 * The parts that an engine is composed of and that its opener may replace. Settings, which people choose, are
 * `EngineOptions`; the public library offers those alone.
 *
 * Programs give the first five; the rest is for tests, the simulation and benchmarks.
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
  /** Absent: nothing is logged. */
  readonly logger?: Logger;
  /** Stands between the engine and its object store: metrics, faults. */
  readonly decorateStore?: (store: ObjectStore) => ObjectStore;
  /** The settings of the program, which SHOW SETTINGS lists in place of the engine's own. */
  readonly programSettings?: readonly ShownSetting[];

  /**
   * Called with its text when a statement begins on the main thread, and about each millisecond while it runs there;
   * not when it goes on in a worker.
   */
  readonly statementRuns?: (text: string) => void;
  /**
   * The databases of the server that has opened the engine, for CREATE, DROP and SHOW DATABASE; absent: there is one,
   * and no other can be made.
   */
  readonly databases?: Databases;
  /** The transactions that clients of the server have open, for SHOW and TERMINATE TRANSACTIONS; absent: nobody keeps a list of them. */
  readonly transactions?: Transactions;
  /**
   * Long statements are planned in a thread of their own, so that others need not wait; absent: where there are threads
   * for reads. One that several engines share is closed by whoever made it.
   */
  readonly planner?: boolean | Planner;

  /** The wall clock; absent: the system's. */
  readonly clock?: Clock;
  /** Calls background work back later; absent: a timer does. */
  readonly schedule?: Schedule;
  /** Names this opening in the bucket, unique to it, 1 to 64 of `A–Z a–z 0–9 _ -`; absent: random. */
  readonly writerId?: string;
  /** Threads that several engines share, in place of `EngineOptions.readWorkers`; whoever made them closes them. */
  readonly workers?: ReadWorkers;
  /**
   * The cache of what is read from SSTs; absent: that of the process (GRAPHDB_SST_CACHE), for a store that is not on
   * this machine. null: none.
   */
  readonly sstCache?: SstCache | null;
  /**
   * The cache of what is read from files on a local disk; absent: that of `EngineOptions.cacheDirectory`, for a store
   * that is not on this machine. null: none.
   */
  readonly pageCache?: PageCache | null;
  /** Merges and flushes of so many bytes of files are given to a thread of their own; Infinity: none. Absent: 256 KiB. */
  readonly threadFromBytes?: number;
  /** The most bytes that the object of a manifest holds itself, before a child takes them. */
  readonly manifestOwnBytes?: number;
  /** How many puts of the log are in flight at once, and how close to each other; absent: four. */
  readonly logWindow?: LogWindow;
  /** When indexes are made that nobody declared; absent: `AUTOMATIC_INDEXES`. */
  readonly automaticIndexes?: Partial<AutomaticIndexLimits>;
  /** Statements hold rows in temporary files from their beginning, and operators write so many at a time; absent: as memory calls for. */
  readonly spillAfterRows?: number;
  /**
   * How long a statement keeps the main thread between two turns of the event loop; Infinity: until it ends, so that a
   * run does not depend on how fast the machine is. Absent: 4 ms.
   */
  readonly sliceMs?: number;
  /** Switches of speed and memory; absent: those of the environment. */
  readonly flags?: EngineFlags;
  /** Tables in files of up to so many rows are read whole when a short read first needs them; larger ones by page. Absent: 65,536. */
  readonly wholeTableRows?: number;
  /** Bytes that tables and columns may still take; absent: what is left to the process. */
  readonly availableMemory?: () => number;
  /** See `PageLimits`. */
  readonly pageBytes?: number;
  /** Procedures beside the built-in ones. */
  readonly procedures?: readonly Procedure[];
  /** Kinds of artefacts that are built; absent: the built-in ones. */
  readonly artefactKinds?: readonly ArtefactKind[];
  /** Files of fewer rows are covered by no artefact; absent: 10,000. */
  readonly artefactsFromRows?: number;
}
