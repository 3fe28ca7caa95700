/**
 * Turns the patterns and queries inside an expression into sub-plans: pattern predicates and EXISTS, COUNT, COLLECT,
 * pattern comprehensions, `shortestPath` as a value. Everything else stays as the binder left it.
 */
import { assert, unreachable } from '../../base/index.ts';
import type { Expression, PathPattern, PatternComprehension, SubqueryExpression } from '../../cypher/index.ts';
import { isNamed } from '../../functions/index.ts';
import type { PlanContext } from '../context.ts';
import { call } from '../expressions/build.ts';
import { mapChildren } from '../expressions/children.ts';
import type { UnplannedExpression } from '../expressions/facts.ts';
import { expressionFacts, isUnplanned } from '../expressions/table.ts';
import { narrowArguments } from '../operators/arguments.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { planExistenceApart } from './existence.ts';

/** Turns patterns and queries of an expression into sub-plans. `scope`: the variables with a value where the expression is computed. */
export function convertExpression(context: PlanContext, expression: PlanExpression, scope: ReadonlySet<string>): PlanExpression {
  if (isUnplanned(expression)) return subplanFor(context, expression, scope);
  const replaced = expression.kind === 'function' ? overPattern(context, expression, scope) : null;
  if (replaced !== null) return replaced;
  const { binds } = expressionFacts(expression);
  const inner = binds === null ? scope : withNames(scope, binds(expression));
  return mapChildren(expression, (part) => convertExpression(context, part, inner));
}

function subplanFor(context: PlanContext, expression: UnplannedExpression, scope: ReadonlySet<string>): PlanExpression {
  switch (expression.kind) {
    case 'patternExpression':
      return expression.pattern.selector === null
        ? existence(context, expression.pattern, scope)
        : shortestPathValue(context, expression.pattern, scope);
    case 'patternComprehension':
      return comprehension(context, expression, scope);
    case 'subquery':
      return subquery(context, expression, scope);
    default:
      return unreachable(expression, 'pattern or query');
  }
}

const withNames = (scope: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> => new Set([...scope, ...names]);

const existsSubplan = (plan: Operator): PlanExpression => ({ kind: 'planSubquery', mode: 'exists', plan, variable: null });

function existence(context: PlanContext, pattern: PathPattern, scope: ReadonlySet<string>): PlanExpression {
  const plan = patternPlan(context, pattern, scope);
  planExistenceApart(context, { patterns: [pattern], where: null }, plan);
  return existsSubplan(plan);
}

const countSubplan = (plan: Operator): PlanExpression => ({ kind: 'planSubquery', mode: 'count', plan, variable: null });

function patternPlan(context: PlanContext, pattern: PathPattern, scope: ReadonlySet<string>): Operator {
  return narrowArguments(context.planPatterns({ patterns: [pattern], where: null }, scope));
}

/** Converts `exists((a)-->(b))`, `size((a)-->(b))` and `size([(a)-->(b) | …])`, which need no list; null for any other call. */
function overPattern(
  context: PlanContext,
  expression: Extract<Expression, { kind: 'function' }>,
  scope: ReadonlySet<string>,
): PlanExpression | null {
  const [argument] = expression.arguments;
  if (argument === undefined || expression.arguments.length !== 1) return null;
  if (argument.kind === 'patternExpression' && argument.pattern.selector === null) {
    if (isNamed(expression.name, 'exists')) return existence(context, argument.pattern, scope);
    if (isNamed(expression.name, 'size')) return countSubplan(patternPlan(context, argument.pattern, scope));
  }
  if (argument.kind === 'patternComprehension' && isNamed(expression.name, 'size')) {
    return countSubplan(narrowArguments(context.planPatterns({ patterns: [argument.pattern], where: argument.where }, scope)));
  }
  return null;
}

function comprehension(context: PlanContext, expression: PatternComprehension, scope: ReadonlySet<string>): PlanExpression {
  const plan = context.planPatterns({ patterns: [expression.pattern], where: expression.where }, scope);
  const inner = withNames(scope, patternNames(expression.pattern));
  return collectSubplan(context, plan, convertExpression(context, expression.projection, inner));
}

function collectSubplan(context: PlanContext, plan: Operator, value: PlanExpression): PlanExpression {
  const name = context.fresh('value', 'any');
  const projected: Operator = {
    kind: 'project',
    input: plan,
    items: [{ variable: name, expression: value }],
    discard: true,
    estimatedRows: plan.estimatedRows,
  };
  return { kind: 'planSubquery', mode: 'collect', plan: narrowArguments(projected), variable: name };
}

/** Makes the value of a shortest path pattern: one path or null for `shortestPath`, a list for `allShortestPaths`. */
function shortestPathValue(context: PlanContext, pattern: PathPattern, scope: ReadonlySet<string>): PlanExpression {
  const plan = context.planPatterns({ patterns: [pattern], where: null }, scope);
  const names = pattern.elements.map((element) => {
    assert(element.kind !== 'quantifiedPattern' && element.variable !== null, 'a shortest path is one relationship between two nodes');
    return element.variable.name;
  });
  const paths = collectSubplan(context, plan, { kind: 'pathBuild', elements: names });
  return pattern.selector?.kind === 'allShortest' ? paths : call('head', paths);
}

function subquery(context: PlanContext, expression: SubqueryExpression, scope: ReadonlySet<string>): PlanExpression {
  const { plan, columns } = context.planQuery(expression.query, scope);
  const narrowed = narrowArguments(
    plan,
    columns.map((column) => column.variable),
  );
  const [clause, ...others] = expression.query.parts.length === 1 ? expression.query.parts[0]!.clauses : [];
  if (expression.mode === 'exists' && clause?.kind === 'match' && !clause.optional && others.length === 0) {
    planExistenceApart(context, clause, narrowed);
  }
  if (expression.mode !== 'collect') return { kind: 'planSubquery', mode: expression.mode, plan: narrowed, variable: null };
  const [column] = columns;
  assert(column !== undefined, 'COLLECT returns one column');
  return { kind: 'planSubquery', mode: 'collect', plan: narrowed, variable: column.variable };
}

function patternNames(pattern: PathPattern): readonly string[] {
  const names = pattern.elements.flatMap((element) =>
    element.kind === 'quantifiedPattern'
      ? element.path.elements.flatMap((inner) => (inner.kind === 'quantifiedPattern' ? [] : [inner.variable!.name]))
      : [element.variable!.name],
  );
  return pattern.variable === null ? names : [...names, pattern.variable.name];
}
