/** Entry point of the planner: turns a bound statement into a plan of operators, and shows a plan as text. */

export { hasConstantSteps } from './constant-steps.ts';
export type { PlanOptions } from './context.ts';
export { describePlan, type PlanDescription } from './explain/describe-plan.ts';
export { formatPlan } from './explain/format-plan.ts';
export { and as conjunction, variable } from './expressions/build.ts';
export type { EntityKnowledge } from './expressions/facts.ts';
export { expressionFacts, isConstantForm } from './expressions/table.ts';
export { forEachExpression } from './expressions/walk.ts';
export type { Load } from './loads.ts';
export type * from './operators/kinds/table.ts';
export { expressionsOf, inputsOf, loadsOf, namesBoundBy, subplanOf } from './operators/references.ts';
export { hasUpdates } from './operators/updates.ts';
export type * from './plan.ts';
export { planStatement } from './plan-statement.ts';
export { type ReadByPage, readsByPage } from './reads-by-page.ts';
export { type ScannedLookup, scannedLookups } from './scanned-lookups.ts';
export { PART_ROWS, type SplitPlan, splitPlan } from './split-plan.ts';
