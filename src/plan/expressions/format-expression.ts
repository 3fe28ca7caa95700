/** An expression of a plan as Cypher-like text, for EXPLAIN. Text for people: it need not parse. Values of parameters never appear. */
import { unreachable } from '../../base/index.ts';
import type { ArithmeticOperator, ComparisonOperator, Expression, LabelExpression } from '../../cypher/index.ts';
import { CypherFloat, formatValueType, type Value } from '../../value/index.ts';
import type { PlanExpression } from '../plan.ts';

const OPERATORS: Readonly<Record<string, string>> = { in: 'IN', startsWith: 'STARTS WITH', endsWith: 'ENDS WITH', contains: 'CONTAINS' };

/** Formats an expression for people. */
export function formatExpression(expression: PlanExpression): string {
  switch (expression.kind) {
    case 'literal':
      return formatValue(expression.value);
    case 'parameter':
      return `$${expression.name}`;
    case 'variable':
      return expression.name;
    case 'property':
      return `${operand(expression.subject)}.${expression.key}`;
    case 'index':
      return `${operand(expression.subject)}[${formatExpression(expression.index)}]`;
    case 'slice':
      return `${operand(expression.subject)}[${optional(expression.from)}..${optional(expression.to)}]`;
    case 'list':
      return `[${listOf(expression.items)}]`;
    case 'map':
      return `{${entries(expression.entries)}}`;
    case 'mapProjection':
      return `${operand(expression.subject)}{${[...(expression.all ? ['.*'] : []), ...expression.entries.map(entry)].join(', ')}}`;
    case 'unary':
      return expression.operator === 'not' ? `NOT ${operand(expression.operand)}` : `${expression.operator}${operand(expression.operand)}`;
    case 'binary':
      return `${operand(expression.left)} ${OPERATORS[expression.operator] ?? expression.operator} ${operand(expression.right)}`;
    case 'arithmetic':
      return chain(expression.operands, expression.operators);
    case 'logical':
      return expression.operands.map(operand).join(` ${expression.operator.toUpperCase()} `);
    case 'comparison':
      return chain(expression.operands, expression.operators);
    case 'isNull':
      return `${operand(expression.operand)} IS ${expression.negated ? 'NOT ' : ''}NULL`;
    case 'hasLabels':
      return `${operand(expression.subject)}:${formatLabels(expression.labels)}`;
    case 'isTyped':
      return `${operand(expression.operand)} IS ${expression.negated ? 'NOT ' : ''}:: ${formatValueType(expression.type)}`;
    case 'isNormalized':
      return `${operand(expression.operand)} IS ${expression.negated ? 'NOT ' : ''}${expression.form} NORMALIZED`;
    case 'function':
      return `${expression.name}(${expression.distinct ? 'DISTINCT ' : ''}${listOf(expression.arguments)})`;
    case 'countStar':
      return 'count(*)';
    case 'case':
      return caseText(expression);
    case 'listComprehension':
      return `[${expression.variable.name} IN ${formatExpression(expression.list)}${where(expression.where)}${bar(expression.projection)}]`;
    case 'quantifier':
      return `${expression.quantifier}(${expression.variable.name} IN ${formatExpression(expression.list)}${where(expression.where)})`;
    case 'reduce':
      return (
        `reduce(${expression.accumulator.name} = ${formatExpression(expression.initial)}, ${expression.variable.name} IN ` +
        `${formatExpression(expression.list)}${bar(expression.expression)})`
      );
    case 'pathBuild':
      return `path(${expression.elements.join(', ')})`;
    case 'nodeOrder':
      return `${expression.high.name} after ${expression.low.name}`;
    case 'planSubquery':
      return `${expression.mode.toUpperCase()} {…}`;
    case 'patternExpression':
    case 'patternComprehension':
    case 'subquery':
      return '{…}';
    default:
      return unreachable(expression, 'expression');
  }
}

/** Formats a label expression for people. */
export function formatLabels(labels: LabelExpression): string {
  switch (labels.kind) {
    case 'labelName':
      return labels.name;
    case 'labelWildcard':
      return '%';
    case 'labelDynamic':
      return `$${labels.any ? 'any' : ''}(${formatExpression(labels.expression)})`;
    case 'labelNot':
      return `!${nestedLabels(labels.operand)}`;
    case 'labelAnd':
      return labels.operands.map(nestedLabels).join('&');
    case 'labelOr':
      return labels.operands.map(nestedLabels).join('|');
    default:
      return unreachable(labels, 'label expression');
  }
}

function nestedLabels(labels: LabelExpression): string {
  const text = formatLabels(labels);
  return labels.kind === 'labelAnd' || labels.kind === 'labelOr' ? `(${text})` : text;
}

const COMPOUND: ReadonlySet<PlanExpression['kind']> = new Set([
  'arithmetic',
  'binary',
  'logical',
  'comparison',
  'isNull',
  'isTyped',
  'isNormalized',
  'unary',
]);

/** Formats an operand, in parentheses if it is an operation itself. */
function operand(expression: PlanExpression): string {
  const text = formatExpression(expression);
  return COMPOUND.has(expression.kind) ? `(${text})` : text;
}

function chain(operands: readonly Expression[], operators: readonly (ComparisonOperator | ArithmeticOperator)[]): string {
  return operands.map((each, at) => (at === 0 ? operand(each) : `${operators[at - 1]} ${operand(each)}`)).join(' ');
}

function caseText(expression: Extract<Expression, { kind: 'case' }>): string {
  const branches = expression.branches.map((branch) => ` WHEN ${formatExpression(branch.when)} THEN ${formatExpression(branch.then)}`);
  const subject = expression.subject === null ? '' : ` ${formatExpression(expression.subject)}`;
  const otherwise = expression.otherwise === null ? '' : ` ELSE ${formatExpression(expression.otherwise)}`;
  return `CASE${subject}${branches.join('')}${otherwise} END`;
}

const optional = (expression: Expression | null): string => (expression === null ? '' : formatExpression(expression));
const where = (expression: Expression | null): string => (expression === null ? '' : ` WHERE ${formatExpression(expression)}`);
const bar = (expression: Expression | null): string => (expression === null ? '' : ` | ${formatExpression(expression)}`);
const listOf = (items: readonly PlanExpression[]): string => items.map(formatExpression).join(', ');

type Entry = { readonly key: string; readonly value: Expression };
const entry = ({ key, value }: Entry): string => `${key}: ${formatExpression(value)}`;
const entries = (items: readonly Entry[]): string => items.map(entry).join(', ');

/** Most elements of a constant list or map that are shown. */
const MOST_SHOWN = 16;

function formatSome(shown: readonly string[], length: number): string {
  return shown.join(', ') + (shown.length < length ? `, … ${length - shown.length} more` : '');
}

function formatValue(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (value instanceof CypherFloat) return Object.is(value.value, -0) ? '-0.0' : `${value.value}.0`;
  if (Array.isArray(value)) return `[${formatSome(value.slice(0, MOST_SHOWN).map(formatValue), value.length)}]`;
  if (value instanceof Map) {
    const shown = [...value].slice(0, MOST_SHOWN).map(([key, item]) => `${key}: ${formatValue(item)}`);
    return `{${formatSome(shown, value.size)}}`;
  }
  return typeof value === 'object' ? `<${value.constructor.name}>` : String(value);
}
