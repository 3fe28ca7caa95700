/** Drives the generator of a compiled statement: collects or hands on its batches, and lets the event loop run when the statement offers it. */
import { setImmediate as turn } from 'node:timers/promises';
import { GraphDBError } from '../base/index.ts';
import type { Runtime } from '../exec/index.ts';
import type { ResultValue, Value } from '../value/index.ts';

export type Step = Value[][] | null | symbol;
export type StatementGenerator = Generator<Step, void, void>;

/** What the engine does when a statement that works in batches has ended one. */
export type OnMarker = (marker: symbol) => Promise<void>;

/** Batches of rows, as they come. */
export async function* batchesOf(
  generator: StatementGenerator,
  runtime: Runtime,
  onMarker: OnMarker,
): AsyncGenerator<ResultValue[][], void, void> {
  try {
    for (let step = advance(generator); step.done !== true; step = advance(generator)) {
      const { value } = step;
      if (value === null) {
        await turn();
        runtime.resume();
      } else if (typeof value === 'symbol') await onMarker(value);
      else yield value as ResultValue[][];
    }
  } finally {
    generator.return();
  }
}

/** All rows. Nothing is awaited while the statement has no reason to: a short one runs in one go. */
export async function allRows(generator: StatementGenerator, runtime: Runtime, onMarker: OnMarker): Promise<ResultValue[][]> {
  let rows: ResultValue[][] | null = null;
  for (let step = advance(generator); step.done !== true; step = advance(generator)) {
    const { value } = step;
    if (value === null) {
      await turn();
      runtime.resume();
    } else if (typeof value === 'symbol') await onMarker(value);
    else {
      const batch = value as ResultValue[][];
      runtime.charge(batch.length, batch[0]!.length);
      if (rows === null) rows = batch;
      else for (const row of batch) rows.push(row);
    }
  }
  return rows ?? [];
}

/**
 * Runs a statement that reads until its slice of time is over, handing on its batches. False: it has not ended, and is left; what it gave so far is for nothing.
 * Only one that has done some work is left: a short one may have lost its time to others.
 */
export function firstSlice(generator: StatementGenerator, sliceMs: number, take: (batch: ResultValue[][]) => void): boolean {
  const end = performance.now() + sliceMs;
  try {
    let batches = 0;
    for (let step = advance(generator); step.done !== true; step = advance(generator)) {
      if (step.value === null || (batches >= FEW_BATCHES && performance.now() > end)) return false;
      take(step.value as ResultValue[][]);
      batches++;
    }
    return true;
  } finally {
    generator.return();
  }
}

/** So much work, and so many batches of rows, are not worth another thread. */
export const FEW_TICKS = 2;
export const FEW_BATCHES = 2;

function advance(generator: StatementGenerator): IteratorResult<Step, void> {
  try {
    return generator.next();
  } catch (error) {
    throw error instanceof RangeError ? limitFault(error) : error;
  }
}

/** The limits of the machine that a statement can reach: its stack, the length of a string or an array, the entries of a Map. */
function limitFault(cause: RangeError): Error {
  if (cause.message.includes('call stack')) {
    return new GraphDBError('UNSUPPORTED', 'the statement is too deeply nested, or has too many clauses, to be run; part it into several', {
      cause,
    });
  }
  if (!/Invalid (string|array|typed array) length|maximum size exceeded|allocation failed/.test(cause.message)) return cause;
  return new GraphDBError('MEMORY_LIMIT', 'the statement makes a value that is too large to be held', { cause });
}
