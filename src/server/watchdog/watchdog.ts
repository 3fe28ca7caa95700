/**
 * S3: ends a server whose main thread is stuck, so that a supervisor starts another one. What was answered is in the
 * write-ahead log, so nothing answered is lost.
 *
 * A thread of its own counts the turns of the main thread's event loop, and its own turns. No clock is involved: in a
 * process that is paused (SIGSTOP, a suspended machine) neither thread turns, so it is not taken for a stuck one.
 */
import { Worker } from 'node:worker_threads';
import { type LogFilter, programFile, repeatEvery } from '../../base/index.ts';
import { WatchdogMemory } from './watchdog-memory.ts';

/** The watchdog of the main thread. */
export interface Watchdog {
  /** To be called with the text of a statement whenever the statement begins to run on the main thread, or goes on there. */
  readonly statementRuns: (text: string) => void;
  stop(): Promise<void>;
}

/** The options of the watchdog. */
export interface WatchdogOptions {
  /** Milliseconds without a turn of the main thread after which the process is ended; more than 0. */
  readonly stuckMs: number;
  readonly logFilter: LogFilter;
}

/** The data with which the thread is started. */
export interface WatchdogData extends WatchdogOptions {
  readonly buffer: SharedArrayBuffer;
  /** Milliseconds between two turns of the watchdog. */
  readonly turnMs: number;
}

const PROGRAM = programFile('server/watchdog/watchdog-thread');
const LONGEST_TURN_MS = 250;
const LEAST_TURNS = 8;
const HEAP_MIB = 32;

/** Starts the watchdog. */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const memory = new WatchdogMemory();
  const turnMs = Math.min(LONGEST_TURN_MS, options.stuckMs / LEAST_TURNS);
  const cancel = repeatEvery(turnMs, () => memory.countTurn());
  const worker = new Worker(PROGRAM, {
    workerData: { ...options, buffer: memory.buffer, turnMs } satisfies WatchdogData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  worker.unref();
  return {
    statementRuns: (text) => {
      memory.statement = text;
    },
    async stop() {
      cancel();
      await worker.terminate();
    },
  };
}
