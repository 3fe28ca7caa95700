/** The outcome of a statement, reported beside its rows: its type, its changes, its plan if it asked for that, and warnings. */
import type { Counters, Profile, Runtime } from '../../exec/index.ts';
import type { ResultValue } from '../../value/index.ts';
import type { SchemaOutcome, StatementOutcome, StatementResult, StatementStream, WriteOutcome } from '../api.ts';
import { explainedPlan, profiledPlan } from '../execution/explain.ts';
import { planOfPrepared } from './prepared-statement.ts';
import type { RunningStatement } from './running-statement.ts';

/** Returns whether a statement that has ended has nothing to report beside its rows. */
export function isPlainRead({ prepared }: RunningStatement, runtime: Runtime): boolean {
  return prepared.type === 'read' && runtime.profile === null && prepared.notifications(runtime.graph.view).length === 0;
}

/** Returns the outcome of a statement that has ended. */
export function outcomeOf(statement: RunningStatement, runtime: Runtime): StatementOutcome {
  if (isPlainRead(statement, runtime)) return { type: 'read' };
  const { prepared } = statement;
  const { type, writes } = prepared;
  const { profile } = runtime;
  const notifications = prepared.notifications(runtime.graph.view);
  return {
    type,
    ...(writes ? { writeOutcome: writeOutcomeOf(runtime.writes.counters) } : {}),
    ...(type === 'schema' ? { schemaOutcome: schemaOutcomeOf(runtime.writes.counters) } : {}),
    ...(profile === null ? {} : profiledAs(statement, runtime, profile)),
    ...(notifications.length === 0 ? {} : { notifications }),
  };
}

function profiledAs(
  { prepared, parameters, deadline }: RunningStatement,
  { graph }: Runtime,
  profile: Profile,
): Pick<StatementOutcome, 'plan' | 'planTree'> {
  const plan = planOfPrepared(prepared);
  return profiledPlan(plan.plan, plan.for(graph.view, parameters, deadline), profile);
}

/** Returns the result of EXPLAIN: one row with the plan. */
export function explained({ prepared, view }: RunningStatement): StatementResult {
  const described = prepared.explanation ?? explainedPlan(planOfPrepared(prepared).plan);
  const notifications = prepared.notifications(view);
  const answer = { type: prepared.type, columns: ['plan'], rows: [[described.plan]], ...described };
  return notifications.length === 0 ? answer : { ...answer, notifications };
}

/** Returns the rows of a result as a stream of one batch. */
export function streamOf({ columns, rows, ...outcome }: StatementResult): StatementStream {
  const batches = async function* (): AsyncGenerator<ResultValue[][], void, void> {
    if (rows.length > 0) yield rows;
  };
  return { columns, batches: batches(), summary: () => ({ rows: rows.length, ...outcome }) };
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
