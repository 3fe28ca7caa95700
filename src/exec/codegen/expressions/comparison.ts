/** Compiles comparisons (`=`, `<>`, `<`, …) and chains of them. */
import type { ComparisonChain, ComparisonOperator, Expression } from '../../../cypher/index.ts';
import type { PlanExpression } from '../../../plan/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, bothValid, isNumeric, isScalar, isSimple, type Typed } from '../typed.ts';
import { compileExpression } from './expression.ts';
import { stabilise } from './locals.ts';
import { isFalse, isTrue } from './logic.ts';
import { sameRelationship } from './same-relationship.ts';
import { toValue } from './to-value.ts';

const JAVASCRIPT: Record<ComparisonOperator, string> = { '=': '===', '<>': '!==', '<': '<', '<=': '<=', '>': '>', '>=': '>=' };

/** Compiles a chain of comparisons. */
export function compileComparison(cg: Codegen, environment: Environment, chain: ComparisonChain): Typed {
  const operands = chain.operands.map((operand) => stabilise(cg, compileExpression(cg, environment, operand)));
  const links = chain.operators.map((operator, i) => compare(cg, operator, operands[i]!, operands[i + 1]!));
  let result = links[0]!;
  for (const link of links.slice(1)) result = any(cg.f.local('x', `and3(${toValue(result)}, ${toValue(link)})`));
  return result;
}

/** Compiles one comparison of two values. */
export function compare(cg: Codegen, operator: ComparisonOperator, left: Typed, right: Typed): Typed {
  if (left.type === 'null' || right.type === 'null') return { type: 'null', code: 'null', valid: 'false' };
  const valid = bothValid(left.valid, right.valid);
  const equality = operator === '=' || operator === '<>';
  const typed = (code: string): Typed => ({ type: 'boolean', code: `(${code})`, valid });
  if (isNumeric(left) && isNumeric(right)) {
    if (left.type === right.type || !equality) return typed(`${left.code} ${JAVASCRIPT[operator]} ${right.code}`);
    return typed(`${left.code} ${operator === '=' ? '==' : '!='} ${right.code}`);
  }
  if (left.type === 'string' && right.type === 'string') {
    if (!equality) return typed(`values.compareStrings(${left.code}, ${right.code}) ${JAVASCRIPT[operator]} 0`);
    return typed(stringEquality(cg, left, right, operator === '=') ?? `${left.code} ${JAVASCRIPT[operator]} ${right.code}`);
  }
  if (left.type === 'boolean' && right.type === 'boolean') return typed(`${left.code} ${JAVASCRIPT[operator]} ${right.code}`);
  if (left.type === 'node' && right.type === 'node' && equality) return typed(`${left.code} ${JAVASCRIPT[operator]} ${right.code}`);
  if (left.type === 'relationship' && right.type === 'relationship' && equality) {
    const same = sameRelationship(left, right);
    return typed(operator === '=' ? same : `!(${same})`);
  }
  if (equality && isScalar(left) && isScalar(right)) return typed(operator === '=' ? 'false' : 'true');
  const days = compareDays(cg, operator, left, right);
  if (days !== null) return days;
  const a = toValue(left);
  const b = toValue(right);
  if (operator === '=') return any(cg.f.local('x', `values.equals(${a}, ${b})`));
  if (operator === '<>') return any(cg.f.local('x', `not3(values.equals(${a}, ${b}))`));
  return any(
    cg.f.local(
      'x',
      `values.${{ '<': 'lessThan', '<=': 'lessThanOrEqual', '>': 'greaterThan', '>=': 'greaterThanOrEqual' }[operator]}(${a}, ${b})`,
    ),
  );
}

/**
 * Returns one condition for two conjuncts that bound the same property, of numbers or Dates, by values that do not
 * change. It has no branch between the two, since the processor would predict the first one wrong half of the time.
 * Null when the conjuncts are anything else.
 */
export function rangeCondition(cg: Codegen, environment: Environment, first: PlanExpression, second: PlanExpression): string | null {
  if (!isBound(first) || !isBound(second) || !isSameProperty(first.operands[0]!, second.operands[0]!)) return null;
  const { result } = cg.f.capture(() => bothBounds(cg, environment, first, second));
  return result === null ? null : bothBounds(cg, environment, first, second);
}

function bothBounds(cg: Codegen, environment: Environment, first: ComparisonChain, second: ComparisonChain): string | null {
  const left = stabilise(cg, compileExpression(cg, environment, first.operands[0]!));
  if (left.day === undefined && !isNumeric(left)) return null;
  const lower = bound(cg, environment, left, first);
  const captured = cg.f.capture(() => bound(cg, environment, left, second));
  const upper = captured.result;
  if (lower === null || upper === null) return null;
  if (captured.lines.length > 0) {
    // The error of the second bound is thrown only where that bound is reached.
    if (upper.mayFail === null) return null;
    cg.f.open(`if (${upper.mayFail} === undefined && ${lower.code}) {`);
    cg.f.append(captured);
    cg.f.close();
  }
  const both = `(${lower.code} & ${upper.code})`;
  return left.valid === null && left.day?.valid == null ? both : `${left.day?.valid ?? left.valid} && ${both}`;
}

