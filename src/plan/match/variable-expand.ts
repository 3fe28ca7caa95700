/** Builds the operator of a variable-length or quantified pattern. */

import type { PlanContext } from '../context.ts';
import { and, variable } from '../expressions/build.ts';
import { replaceExpressions } from '../expressions/walk.ts';
import type { VariableExpand } from '../operators/kinds/table.ts';
import { reverse, type StepPredicate } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import type { Problem, RelationshipInfo } from './problem.ts';
import { quantifiedStep } from './quantified.ts';

/** The options of a variable-length expand. */
export interface VariableExpandOptions {
  readonly input: Operator;
  readonly fromLeft: boolean;
  readonly into: boolean;
  readonly uniqueAgainst: readonly string[];
  readonly estimatedRows: number;
}

/** Builds the operator of a variable-length or quantified pattern. */
export function variableExpand(problem: Problem, info: RelationshipInfo, options: VariableExpandOptions): Operator {
  const { relationship } = info;
  const { fromLeft } = options;
  return {
    kind: 'variableExpand',
    input: options.input,
    from: fromLeft ? relationship.left : relationship.right,
    relationships: relationship.variable,
    to: fromLeft ? relationship.right : relationship.left,
    types: relationship.types,
    direction: fromLeft ? relationship.direction : reverse(relationship.direction),
    min: relationship.length?.min ?? 1,
    max: relationship.length?.max ?? (relationship.length === null ? 1 : null),
    into: options.into,
    uniqueAgainst: options.uniqueAgainst,
    reversed: !fromLeft,
    relationshipsBound: relationship.bound,
    step: stepOf(problem.context, relationship.steps),
    // Whether anything reads the list is settled when the whole plan is known (rewrites/unread-lists.ts).
    listNeeded: true,
    distinctEnds: false,
    quantified: relationship.quantified === null ? null : quantifiedStep(problem.context, relationship, { fromLeft, scope: problem.scope }),
    estimatedRows: options.estimatedRows,
  };
}

/** Joins all predicates on the steps of one pattern by AND, over common names; null if there are none. */
export function stepOf(context: PlanContext, steps: readonly StepPredicate[]): VariableExpand['step'] {
  if (steps.length === 0) return null;
  // Names cannot be replaced in sub-plans, so the names of steps with sub-plans are kept for all steps.
  const named = steps.find((step) => step.from !== undefined) ?? steps[0]!;
  const names = {
    relationship: named.relationship ?? context.fresh('step', 'relationship'),
    from: named.from ?? context.fresh('from', 'node'),
    to: named.to ?? context.fresh('to', 'node'),
  };
  const predicates = steps.map((step) =>
    replaceExpressions(step.expression, (part) => {
      if (part.kind !== 'variable') return null;
      const role = (['relationship', 'from', 'to'] as const).find((each) => step[each] === part.name);
      return role === undefined ? null : variable(names[role]);
    }),
  );
  return { ...names, predicate: and(predicates) };
}
