/** Expressions as canonical text, with one space around operators and parentheses only where the grammar needs them. */
import { unreachable } from '../../base/index.ts';
import type { ArithmeticChain, BinaryOperator, Expression, MapProjection, ValueType } from '../ast.ts';
import { expressionFacts } from '../expression-facts.ts';
import { LEVELS } from '../levels.ts';
import { formatLabels } from './labels.ts';
import { formatDottedName, formatLiteral, formatName, formatVariable } from './names.ts';
import { formatPathPattern } from './patterns.ts';
import { formatQuery } from './query.ts';

const OPERATORS: Readonly<Record<BinaryOperator, string>> = {
  in: 'IN',
  startsWith: 'STARTS WITH',
  endsWith: 'ENDS WITH',
  contains: 'CONTAINS',
  '=~': '=~',
};

/** Formats an expression. */
export function formatExpression(expression: Expression): string {
  return format(expression, 0);
}

/** Formats an expression, in parentheses if its precedence is lower than `level`. */
function format(expression: Expression, level: number): string {
  const text = formatBare(expression);
  return expressionFacts(expression).level(expression) < level ? `(${text})` : text;
}

function formatBare(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return formatLiteral(expression.value);
    case 'parameter':
      return `$${/^[0-9]+$/.test(expression.name) ? expression.name : formatName(expression.name)}`;
    case 'variable':
      return formatVariable(expression.name);
    case 'property':
      return `${formatSubject(expression.subject)}.${formatName(expression.key)}`;
    case 'index':
      return `${formatSubject(expression.subject)}[${formatExpression(expression.index)}]`;
    case 'slice':
      return `${formatSubject(expression.subject)}[${optional(expression.from)}..${optional(expression.to)}]`;
    case 'list':
      return formatList(expression.items);
    case 'map':
      return `{${formatEntries(expression.entries)}}`;
    case 'mapProjection':
      return formatMapProjection(expression);
    case 'unary':
      return formatUnary(expression.operator, expression.operand);
    case 'binary':
      return `${format(expression.left, LEVELS.predicate)} ${OPERATORS[expression.operator]} ${format(expression.right, LEVELS.addition)}`;
    case 'arithmetic':
      return formatArithmetic(expression);
    case 'logical': {
      const level = LEVELS[expression.operator] + 1;
      return expression.operands.map((operand) => format(operand, level)).join(` ${expression.operator.toUpperCase()} `);
    }
    case 'comparison':
      return expression.operands
        .map((operand, i) =>
          i === 0 ? format(operand, LEVELS.predicate) : ` ${expression.operators[i - 1]} ${besideArrow(format(operand, LEVELS.predicate))}`,
        )
        .join('');
    case 'isNull':
      return `${format(expression.operand, LEVELS.predicate)} IS ${expression.negated ? 'NOT ' : ''}NULL`;
    case 'isTyped':
      return `${format(expression.operand, LEVELS.predicate)} IS ${expression.negated ? 'NOT ' : ''}:: ${formatType(expression.type)}`;
    case 'isNormalized':
      return `${format(expression.operand, LEVELS.predicate)} IS ${expression.negated ? 'NOT ' : ''}${expression.form} NORMALIZED`;
    case 'hasLabels':
      return `${formatSubject(expression.subject)}:${formatLabels(expression.labels, { barEnds: true })}`;
    case 'function':
      return formatCall(expression);
    case 'countStar':
      return 'count(*)';
    case 'case': {
      const branches = expression.branches
        .map(({ when, then }) => ` WHEN ${formatExpression(when)} THEN ${formatExpression(then)}`)
        .join('');
      const otherwise = expression.otherwise === null ? '' : ` ELSE ${formatExpression(expression.otherwise)}`;
      return `CASE${expression.subject === null ? '' : ` ${formatExpression(expression.subject)}`}${branches}${otherwise} END`;
    }
    case 'listComprehension': {
      const projection = expression.projection === null ? '' : ` | ${formatExpression(expression.projection)}`;
      return (
        `[${formatVariable(expression.variable.name)} IN ` +
        `${formatExpression(expression.list)}${formatWhere(expression.where)}${projection}]`
      );
    }
    case 'patternComprehension':
      return `[${formatPathPattern(expression.pattern)}${formatWhere(expression.where)} | ${formatExpression(expression.projection)}]`;
    case 'quantifier':
      return (
        `${expression.quantifier}(${formatVariable(expression.variable.name)} IN ` +
        `${formatExpression(expression.list)}${formatWhere(expression.where)})`
      );
    case 'reduce': {
      const { accumulator, initial, variable, list, expression: step } = expression;
      return (
        `reduce(${formatVariable(accumulator.name)} = ${formatExpression(initial)}, ${formatVariable(variable.name)} IN ` +
        `${formatExpression(list)} | ${formatExpression(step)})`
      );
    }
    case 'patternExpression':
      return formatPathPattern(expression.pattern);
    case 'subquery':
      return `${expression.mode.toUpperCase()} { ${formatQuery(expression.query, ' ')} }`;
    default:
      return unreachable(expression, 'expression');
  }
}

