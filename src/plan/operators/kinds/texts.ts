/** Parts of operators as EXPLAIN prints them. */
import { formatExpression } from '../../expressions/format-expression.ts';
import type { OperatorsByKind, PlanExpression } from '../../plan.ts';

interface PatternText extends Pick<OperatorsByKind['expand'], 'from' | 'relationship' | 'to' | 'types' | 'direction'> {
  /** The text after the types, such as `*1..2`. */
  readonly length: string;
}

/** Formats a relationship pattern: `(a)-[r:KNOWS]->(b)`. */
export function patternText({ from, relationship, to, types, direction, length }: PatternText): string {
  const inner = `[${relationship}${types === null ? '' : `:${types.join('|')}`}${length}]`;
  return `(${from})${direction === 'in' ? '<-' : '-'}${inner}${direction === 'out' ? '->' : '-'}(${to})`;
}

/** Formats a relationship pattern with the keys of an index: `(a)-[r:KNOWS(since)]->(b)`. */
export function indexedPatternText(pattern: Omit<PatternText, 'length'>, keys: readonly string[]): string {
  return patternText({ ...pattern, length: `(${keys.join(', ')})` });
}

/** Formats the length of a pattern. */
export const lengthText = (min: number, max: number | null): string => `*${min}..${max ?? ''}`;

/** Formats the condition of each step. */
export const stepText = (step: OperatorsByKind['variableExpand']['step']): string =>
  step === null ? '' : ` WHERE EACH ${formatExpression(step.predicate)}`;

/** Formats the relationships that a relationship must differ from. */
export const uniquenessText = (names: OperatorsByKind['relationshipScan']['uniqueAgainst']): string =>
  names.length === 0 ? '' : ` differs from ${names.join(', ')}`;

/** Formats a seek by identifier. */
export const idText = (id: PlanExpression, many: boolean): string => `id ${many ? 'IN' : '='} ${formatExpression(id)}`;

/** Formats a seek by values. */
export function seekText({ keys, values, many }: Pick<OperatorsByKind['nodeIndexSeek'], 'keys' | 'values' | 'many'>): string {
  return keys.map((key, at) => `${key} ${many ? 'IN' : '='} ${formatExpression(values[at]!)}`).join(' AND ');
}

/** Formats a seek by a range. */
export function rangeText({
  key,
  low,
  high,
  prefix,
  area,
}: Pick<OperatorsByKind['nodeIndexRange'], 'key' | 'low' | 'high' | 'prefix' | 'area'>): string {
  const tests = [
    low === null ? null : `${key} ${low.inclusive ? '>=' : '>'} ${formatExpression(low.value)}`,
    high === null ? null : `${key} ${high.inclusive ? '<=' : '<'} ${formatExpression(high.value)}`,
    prefix === null ? null : `${key} STARTS WITH ${formatExpression(prefix)}`,
    area === null ? null : `${key} in ${area.shape} ${formatExpression(area.value)}`,
  ];
  return tests.filter((test) => test !== null).join(' AND ');
}

/** Formats items of a projection. */
export function itemsText(items: readonly { readonly variable: string; readonly expression: PlanExpression }[]): string {
  return items
    .map(({ variable, expression }) => {
      const text = formatExpression(expression);
      return text === variable ? text : `${text} AS ${variable}`;
    })
    .join(', ');
}

/** Formats the labels of an update: `:Person:$(name)`. */
export function labelNames(labels: readonly (string | PlanExpression)[]): string {
  return labels.map((label) => (typeof label === 'string' ? `:${label}` : `:$(${formatExpression(label)})`)).join('');
}
