/**
 * Decides where a read statement runs. Without workers it runs on this thread and yields to others. With workers it
 * runs here if it ends within its first time slice or finds its rows with little work; otherwise it begins again in a
 * worker, and what it found here is discarded. A statement that was long the last time goes to a worker at once.
 */
import { type ErrorCode, GraphDBError } from '../../base/index.ts';
import { Runtime } from '../../exec/index.ts';
import { PART_ROWS } from '../../plan/index.ts';
import type { ResultValue, Value } from '../../value/index.ts';
import { allRows, batchesOf, FEW_TICKS, firstSlice, isLittleWork, refuseMarker, started } from '../execution/drive.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import type { StatementGenerator } from '../execution/running-code.ts';
import { ThreadLost } from '../workers/ongoing-read.ts';
import { type PackedParameters, packParameters } from '../workers/packed-rows.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import type { RemoteRead } from '../workers/remote-read.ts';
import { planOfPrepared } from './prepared-statement.ts';
import { executionOf, type RunningStatement } from './running-statement.ts';
import { areSmall } from './small-values.ts';

/** The workers that may run a statement, and the inputs of its plan. */
interface Remote {
  readonly workers: ReadWorkers;
  readonly planInputs: PlanInputs;
}

type Split = NonNullable<PlanInputs['split']>;
type Batches = AsyncGenerator<ResultValue[][], void, void>;

type WholeOrPart = Omit<RemoteRead, 'keepsRows' | 'morsels'>;

/** Returns null if the statement has to run on this thread, as in a write transaction, whose view only this thread sees. */
function remoteOf({ prepared, transaction }: RunningStatement, workers: ReadWorkers | null): Remote | null {
  const { planInputs } = prepared;
  return workers === null || planInputs === null || transaction !== null ? null : { workers, planInputs };
}

/** Makes the runtime of a read statement, for its first time slice only if it may go on in a worker. */
export function beginRead(statement: RunningStatement, workers: ReadWorkers | null): Runtime {
  const remote = remoteOf(statement, workers);
  const runtime = new Runtime(remote === null ? statement : { ...statement, sliceMs: remote.workers.firstSliceMs });
  statement.heap.runtime = runtime;
  return runtime;
}

/** Returns all rows, charged to the statement's memory; those of a short statement without a promise. */
export function rowsOfRead(
  statement: RunningStatement,
  runtime: Runtime,
  workers: ReadWorkers | null,
): ResultValue[][] | Promise<ResultValue[][]> {
  const remote = remoteOf(statement, workers);
  if (remote === null) return allRows(startHere(statement, runtime), runtime, refuseMarker);
  const rows: ResultValue[][] = [];
  if (!beginsHere(remote, statement)) return remainingRows(inWorker(statement, runtime, remote, true), rows);
  const generator = startHere(statement, runtime);
  const slice = firstSlice(generator, runtime, (batch) => {
    runtime.memory.chargeBatch(batch);
    for (const row of batch) rows.push(row);
  });
  if (slice === 'ended') return rows;
  if (slice === 'goes on') return goingOn(allRows(generator, runtime, refuseMarker), rows);
  remote.planInputs.isLong = true;
  return remainingRows(inWorker(statement, runtime, remote, true), []);
}

async function goingOn(rest: ResultValue[][] | Promise<ResultValue[][]>, rows: ResultValue[][]): Promise<ResultValue[][]> {
  for (const row of await rest) rows.push(row);
  return rows;
}

async function remainingRows(batches: Batches, rows: ResultValue[][]): Promise<ResultValue[][]> {
  for await (const batch of batches) for (const row of batch) rows.push(row);
  return rows;
}

/** Yields the batches of rows as they come. */
export async function* batchesOfRead(statement: RunningStatement, runtime: Runtime, workers: ReadWorkers | null): Batches {
  const remote = remoteOf(statement, workers);
  if (remote === null) return yield* batchesOf(startHere(statement, runtime), runtime, refuseMarker);
  if (beginsHere(remote, statement)) {
    const generator = startHere(statement, runtime);
    const batches: ResultValue[][][] = [];
    const slice = firstSlice(generator, runtime, (batch) => batches.push(batch));
    if (slice !== 'left') {
      try {
        for (const batch of batches) yield batch;
        if (slice === 'goes on') yield* batchesOf(generator, runtime, refuseMarker);
        return;
      } finally {
        generator.return();
      }
    }
    remote.planInputs.isLong = true;
  }
  yield* inWorker(statement, runtime, remote, false);
}

function startHere(statement: RunningStatement, runtime: Runtime): StatementGenerator {
  return started(executionOf(statement, planOfPrepared(statement.prepared), runtime));
}

