/**
 * The inputs of a plan, by which another thread makes the plan that this one has made: the text, and what the planner
 * asked of the statistics, with the answers. The planner asks nothing else, so it finds the same plan; what was loaded
 * for the one is enough for the other.
 */
import { assert } from '../../base/index.ts';
import { type BoundStatement, type CallProcedureClause, type FunctionCall, type ShowCommand, walk } from '../../cypher/index.ts';
import { builtInProcedures, type CompiledPlan, type Procedure, type ProcedureRegistry } from '../../exec/index.ts';
import { aggregateNamed, functionNamed } from '../../functions/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';
import type { Plan, SplitPlan } from '../../plan/index.ts';
import type { PlanFlags } from './planning.ts';

/** The answers of the statistics, by question. */
export type Answers = Map<string, unknown>;

/** A plan that another thread than the main thread has made, in forms that pass from thread to thread as they are. */
export interface PlanBytes {
  /** See workers/plan-bytes.ts. */
  readonly plan: Uint8Array;
  /**
   * The literals that were lifted out of the text, packed, in V8's form of structured clones; they are given beside the
   * parameters of the user.
   */
  readonly parameters: Uint8Array;
}

/** Made with the plan, by the `StatementCache`, and as long-lived; workers remember the last few hundred. */
export interface PlanInputs {
  readonly text: string;
  readonly answers: Answers;
  readonly flags: PlanFlags;
  /** Taken in place of planning the text again; null: the main thread has planned it. */
  readonly made: PlanBytes | null;
  /** S1: it takes steps of constant cost only, as long as its parameters are small, and may begin on the main thread. */
  readonly hasConstantSteps: boolean;
  /** null: it runs in one thread. */
  readonly split: (Pick<SplitPlan, 'sums' | 'sumsOfMeans'> & { readonly whole: CompiledPlan }) | null;
  /** Its parts gave few rows for their work, when they last ran. */
  isSplit: boolean;
  /** It took longer than the slice that a statement gets on the main thread, when it last ran. */
  isLong: boolean;
}

/**
 * True: the statement can be run by a worker, which has all but the settings, the catalog of graphs, and procedures
 * that are not built in.
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

/** Returns statistics that answer as these do, and write down what they are asked. */
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

/** Statistics that answer what was written down; nothing else may be asked. */
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
