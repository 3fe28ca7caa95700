/**
 * The variables that expressions and sub-plans need from where they are computed. They stand above the facts of
 * operators, because an expression may hold a sub-plan.
 */
import { countWork } from '../../base/index.ts';
import { expressionFacts } from '../expressions/table.ts';
import { forEachExpression } from '../expressions/walk.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { expressionsOf, inputsOf, namesReadBy, subplanOf } from './references.ts';

/** Returns the variables of the outer row that a sub-plan reads: those of its argument leaves (see `narrowArguments`). */
export function argumentVariables(plan: Operator): Set<string> {
  const found = new Set<string>();
  const visit = (operator: Operator): void => {
    if (operator.kind === 'argument') for (const name of operator.variables) found.add(name);
    for (const input of inputsOf(operator)) visit(input);
  };
  visit(plan);
  return found;
}

/**
 * Returns the variables that must have a value before the expression can be computed. Names are unique, so local ones
 * (of comprehensions) are simply taken away.
 */
export function freeVariables(expression: PlanExpression): Set<string> {
  const found = new Set<string>();
  const local = new Set<string>();
  forEachExpression(expression, (part) => {
    const facts = expressionFacts(part);
    if (facts.reads !== null) for (const name of facts.reads(part)) found.add(name);
    if (facts.binds !== null) for (const name of facts.binds(part)) local.add(name);
    if (facts.subplan !== null) for (const name of argumentVariables(facts.subplan(part))) found.add(name);
  });
  for (const name of local) found.delete(name);
  return found;
}

/** Returns every variable that is read anywhere in the plan; for a sub-plan, those that it takes from its outer row. */
export function variablesRead(plan: Operator): Set<string> {
  const found = new Set<string>();
  const visit = (operator: Operator): void => {
    for (const name of namesReadBy(operator)) found.add(name);
    for (const expression of expressionsOf(operator)) for (const name of freeVariables(expression)) found.add(name);
    const subplan = subplanOf(operator);
    if (subplan !== null) for (const name of argumentVariables(subplan)) found.add(name);
    for (const input of inputsOf(operator)) visit(input);
  };
  visit(plan);
  return found;
}

/** Returns every variable name anywhere in a tree, inside patterns and queries too: an upper bound of what the tree reads. */
export function namesIn(tree: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    countWork(1);
    const node = value as Record<string, unknown>;
    if (node['kind'] === 'variable') found.add(String(node['name']));
    else if (node['kind'] === 'planSubquery') for (const name of argumentVariables(node['plan'] as Operator)) found.add(name);
    else if (node['kind'] === 'pathBuild') for (const name of node['elements'] as readonly string[]) found.add(name);
    else if (node['kind'] !== 'literal') for (const member of Object.values(node)) visit(member);
  };
  visit(tree);
  return found;
}
