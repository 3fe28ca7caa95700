/** Binding of function calls: the function must be known, the number of arguments fit, and an aggregate be allowed there. */
import { isNamed, isRandom } from '../../../functions/index.ts';
import type { CountStar, Expression, FunctionCall } from '../../ast.ts';
import { didYouMean } from '../../suggest.ts';
import { walk } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';
import type { Scope } from '../scope.ts';
import { ANY, BOOLEAN, canBe, INTEGER, type Typed, type TypeKind, typeName } from '../types.ts';
import { functionCounterpart } from './counterparts.ts';
import { bindExpression, type Environment } from './expressions.ts';
import { acceptedKinds, type Callable, callableNamed, callableNames, resultType } from './functions.ts';

/** Binds a call of a function or an aggregate. */
export function bindFunction(analysis: Analysis, env: Environment, call: FunctionCall | CountStar): Typed {
  if (call.kind === 'countStar') {
    requireAggregation(analysis, env, call);
    return { expression: call, type: INTEGER };
  }
  const callable = callableNamed(call.name);
  if (callable === undefined) {
    throw analysis.fault(
      call,
      'UnknownFunction',
      `function \`${call.name}\` is not ` +
        `known${ofValue(env.scope, call.name) || functionCounterpart(call.name) || didYouMean(call.name, callableNames())}`,
    );
  }
  requireCount(analysis, call, callable);
  if (isNamed(call.name, 'exists')) return bindExists(analysis, env, call);
  if (!callable.aggregate && call.distinct)
    throw analysis.fault(call, 'InvalidAggregation', `DISTINCT is for aggregates, and \`${call.name}\` is none`);
  if (callable.aggregate) requireAggregation(analysis, env, call);
  const inner: Environment = callable.aggregate ? { ...env, scope: env.aggregated ?? env.scope, aggregates: 'inside' } : env;
  const args = call.arguments.map((argument) => bindExpression(analysis, inner, argument));
  if (callable.aggregate) refuseVolatile(analysis, call);
  requireTypes(analysis, call, args, callable);
  const expression: Expression = { ...call, arguments: args.map((argument) => argument.expression) };
  return {
    expression,
    type: resultType(
      callable.facts,
      args.map((argument) => argument.type),
    ),
  };
}

/** Returns a hint for `n.name.contains('x')`, since values have no methods; empty for other names. */
function ofValue(scope: Scope, name: string): string {
  const [variable, ...rest] = name.split('.');
  if (rest.length === 0 || scope.lookup(variable!) === undefined) return '';
  const value = name.slice(0, name.lastIndexOf('.'));
  const method = rest.at(-1)!;
  return `; functions stand before what they take, ${method}(${value}), and words between: ${value} CONTAINS 'text'`;
}

function requireAggregation(analysis: Analysis, env: Environment, call: FunctionCall | CountStar): void {
  const name = call.kind === 'countStar' ? 'count' : call.name;
  if (env.aggregates === 'inside') throw analysis.fault(call, 'NestedAggregation', `\`${name}\` cannot stand inside another aggregate`);
  if (env.aggregates === 'refused') {
    throw analysis.fault(
      call,
      'InvalidAggregation',
      `the aggregate \`${name}\` can only stand in the items of RETURN or WITH (and, if they aggregate, in their ORDER BY)`,
    );
  }
}

function requireCount(analysis: Analysis, call: FunctionCall, { minArgs, maxArgs }: Callable): void {
  const given = call.arguments.length;
  if (given >= minArgs && given <= maxArgs) return;
  const wanted =
    minArgs === maxArgs ? `${minArgs}` : maxArgs === Number.POSITIVE_INFINITY ? `at least ${minArgs}` : `${minArgs} to ${maxArgs}`;
  throw analysis.fault(
    call,
    'InvalidNumberOfArguments',
    `function \`${call.name}\` takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${given}`,
  );
}

/** Refuses random numbers in an aggregate, whose result would depend on how often they are drawn. */
function refuseVolatile(analysis: Analysis, call: FunctionCall): void {
  walk(call.arguments, (node) => {
    const inner = node as FunctionCall;
    if (inner.kind === 'function' && isRandom(inner.name)) {
      throw analysis.fault(inner, 'NonConstantExpression', `\`${inner.name}\` cannot stand inside an aggregate`);
    }
    return undefined;
  });
}

function requireTypes(analysis: Analysis, call: FunctionCall, args: readonly Typed[], { facts }: Callable): void {
  args.forEach(({ type }, i) => {
    const kinds = acceptedKinds(facts, i);
    if (kinds === null || canBe(type, ...kinds)) return;
    throw analysis.fault(
      call.arguments[i]!,
      'InvalidArgumentType',
      `\`${call.name}\` takes ${wanted(kinds)} here, and this is ${typeName(type)}`,
    );
  });
}

function wanted(kinds: readonly TypeKind[]): string {
  const names = kinds.map((kind) => typeName({ kind, element: ANY }));
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Binds `exists()`: of a pattern it is the pattern as a predicate, of `n.key` it is `n.key IS NOT NULL`. */
function bindExists(analysis: Analysis, env: Environment, call: FunctionCall): Typed {
  const [argument] = call.arguments as [Expression];
  const bound = bindExpression(analysis, { ...env, predicate: true }, argument);
  if (argument.kind === 'patternExpression') return { expression: bound.expression, type: BOOLEAN };
  return { expression: { kind: 'isNull', operand: bound.expression, negated: true, span: call.span }, type: BOOLEAN };
}
