/** Drives the generator of a compiled statement: collects or hands on its batches, and lets the event loop run when the statement offers it. */
import { setImmediate as turn } from 'node:timers/promises';
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
    for (let step = generator.next(); step.done !== true; step = generator.next()) {
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
  for (let step = generator.next(); step.done !== true; step = generator.next()) {
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
