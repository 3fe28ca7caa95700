/**
 * The inputs of a plan, from which another thread makes the plan that this thread has made: the text, and the questions
 * that the planner asked of the statistics, with their answers. The planner has no other input, so it finds the same
 * plan, and the data that was loaded for one suffices for the other.
 */
import { assert } from '../../base/index.ts';
import { type BoundStatement, type CallProcedureClause, type FunctionCall, type ShowCommand, walk } from '../../cypher/index.ts';
import { builtInProcedures, type CompiledPlan, type Procedure, type ProcedureRegistry } from '../../exec/index.ts';
import { aggregateNamed, functionNamed } from '../../functions/index.ts';
import type { GraphStatistics, WantedIndex } from '../../graph/index.ts';
import type { Plan, SplitPlan } from '../../plan/index.ts';
import type { PlanFlags } from './planning.ts';

/** The answers of the statistics, by question. */
export type Answers = Map<string, unknown>;

/** A plan that the planner thread has made, in forms that can be sent from thread to thread as they are. */
export interface PlanBytes {
  /** The serialized plan (workers/plan-bytes.ts). */
  readonly plan: Uint8Array;
  /**
   * The literals that were lifted out of the text, packed, in V8's form of structured clones; they are passed beside
   * the user's parameters.
   */
  readonly parameters: Uint8Array;
}

/**
 * The inputs of one plan. The `StatementCache` makes them with the plan and keeps them as long; each worker remembers
 * the last few hundred.
 */
export interface PlanInputs {
  readonly text: string;
  readonly answers: Answers;
  readonly flags: PlanFlags;
  /** The plan made by the planner thread, which workers use instead of planning the text again; null if the main thread has planned it. */
  readonly made: PlanBytes | null;
  /** True if every step has constant cost as long as the parameters are small, so that the statement may begin on the main thread (S1). */
  readonly hasConstantSteps: boolean;
  /** How the statement is split among several workers; null if it runs in one thread. */
  readonly split: (Pick<SplitPlan, 'sums' | 'sumsOfMeans'> & { readonly whole: CompiledPlan }) | null;
  /** True if splitting pays: the parts found few rows for their work when they last ran, or have not run yet. */
  isSplit: boolean;
  /** True if the statement took longer than its slice on the main thread when it last ran. */
  isLong: boolean;
}

/**
 * Returns whether a worker can run the statement. A worker has no settings, no catalog of graphs, no changes, nothing
 * of the server, and only the built-in procedures.
 */
export function isForWorkers(bound: BoundStatement, { mode, writes }: Plan, procedures: ProcedureRegistry): boolean {
  if (writes || mode !== 'run') return false;
  const isShared = (procedure: Procedure | undefined): boolean => procedure !== undefined && builtInProcedures.includes(procedure);
  let isMainThreadOnly = false;
  walk(bound.statement, (node) => {
    if (node.kind === 'callProcedure') {
      const procedure = procedures.find((node as CallProcedureClause).name); // as: of this kind.
      const isOfMain = procedure?.readsSettings === true || procedure?.usesCatalog === true || procedure?.readsChanges === true;
      if (!isShared(procedure) || isOfMain) isMainThreadOnly = true;
    } else if (node.kind === 'function') {
      const { name } = node as FunctionCall; // as: of this kind.
      if (aggregateNamed(name)?.facts.usesCatalog === true || functionNamed(name)?.facts.reads === 'catalog') isMainThreadOnly = true;
    } else if (node.kind === 'show') {
      const { what } = node as ShowCommand; // as: of this kind.
      const isOfServer = what === 'settings' || what === 'databases' || what === 'transactions' || what === 'terminations';
      if (isOfServer || (what === 'procedures' && !procedures.all().every(isShared))) isMainThreadOnly = true;
    } else if (node.kind === 'createDatabase' || node.kind === 'dropDatabase') isMainThreadOnly = true;
    return !isMainThreadOnly;
  });
  return !isMainThreadOnly;
}

/** Returns statistics that answer as the given ones do, but know only those of their indexes that `mayAsk` accepts. */
export function withFewerIndexes(statistics: GraphStatistics, mayAsk: (wanted: WantedIndex) => boolean): GraphStatistics {
  const findIndex: GraphStatistics['findIndex'] = (wanted) => {
    const found = statistics.findIndex(wanted);
    return found !== null && mayAsk(wanted) ? found : null;
  };
  return new Proxy(statistics, {
    get(target, name) {
      if (name === 'findIndex') return findIndex;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Returns statistics that answer as the given ones do, and record each question with its answer. */
export function recordedStatistics(statistics: GraphStatistics, answers: Answers): GraphStatistics {
  return new Proxy(statistics, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') {
        answers.set(String(name), member);
        return member;
      }
      return (...args: unknown[]) => {
        const answer: unknown = member.apply(target, args);
        answers.set(questionOf(name, args), answer);
        return answer;
      };
    },
  });
}

/** Returns statistics that answer from recorded answers; no other question may be asked. */
export function replayedStatistics(answers: Answers): GraphStatistics {
  return new Proxy({} as GraphStatistics, {
    get(_, name) {
      if (answers.has(String(name))) return answers.get(String(name));
      return (...args: unknown[]) => {
        const question = questionOf(name, args);
        assert(answers.has(question), `the planner asks ${question} of a worker, and did not on the main thread`);
        return answers.get(question);
      };
    },
  });
}

function questionOf(name: string | symbol, args: readonly unknown[]): string {
  return `${String(name)}${JSON.stringify(args)}`;
}
