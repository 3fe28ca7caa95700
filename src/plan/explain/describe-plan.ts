/**
 * A plan as a tree of descriptions, for protocols that show plans in a form of their own. The input of an operator
 * comes before what it runs for each row.
 */
import type { Operator, Plan } from '../plan.ts';
import { describeOperator } from './describe-operator.ts';
import { type ProfileFigures, withNote } from './format-plan.ts';
import { branchesOf, columnsText, inputOf } from './plan-tree.ts';

/** The description of an operator and of those below it. */
export interface PlanDescription {
  /** The name of the operator in EXPLAIN, such as `NodeByLabelScan`. */
  readonly operator: string;
  readonly details: string;
  readonly estimatedRows: number;
  /** Present for PROFILE: the rows that the operator gave and, in milliseconds, the time in its own code. */
  readonly rows?: number;
  readonly timeMs?: number;
  readonly children: readonly PlanDescription[];
}

/** Describes a plan as a tree; with `profile`, including measured rows and times. */
export function describePlan(plan: Plan, profile?: ProfileFigures): PlanDescription {
  const root = describe(plan.root, profile);
  if (plan.columns.length === 0) return root;
  const { estimatedRows } = root;
  return {
    operator: 'ProduceResults',
    details: columnsText(plan),
    estimatedRows,
    ...(profile === undefined || root.rows === undefined ? {} : { rows: root.rows, timeMs: profile.resultMs }),
    children: [root],
  };
}

function describe(operator: Operator, profile: ProfileFigures | undefined): PlanDescription {
  const { name, details } = describeOperator(operator);
  const input = inputOf(operator);
  const children = [...(input === null ? [] : [input]), ...branchesOf(operator)].map((child) => describe(child, profile));
  const figures = profile?.of(operator);
  const counted = figures === undefined ? {} : { rows: figures.rows, timeMs: figures.timeMs };
  return { operator: name, details: withNote(details, figures), estimatedRows: operator.estimatedRows, ...counted, children };
}
