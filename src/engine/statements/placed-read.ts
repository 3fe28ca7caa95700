/**
 * Where a statement that reads runs. Without workers: here, giving way to others. With workers: here if it ends within its first slice of time or gives its rows
 * for little work, and else from its beginning in a worker, with nothing told of what it gave here. One that was long the last time goes there at once.
 */
import { assert, GraphDBError } from '../../base/index.ts';
import { Runtime, type RuntimeOptions } from '../../exec/index.ts';
import { PART_ROWS } from '../../plan/index.ts';
import type { ResultValue, Value } from '../../value/index.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import type { ReadRequest } from '../workers/worker-thread.ts';
import { allRows, batchesOf, FEW_TICKS, firstSlice, isLittleWork, type StatementGenerator, started } from './run.ts';
import type { PreparedStatement } from './statement-cache.ts';

export interface PlacedRead {
  readonly prepared: PreparedStatement;
  readonly options: RuntimeOptions;
  readonly runtime: Runtime;
  /** null: it runs here. */
  readonly elsewhere: Elsewhere | null;
}

interface Elsewhere {
  readonly workers: ReadWorkers;
  readonly recipe: ReadRequest['recipe'];
}

type Split = NonNullable<ReadRequest['recipe']['split']>;
type Batches = AsyncGenerator<ResultValue[][], void, void>;

/** @param workers null: there are none */
export function placeRead(prepared: PreparedStatement, options: RuntimeOptions, workers: ReadWorkers | null): PlacedRead {
  const { recipe } = prepared;
  // What the view of a transaction shows, only this thread can see.
  const elsewhere = workers === null || recipe === null || options.transaction !== null ? null : { workers, recipe };
  const sliceMs = elsewhere?.workers.firstSliceMs;
  return { prepared, options, elsewhere, runtime: new Runtime(sliceMs === undefined ? options : { ...options, sliceMs }) };
}

/** All rows, charged to the statement: those of a short one at once, without a promise. */
export function rowsOfRead(read: PlacedRead): ResultValue[][] | Promise<ResultValue[][]> {
  const { runtime, elsewhere } = read;
  if (elsewhere === null) return allRows(startHere(read), runtime, noMarker);
  const rows: ResultValue[][] = [];
  if (!beginsHere(elsewhere)) return remainingRows(inWorker(read, elsewhere, true), rows);
  const generator = startHere(read);
  const slice = firstSlice(generator, runtime, (batch) => {
    runtime.memory.chargeBatch(batch);
    for (const row of batch) rows.push(row);
  });
  if (slice === 'ended') return rows;
  if (slice === 'goes on') return goingOn(allRows(generator, runtime, noMarker), rows);
  elsewhere.recipe.isLong = true;
  return remainingRows(inWorker(read, elsewhere, true), []);
}

async function goingOn(rest: ResultValue[][] | Promise<ResultValue[][]>, rows: ResultValue[][]): Promise<ResultValue[][]> {
  for (const row of await rest) rows.push(row);
  return rows;
}

async function remainingRows(batches: Batches, rows: ResultValue[][]): Promise<ResultValue[][]> {
  for await (const batch of batches) for (const row of batch) rows.push(row);
  return rows;
}

/** The rows as they come. */
export async function* batchesOfRead(read: PlacedRead): Batches {
  const { runtime, elsewhere } = read;
  if (elsewhere === null) return yield* batchesOf(startHere(read), runtime, noMarker);
  if (beginsHere(elsewhere)) {
    const generator = startHere(read);
    const batches: ResultValue[][][] = [];
    const slice = firstSlice(generator, runtime, (batch) => batches.push(batch));
    if (slice !== 'left') {
      try {
        yield* batches;
        if (slice === 'goes on') yield* batchesOf(generator, runtime, noMarker);
        return;
      } finally {
        generator.return();
      }
    }
    elsewhere.recipe.isLong = true;
  }
  yield* inWorker(read, elsewhere, false);
}

function startHere({ prepared, options, runtime }: PlacedRead): StatementGenerator {
  return started(prepared.plan.for(options.view, options.parameters, options.deadline), runtime);
}

