/**
 * Binding of expressions: variables get unique names, functions must be known, and types are inferred as far as
 * possible, so that impossible expressions (`1 AND true`, `'a' % 2`, a property of a number) are refused early.
 */
import { unreachable } from '../../../base/index.ts';
import type {
  ArithmeticChain,
  ArithmeticOperator,
  BinaryExpression,
  CaseExpression,
  Expression,
  LogicalExpression,
  MapProjection,
  UnaryExpression,
  Variable,
} from '../../ast.ts';
import type { Analysis } from '../analysis.ts';
import { bindLabels } from '../labels.ts';
import { bindPatternExpression } from '../patterns.ts';
import type { Scope } from '../scope.ts';
import {
  ANY,
  BOOLEAN,
  canBe,
  elementOf,
  FLOAT,
  INTEGER,
  isNumeric,
  join,
  LIST,
  listOf,
  MAP,
  NULL,
  NUMBER,
  STRING,
  type Type,
  type Typed,
  typeName,
  typeOfLiteral,
} from '../types.ts';
import { bindFunction } from './calls.ts';
import { bindListComprehension, bindPatternComprehension, bindQuantifier, bindReduce } from './comprehensions.ts';
import { liftedParameterType } from './lifted-parameters.ts';
import { type Constant, longConstant } from './literal-values.ts';
import { bindSubqueryExpression } from './subqueries.ts';

/** The environment of an expression: its scope, and what is allowed in it. */
export interface Environment {
  readonly scope: Scope;
  /** The scope inside aggregates, where it is another one. */
  readonly aggregated?: Scope;
  /** Aggregates: allowed in items of a projection; inside while binding an argument of an aggregate; refused elsewhere. */
  readonly aggregates: 'allowed' | 'inside' | 'refused';
  /** True where a condition is expected, so that a pattern is allowed. */
  readonly predicate: boolean;
}

/** Returns the environment of expressions without aggregates. */
export function environment(scope: Scope): Environment {
  return { scope, aggregates: 'refused', predicate: false };
}

/** Binds a condition, such as that of WHERE, which must be Boolean. */
export function bindPredicate(analysis: Analysis, env: Environment, where: Expression): Expression {
  const bound = bindExpression(analysis, { ...env, predicate: true }, where);
  requireBoolean(analysis, where, bound.type);
  return bound.expression;
}

/** Binds a condition; null stays null. */
export function bindOptionalPredicate(analysis: Analysis, env: Environment, where: Expression | null): Expression | null {
  return where === null ? null : bindPredicate(analysis, env, where);
}

/** Binds an expression whose type is not needed. */
export function bindPlain(analysis: Analysis, env: Environment, expression: Expression): Expression {
  return bindExpression(analysis, env, expression).expression;
}

/** Binds an expression. */
export function bindExpression(analysis: Analysis, env: Environment, expression: Expression): Typed {
  const inner: Environment = env.predicate ? { ...env, predicate: false } : env;
  switch (expression.kind) {
    case 'literal':
      return { expression, type: typeOfLiteral(expression) };
    case 'parameter':
      analysis.parameters.add(expression.name);
      return { expression, type: liftedParameterType(expression.name) ?? ANY };
    case 'variable':
      return bindVariable(analysis, inner.scope, expression);
    case 'property':
      return bindProperty(analysis, inner, expression);
    case 'index':
      return bindIndex(analysis, inner, expression);
    case 'slice':
      return bindSlice(analysis, inner, expression);
    case 'list': {
      const constant = longConstant(expression);
      if (constant !== null) return literalOf(expression, constant);
      const items = expression.items.map((item) => bindExpression(analysis, inner, item));
      const element = items.reduce((type, item) => join(type, item.type), NULL);
      return {
        expression: { ...expression, items: items.map((item) => item.expression) },
        type: items.length === 0 ? LIST : listOf(element),
      };
    }
    case 'map': {
      const constant = longConstant(expression);
      if (constant !== null) return literalOf(expression, constant);
      return { expression: { ...expression, entries: bindEntries(analysis, inner, expression.entries) }, type: MAP };
    }
    case 'mapProjection':
      return bindMapProjection(analysis, inner, expression);
    case 'unary':
      return bindUnary(analysis, inner, expression);
    case 'arithmetic':
      return bindArithmetic(analysis, inner, expression);
    case 'binary':
      return bindBinary(analysis, inner, expression);
    case 'logical':
      return bindLogical(analysis, inner, expression);
    case 'comparison':
      return {
        expression: { ...expression, operands: expression.operands.map((each) => bindPlain(analysis, inner, each)) },
        type: BOOLEAN,
      };
    case 'isNull':
    case 'isTyped':
    case 'isNormalized':
      return { expression: { ...expression, operand: bindPlain(analysis, inner, expression.operand) }, type: BOOLEAN };
    case 'hasLabels': {
      const subject = bindExpression(analysis, inner, expression.subject);
      requireType(
        analysis,
        expression.subject,
        subject.type,
        ['node', 'relationship'],
        'a label can only be asked of a Node or Relationship',
      );
      return {
        expression: { ...expression, subject: subject.expression, labels: bindLabels(analysis, inner, expression.labels) },
        type: BOOLEAN,
      };
    }
    case 'function':
    case 'countStar':
      return bindFunction(analysis, inner, expression);
    case 'case':
      return bindCase(analysis, inner, expression);
    case 'listComprehension':
      return bindListComprehension(analysis, inner, expression);
    case 'patternComprehension':
      return bindPatternComprehension(analysis, inner, expression);
    case 'quantifier':
      return bindQuantifier(analysis, inner, expression);
    case 'reduce':
      return bindReduce(analysis, inner, expression);
    case 'patternExpression':
      return bindPatternExpression(analysis, env, expression);
    case 'subquery':
      return bindSubqueryExpression(analysis, inner, expression);
    default:
      return unreachable(expression, 'expression');
  }
}

