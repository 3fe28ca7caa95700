/** Demands on a server while a shape runs, and measurements of it. Times in milliseconds, memory in MiB. */

/** The limits that the server runs under. */
export interface Limits {
  readonly timeoutMs: number;
  readonly memoryMiB: number;
  readonly workers: number;
}

/** A statement is answered so long after its limit at the latest. */
export const ANSWER_SLACK_MS = 250;
/** How long the program waits before it takes the server for stuck, and ends it. */
export const PATIENCE_MS = 4_000;
/** 99 of 100 looks at the health are answered within this time, and all of them within the longer one. */
export const HEALTH_P99_MS = 100;
export const HEALTH_WORST_MS = 250;
/** Resident memory beyond the memory limit of a statement. */
export const MEMORY_SLACK_MIB = 256;
/**
 * The memory that the collected heap and the buffers of the main thread may hold more than before the shape: caches of
 * plans, of columns that were read, of code.
 */
export const KEPT_SLACK_MIB = 64;

/** One run of a shape. */
export interface Run {
  /** HTTP status, 0 for no answer. */
  readonly status: number;
  /** `ok`, a code of errors, or why there was no answer. */
  readonly outcome: string;
  readonly answerMs: number;
  readonly answerBytes: number;
  readonly healthP99Ms: number;
  readonly healthWorstMs: number;
  /**
   * The worst time for which a thread that does next to nothing waited for the machine, and how much longer computing
   * took before and behind the run than on an idle machine (machine.ts): times are given as much.
   */
  readonly machineMs: number;
  readonly machineFactor: number;
  /** Highest resident memory beyond that at the start. */
  readonly grownMiB: number;
  /** The memory that the collected main thread holds afterwards beyond what it held before; null when it could not be asked. */
  readonly keptMiB: number | null;
  /** The process is there and answers a statement. */
  readonly alive: boolean;
  /** The end of the log of a server that ended, or how it ended. */
  readonly end: string;
}

export const FAULTS = ['ended', 'stuck', 'late', 'memory', 'health', 'kept', 'internal', 'wrong shape'] as const;
export type Fault = (typeof FAULTS)[number];

/** Codes of a statement that is not the one that was meant; one that cannot be planned at all is found by the tests. */
const SHAPE_ERRORS = new Set(['SYNTAX_ERROR', 'SEMANTIC_ERROR', 'PARAMETER_MISSING', 'BAD_REQUEST', 'NOT_FOUND']);

/** Returns the faults of a run; empty for none. */
export function faultsOf(run: Run, limits: Limits, mayBeRefused: boolean): Fault[] {
  const faults: Fault[] = [];
  if (!run.alive) faults.push(run.outcome === 'stuck' ? 'stuck' : 'ended');
  if (run.outcome !== 'stuck' && run.answerMs > limits.timeoutMs + allowed(ANSWER_SLACK_MS, run)) faults.push('late');
  if (run.grownMiB > limits.memoryMiB + MEMORY_SLACK_MIB) faults.push('memory');
  const p99 = limits.workers === 0 ? HEALTH_WORST_MS : HEALTH_P99_MS;
  if (run.healthP99Ms > allowed(p99, run) || run.healthWorstMs > allowed(HEALTH_WORST_MS, run)) faults.push('health');
  if (run.alive && run.keptMiB !== null && run.keptMiB > KEPT_SLACK_MIB) faults.push('kept');
  if (run.outcome === 'INTERNAL') faults.push('internal');
  if (!mayBeRefused && SHAPE_ERRORS.has(run.outcome)) faults.push('wrong shape');
  return faults;
}

/** A time on a machine that is busy with other work. */
export function allowed(milliseconds: number, { machineMs, machineFactor }: Pick<Run, 'machineMs' | 'machineFactor'>): number {
  return milliseconds * machineFactor + machineMs;
}

/** The value below which the share of the sorted values lies; 0 of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
