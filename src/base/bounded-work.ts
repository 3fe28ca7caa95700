/**
 * Limits of what is done in one go on a thread that others wait for: parsing, planning and compiling of a statement,
 * during which nothing else runs, nobody can cancel, and no timer fires. Such work counts itself in steps (a token, a
 * node of a tree that is visited, a line of code that is written): the time limit of the statement is looked at every
 * few thousand of them, and beyond `MOST_STEPS` the statement is refused. Steps and not time, so that the same
 * statement is refused everywhere or nowhere.
 *
 * The work is synchronous and a thread does one at a time, so the limits that hold stand in this module.
 */
import { monotonicMs } from './clock.ts';
import { GraphDBError } from './errors.ts';
import { fromForeignError } from './foreign-errors.ts';

/**
 * The most steps that one piece of planning may take. An ordinary statement takes hundreds to thousands, a list of
 * 100,000 variables more than 3,000,000.
 */
const MOST_STEPS = 5_000_000;
/** Between two looks at the clock. */
const STEPS_PER_LOOK = 4_096;

interface Limits {
  readonly deadline: number;
  looksLeft: number;
  /** The error beyond the steps. */
  readonly beyond: () => Error;
  /** Called by each look; what it throws ends the work. */
  readonly onLook: (() => void) | null;
}

/** The bounds of a piece of work. */
export interface WorkBounds {
  /** After so many steps the statement is refused (UNSUPPORTED); those of work around this one hold before it. */
  readonly mostSteps?: number;
  /** Called every few thousand steps; what it throws ends the work. */
  readonly onLook?: () => void;
}

let limits: Limits | null = null;
let stepsToLook = STEPS_PER_LOOK;

/**
 * Does the work within the limits of statements. Trees are walked by recursion: one that is too deep for the stack is
 * the fault of the statement too: UNSUPPORTED. MEMORY_LIMIT for a text or an array that is longer than V8 allows.
 *
 * @param deadline milliseconds of `monotonicMs()`; Infinity: none
 */
export function boundedWork<T>(deadline: number, work: () => T, bounds: WorkBounds = {}): T {
  return withinLimits(limitsOf(deadline, bounds), work);
}

/** Does work piece by piece, as `boundedWork` does it in one: the pieces share one number of steps. Returns what does a piece. */
export function boundedPieces(deadline: number, bounds: WorkBounds = {}): <T>(piece: () => T) => T {
  const shared = limitsOf(deadline, bounds);
  return (piece) => withinLimits(shared, piece);
}

function limitsOf(deadline: number, { mostSteps = MOST_STEPS, onLook }: WorkBounds): Limits {
  return { deadline, looksLeft: mostSteps / STEPS_PER_LOOK, beyond: tooLarge, onLook: onLook ?? null };
}

/**
 * Begins work that is given up, to be done elsewhere, when it takes more than so many steps. Returns null then; errors
 * as those of `boundedWork`.
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

/** `steps` more were done. QUERY_TIMEOUT and UNSUPPORTED where the limits are reached; outside of `boundedWork` there are none. */
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

/** Runs work to its end at once, and answers what it returns. */
export function finish<T>(work: Generator<unknown, T, void>): T {
  let piece = work.next();
  while (piece.done !== true) piece = work.next();
  return piece.value;
}
