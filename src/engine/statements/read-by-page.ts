/**
 * Answers statements over what is not in memory by reading the pages that they touch, instead of whole columns and
 * tables (decisions 0025, 0035). A statement runs until it meets what is missing, goes on with zeros to find out what
 * else is, has all of that read side by side, and goes on with the row that missed it.
 *
 * A short one is run so first, since the whole takes longer: what works longer than some ten thousand steps is left to
 * the ordinary way. One whose tables and columns do not fit into memory is run so to its end.
 */
import { GraphDBError, nextTurn } from '../../base/index.ts';
import { Runtime, WAIT } from '../../exec/index.ts';
import { hasRoom, isNotLoaded, NoRoomError } from '../../graph/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { allRows, batchesOf } from '../execution/drive.ts';
import { PagedCode, pageHandler } from '../execution/paged-code.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import { planOfPrepared } from './prepared-statement.ts';
import { executionOf, type RunningStatement } from './running-statement.ts';
import { areSmall } from './small-values.ts';

/** The rows of a statement that was answered by pages. */
export interface PagedAnswer {
  readonly rows: ResultValue[][];
  readonly runtime: Runtime;
}

const MOST_ROUNDS = 12;
/** Nodes of the labels that it scans. */
const MOST_SCANNED = 2 ** 14;
/** In units of `Limits.ticks`. */
const MOST_TICKS = 1;

/**
 * Whether the statement needs something that is not in memory, is likely to be short, and all of that may be read by page, on this thread.
 *
 * S1: where there are threads for reads, only one whose steps are of constant cost is begun here.
 */
export function mayReadByPage(statement: RunningStatement, workers: ReadWorkers | null): boolean {
  const { served, view, prepared } = statement;
  const { byPage, requirements } = prepared;
  if (byPage === null || !mayRunHere(statement, workers) || served.graph.hasLoaded(view, requirements)) return false;
  const { scans, scansRelationships } = byPage;
  if (scansRelationships) return false;
  const scanned = scans === 'all' ? view.nodeCount : [...scans].reduce((sum, label) => sum + view.statistics.nodesWithLabel(label), 0);
  return scanned <= MOST_SCANNED;
}

function mayRunHere(statement: RunningStatement, workers: ReadWorkers | null): boolean {
  const { planInputs } = statement.prepared;
  if (workers !== null && planInputs !== null && !(planInputs.hasConstantSteps && areSmall(statement.parameters))) return false;
  return canRunHere(statement);
}

function canRunHere({ prepared, transaction }: RunningStatement): boolean {
  return prepared.byPage !== null && prepared.plan !== null && transaction === null;
}

/** Null: the statement is to be run in the ordinary way, with all that it needs in memory. */
export async function readByPage(statement: RunningStatement): Promise<PagedAnswer | null> {
  const { served, view, prepared } = statement;
  if (!(await served.graph.openPages(view, prepared.requirements))) return null;
  try {
    const answer = await attempt(begin(statement));
    if (answer !== null) served.statements.countReadByPage();
    return answer;
  } catch (error) {
    // Whether something is damaged, or gone, or the store does not answer: reading it whole tells.
    if (error instanceof PagesUnread || isNotLoaded(error) || isBeyondMemory(error)) return null;
    throw error;
  }
}

/** Pages that were missing could not be read. */
class PagesUnread extends Error {}

/** Tells whether the ordinary way has an answer to the error, or reports it. */
function isBeyondMemory(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphDBError && error.code === 'MEMORY_LIMIT');
}

interface Begun {
  readonly code: PagedCode;
  readonly runtime: Runtime;
}

function begin(statement: RunningStatement): Begun {
  const faults = statement.served.graph.pageFaults();
  const runtime = new Runtime({ ...statement, faults });
  statement.heap.runtime = runtime;
  return { code: new PagedCode({ ...executionOf(statement, planOfPrepared(statement.prepared), runtime), faults }), runtime };
}

async function attempt({ code, runtime }: Begun): Promise<PagedAnswer | null> {
  const rows: ResultValue[][] = [];
  let rounds = 0;
  try {
    for (;;) {
      const { done, value } = code.next();
      if (done === true) return { rows, runtime };
      if (Array.isArray(value)) {
        const batch = value as ResultValue[][]; // as: a statement that reads has no markers
        runtime.memory.chargeBatch(batch);
        for (const row of batch) rows.push(row);
      }
      if (runtime.limits.ticks > MOST_TICKS) return null;
      if (value === WAIT) {
        if (++rounds > MOST_ROUNDS) return null;
        await code.readMissing().catch(() => Promise.reject(new PagesUnread()));
      }
      if (value === WAIT || value === null) {
        if (value === null) await (runtime.pauses.take() ?? nextTurn());
        runtime.resume();
      }
    }
  } finally {
    code.return();
  }
}

/**
 * Whether the statement, which found no room for all that it reads, can read it by page: nothing of the graph that was
 * given back would make enough room.
 *
 * S1: pages are read on this thread alone. Where there are threads for reads, only one that gives way soon is run here to its end.
 */
export function canOnlyReadByPage(statement: RunningStatement, workers: ReadWorkers | null, error: unknown): boolean {
  if (!(error instanceof NoRoomError) || !canRunHere(statement)) return false;
  if (workers !== null && !(statement.prepared.byPage!.givesWay && areSmall(statement.parameters))) return false;
  return !hasRoom(error.bytesInAll, error.available + statement.served.graph.loadedBytes);
}

/** A statement that reads by pages, as it runs. */
export interface PagedRead {
  readonly runtime: Runtime;
  rows(): ResultValue[][] | Promise<ResultValue[][]>;
  batches(): AsyncGenerator<ResultValue[][], void, void>;
}

/** Begins to run the statement over pages, to its end. Null: some part can only be read whole. */
export async function beginReadByPage(statement: RunningStatement): Promise<PagedRead | null> {
  const { served, view, prepared } = statement;
  if (!(await served.graph.openPages(view, prepared.requirements))) return null;
  const { code, runtime } = begin(statement);
  served.statements.countReadByPage();
  return {
    runtime,
    rows: () => allRows(code, runtime, pageHandler(code)),
    batches: () => batchesOf(code, runtime, pageHandler(code)),
  };
}
