/** What is told of a statement beside its rows: its type, what it changed, its plan where it asked for that, warnings. */
import type { Counters, Runtime, RuntimeOptions } from '../../exec/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { SchemaOutcome, StatementOutcome, StatementResult, StatementStream, StatementType, WriteOutcome } from '../api.ts';
import { explainedPlan, profiledPlan } from './explain.ts';
import type { PreparedStatement } from './statement-cache.ts';

export interface Run {
  readonly prepared: PreparedStatement;
  readonly options: Pick<RuntimeOptions, 'parameters' | 'deadline'>;
  readonly runtime: Runtime;
}

/** Of a statement that has ended: beside its rows there is nothing to tell. */
export function isPlainRead({ prepared, runtime }: Run): boolean {
  return prepared.type === 'read' && runtime.profile === null && prepared.notifications(runtime.graph.view).length === 0;
}

/** Of a statement that has ended. */
export function outcomeOf(run: Run): StatementOutcome {
  if (isPlainRead(run)) return { type: 'read' };
  const { prepared, options, runtime } = run;
  const { type } = prepared;
  const { plan } = prepared.plan;
  const notifications = prepared.notifications(runtime.graph.view);
  return {
    type,
    ...(plan.writes ? { writeOutcome: writeOutcomeOf(runtime.writes.counters) } : {}),
    ...(type === 'schema' ? { schemaOutcome: schemaOutcomeOf(runtime.writes.counters) } : {}),
    ...(runtime.profile === null
      ? {}
      : profiledPlan(plan, prepared.plan.for(runtime.graph.view, options.parameters, options.deadline), runtime.profile)),
    ...(notifications.length === 0 ? {} : { notifications }),
  };
}

/** EXPLAIN: one row with the plan. */
export function explained(prepared: PreparedStatement, view: GraphView): StatementResult {
  const described = explainedPlan(prepared.plan.plan);
  const notifications = prepared.notifications(view);
  const answer = { type: prepared.type, columns: ['plan'], rows: [[described.plan]], ...described };
  return notifications.length === 0 ? answer : { ...answer, notifications };
}

/** A stream of rows that are there already. */
export function streamOf({ columns, rows, ...outcome }: StatementResult): StatementStream {
  const batches = async function* (): AsyncGenerator<ResultValue[][], void, void> {
    if (rows.length > 0) yield rows;
  };
  return { columns, batches: batches(), summary: () => ({ rows: rows.length, ...outcome }) };
}

export function typeOf({ root, writes, columns }: Plan): StatementType {
  if (root.kind === 'schema') return 'schema';
  if (!writes) return 'read';
  return columns.length === 0 ? 'write' : 'read-write';
}

function writeOutcomeOf(counters: Counters): WriteOutcome {
  return {
    nodesCreated: counters.nodesCreated,
    edgesCreated: counters.relationshipsCreated,
    nodesDeleted: counters.nodesDeleted,
    edgesDeleted: counters.relationshipsDeleted,
    propertiesSet: counters.propertiesSet,
    labelsAdded: counters.labelsAdded,
    labelsRemoved: counters.labelsRemoved,
  };
}

function schemaOutcomeOf({ indexesAdded, indexesRemoved, constraintsAdded, constraintsRemoved }: Counters): SchemaOutcome {
  return { indexesAdded, indexesRemoved, constraintsAdded, constraintsRemoved };
}
