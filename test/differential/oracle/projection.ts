/** WITH and RETURN: items, aggregation, DISTINCT, ORDER BY, SKIP, LIMIT. */
import { formatExpression, type Projection, type ProjectionItem, type SortItem } from '../../../src/cypher/index.ts';
import { hashKeyOf, NodeValue, order, PathValue, RelationshipValue, truth, type Value } from '../../../src/value/index.ts';
import { aggregate, aggregates } from './aggregation.ts';
import { type Context, type Row, Unknown } from './context.ts';
import { evaluate } from './expressions.ts';

/** The rows before SKIP and LIMIT, those that ORDER BY does not tell apart lying together. */
export interface Projected {
  readonly columns: readonly string[];
  /** In order; without ORDER BY a single group of all. */
  readonly ties: readonly (readonly Row[])[];
  readonly skip: number;
  readonly limit: number;
  readonly ordered: boolean;
}

/** A projected row, and the one that ORDER BY sees: the columns, and where they are still known, the variables from before. */
interface Pair {
  readonly row: Row;
  readonly visible: Row;
}

export function project(projection: Projection, rows: readonly Row[], context: Context): Projected {
  const items = itemsOf(projection, rows);
  const grouped = items.some(({ expression }) => aggregates(expression));
  let pairs: Pair[] = grouped
    ? aggregate(items, rows, context).map((row) => ({ row, visible: row }))
    : rows.map((before) => {
        const row = new Map(items.map(({ name, expression }) => [name, evaluate(expression, before, context)]));
        return { row, visible: new Map([...before, ...row]) };
      });
  if (projection.distinct) pairs = distinct(pairs);
  return {
    columns: items.map(({ name }) => name),
    ties: sorted(projection, pairs, context),
    skip: count(projection.skip, 0, context),
    limit: count(projection.limit, Number.POSITIVE_INFINITY, context),
    ordered: projection.orderBy.length > 0,
  };
}

/** All rows, ties in any order. */
export function rowsOf({ ties, skip, limit }: Projected): Row[] {
  return ties.flat().slice(skip, skip + limit);
}

function itemsOf(projection: Projection, rows: readonly Row[]): { name: string; expression: Projection['items'][number]['expression'] }[] {
  if (projection.star && rows.length === 0) throw new Unknown('* of no rows');
  const all = projection.star ? [...rows[0]!.keys()].sort() : [];
  const span = { start: 0, end: 0 };
  return [
    ...all.map((name) => ({ name, expression: { kind: 'variable' as const, name, span } })),
    ...projection.items.map((item) => ({ name: columnName(item), expression: item.expression })),
  ];
}

/** A map projection without an alias is named after what it projects. */
function columnName({ expression, aliased, variable }: ProjectionItem): string {
  return !aliased && expression.kind === 'mapProjection' ? expression.subject.name : variable.name;
}

function distinct(pairs: readonly Pair[]): Pair[] {
  const seen = new Map<unknown, Pair>();
  for (const { row } of pairs) {
    const key = hashKeyOf([...row.values()]);
    if (!seen.has(key)) seen.set(key, { row, visible: row });
  }
  return [...seen.values()];
}

function sorted(projection: Projection, pairs: readonly Pair[], context: Context): Row[][] {
  const keyed = pairs.map(({ row, visible }) => ({
    row,
    keys: projection.orderBy.map((item) => sortKey(item, projection, visible, context)),
  }));
  keyed.sort((a, b) => compareKeys(projection.orderBy, a.keys, b.keys));
  const ties: Row[][] = [];
  for (const [i, { row, keys }] of keyed.entries()) {
    if (i > 0 && compareKeys(projection.orderBy, keyed[i - 1]!.keys, keys) === 0) ties.at(-1)!.push(row);
    else ties.push([row]);
  }
  return ties;
}

/** An expression that a column already has is that column. Nodes and relationships have an order that only the store knows. */
function sortKey(item: SortItem, projection: Projection, visible: Row, context: Context): Value {
  const key = sortValue(item, projection, visible, context);
  if (holdsEntity(key)) throw new Unknown('the order of nodes and relationships');
  return key;
}

function holdsEntity(value: Value): boolean {
  if (Array.isArray(value)) return value.some(holdsEntity);
  if (value instanceof Map) return [...value.values()].some(holdsEntity);
  return value instanceof NodeValue || value instanceof RelationshipValue || value instanceof PathValue;
}

function sortValue({ expression }: SortItem, { items }: Projection, visible: Row, context: Context): Value {
  const text = formatExpression(expression);
  const column = items.find((item) => formatExpression(item.expression) === text);
  return column === undefined ? evaluate(expression, visible, context) : (visible.get(columnName(column)) ?? null);
}

function compareKeys(items: readonly SortItem[], a: readonly Value[], b: readonly Value[]): number {
  for (const [i, { descending }] of items.entries()) {
    const sign = order(a[i]!, b[i]!);
    if (sign !== 0) return descending ? -sign : sign;
  }
  return 0;
}

function count(expression: Projection['skip'], absent: number, context: Context): number {
  return expression === null ? absent : Number(evaluate(expression, new Map(), context));
}

export function passes(where: Projection['skip'], row: Row, context: Context): boolean {
  return where === null || truth(evaluate(where, row, context)) === true;
}
