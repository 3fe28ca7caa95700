/**
 * Bounds on work that occupies a thread without a pause: parsing, planning and compiling a statement, during which no
 * other statement runs, no timer fires and nobody can cancel. Such work counts steps (a token, a visited node of a
 * tree, a generated line of code). Every `STEPS_PER_LOOK` steps the time limit of the statement is checked; beyond
 * `MOST_STEPS` the statement is refused. The bound is a number of steps and not a time, so that a statement is refused
 * on every machine or on none.
 *
 * The work is synchronous and a thread does one piece at a time, so the limits in force are variables of this module.
 */
import { monotonicMs } from './clock.ts';
import { GraphDBError } from './errors.ts';
import { fromForeignError } from './foreign-errors.ts';

/**
 * The most steps that one piece of planning may take. An ordinary statement takes hundreds to thousands, a list of
 * 100,000 variables more than 3,000,000.
 */
const MOST_STEPS = 5_000_000;
/** Steps between two looks at the clock and at the limits. */
const STEPS_PER_LOOK = 4_096;

interface Limits {
  readonly deadline: number;
  looksLeft: number;
  /** Makes the error that ends work with too many steps. */
  readonly beyond: () => Error;
  /** Called by each look; null for nothing to call. An error that it throws ends the work. */
  readonly onLook: (() => void) | null;
}

/** The bounds of a piece of work. */
export interface WorkBounds {
  /** The most steps; beyond them the statement is refused (UNSUPPORTED). Inside other bounded work the outer bounds hold instead. */
  readonly mostSteps?: number;
  /** Called every `STEPS_PER_LOOK` steps. An error that it throws ends the work. */
  readonly onLook?: () => void;
}

let limits: Limits | null = null;
let stepsToLook = STEPS_PER_LOOK;

/**
 * Does the work within the limits of a statement.
 *
 * @param deadline in milliseconds of `monotonicMs()`; Infinity for none
 * @throws QUERY_TIMEOUT behind the deadline; UNSUPPORTED beyond the steps, and for a tree that is too deep to be walked
 *   by recursion; MEMORY_LIMIT for a text or an array that is longer than V8 allows
 */
export function boundedWork<T>(deadline: number, work: () => T, bounds: WorkBounds = {}): T {
  return withinLimits(limitsOf(deadline, bounds), work);
}

/** Returns a function that does a piece of work as `boundedWork` does; all its pieces share one budget of steps. */
export function boundedPieces(deadline: number, bounds: WorkBounds = {}): <T>(piece: () => T) => T {
  const shared = limitsOf(deadline, bounds);
  return (piece) => withinLimits(shared, piece);
}

function limitsOf(deadline: number, { mostSteps = MOST_STEPS, onLook }: WorkBounds): Limits {
  return { deadline, looksLeft: mostSteps / STEPS_PER_LOOK, beyond: tooLarge, onLook: onLook ?? null };
}

/**
 * Tries to do the work in at most `mostSteps` steps. Returns null if it takes more, so that it can be done elsewhere.
 * Throws as `boundedWork` does.
 */
export function attemptWork<T extends object>(deadline: number, mostSteps: number, work: () => T): T | null {
  const givenUp = new Error('more steps than were allowed');
  try {
    return withinLimits({ deadline, looksLeft: mostSteps / STEPS_PER_LOOK, beyond: () => givenUp, onLook: null }, work);
  } catch (error) {
    if (error === givenUp) return null;
    throw error;
  }
}

function withinLimits<T>(inner: Limits, work: () => T): T {
  const outer = limits;
  limits ??= inner;
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    if (!cause.message.includes('call stack')) throw fromForeignError(cause);
    throw new GraphDBError('UNSUPPORTED', 'the statement is too long or too deeply nested to be planned; part it into several', { cause });
  } finally {
    limits = outer;
  }
}

/**
 * Counts `steps` steps of the bounded work that is running; has no effect outside of bounded work.
 *
 * @throws QUERY_TIMEOUT behind the deadline, UNSUPPORTED beyond the steps
 */
export function countWork(steps: number): void {
  stepsToLook -= steps;
  if (stepsToLook < 0) look();
}

function look(): void {
  const looks = Math.ceil(-stepsToLook / STEPS_PER_LOOK);
  stepsToLook += looks * STEPS_PER_LOOK;
  if (limits === null) return;
  limits.looksLeft -= looks;
  if (monotonicMs() > limits.deadline) throw outOfTime();
  if (limits.looksLeft < 0) throw limits.beyond();
  limits.onLook?.();
}

function tooLarge(): GraphDBError {
  return new GraphDBError(
    'UNSUPPORTED',
    'the statement is too large to be planned; part it into several, or give its values as parameters',
  );
}

/** Returns the error of a statement that ran longer than its time limit. */
export function outOfTime(): GraphDBError {
  return new GraphDBError('QUERY_TIMEOUT', 'the statement ran longer than its time limit; narrow it, or allow it more time');
}

/** Runs a generator to its end without a pause, and returns its result. */
export function finish<T>(work: Generator<unknown, T, void>): T {
  let piece = work.next();
  while (piece.done !== true) piece = work.next();
  return piece.value;
}