/** Returns whether the statement begins on this thread (S1). */
function beginsHere({ workers, planInputs }: Remote, { parameters }: RunningStatement): boolean {
  return workers.firstSliceMs > 0 && planInputs.hasConstantSteps && !planInputs.isLong && areSmall(parameters);
}

async function* inWorker(statement: RunningStatement, runtime: Runtime, remote: Remote, keepsRows: boolean): Batches {
  const { workers, planInputs } = remote;
  const { deadline, signal } = statement;
  const read = remoteReadOf(statement, runtime, planInputs, await packParameters(statement.parameters, { deadline, signal }));
  if (planInputs.split !== null && planInputs.isSplit && workers.count > 1) {
    const parts = await partsOf(read, remote);
    if (parts !== null && !isMeanTooLarge(parts, planInputs.split) && (yield* inAllWorkers(statement, runtime, parts, planInputs.split)))
      return;
  }
  const batches = workers.read({ ...read, keepsRows, morsels: null });
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    yield batch;
  }
  noteWork(remote, batches.ticks, rows);
}

function remoteReadOf(statement: RunningStatement, { clock }: Runtime, planInputs: PlanInputs, parameters: PackedParameters): WholeOrPart {
  const { view, deadline, signal, memoryBytes, databaseRole, engine, csvSources, spill, lookups, nodeCache } = statement;
  const { statementTime, transactionTime } = clock;
  return {
    planInputs,
    view,
    parameters,
    deadline,
    signal,
    memoryBytes,
    statementTime,
    transactionTime,
    databaseRole,
    engine,
    csvSources,
    spill,
    lookups,
    nodeCache,
  };
}

/**
 * Returns the rows that the workers found in their shares of the scan; null if the statement has to run as a whole,
 * because a part was lost with its thread or failed by its values or for memory. The whole may still succeed: the sum
 * of a part may lie outside 64 bits although the total does not, its addends may be part of a mean, and only a whole
 * statement can spill.
 */
async function partsOf(read: WholeOrPart, remote: Remote): Promise<Value[][] | null> {
  try {
    const { rows, ticks } = await remote.workers.readParts(read);
    noteWork(remote, ticks, 0);
    remote.planInputs.isSplit = !isLittleWork(ticks, rows.length * PART_ROW);
    return rows;
  } catch (error) {
    if (isOfPart(error) || error instanceof ThreadLost) return null;
    throw error;
  }
}

/**
 * Returns whether the sum behind a mean might leave the range of Floats although the mean does not, so that the
 * statement has to run as a whole.
 */
function isMeanTooLarge(rows: readonly (readonly Value[])[], { sumsOfMeans }: Split): boolean {
  const most = Number.MAX_VALUE / Math.max(1, rows.length);
  return rows.some((row) => sumsOfMeans.some((at) => typeof row[at] === 'number' && !(Math.abs(row[at]) < most)));
}

/** A row of a part costs this many times as much as a row of a result, since it has to be combined with others. */
const PART_ROW = 4;

/** Codes of errors that a part may meet although the whole statement does not. */
const ERRORS_OF_PARTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['ARITHMETIC_ERROR', 'TYPE_ERROR', 'MEMORY_LIMIT']);

function isOfPart(error: unknown): boolean {
  return error instanceof GraphDBError && ERRORS_OF_PARTS.has(error.code);
}

/**
 * Combines the rows of the parts on this thread.
 *
 * @returns false if that failed, before the first row, by its values (the sum behind a mean may lie outside 64 bits) or
 * for memory
 */
async function* inAllWorkers(
  statement: RunningStatement,
  { clock }: Runtime,
  rows: Value[][],
  { whole, sums }: Split,
): AsyncGenerator<ResultValue[][], boolean, void> {
  for (const row of rows) for (const at of sums) if (row[at] === 0) row[at] = null;
  const parameters = new Map<string, Value>([...statement.parameters, [PART_ROWS, rows]]);
  const { statementTime, transactionTime } = clock;
  const runtime = new Runtime({ ...statement, parameters, statementTime, transactionTime });
  statement.heap.runtime = runtime;
  let given = false;
  try {
    runtime.memory.chargeRows(rows);
    const execution = { ...executionOf(statement, whole, runtime), parameters };
    const batches = batchesOf(started(execution), runtime, refuseMarker);
    for await (const batch of batches) {
      given = true;
      yield batch;
    }
  } catch (error) {
    if (given || !isOfPart(error)) throw error;
    return false;
  }
  return true;
}

/** Notes where the statement begins the next time: on the main thread if it was little work. */
function noteWork({ workers, planInputs }: Remote, ticks: number, rows: number): void {
  if (workers.firstSliceMs > 0) planInputs.isLong = ticks > FEW_TICKS && !isLittleWork(ticks, rows);
}
