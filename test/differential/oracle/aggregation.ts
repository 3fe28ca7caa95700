/** Grouping: rows that agree in all items without an aggregate are one group; aggregates run over the rows of a group. */
import { containsAggregate, type Expression, rewrite } from '../../../src/cypher/index.ts';
import {
  add,
  hashKey,
  hashKeyOf,
  isFloat,
  isInteger,
  isNumber,
  makeFloat,
  makeInteger,
  order,
  toNumber,
  type Value,
} from '../../../src/value/index.ts';
import { type Context, type Row, Unknown } from './context.ts';
import { deviationOf, meanOf } from './exact.ts';
import { evaluate } from './expressions.ts';

const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max', 'collect', 'stdev', 'stdevp']);

export function isAggregate(name: string): boolean {
  return AGGREGATES.has(name.toLowerCase());
}

export function aggregates(expression: Expression): boolean {
  return containsAggregate(expression, isAggregate);
}

interface Item {
  readonly name: string;
  readonly expression: Expression;
}

/** One row per group: the values of all items. Without a grouping item there is one group, even of no rows. */
export function aggregate(items: readonly Item[], rows: readonly Row[], context: Context): Row[] {
  const keys = items.filter(({ expression }) => !aggregates(expression));
  const groups = new Map<unknown, Row[]>();
  for (const row of rows) {
    const key = hashKeyOf(keys.map(({ expression }) => evaluate(expression, row, context)));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  if (keys.length === 0 && rows.length === 0) groups.set(null, []);
  return [...groups.values()].map(
    (group) => new Map(items.map(({ name, expression }) => [name, evaluateInGroup(expression, group, context)])),
  );
}

function evaluateInGroup(expression: Expression, group: readonly Row[], context: Context): Value {
  const computed = rewrite(expression, (node) => {
    if (node.kind === 'subquery') return node;
    const value = aggregateOf(node as Expression, group, context);
    return value === undefined ? undefined : ({ kind: 'literal', value, span: expression.span } as Expression);
  });
  return evaluate(computed, group[0] ?? new Map(), context);
}

/** undefined for what is no aggregate. */
function aggregateOf(node: Expression, group: readonly Row[], context: Context): Value | undefined {
  if (node.kind === 'countStar') return group.length;
  if (node.kind !== 'function' || !isAggregate(node.name)) return undefined;
  let values = group.map((row) => evaluate(node.arguments[0]!, row, context)).filter((value) => value !== null);
  if (node.distinct) values = [...new Map(values.map((value) => [hashKey(value), value])).values()];
  return compute(node.name.toLowerCase(), values);
}

function compute(name: string, values: Value[]): Value {
  switch (name) {
    case 'count':
      return values.length;
    case 'collect':
      return values;
    case 'sum':
      return sum(values);
    case 'avg':
      return values.length === 0 ? null : makeFloat(mean(values));
    case 'stdev':
    case 'stdevp':
      return makeFloat(deviationOf(values.map(finite), name === 'stdev'));
    case 'min':
      return values.reduce<Value>((least, value) => (least === null || order(value, least) < 0 ? value : least), null);
    case 'max':
      return values.reduce<Value>((most, value) => (most === null || order(value, most) > 0 ? value : most), null);
    default:
      throw new Unknown(`the aggregate ${name}`);
  }
}

function sum(values: readonly Value[]): Value {
  if (values.some(isFloat)) return values.reduce(add, 0);
  return makeInteger(values.reduce((total: bigint, value) => total + BigInt(isInteger(value) ? value : refuse()), 0n));
}

/** Exact for finite numbers. */
function mean(values: readonly Value[]): number {
  const total = toNumber(sum(values) as number);
  return values.some((value) => !Number.isFinite(numberOf(value))) ? total / values.length : meanOf(values.map(numberOf));
}

function numberOf(value: Value): number {
  return isNumber(value) ? toNumber(value) : refuse();
}

function finite(value: Value): number {
  const number = numberOf(value);
  return Number.isFinite(number) ? number : unknownDeviation();
}

function unknownDeviation(): never {
  throw new Unknown('the deviation of numbers that are not finite');
}

function refuse(): never {
  throw new Unknown('a sum of other things than numbers');
}
