/**
 * Where a statement that reads runs. Without workers: here, giving way to others. With workers: here if it ends within its first slice of time or gives its rows
 * for little work, and else from its beginning in a worker, with nothing told of what it gave here. One that was long the last time goes there at once.
 */
import { assert } from '../base/index.ts';
import type { CompiledStatement, Runtime } from '../exec/index.ts';
import { PART_ROWS } from '../plan/index.ts';
import type { ResultValue, Value } from '../value/index.ts';
import { allRows, batchesOf, FEW_TICKS, firstSlice, isLittleWork, type StatementGenerator } from './run.ts';
import type { ReadWorkers } from './workers/read-workers.ts';
import type { ReadRequest } from './workers/worker-thread.ts';

export interface PlacedRead {
  readonly compiled: () => CompiledStatement;
  readonly runtime: Runtime;
  /** null: it runs here. */
  readonly elsewhere: {
    readonly workers: ReadWorkers;
    readonly request: Omit<ReadRequest, 'keepsRows' | 'morsels'>;
    /** A run on this thread with other parameters. */
    readonly runtimeWith: (parameters: ReadonlyMap<string, Value>) => Runtime;
  } | null;
}

type Elsewhere = NonNullable<PlacedRead['elsewhere']>;
type Split = NonNullable<ReadRequest['recipe']['split']>;
type Batches = AsyncGenerator<ResultValue[][], void, void>;

/** All rows, charged to the statement. */
export async function rowsOfRead(read: PlacedRead): Promise<ResultValue[][]> {
  const { runtime, elsewhere } = read;
  if (elsewhere === null) return allRows(startHere(read), runtime, noMarker);
  const rows: ResultValue[][] = [];
  const keep = (batch: readonly ResultValue[][]): void => {
    for (const row of batch) rows.push(row);
  };
  if (beginsHere(elsewhere)) {
    const generator = startHere(read);
    const slice = firstSlice(generator, runtime, (batch) => {
      runtime.charge(batch.length, batch[0]!.length);
      keep(batch);
    });
    if (slice === 'goes on') keep(await allRows(generator, runtime, noMarker));
    if (slice !== 'left') return rows;
    elsewhere.request.recipe.isLong = true;
    rows.length = 0;
  }
  for await (const batch of inWorker(elsewhere, true)) keep(batch);
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
    elsewhere.request.recipe.isLong = true;
  }
  yield* inWorker(elsewhere, false);
}

function startHere({ compiled, runtime }: PlacedRead): StatementGenerator {
  const { run, constants } = compiled();
  return run(runtime, constants);
}

function beginsHere({ workers, request }: Elsewhere): boolean {
  return workers.firstSliceMs > 0 && !request.recipe.isLong;
}

async function* inWorker(elsewhere: Elsewhere, keepsRows: boolean): Batches {
  const { workers, request } = elsewhere;
  const { split } = request.recipe;
  if (split !== null && workers.count > 1) return yield* inAllWorkers(elsewhere, split);
  const remote = workers.read({ ...request, keepsRows, morsels: null });
  let rows = 0;
  for await (const batch of remote) {
    rows += batch.length;
    yield batch;
  }
  noteWork(elsewhere, remote.ticks, rows);
}

/** Each has its share of the scan; what they found is put together here. */
async function* inAllWorkers(elsewhere: Elsewhere, { whole, sums }: Split): Batches {
  const { workers, request, runtimeWith } = elsewhere;
  const { rows, ticks } = await workers.readParts(request);
  noteWork(elsewhere, ticks, 0);
  for (const row of rows) for (const at of sums) if (row[at] === 0) row[at] = null;
  const parameters = new Map<string, Value>([...request.parameters, [PART_ROWS, rows]]);
  const runtime = runtimeWith(parameters);
  runtime.charge(rows.length, rows[0]?.length ?? 0);
  const { run, constants } = whole.for(request.view, parameters);
  yield* batchesOf(run(runtime, constants), runtime, noMarker);
}

/** What was little work runs on the main thread the next time. */
function noteWork({ workers, request }: Elsewhere, ticks: number, rows: number): void {
  if (workers.firstSliceMs > 0) request.recipe.isLong = ticks > FEW_TICKS && !isLittleWork(ticks, rows);
}

async function noMarker(): Promise<void> {
  assert(false, 'a statement that reads has no batches');
}
