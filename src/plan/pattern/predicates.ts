/** Makes predicates of expressions: their dependencies, and whether they are about labels or the existence of a pattern. */
import type { Expression, LabelExpression } from '../../cypher/index.ts';
import { mapLabels } from '../expressions/mapping.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { PlanExpression } from '../plan.ts';
import type { Predicate } from './query-graph.ts';

/** Makes a predicate of an expression. */
export function makePredicate(expression: PlanExpression): Predicate {
  return {
    expression,
    dependencies: freeVariables(expression),
    labels: labelsOf(expression),
    exists: existsOf(expression),
  };
}

function labelsOf(expression: PlanExpression): Predicate['labels'] {
  if (expression.kind !== 'hasLabels' || expression.subject.kind !== 'variable' || isDynamic(expression.labels)) return null;
  return { variable: expression.subject.name, labels: expression.labels };
}

function existsOf(expression: PlanExpression): Predicate['exists'] {
  if (expression.kind === 'planSubquery' && expression.mode === 'exists') return { plan: expression.plan, anti: false };
  if (expression.kind !== 'unary' || expression.operator !== 'not') return null;
  // What was a pattern in the bound tree is a sub-plan now.
  const operand = expression.operand as PlanExpression;
  return operand.kind === 'planSubquery' && operand.mode === 'exists' ? { plan: operand.plan, anti: true } : null;
}

/** Tells whether a label expression contains a label that is computed. */
export function isDynamic(labels: LabelExpression): boolean {
  let dynamic = false;
  mapLabels(labels, (expression: Expression) => {
    dynamic = true;
    return expression;
  });
  return dynamic;
}

/** Returns the labels that a node must have, all of them, to satisfy the expression. */
export function requiredLabels(labels: LabelExpression): readonly string[] {
  if (labels.kind === 'labelName') return [labels.name];
  return labels.kind === 'labelAnd' ? labels.operands.flatMap(requiredLabels) : [];
}

/** Returns the conjuncts of a label expression. */
export function splitLabels(labels: LabelExpression): readonly LabelExpression[] {
  return labels.kind === 'labelAnd' ? labels.operands.flatMap(splitLabels) : [labels];
}

/** Returns the types of a relationship pattern if they are a plain list of names; null for any type, undefined for anything else. */
export function plainTypes(types: LabelExpression | null): readonly string[] | null | undefined {
  if (types === null || types.kind === 'labelWildcard') return null;
  if (types.kind === 'labelName') return [types.name];
  if (types.kind !== 'labelOr') return undefined;
  const parts = types.operands.map(plainTypes);
  if (parts.some((part) => part === undefined)) return undefined;
  if (parts.some((part) => part === null)) return null;
  return [...new Set(parts.flatMap((part) => part ?? []))];
}
