/**
 * Answers statements over data that is not in memory by reading the pages that they touch, instead of whole columns and
 * tables (decisions 0025, 0035). A statement runs until it finds something missing, goes on with zeros to find out what
 * else is missing, has all of that read in parallel, and goes on with the row that missed it.
 *
 * A short statement is tried this way first, since reading tables whole takes longer; one that takes more than some ten
 * thousand steps is left to the ordinary way. A statement whose tables and columns do not fit into memory is run this
 * way to its end.
 */
import { GraphDBError, nextTurn } from '../../base/index.ts';
import { CompiledPlan, Runtime, WAIT } from '../../exec/index.ts';
import { hasRoom, isAskedByPage, isNotLoaded, NoRoomError, PagesEndedError } from '../../graph/index.ts';
import { readsByPage } from '../../plan/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { allRows, batchesOf } from '../execution/drive.ts';
import { PagedCode, pageHandler } from '../execution/paged-code.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import { planOfPrepared } from './prepared-statement.ts';
import { type StatementRequest, withinTime } from './request.ts';
import { executionOf, type RunningStatement } from './running-statement.ts';
import { areSmall } from './small-values.ts';

/** The rows of a statement that was answered by pages. */
export interface PagedAnswer {
  readonly rows: ResultValue[][];
  readonly runtime: Runtime;
}

const MOST_ROUNDS = 12;
/** The most nodes that a short statement may scan, by the counts of their labels. */
const MOST_SCANNED = 2 ** 14;
/** The most work of a short statement, in units of `Limits.ticks`. */
const MOST_TICKS = 1;

/**
 * Returns whether to try the statement by page on this thread: it needs data that is not in memory, is likely to be
 * short, all of that data may be read by page, and a second run in the ordinary way would find nothing of the first.
 *
 * S1: if there are read workers, only a statement whose steps are of constant cost is begun here.
 */
export function mayReadByPage(statement: RunningStatement, workers: ReadWorkers | null): boolean {
  const { served, view, prepared } = statement;
  const { byPage, requirements } = prepared;
  if (byPage === null || !mayRunHere(statement, workers) || served.graph.hasLoaded(view, requirements)) return false;
  const { scans, scansRelationships, storesGraphs } = byPage;
  if (scansRelationships || storesGraphs) return false;
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

/** Runs a short statement over pages; null if it has to be run in the ordinary way, with all that it needs in memory. */
export async function readByPage(statement: RunningStatement): Promise<PagedAnswer | null> {
  const { request, served, view, prepared } = statement;
  if (!(await withinTime(served.graph.openPages(view, prepared.requirements), request))) return null;
  try {
    const answer = await attempt(begin(statement, planOfPrepared(prepared), false), request);
    if (answer !== null) served.statements.countReadByPage();
    return answer;
  } catch (error) {
    // If something is damaged or gone, or the store does not answer, reading whole tables reports it.
    if (error instanceof PagesUnread || error instanceof PagesEndedError || isNotLoaded(error) || isBeyondMemory(error)) return null;
    throw error;
  }
}

/** Thrown when missing pages could not be read. */
class PagesUnread extends Error {}

/** Returns whether the statement reached a limit of memory by page, so that the ordinary way must answer or report it. */
function isBeyondMemory(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphDBError && error.code === 'MEMORY_LIMIT');
}

interface Begun {
  readonly code: PagedCode;
  readonly runtime: Runtime;
}

function begin(statement: RunningStatement, plan: CompiledPlan, toEnd: boolean): Begun {
  const faults = statement.served.graph.pageFaults(toEnd);
  const runtime = new Runtime({ ...statement, faults });
  statement.heap.runtime = runtime;
  return { code: new PagedCode({ ...executionOf(statement, plan, runtime), faults }), runtime };
}

async function attempt({ code, runtime }: Begun, request: StatementRequest): Promise<PagedAnswer | null> {
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
        await withinTime(
          code.readMissing().catch(() => Promise.reject(new PagesUnread())),
          request,
        );
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
 * Returns whether a statement that found no room for what it reads must, and can, read it by page: unloading the graph
 * would not free enough memory.
 *
 * S1: pages are read on this thread only. If there are read workers, only a statement that yields soon is run here to
 * its end.
 */
export function canOnlyReadByPage(statement: RunningStatement, workers: ReadWorkers | null, error: unknown): boolean {
  if (!(error instanceof NoRoomError) || !canRunHere(statement)) return false;
  if (workers !== null && !(statement.prepared.byPage!.givesWay && areSmall(statement.parameters))) return false;
  return !hasRoom(error.bytesInAll, error.available + statement.served.graph.loadedBytes);
}

/** A running statement that reads by page. */
export interface PagedRead {
  readonly runtime: Runtime;
  rows(): ResultValue[][] | Promise<ResultValue[][]>;
  batches(): AsyncGenerator<ResultValue[][], void, void>;
}

/** Begins to run the statement over pages, to its end; null if some part can only be read whole. */
export async function beginReadByPage(statement: RunningStatement): Promise<PagedRead | null> {
  const { request, served, view, prepared } = statement;
  if (!(await withinTime(served.graph.openPages(view, prepared.requirements), request))) return null;
  const plan = await planToEnd(statement);
  if (plan === null) return null;
  const { code, runtime } = begin(statement, plan, true);
  const readMissing = pageHandler((missing) => withinTime(missing, request), code);
  served.statements.countReadByPage();
  return {
    runtime,
    rows: () => allRows(code, runtime, readMissing),
    batches: () => batchesOf(code, runtime, readMissing),
  };
}

/**
 * Returns the plan of a statement that reads by page to its end: one without the indexes of which some table has nothing
 * in files that could be asked, such as those on points. Null if that reads what can only be read whole.
 */
async function planToEnd({ request, served, view, prepared }: RunningStatement): Promise<CompiledPlan | null> {
  const planned = served.statements.planWithFewer(request, view, (wanted) => isAskedByPage(view, wanted));
  if (planned === null) return planOfPrepared(prepared);
  const { plan, requirements } = planned;
  const byPage = readsByPage(plan);
  if (byPage === null || (prepared.byPage!.givesWay && !byPage.givesWay)) return null;
  return (await withinTime(served.graph.openPages(view, requirements), request)) ? new CompiledPlan(plan) : null;
}
