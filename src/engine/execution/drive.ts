/**
 * Drives the generator of a compiled statement: collects its batches or passes them on, and gives the event loop a turn
 * when the statement offers one.
 */
import { assert, FairTurns, fromForeignError, GraphDBError } from '../../base/index.ts';
import type { Runtime } from '../../exec/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { type Execution, RunningCode, type StatementGenerator, type Step } from './running-code.ts';

/** The turns of this thread, which the statements of all engines share. */
const turns = new FairTurns<number>(2);

/** Called when a statement that works in batches has ended a batch; the statement goes on when the promise resolves. */
export type MarkerHandler = (marker: symbol, runtime: Runtime) => Promise<void>;

/** The marker handler of a read statement, which never works in batches. */
export async function refuseMarker(): Promise<void> {
  assert(false, 'a statement that reads has no batches');
}

/** Starts a statement. This makes V8 parse the generated code, which fails with UNSUPPORTED if it is nested too deeply. */
export function started(execution: Execution): StatementGenerator {
  try {
    return new RunningCode(execution);
  } catch (error) {
    throw withinLimits(error);
  }
}

/** Yields the batches of rows as they come. */
export async function* batchesOf(
  generator: StatementGenerator,
  runtime: Runtime,
  onMarker: MarkerHandler,
): AsyncGenerator<ResultValue[][], void, void> {
  try {
    for (let step = advance(generator); step.done !== true; step = advance(generator)) {
      const { value } = step;
      if (value === null) await giveWay(runtime);
      else if (typeof value === 'symbol') {
        await onMarker(value, runtime);
        runtime.resume();
      } else yield value as ResultValue[][];
    }
  } finally {
    generator.return();
  }
}

/** Once this many rows are collected, the end of the time slice is checked after each batch; a smaller result is collected in one go. */
const MANY_ROWS = 10_000;

interface Collected {
  rows: ResultValue[][] | null;
}

/** Returns all rows: directly if the statement runs in one go, as a promise if it yields or works in batches. */
export function allRows(
  generator: StatementGenerator,
  runtime: Runtime,
  onMarker: MarkerHandler,
): ResultValue[][] | Promise<ResultValue[][]> {
  const collected: Collected = { rows: null };
  const pause = collect(generator, runtime, collected);
  if (pause === 'ended') return collected.rows ?? [];
  return collectRest({ generator, runtime, onMarker }, collected, pause);
}

async function collectRest(
  { generator, runtime, onMarker }: { generator: StatementGenerator; runtime: Runtime; onMarker: MarkerHandler },
  collected: Collected,
  first: symbol | null,
): Promise<ResultValue[][]> {
  let pause: symbol | null | 'ended' = first;
  try {
    while (pause !== 'ended') {
      let failure: unknown;
      if (pause === null) await giveWay(runtime);
      else
        await onMarker(pause, runtime).catch((error: unknown) => {
          failure = error;
        });
      if (pause !== null) runtime.resume();
      pause = collect(generator, runtime, collected, failure);
    }
  } finally {
    generator.return();
  }
  return collected.rows ?? [];
}

/**
 * Collects rows until the statement ends, meets a marker or must yield.
 *
 * @param failure the error of the last marker's handler, which is thrown into the statement: it may handle a batch that
 * could not be committed
 * @returns the marker that was met, null if the statement must yield, or `ended`
 */
function collect(generator: StatementGenerator, runtime: Runtime, collected: Collected, failure?: unknown): symbol | null | 'ended' {
  try {
    for (let step = failure === undefined ? generator.next() : generator.throw(failure); step.done !== true; step = generator.next()) {
      const { value } = step;
      if (value === null || typeof value === 'symbol') return value;
      const batch = value as ResultValue[][];
      runtime.memory.chargeBatch(batch);
      if (collected.rows === null) collected.rows = batch;
      else for (const row of batch) collected.rows.push(row);
      if (collected.rows.length >= MANY_ROWS && runtime.limits.sliceIsOver) return null;
    }
    return 'ended';
  } catch (error) {
    throw withinLimits(error);
  }
}

async function giveWay(runtime: Runtime): Promise<void> {
  await runtime.pauses.take();
  await turns.next(runtime.engine);
  runtime.resume();
}

/**
 * Runs a read statement until its first time slice is over, and passes on its batches.
 *
 * @returns `ended` if these were all; `goes on` if rows cost little work and the statement should continue here; `left`
 * if they cost much work and the statement was stopped, in which case its batches are to be discarded
 */
export function firstSlice(
  generator: StatementGenerator,
  runtime: Runtime,
  take: (batch: ResultValue[][]) => void,
): 'ended' | 'goes on' | 'left' {
  let rows = 0;
  for (let step = advance(generator); step.done !== true; step = advance(generator)) {
    const batch = step.value as ResultValue[][] | null;
    if (batch !== null) {
      take(batch);
      rows += batch.length;
    }
    if (batch !== null && !runtime.limits.sliceIsOver) continue;
    if (isLittleWork(runtime.limits.ticks, rows)) return 'goes on';
    if (batch !== null || runtime.limits.ticks < FEW_TICKS) continue;
    generator.return();
    return 'left';
  }
  return 'ended';
}

/** Returns whether rows were found with so little work that receiving them from another thread would cost about as much. */
export function isLittleWork(ticks: number, rows: number): boolean {
  return ticks * UNITS_PER_TICK <= rows * UNITS_PER_ROW;
}

/** The most work of a short statement in units of `Limits.ticks`, which do not depend on the speed of the machine. */
export const FEW_TICKS = 0.0625;
const UNITS_PER_TICK = 65_536;
const UNITS_PER_ROW = 32;

function advance(generator: StatementGenerator): IteratorResult<Step, void> {
  try {
    return generator.next();
  } catch (error) {
    throw withinLimits(error);
  }
}

/** Translates an error of V8 that a statement can cause; returns any other error as it is. */
export function withinLimits(error: unknown): unknown {
  return error instanceof RangeError ? limitFault(error) : error;
}

/** Translates a RangeError of V8 that a statement can cause: by the stack, the length of a string or an array, or the entries of a Map. */
function limitFault(cause: RangeError): Error {
  if (cause.message.includes('call stack')) {
    return new GraphDBError('UNSUPPORTED', 'the statement is too deeply nested, or has too many clauses, to be run; part it into several', {
      cause,
    });
  }
  const known = fromForeignError(cause);
  return known.code === 'MEMORY_LIMIT' ? known : cause;
}