/** Formats ` WHERE …`; null gives an empty text. */
export function formatWhere(where: Expression | null): string {
  return where === null ? '' : ` WHERE ${formatExpression(where)}`;
}

function optional(expression: Expression | null): string {
  return expression === null ? '' : formatExpression(expression);
}

/** Formats the subject of a lookup. A number gets parentheses, since it would absorb the dot. */
function formatSubject(subject: Expression): string {
  const text = format(subject, LEVELS.atom);
  return subject.kind === 'literal' && /^[0-9.]/.test(text) ? `(${text})` : text;
}

function formatUnary(operator: 'not' | '-' | '+', operand: Expression): string {
  if (operator === 'not') return `NOT ${format(operand, LEVELS.not)}`;
  const text = format(operand, LEVELS.unary);
  return operator + (operand.kind === 'literal' ? `(${text})` : text);
}

function formatArithmetic(chain: ArithmeticChain): string {
  const level = expressionFacts(chain).level(chain);
  const [first, ...others] = chain.operands;
  const links = others.map((operand, i) => {
    const text = format(operand, level + 1);
    return ` ${chain.operators[i]} ${chain.operators[i] === '-' ? besideArrow(text) : text}`;
  });
  return format(first!, level) + links.join('');
}

/** Puts text in parentheses that after `-` or `<` could be read as a relationship: text that begins with `[` or another `-`. */
function besideArrow(text: string): string {
  return /^\[|^-[^0-9.]/.test(text) ? `(${text})` : text;
}

/** Formats a list; a single item that looks like the beginning of a comprehension gets parentheses. */
function formatList(items: readonly Expression[]): string {
  const [only] = items;
  const texts = items.map(formatExpression);
  const likeComprehension = items.length === 1 && (/^[^\s()[\]{}'"]+ IN /.test(texts[0]!) || /^`(?:[^`]|``)*` IN /.test(texts[0]!));
  return likeComprehension ? `[(${formatExpression(only!)})]` : `[${texts.join(', ')}]`;
}

type Entries = readonly { readonly key: string; readonly value: Expression }[];

function formatEntries(entries: Entries): string {
  return entries.map(({ key, value }) => `${formatName(key)}: ${formatExpression(value)}`).join(', ');
}

function formatMapProjection({ subject, all, entries }: MapProjection): string {
  const parts = entries.map(({ key, value }) => {
    if (value.kind === 'variable' && value.name === key) return formatVariable(key);
    const own = value.kind === 'property' && value.key === key && value.subject.kind === 'variable' && value.subject.name === subject.name;
    return own ? `.${formatName(key)}` : formatEntries([{ key, value }]);
  });
  return `${formatVariable(subject.name)} {${[...(all ? ['.*'] : []), ...parts].join(', ')}}`;
}

/** Formats the name of a type. */
export function formatType(type: ValueType): string {
  const inner = type.alternatives === null ? type.element : null;
  const name = type.alternatives === null ? type.name : `ANY<${type.alternatives.map(formatType).join(' | ')}>`;
  return `${name}${inner === null ? '' : `<${formatType(inner)}>`}${type.notNull ? ' NOT NULL' : ''}`;
}

function formatCall({ name, distinct, arguments: given }: Extract<Expression, { kind: 'function' }>): string {
  return `${formatDottedName(name)}(${distinct ? 'DISTINCT ' : ''}${given.map(formatExpression).join(', ')})`;
}
