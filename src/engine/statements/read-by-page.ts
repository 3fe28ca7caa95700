/**
 * Answers a short read of what is not in memory yet by reading the pages that it touches, instead of whole columns and tables (DESIGN, "Page fault"). It runs until it meets what is missing,
 * goes on with zeros to find out what else is, has all of that read side by side, and begins again: as many rounds of requests as one thing depends on another.
 *
 * What works longer than some ten thousand steps, or needs something that can only be read whole, is left to the ordinary way.
 */
import { GraphDBError, nextTurn } from '../../base/index.ts';
import { Runtime } from '../../exec/index.ts';
import { isNotLoaded, PageFaults } from '../../graph/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { ReadWorkers } from '../workers/read-workers.ts';
import { planOfPrepared } from './prepared-statement.ts';
import type { RunningStatement } from './running-statement.ts';
import { areSmall } from './small-values.ts';

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
 * Whether the statement needs something that is not in memory, and all of that may be read by page, on this thread.
 *
 * S1: where there are threads for reads, only one whose steps are of constant cost is begun here.
 */
export function mayReadByPage(statement: RunningStatement, workers: ReadWorkers | null): boolean {
  const { served, view, prepared, transaction, parameters } = statement;
  const { byPage, plan, requirements, recipe } = prepared;
  if (workers !== null && recipe !== null && !(recipe.hasConstantSteps && areSmall(parameters))) return false;
  if (byPage === null || plan === null || transaction !== null || served.graph.hasLoaded(view, requirements)) return false;
  const { scans } = byPage;
  const scanned = scans === 'all' ? view.nodeCount : [...scans].reduce((sum, label) => sum + view.statistics.nodesWithLabel(label), 0);
  return scanned <= MOST_SCANNED;
}

/** Null: the statement is to be run in the ordinary way, with all that it needs in memory. */
export async function readByPage(statement: RunningStatement): Promise<PagedAnswer | null> {
  const { served, view, prepared } = statement;
  if (!(await served.graph.openPages(view, prepared.requirements))) return null;
  const faults = new PageFaults();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const answer = await attempt(statement, faults);
    if (answer !== 'again') return answer;
    try {
      await faults.load();
    } catch {
      // Whether something is damaged, or gone, or the store does not answer: reading it whole tells.
      return null;
    }
  }
  return null;
}

/** What the ordinary way has an answer to, or tells. */
function isBeyondMemory(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphDBError && error.code === 'MEMORY_LIMIT');
}

async function attempt(statement: RunningStatement, faults: PageFaults): Promise<PagedAnswer | null | 'again'> {
  const { prepared, view, parameters, deadline } = statement;
  const runtime = new Runtime(statement);
  statement.heap.runtime = runtime;
  const rows: ResultValue[][] = [];
  try {
    const { run, constants } = planOfPrepared(prepared).byPage(view, parameters, deadline);
    const generator = run(runtime, constants);
    try {
      for (;;) {
        const { done, value } = faults.watch(() => generator.next());
        if (done === true) break;
        if (runtime.limits.ticks > MOST_TICKS) return faults.any ? 'again' : null;
        if (value === null) {
          await (runtime.pauses.take() ?? nextTurn());
          runtime.resume();
        } else if (!faults.any) {
          const batch = value as ResultValue[][]; // as: a statement that reads has no markers
          runtime.memory.chargeBatch(batch);
          for (const row of batch) rows.push(row);
        }
      }
    } finally {
      generator.return();
    }
  } catch (error) {
    // What is found among zeros says nothing.
    if (faults.any) return 'again';
    if (isNotLoaded(error) || isBeyondMemory(error)) return null;
    throw error;
  }
  if (faults.any) return 'again';
  statement.served.statements.countReadByPage();
  return { rows, runtime };
}
