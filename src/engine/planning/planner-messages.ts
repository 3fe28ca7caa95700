/** The messages between the main thread and the planner thread. */
import type { MessagePort } from 'node:worker_threads';
import type { Right } from '../../base/index.ts';
import type { Requirements } from '../../graph/index.ts';
import type { AskedIndex, Plan } from '../../plan/index.ts';
import type { StatementOutcome, StatementType } from '../api.ts';
import type { Mention } from '../execution/mentions.ts';
import type { Administration } from '../execution/plan-text.ts';
import type { PlanFlags } from '../execution/planning.ts';
import type { Fault } from '../workers/messages.ts';

/** The data with which the planner thread is started. */
export interface PlannerThreadData {
  /** The port on which the thread receives the answers to its questions. */
  readonly answers: MessagePort;
  /** One shared number: how many questions have been answered. */
  readonly answered: Int32Array;
}

/** The size of the graph, which the planner thread gets with the text. */
export interface GraphSize {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly labelNames: readonly string[] | undefined;
}

/** A message to the planner thread: a text to be planned. The thread plans one at a time. */
export interface PlanMessage {
  readonly text: string;
  readonly flags: PlanFlags;
  readonly size: GraphSize;
  /** Milliseconds that planning may take; Infinity: no limit. */
  readonly timeoutMs: number;
  /** The most MiB that the heap of the thread may hold, garbage not counted. */
  readonly heapMiB: number;
}

/** A method of `GraphStatistics`, to be called by the main thread. */
export type QuestionName =
  | 'nodesWithLabel'
  | 'relationshipsOfType'
  | 'relationships'
  | 'distinctValues'
  | 'distinctRelationshipValues'
  | 'findIndex';

/** The facts of a planned statement, for a thread that does not have its plan in memory. */
export interface PlanFacts {
  readonly mode: Plan['mode'];
  readonly writes: boolean;
  readonly type: StatementType;
  readonly columns: readonly string[];
  readonly requirements: Requirements;
  readonly askedIndexes: readonly AskedIndex[];
  /** The parameters that the user has to give. */
  readonly required: readonly string[];
  readonly mentions: readonly Mention[];
  readonly right: Right;
  readonly administration: Administration | null;
  /** True if read workers can run the statement. */
  readonly isForWorkers: boolean;
  /** The result of EXPLAIN; null for any other statement. */
  readonly explanation: Required<Pick<StatementOutcome, 'plan' | 'planTree'>> | null;
}

/**
 * A planned statement, as bytes and not as records, because a message whose records are too deeply nested for the stack
 * of its receiver is lost.
 */
export interface PlannedBytes {
  /** The `PlanFacts`, in V8's form of structured clones. */
  readonly facts: Uint8Array<ArrayBuffer>;
  /** The plan (workers/plan-bytes.ts). */
  readonly plan: Uint8Array<ArrayBuffer>;
  /** The literals that were lifted out of the text, packed (workers/packed-values.ts), in V8's form of structured clones. */
  readonly parameters: Uint8Array<ArrayBuffer>;
}

/** A planned statement as its receiver has it: the facts are read, the plan and the literals are still bytes. */
export interface PlannedText extends PlanFacts, Pick<PlannedBytes, 'plan' | 'parameters'> {}

/** A message from the planner thread. */
export type FromPlanner =
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly name: QuestionName; readonly args: readonly unknown[] }
  | { readonly kind: 'planned'; readonly planned: PlannedBytes }
  | { readonly kind: 'fault'; readonly fault: Fault };