function beginsHere({ workers, recipe }: Elsewhere): boolean {
  return workers.firstSliceMs > 0 && !recipe.isLong;
}

async function* inWorker(read: PlacedRead, elsewhere: Elsewhere, keepsRows: boolean): Batches {
  const { workers, recipe } = elsewhere;
  if (recipe.split !== null && recipe.isSplit && workers.count > 1) {
    const parts = await partsOf(read, elsewhere);
    if (parts !== null && !isMeanTooLarge(parts, recipe.split) && (yield* inAllWorkers(read, parts, recipe.split))) return;
  }
  const remote = workers.read({ ...requestOf(read, recipe), keepsRows, morsels: null });
  let rows = 0;
  for await (const batch of remote) {
    rows += batch.length;
    yield batch;
  }
  noteWork(elsewhere, remote.ticks, rows);
}

function requestOf({ options, runtime }: PlacedRead, recipe: ReadRequest['recipe']): Omit<ReadRequest, 'keepsRows' | 'morsels'> {
  const { view, parameters, deadline, signal, memoryBytes, databaseRole, lookups, nodeCache } = options;
  const { statementTime, transactionTime } = runtime.clock;
  return { recipe, view, parameters, deadline, signal, memoryBytes, statementTime, transactionTime, databaseRole, lookups, nodeCache };
}

/**
 * What each found in its share of the scan. null: a part failed by its values. Its sum may lie outside 64 bits where that of all parts lies inside them, and what it
 * adds up may be part of a mean, so the statement is to run as a whole, which tells.
 */
async function partsOf(read: PlacedRead, elsewhere: Elsewhere): Promise<Value[][] | null> {
  try {
    const { rows, ticks } = await elsewhere.workers.readParts(requestOf(read, elsewhere.recipe));
    noteWork(elsewhere, ticks, 0);
    elsewhere.recipe.isSplit = !isLittleWork(ticks, rows.length * PART_ROW);
    return rows;
  } catch (error) {
    if (isOfValues(error)) return null;
    throw error;
  }
}

/** The sum that a mean is made of could leave the range of Floats, which the mean itself does not: the statement is to run as a whole. */
function isMeanTooLarge(rows: readonly (readonly Value[])[], { sumsOfMeans }: Split): boolean {
  const most = Number.MAX_VALUE / Math.max(1, rows.length);
  return rows.some((row) => sumsOfMeans.some((at) => typeof row[at] === 'number' && !(Math.abs(row[at]) < most)));
}

/** A row of a part costs so many times what one of an answer does: it is put together with others. */
const PART_ROW = 4;

function isOfValues(error: unknown): boolean {
  return error instanceof GraphDBError && (error.code === 'ARITHMETIC_ERROR' || error.code === 'TYPE_ERROR');
}

/** What the parts found is put together here. @returns false: it failed by its values, before there was a row (the sum that a mean is made of may lie outside 64 bits) */
async function* inAllWorkers(
  { options, runtime: begun }: PlacedRead,
  rows: Value[][],
  { whole, sums }: Split,
): AsyncGenerator<ResultValue[][], boolean, void> {
  for (const row of rows) for (const at of sums) if (row[at] === 0) row[at] = null;
  const parameters = new Map<string, Value>([...options.parameters, [PART_ROWS, rows]]);
  const { statementTime, transactionTime } = begun.clock;
  const runtime = new Runtime({ ...options, parameters, statementTime, transactionTime });
  runtime.memory.chargeRows(rows);
  const batches = batchesOf(started(whole.for(options.view, parameters, options.deadline), runtime), runtime, noMarker);
  let given = false;
  try {
    for await (const batch of batches) {
      given = true;
      yield batch;
    }
  } catch (error) {
    if (given || !isOfValues(error)) throw error;
    return false;
  }
  return true;
}

/** What was little work runs on the main thread the next time. */
function noteWork({ workers, recipe }: Elsewhere, ticks: number, rows: number): void {
  if (workers.firstSliceMs > 0) recipe.isLong = ticks > FEW_TICKS && !isLittleWork(ticks, rows);
}

async function noMarker(): Promise<void> {
  assert(false, 'a statement that reads has no batches');
}
