/**
 * Drives the generator of a compiled statement: collects or hands on its batches, and lets the event loop run when the
 * statement offers it.
 */
import { assert, FairTurns, fromForeignError, GraphDBError } from '../../base/index.ts';
import type { Runtime } from '../../exec/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { type Execution, RunningCode, type StatementGenerator, type Step } from './running-code.ts';

/** The turns of this thread, which statements of all engines share. */
const turns = new FairTurns<number>();

/** Called when a statement that works in batches has ended one; the statement goes on when it resolves. */
export type MarkerHandler = (marker: symbol, runtime: Runtime) => Promise<void>;

/** The handler of a statement that reads, which never has batches. */
export async function refuseMarker(): Promise<void> {
  assert(false, 'a statement that reads has no batches');
}

/** The statement at its beginning. Already this makes V8 read the generated code, as deep as it is nested. */
export function started(execution: Execution): StatementGenerator {
  try {
    return new RunningCode(execution);
  } catch (error) {
    throw withinLimits(error);
  }
}

/** Batches of rows, as they come. */
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

/** Below so many rows only the work of finding them counts: however slow the machine, a short statement runs in one go. */
const MANY_ROWS = 10_000;

interface Collected {
  rows: ResultValue[][] | null;
}

/**
 * All rows. A short statement runs in one go, and its rows are there at once; they are promised by one that gives way,
 * or works in batches.
 */
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
 * @param failure of the marker that it met last: a statement may have an answer to a batch that could not be committed
 * @returns the marker that it met, or null when it is to give way
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
 * Runs a statement that reads until its first slice of time is over, handing on its batches. `ended`: these were all.
 * `goes on`: it gives a row for little work, and is to be run on. `left`: it works long for its rows; what it gave so
 * far is for nothing.
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

/** Not worth another thread: it costs about as much to receive a row there as to find one with so little work. */
export function isLittleWork(ticks: number, rows: number): boolean {
  return ticks * UNITS_PER_TICK <= rows * UNITS_PER_ROW;
}

/** The work of a statement that counts as short, however slow the machine. */
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

function withinLimits(error: unknown): unknown {
  return error instanceof RangeError ? limitFault(error) : error;
}

/** The limits of the machine that a statement can reach: its stack, the length of a string or an array, the entries of a Map. */
function limitFault(cause: RangeError): Error {
  if (cause.message.includes('call stack')) {
    return new GraphDBError('UNSUPPORTED', 'the statement is too deeply nested, or has too many clauses, to be run; part it into several', {
      cause,
    });
  }
  const known = fromForeignError(cause);
  return known.code === 'MEMORY_LIMIT' ? known : cause;
}
