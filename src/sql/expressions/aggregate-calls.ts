/** Aggregates that answer as Cypher's do, also of no rows. */
import type { Expression, FunctionCall } from '../../cypher/index.ts';
import type { SortKey } from '../dialect.ts';
import type { Program } from '../program.ts';
import { FLOAT, INTEGER, NULL, type SqlExpression, type SqlType } from '../types.ts';

/** The argument of an aggregate. */
export interface AggregateArgument {
  readonly program: Program;
  readonly call: FunctionCall;
  /** The argument; for a node or relationship its ordinal, or for collect() its struct. */
  readonly argument: SqlExpression;
  /** The second argument of a percentile; null: it is none between 0 and 1 that is known. */
  readonly fraction: number | null;
  /** The order of the rows, which collect() shows; empty: any. */
  readonly order: readonly SortKey[];
}

function collected(program: Program, call: FunctionCall, { sql, order }: { sql: string; order: readonly SortKey[] }): string {
  if (order.length === 0) return program.dialect.collect(sql, call.distinct);
  if (call.distinct) throw program.refuse('collect(DISTINCT …) behind ORDER BY', call);
  return program.dialect.collectInOrder(sql, order, () => program.fresh('y'));
}

/** Picks from the sorted values of a group: the places are computed with the Floats that the engine computes them with. */
function percentile(program: Program, name: 'percentiledisc' | 'percentilecont', values: string, fraction: number): SqlExpression {
  const { dialect } = program;
  const sorted = dialect.collectInOrder(values, [{ column: values, descending: false }], () => program.fresh('y'));
  const share = `CAST('${fraction}' AS DOUBLE)`;
  const place = (of: string): string => `CAST(${of} AS BIGINT)`;
  const count = `CAST(count(${values}) AS DOUBLE)`;
  if (name === 'percentiledisc')
    return { sql: dialect.item(sorted, `(greatest(${place(`ceil(${share} * ${count})`)}, 1) - 1)`), type: INTEGER };
  const struct = dialect.struct([
    ['v', sorted],
    ['i', `${share} * (${count} - 1)`],
  ]);
  const row = program.fresh('y');
  const [list, index] = [dialect.member(row, 'v'), dialect.member(row, 'i')];
  const at = (round: 'floor' | 'ceil'): string => `CAST(${dialect.item(list, place(`${round}(${index})`))} AS DOUBLE)`;
  const [below, above] = [at('floor'), at('ceil')];
  const between = `${below} * (floor(${index}) + 1 - ${index}) + ${above} * (${index} - floor(${index}))`;
  const value = `CASE WHEN ${dialect.size(list)} = 0 THEN NULL WHEN ${below} = ${above} THEN ${below} ELSE ${between} END`;
  return { sql: dialect.bind(row, struct, value), type: FLOAT };
}

/** Lowers an aggregate over the rows of a group. */
export function aggregate({ program, call, argument, fraction, order }: AggregateArgument): SqlExpression {
  const distinct = call.distinct ? 'DISTINCT ' : '';
  const name = call.name.toLowerCase();
  const ofNulls = argument.type.kind === 'null' ? aggregateOfNulls(program, name) : undefined;
  if (ofNulls !== undefined) return ofNulls;
  const { sql, type } = argument;
  switch (name) {
    case 'count':
      return { sql: `count(${distinct}${sql})`, type: INTEGER };
    case 'sum':
      if (type.kind !== 'integer') break;
      return { sql: `CAST(coalesce(${program.dialect.exactSum(sql, call.distinct)}, 0) AS BIGINT)`, type: INTEGER };
    case 'avg':
      if (type.kind !== 'integer') break;
      // The exact sum is rounded once, as Cypher does.
      return {
        sql:
          `(${program.dialect.nearestFloat(program.dialect.exactSum(sql, call.distinct))} / ` +
          `nullif(CAST(count(${distinct}${sql}) AS DOUBLE), 0))`,
        type: FLOAT,
      };
    case 'min':
    case 'max':
      if (type.kind !== 'integer' && type.kind !== 'string' && type.kind !== 'date') break;
      return { sql: `${name}(${sql})`, type };
    case 'collect':
      if (type.kind === 'null' || type.kind === 'opaque' || type.kind === 'list' || (type.kind === 'entity' && call.distinct)) break;
      return { sql: collected(program, call, { sql, order }), type: { kind: 'list', item: type } };
    case 'percentiledisc':
    case 'percentilecont':
      if (type.kind !== 'integer' || fraction === null || call.distinct) break;
      return percentile(program, name, sql, fraction);
  }
  throw program.refuse(`the aggregate ${call.name}() of ${type.kind}`, call);
}

/** Lowers an aggregate whose argument is always null; undefined: it is not such an aggregate. */
function aggregateOfNulls({ dialect }: Program, name: string): SqlExpression | undefined {
  const none = (type: SqlType): string => `CAST(NULL AS ${dialect.typeName(type)})`;
  if (name === 'avg' || name === 'min' || name === 'max') return { sql: `max(${none(NULL)})`, type: NULL };
  if (name === 'sum') return { sql: `coalesce(max(${none(INTEGER)}), 0)`, type: INTEGER };
  if (name === 'collect') return { sql: dialect.collect(none(NULL), false), type: { kind: 'list', item: NULL } };
  return undefined;
}

/** Returns the value of an aggregate of no rows; null: it is null. */
export function emptyAggregate({ dialect }: Program, call: Expression, type: SqlType): string | null {
  const name = call.kind === 'countStar' ? 'count' : call.kind === 'function' ? call.name.toLowerCase() : '';
  if (name === 'count' || name === 'sum') return 'CAST(0 AS BIGINT)';
  return name === 'collect' ? `CAST(${dialect.list([])} AS ${dialect.typeName(type)})` : null;
}