function literalOf({ span }: Expression, { value, type }: Constant): Typed {
  return { expression: { kind: 'literal', value, span }, type };
}

/** Binds a variable, which must be in scope. */
export function bindVariable(analysis: Analysis, scope: Scope, variable: Variable): Typed<Variable> {
  const { name, type } = analysis.resolve(scope, variable);
  return { expression: { ...variable, name }, type };
}

// ---------------------------------------------------------------- checks

/** Refuses an expression whose type can be none of the kinds; `what` begins the message. */
export function requireType(analysis: Analysis, at: Expression, type: Type, kinds: readonly Type['kind'][], what: string): void {
  if (!canBe(type, ...kinds)) throw analysis.fault(at, 'InvalidArgumentType', `${what}, and this is ${typeName(type)}`);
}

function requireBoolean(analysis: Analysis, at: Expression, type: Type): void {
  requireType(analysis, at, type, ['boolean'], 'expected a Boolean');
}

// ---------------------------------------------------------------- lookups

function bindProperty(analysis: Analysis, env: Environment, expression: Expression & { kind: 'property' }): Typed {
  const subject = bindExpression(analysis, env, expression.subject);
  if (subject.type.kind === 'path')
    throw analysis.fault(
      expression.subject,
      'InvalidArgumentType',
      `a Path has no property \`${expression.key}\`${insteadOfProperty(expression.key, subject.type)}`,
    );
  if (!canBe(subject.type, 'node', 'relationship', 'map')) {
    throw analysis.typeFault(
      expression.subject,
      `${typeName(subject.type)} has no property \`${expression.key}\`${insteadOfProperty(expression.key, subject.type)}`,
    );
  }
  return { expression: { ...expression, subject: subject.expression }, type: subject.type.kind === 'null' ? NULL : ANY };
}

/** Returns a hint for the property of a value that has none; empty if nothing is likely. */
function insteadOfProperty(key: string, type: Type): string {
  if (type.kind === 'path')
    return /^(length|size|count)$/i.test(key) ? '; write length(p)' : '; write nodes(p), relationships(p) or length(p)';
  if (/^(length|size|count)$/i.test(key)) return '; write size(x)';
  return type.kind === 'list' ? `; write [x IN list | x.${key}]` : '';
}

function bindIndex(analysis: Analysis, env: Environment, expression: Expression & { kind: 'index' }): Typed {
  const subject = bindExpression(analysis, env, expression.subject);
  const index = bindExpression(analysis, env, expression.index);
  if (!canBe(subject.type, 'list', 'map', 'node', 'relationship')) {
    throw analysis.typeFault(expression.subject, `nothing can be looked up in ${typeName(subject.type)} with []`);
  }
  if (subject.type.kind === 'list' && !canBe(index.type, 'integer')) {
    throw analysis.typeFault(expression.index, `the place in a List must be an Integer, and this is ${typeName(index.type)}`);
  }
  return { expression: { ...expression, subject: subject.expression, index: index.expression }, type: elementOf(subject.type) };
}

function bindSlice(analysis: Analysis, env: Environment, expression: Expression & { kind: 'slice' }): Typed {
  const subject = bindExpression(analysis, env, expression.subject);
  if (!canBe(subject.type, 'list'))
    throw analysis.typeFault(expression.subject, `only a List has parts, and this is ${typeName(subject.type)}`);
  const bound = (part: Expression | null): Expression | null => {
    if (part === null) return null;
    const typed = bindExpression(analysis, env, part);
    if (!canBe(typed.type, 'integer'))
      throw analysis.typeFault(part, `the place in a List must be an Integer, and this is ${typeName(typed.type)}`);
    return typed.expression;
  };
  return {
    expression: { ...expression, subject: subject.expression, from: bound(expression.from), to: bound(expression.to) },
    type: subject.type,
  };
}

type Entries = readonly { readonly key: string; readonly value: Expression }[];

/** Binds the entries of a map. */
export function bindEntries(analysis: Analysis, env: Environment, entries: Entries): Entries {
  return entries.map(({ key, value }) => ({ key, value: bindPlain(analysis, env, value) }));
}

function bindMapProjection(analysis: Analysis, env: Environment, expression: MapProjection): Typed {
  const subject = bindVariable(analysis, env.scope, expression.subject);
  requireType(
    analysis,
    expression.subject,
    subject.type,
    ['node', 'relationship', 'map'],
    'a map projection needs a Node, Relationship or Map',
  );
  return { expression: { ...expression, subject: subject.expression, entries: bindEntries(analysis, env, expression.entries) }, type: MAP };
}