/**
 * Returns the comparison with a bound; null when the bound is not of that kind. `mayFail` is a local that is undefined
 * when computing the bound has failed; null when it cannot fail. A bound that is no Date is NaN, with which nothing has
 * an order, so that it needs no test.
 */
function bound(
  cg: Codegen,
  environment: Environment,
  left: Typed,
  { operators, operands }: ComparisonChain,
): { readonly code: string; readonly mayFail: string | null } | null {
  const operator = operators[0]!;
  const right = compileExpression(cg, environment, operands[1]!);
  if (left.day !== undefined) {
    const day = constantDay(cg, right, operator);
    const mayFail = right.constant === true ? right.code : null;
    return day === null ? null : { code: `(${left.day.code} ${JAVASCRIPT[operator]} ${day.code})`, mayFail };
  }
  if (!isNumeric(right) || right.valid !== null || !isSimple(right.code)) return null;
  return { code: `(${left.code} ${JAVASCRIPT[operator]} ${right.code})`, mayFail: null };
}

function isBound(expression: PlanExpression): expression is ComparisonChain {
  return expression.kind === 'comparison' && expression.operators.length === 1 && !['=', '<>'].includes(expression.operators[0]!);
}

function isSameProperty(one: Expression, other: Expression): boolean {
  if (one.kind !== 'property' || other.kind !== 'property' || one.key !== other.key) return false;
  return one.subject.kind === 'variable' && other.subject.kind === 'variable' && one.subject.name === other.subject.name;
}

/** Compares Dates as numbers of days, where one is in a column of Dates and the other is too, or does not change; else null. */
function compareDays(cg: Codegen, operator: ComparisonOperator, left: Typed, right: Typed): Typed | null {
  if (left.day === undefined && right.day === undefined) return null;
  const a = left.day ?? constantDay(cg, left, operator);
  const b = right.day ?? constantDay(cg, right, operator);
  if (a == null || b == null) return null;
  return { type: 'boolean', code: `(${a.code} ${JAVASCRIPT[operator]} ${b.code})`, valid: bothValid(a.valid, b.valid) };
}

/**
 * Returns the day of a value that does not change, NaN when it is no Date; null when the value may change. A value that
 * is no Date is not equal to a Date, but has no order with one either: then `valid` is false.
 */
function constantDay(cg: Codegen, typed: Typed, operator: ComparisonOperator): NonNullable<Typed['day']> | null {
  if (typed.type !== 'any' || (typed.hoisted !== true && typed.constant !== true)) return null;
  const day = cg.f.hoist(`day:${typed.code}`, 'day', `dayOf(${typed.code})`);
  return { code: day, valid: operator === '=' || operator === '<>' ? `${typed.code} !== null` : `${day} === ${day}` };
}

/**
 * Returns a test for equality (or the contrary, unless `positive`) that avoids decoding: by codes, where both are in
 * dictionary columns (whose dictionary is the same) or one is compared with a string that does not change, or by bytes,
 * where a column holds bytes. Null when it is neither.
 */
function stringEquality(cg: Codegen, left: Typed, right: Typed, positive: boolean): string | null {
  const sign = positive ? '===' : '!==';
  if (left.dictionary !== undefined && right.dictionary !== undefined) {
    return (
      `(${left.dictionary.name} === ${right.dictionary.name} ? ${left.dictionary.code} ${sign} ${right.dictionary.code} : ` +
      `${left.code} ${sign} ${right.code})`
    );
  }
  const text = left.text ?? right.text;
  const wanted = left.text !== undefined ? right : left;
  if (text !== undefined && wanted.hoisted === true) {
    const bytes = cg.f.hoist(`utf8:${wanted.code}`, 'bytes', `utf8Of(${wanted.code})`);
    const offsets = cg.f.hoist(`${text.column}.values`, 'a', `${text.column}.values`);
    const heap = cg.f.hoist(`${text.column}.heap`, 'heap', `${text.column}.heap`);
    const isLong = `${offsets}[${text.row} + 1] - ${offsets}[${text.row}] === ${bytes}.length`;
    return `${positive ? '' : '!'}(${isLong} && sameBytesBefore(${heap}, ${offsets}[${text.row} + 1], ${bytes}))`;
  }
  const column = left.dictionary !== undefined ? left : right;
  const other = left.dictionary !== undefined ? right : left;
  if (column.dictionary === undefined || other.hoisted !== true) return null;
  const code = cg.f.hoist(`find:${column.dictionary.name}:${other.code}`, 'k', `${column.dictionary.name}.find(${other.code})`);
  return `${column.dictionary.code} ${sign} ${code}`;
}

/** Returns JavaScript that is true exactly when the chain is true (`wanted` true) or false (`wanted` false). */
export function comparisonCondition(cg: Codegen, environment: Environment, chain: ComparisonChain, wanted: boolean): string {
  if (chain.operators.length > 1) {
    const value = compileComparison(cg, environment, chain);
    return wanted ? isTrue(value) : isFalse(value);
  }
  const left = compileExpression(cg, environment, chain.operands[0]!);
  const right = compileExpression(cg, environment, chain.operands[1]!);
  const result = compare(cg, chain.operators[0]!, left, right);
  return wanted ? isTrue(result) : isFalse(result);
}
