/** Binding of comprehensions, quantifiers and reduce, which have variables of their own and allow no aggregates inside. */
import type { ListComprehension, PatternComprehension, Quantifier, Reduce, Variable } from '../../ast.ts';
import type { Analysis } from '../analysis.ts';
import { bindPatterns } from '../patterns.ts';
import type { Scope } from '../scope.ts';
import { ANY, BOOLEAN, iterated, listOf, type Type, type Typed } from '../types.ts';
import { bindExpression, bindOptionalPredicate, type Environment, environment } from './expressions.ts';

function declareLocal(analysis: Analysis, scope: Scope, variable: Variable, type: Type): Variable {
  return { ...variable, name: analysis.declare(scope, variable.name, type).name };
}

/** Binds the list, and returns it with its element variable and the environment in which that is visible. */
function bindOver(analysis: Analysis, env: Environment, node: ListComprehension | Quantifier | Reduce) {
  const list = bindExpression(analysis, env, node.list);
  const element = iterated(list.type);
  const scope = env.scope.inner();
  const variable = declareLocal(analysis, scope, node.variable, element);
  return { list, element, variable, inner: environment(scope) };
}

/** Binds a list comprehension. */
export function bindListComprehension(analysis: Analysis, env: Environment, node: ListComprehension): Typed {
  const { list, element, variable, inner } = bindOver(analysis, env, node);
  const where = bindOptionalPredicate(analysis, inner, node.where);
  const projection = node.projection === null ? null : bindExpression(analysis, inner, node.projection);
  const type = listOf(projection?.type ?? element);
  return { expression: { ...node, variable, list: list.expression, where, projection: projection?.expression ?? null }, type };
}

/** Binds a quantifier. */
export function bindQuantifier(analysis: Analysis, env: Environment, node: Quantifier): Typed {
  const { list, variable, inner } = bindOver(analysis, env, node);
  const where = bindOptionalPredicate(analysis, inner, node.where);
  return { expression: { ...node, variable, list: list.expression, where }, type: BOOLEAN };
}

/** Binds `reduce()`. */
export function bindReduce(analysis: Analysis, env: Environment, node: Reduce): Typed {
  const initial = bindExpression(analysis, env, node.initial);
  const { list, variable, inner } = bindOver(analysis, env, node);
  const accumulator = declareLocal(analysis, inner.scope, node.accumulator, ANY);
  const step = bindExpression(analysis, inner, node.expression);
  return {
    expression: { ...node, accumulator, initial: initial.expression, variable, list: list.expression, expression: step.expression },
    type: ANY,
  };
}

/** Binds a pattern comprehension. */
export function bindPatternComprehension(analysis: Analysis, env: Environment, node: PatternComprehension): Typed {
  const scope = env.scope.inner();
  const [pattern] = bindPatterns(analysis, scope, [node.pattern]);
  const inner = environment(scope);
  const where = bindOptionalPredicate(analysis, inner, node.where);
  const projection = bindExpression(analysis, inner, node.projection);
  return { expression: { ...node, pattern: pattern!, where, projection: projection.expression }, type: listOf(projection.type) };
}