// ---------------------------------------------------------------- operators

function bindUnary(analysis: Analysis, env: Environment, expression: UnaryExpression): Typed {
  const negation = expression.operator === 'not';
  const operand = bindExpression(analysis, { ...env, predicate: negation }, expression.operand);
  if (negation) requireBoolean(analysis, expression.operand, operand.type);
  else requireType(analysis, expression.operand, operand.type, ['number'], 'expected a number');
  return { expression: { ...expression, operand: operand.expression }, type: negation ? BOOLEAN : operand.type };
}

function bindLogical(analysis: Analysis, env: Environment, expression: LogicalExpression): Typed {
  const operands = expression.operands.map((operand) => {
    const bound = bindExpression(analysis, { ...env, predicate: true }, operand);
    requireBoolean(analysis, operand, bound.type);
    return bound.expression;
  });
  return { expression: { ...expression, operands }, type: BOOLEAN };
}

function bindBinary(analysis: Analysis, env: Environment, expression: BinaryExpression): Typed {
  const left = bindExpression(analysis, env, expression.left);
  const right = bindExpression(analysis, env, expression.right);
  if (expression.operator === 'in') requireType(analysis, expression.right, right.type, ['list'], 'expected a List behind IN');
  return { expression: { ...expression, left: left.expression, right: right.expression }, type: BOOLEAN };
}

function bindArithmetic(analysis: Analysis, env: Environment, chain: ArithmeticChain): Typed {
  const operands: Expression[] = [];
  let left: Side | null = null;
  chain.operands.forEach((operand, i) => {
    const bound = bindExpression(analysis, env, operand);
    operands.push(bound.expression);
    const right: Side = { at: operand, type: bound.type };
    left = left === null ? right : { at: chain, type: typeOfResult(analysis, chain.operators[i - 1]!, left, right) };
  });
  return { expression: { ...chain, operands }, type: left!.type };
}

/** An operand or the result of the operands before it: its place in the text, and its type. */
interface Side {
  readonly at: Expression;
  readonly type: Type;
}

function typeOfResult(analysis: Analysis, operator: ArithmeticOperator, left: Side, right: Side): Type {
  if (operator === '+' || operator === '||') {
    refuseAddition(analysis, left, right);
    return typeOfSum(left.type, right.type);
  }
  for (const { at, type } of [left, right]) requireType(analysis, at, type, ['number'], `expected a number beside ${operator}`);
  return operator === '^' ? typeOfPower(left.type, right.type) : typeOfArithmetic(left.type, right.type);
}

/** Types that can be added only to a list. */
const NEVER_ADDED: readonly Type['kind'][] = ['node', 'relationship', 'path', 'map', 'boolean'];

function refuseAddition(analysis: Analysis, left: Side, right: Side): void {
  if (canBe(left.type, 'list') || canBe(right.type, 'list')) return;
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (NEVER_ADDED.includes(one.type.kind))
      throw analysis.fault(one.at, 'InvalidArgumentType', `${typeName(one.type)} cannot be added to ${typeName(other.type)}`);
  }
}

function typeOfSum(left: Type, right: Type): Type {
  if (left.kind === 'list' && right.kind === 'list') return join(left, right);
  if (left.kind === 'list') return listOf(right.kind === 'any' ? ANY : join(left.element!, right));
  if (right.kind === 'list') return listOf(left.kind === 'any' ? ANY : join(left, right.element!));
  if (left.kind === 'string' && right.kind === 'string') return STRING;
  if ((left.kind === 'string' && isNumeric(right)) || (right.kind === 'string' && isNumeric(left))) return STRING;
  return typeOfArithmetic(left, right);
}

function typeOfArithmetic(left: Type, right: Type): Type {
  if (left.kind === 'null' || right.kind === 'null') return NULL;
  if (!isNumeric(left) || !isNumeric(right)) return ANY;
  if (left.kind === 'float' || right.kind === 'float') return FLOAT;
  return left.kind === 'integer' && right.kind === 'integer' ? INTEGER : NUMBER;
}

function typeOfPower(left: Type, right: Type): Type {
  if (left.kind === 'null' || right.kind === 'null') return NULL;
  return isNumeric(left) && isNumeric(right) ? FLOAT : ANY;
}

function bindCase(analysis: Analysis, env: Environment, expression: CaseExpression): Typed {
  const subject = expression.subject === null ? null : bindPlain(analysis, env, expression.subject);
  let type = NULL;
  const result = (branch: Expression): Expression => {
    const bound = bindExpression(analysis, env, branch);
    type = join(type, bound.type);
    return bound.expression;
  };
  const branches = expression.branches.map(({ when, then }) => ({
    when: subject === null ? bindPredicate(analysis, env, when) : bindPlain(analysis, env, when),
    then: result(then),
  }));
  const otherwise = expression.otherwise === null ? null : result(expression.otherwise);
  return { expression: { ...expression, subject, branches, otherwise }, type };
}
