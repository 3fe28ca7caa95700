/** Questions about whole expressions, answered by walking them: free variables, aggregates, volatility; and replacement of parts. */

import { countWork, unreachable } from '../../base/index.ts';
import { type Determinism, functionNamed } from '../../functions/index.ts';
import { argumentVariables } from '../operators/arguments.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { forEachChild, mapChildren } from './children.ts';

/** Depth first, parents before children. */
export function forEachExpression(expression: PlanExpression, visit: (expression: PlanExpression) => void): void {
  visit(expression);
  forEachChild(expression, (child) => forEachExpression(child, visit));
}

/** Variables that must have a value before the expression can be computed. Names are unique, so local ones (of comprehensions) are simply taken away. */
export function freeVariables(expression: PlanExpression): Set<string> {
  const found = new Set<string>();
  const local = new Set<string>();
  forEachExpression(expression, (part) => {
    switch (part.kind) {
      case 'variable':
        found.add(part.name);
        break;
      case 'pathBuild':
        for (const name of part.elements) found.add(name);
        break;
      case 'planSubquery':
        for (const name of argumentVariables(part.plan)) found.add(name);
        break;
      case 'listComprehension':
      case 'quantifier':
        local.add(part.variable.name);
        break;
      case 'reduce':
        local.add(part.variable.name).add(part.accumulator.name);
        break;
      case 'literal':
      case 'parameter':
      case 'property':
      case 'index':
      case 'slice':
      case 'list':
      case 'map':
      case 'mapProjection':
      case 'unary':
      case 'arithmetic':
      case 'binary':
      case 'logical':
      case 'comparison':
      case 'isNull':
      case 'hasLabels':
      case 'isTyped':
      case 'isNormalized':
      case 'function':
      case 'countStar':
      case 'case':
      case 'patternComprehension':
      case 'patternExpression':
      case 'subquery':
      case 'nodeOrder':
        break;
      default:
        unreachable(part, 'expression');
    }
  });
  for (const name of local) found.delete(name);
  return found;
}

export function someExpression(expression: PlanExpression, test: (expression: PlanExpression) => boolean): boolean {
  if (test(expression)) return true;
  let found = false;
  forEachChild(expression, (child) => {
    found ||= someExpression(child, test);
  });
  return found;
}

/** Draws a random value: two evaluations in one row differ. */
export function isRandomExpression(expression: PlanExpression): boolean {
  return callsAny(expression, 'random');
}

/** Tells of the row that LOAD CSV has given last: after a sort, or on the other side of a join, it would tell of another one. */
export function tellsOfRow(expression: PlanExpression): boolean {
  return callsAny(expression, 'row');
}

/** Depends on where and how often it is evaluated, not only on its variables. */
export function isVolatile(expression: PlanExpression): boolean {
  return callsAny(expression, 'random', 'row');
}

function callsAny(expression: PlanExpression, ...kinds: readonly Determinism[]): boolean {
  return someExpression(expression, (part) => {
    const determinism = part.kind === 'function' ? functionNamed(part.name)?.facts.determinism : undefined;
    return determinism !== undefined && kinds.includes(determinism);
  });
}

/** Contains a pattern or a query that is no sub-plan yet: the walkers here do not see what is in it. */
export function hasPatterns(expression: PlanExpression): boolean {
  return someExpression(
    expression,
    (part) => part.kind === 'patternExpression' || part.kind === 'patternComprehension' || part.kind === 'subquery',
  );
}

/** Contains a sub-plan, whose own names a replacement would not reach. */
export function hasSubplans(expression: PlanExpression): boolean {
  return someExpression(expression, (part) => part.kind === 'planSubquery');
}

/** Every name of a variable that stands anywhere in a tree, inside patterns and queries too: an upper bound of what it reads. */
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

/** Top down: where `replace` answers an expression, it stands there instead and is not looked into. */
export function replaceExpressions(expression: PlanExpression, replace: (part: PlanExpression) => PlanExpression | null): PlanExpression {
  return replace(expression) ?? mapChildren(expression, (child) => replaceExpressions(child, replace));
}
