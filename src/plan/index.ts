/** The door of the planner: bound statement in, plan of operators out; the plan as text. */

export type { PlanOptions } from './context.ts';
export { describePlan, type PlanDescription } from './explain/describe-plan.ts';
export { formatPlan } from './explain/format-plan.ts';
export { and as conjunction } from './expressions/build.ts';
export type * from './plan.ts';
export { planStatement } from './plan-statement.ts';
export { type ScannedLookup, scannedLookups } from './scanned-lookups.ts';
export { PART_ROWS, type SplitPlan, splitPlan } from './split-plan.ts';
