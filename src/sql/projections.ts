/** Lowers WITH and RETURN: columns, groups, DISTINCT, order, SKIP and LIMIT. */
import { containsAggregate, type Expression, type FunctionCall, type Projection, type ProjectionItem, walk } from '../cypher/index.ts';
import { isFloat, isInteger, toNumber, type Value } from '../value/index.ts';
import { isAggregate } from './aggregates.ts';
import { type SortKey, sortKeyText } from './dialect.ts';
import { keyItems, selectDistinct } from './distinct-rows.ts';
import { valueOfEntity } from './entities.ts';
import { type AggregateArgument, aggregate, emptyAggregate } from './expressions/aggregate-calls.ts';
import { type Environment, lower } from './expressions/environment.ts';
import { constant, constantOf } from './expressions/literals.ts';
import { entityOf, pathOf } from './expressions/references.ts';
import { holdsSubquery } from './holds-subquery.ts';
import type { Program } from './program.ts';
import { allColumns, type Binding, type Bindings, type CallerBinding, callerOf, columnsOf, type Rows, selectList } from './scope.ts';
import { typed } from './typed.ts';
import { INTEGER, NULL, type SqlExpression } from './types.ts';

/** The rows after a projection, with all columns that their order needs. */
export interface Projected {
  readonly table: string;
  /** The columns of the projection. */
  readonly bindings: Map<string, Binding>;
  /** The expressions over the table that order the rows. */
  readonly keys: readonly SortKey[];
  /** ` ORDER BY …`, or empty; `limits` is ` LIMIT … OFFSET …`, or empty. */
  readonly order: string;
  readonly limits: string;
}

/** Lowers WITH or RETURN. */
export function project(environment: Environment, rows: Rows, projection: Projection): Projected {
  const { program } = environment;
  const caller = callerOf(rows.bindings);
  const items = caller === null ? projection.items : [...projection.items, passedOn(caller[0], projection)];
  const isGrouped = projection.items.some(({ expression }) => containsAggregate(expression, isAggregate));
  const plain = isGrouped ? group(environment, rows, items) : extend(environment, rows, items);
  const settled = projection.distinct ? deduplicate(program, plain, projection) : plain;
  const scope: Bindings = isGrouped || projection.distinct ? settled.bindings : new Map([...rows.bindings, ...settled.bindings]);
  const ordered = projection.orderBy.flatMap(({ expression, descending }) =>
    sortKeys({ ...environment, bindings: scope }, expression, descending),
  );
  const { behind, order } = withKeys(program, settled, ordered);
  const text = order.length === 0 ? '' : ` ORDER BY ${order.map(sortKeyText).join(', ')}`;
  const limits = limitsOf(program, projection);
  if (caller === null) return { ...behind, keys: order, order: text, limits: limitsText(limits) };
  const table = limitsText(limits) === '' ? behind.table : limitForEach(program, behind.table, { caller: caller[1], order: text, limits });
  return { ...behind, table, keys: order, order: text, limits: '' };
}

/** Returns the item by which a projection passes on the rows that a CALL subquery is computed for. */
function passedOn(name: string, { span }: Projection): ProjectionItem {
  const variable = { kind: 'variable', name, span } as const;
  return { expression: variable, variable, column: name, aliased: false, span };
}

/** Returns the rows of a WITH. Their order is columns of the table, which only a collect() in the next clause reads. */
export function settle(program: Program, { table, bindings, keys, order, limits }: Projected): Rows {
  if (keys.length === 0 && limits === '') return { table, bindings };
  const named = keys.map(({ column, descending }) => ({ sql: column, column: program.fresh('k'), descending }));
  // A WHERE without limits before it may read what the projection leaves out.
  const items = [...(limits === '' ? ['*'] : allColumns(bindings)), ...named.map(({ sql, column }) => `${sql} AS ${column}`)];
  return {
    table: program.table(`SELECT ${selectList(items)} FROM ${table}${limits === '' ? '' : order}${limits}`),
    bindings,
    order: named.map(({ column, descending }) => ({ column, descending })),
  };
}

/** Returns the rows of a table that SKIP and LIMIT leave of each row that a CALL subquery is computed for. */
function limitForEach(
  program: Program,
  table: string,
  { caller, order, limits: { skip, limit } }: { readonly caller: CallerBinding; readonly order: string; readonly limits: Limits },
): string {
  const [place, of] = [program.fresh('n'), caller.columns.join(', ')];
  // Spark numbers no rows that have no order.
  const numbered = `SELECT *, row_number() OVER (PARTITION BY ${of}${order === '' ? ` ORDER BY ${of}` : order}) AS ${place} FROM ${table}`;
  const conditions = [
    ...(skip === null ? [] : [`${place} > ${skip}`]),
    ...(limit === null ? [] : [`${place} <= ${least(limit + (skip ?? 0n), MOST_ROWS)}`]),
  ];
  return program.table(`SELECT * FROM (${numbered}) ${program.fresh('t')} WHERE ${conditions.join(' AND ')}`);
}

const MOST_ROWS = 2n ** 63n - 1n;

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

interface Behind {
  readonly table: string;
  readonly bindings: Map<string, Binding>;
}

/** Returns a table in which keys with subqueries are columns, since Spark orders by no subquery; or the table and the keys. */
function withKeys(program: Program, of: Behind, keys: readonly SortKey[]): { readonly behind: Behind; readonly order: readonly SortKey[] } {
  const added: string[] = [];
  const order = keys.map(({ column, descending }): SortKey => {
    if (!holdsSubquery(column)) return { column, descending };
    const name = program.fresh('k');
    added.push(`${column} AS ${name}`);
    return { column: name, descending };
  });
  if (added.length === 0) return { behind: of, order };
  return { behind: { ...of, table: program.table(`SELECT *, ${added.join(', ')} FROM ${of.table}`) }, order };
}

/** Adds the columns of the projection to the previous ones, as ORDER BY and WHERE may mention both. */
function extend(environment: Environment, rows: Rows, items: readonly ProjectionItem[]): Behind {
  const { program } = environment;
  const bindings = new Map<string, Binding>();
  const added: string[] = [];
  for (const { expression, variable } of items) {
    const entity = patternVariable(environment, expression);
    const known = program.constants.variables.get(variable.name);
    const value = (): SqlExpression => (known === undefined ? lower(environment, expression) : constant(program, known, expression));
    bindings.set(variable.name, entity ?? scalar(program, value(), added));
  }
  const table = program.table(`SELECT ${selectList([...allColumns(rows.bindings), ...added])} FROM ${rows.table}`);
  return { table, bindings };
}

/** Returns what a variable of a pattern is bound to, which a projection passes on; null: the expression is something else. */
function patternVariable({ bindings }: Environment, expression: Expression): Binding | null {
  const binding = expression.kind === 'variable' ? bindings.get(expression.name) : undefined;
  return binding === undefined || binding.kind === 'scalar' ? null : binding;
}

function scalar(program: Program, value: SqlExpression, added: string[]): Binding {
  const column = { name: program.fresh('v'), type: value.type };
  added.push(`${typed(program, value)} AS ${column.name}`);
  return { kind: 'scalar', column };
}

function deduplicate(program: Program, { table, bindings }: Behind, projection: Projection): Behind {
  refuseOpaque(program, bindings, projection);
  const columns = allColumns(bindings);
  return { table: program.table(selectDistinct(program, { table, bindings: bindings.values(), columns })), bindings };
}

function refuseOpaque(program: Program, bindings: Bindings, at: { readonly span: Projection['span'] }): void {
  for (const binding of bindings.values())
    if (binding.kind === 'scalar' && binding.column.type.kind === 'opaque') throw program.refuse('groups by values of several types', at);
}

/** Lowers groups: first the keys and the arguments of aggregates, then the groups, then the expressions over aggregates. */
function group(environment: Environment, rows: Rows, items: readonly ProjectionItem[]): Behind {
  const { program } = environment;
  const keys = new Map<string, Binding>();
  const inputs: string[] = [];
  for (const { expression, variable } of items) {
    if (containsAggregate(expression, isAggregate)) continue;
    const entity = patternVariable(environment, expression);
    keys.set(variable.name, entity ?? scalar(program, lower(environment, expression), inputs));
  }
  const [first] = items;
  if (first !== undefined) refuseOpaque(program, keys, first);
  const known = new Map<Expression, SqlExpression>();
  const aggregates: string[] = [];
  for (const call of items.flatMap(({ expression }) => aggregateCalls(expression))) {
    const name = program.fresh('a');
    const { sql, type } =
      call.kind === 'countStar' ? { sql: 'count(*)', type: INTEGER } : aggregate(argumentOf(environment, rows, { call, inputs }));
    aggregates.push(`${sql} AS ${name}`);
    known.set(call, { sql: name, type });
  }
  const keyColumns = allColumns(keys);
  const entityColumns = [...keys.values()].flatMap((binding) => (binding.kind === 'scalar' ? [] : columnsOf(binding)));
  const source = program.table(`SELECT ${selectList([...new Set(entityColumns), ...inputs])} FROM ${rows.table}`);
  const by = keyColumns.length === 0 ? '' : ` GROUP BY ${keyColumns.join(', ')}`;
  const grouped = `SELECT ${[...keyItems(program, keys.values(), keyColumns), ...aggregates].join(', ')} FROM ${source}${by}`;
  const caller = callerOf(keys)?.[1];
  const groups = program.table(caller !== undefined && keys.size === 1 ? withEmptyGroups(program, grouped, { caller, known }) : grouped);
  const inner: Environment = { ...environment, bindings: keys, known };
  const bindings = new Map<string, Binding>();
  const added: string[] = [];
  for (const { expression, variable } of items) {
    const key = keys.get(variable.name);
    bindings.set(variable.name, key ?? scalar(program, lower(inner, expression), added));
  }
  return { table: program.table(`SELECT ${selectList([...keyColumns, ...added])} FROM ${groups}`), bindings };
}

/** Returns a SELECT of groups, with one for each row that a CALL subquery is computed for and has found nothing. */
function withEmptyGroups(
  program: Program,
  groups: string,
  { caller, known }: { readonly caller: CallerBinding; readonly known: Map<Expression, SqlExpression> },
): string {
  const values = [...known].map(([call, { sql, type }]) => {
    const [name, empty] = [program.fresh('a'), emptyAggregate(program, call, type)];
    known.set(call, { sql: name, type });
    return `${empty === null ? sql : `coalesce(${sql}, ${empty})`} AS ${name}`;
  });
  const [all, found] = [program.fresh('t'), program.fresh('t')];
  const isSame = caller.columns.map((column) => `${all}.${column} IS NOT DISTINCT FROM ${found}.${column}`).join(' AND ');
  const items = [...caller.columns.map((column) => `${all}.${column}`), ...values];
  return `SELECT ${items.join(', ')} FROM ${caller.table} ${all} LEFT JOIN (${groups}) ${found} ON ${isSame}`;
}

function aggregateCalls(expression: Expression): (FunctionCall | Extract<Expression, { kind: 'countStar' }>)[] {
  const found: (FunctionCall | Extract<Expression, { kind: 'countStar' }>)[] = [];
  walk(expression, (node) => {
    const each = node as Expression;
    if (each.kind === 'countStar' || (each.kind === 'function' && isAggregate(each.name))) found.push(each);
    return undefined;
  });
  return found;
}

interface Input {
  readonly call: FunctionCall;
  /** The columns that aggregates read, to which the argument is added. */
  readonly inputs: string[];
}

const PERCENTILES = new Set(['percentiledisc', 'percentilecont']);

function argumentOf(environment: Environment, rows: Rows, { call, inputs }: Input): AggregateArgument {
  const { program } = environment;
  const [expression, second, ...rest] = call.arguments;
  const name = call.name.toLowerCase();
  if (expression === undefined || rest.length > 0 || (second !== undefined && !PERCENTILES.has(name)))
    throw program.refuse(`the aggregate ${call.name}()`, call);
  const fraction = second === undefined ? null : fractionOf(program, second);
  const isCollect = name === 'collect';
  if (isCollect && program.isOrdered && rows.order === undefined) throw program.refuse('collect() behind ORDER BY', call);
  const order = isCollect ? (rows.order ?? []) : [];
  for (const { column } of order) if (!inputs.includes(column)) inputs.push(column);
  const value = inputOf(environment, call, expression);
  if (value.type.kind === 'opaque' && call.distinct) throw program.refuse('DISTINCT of values of several types', call);
  if (value.type.kind === 'float') throw program.refuse('an aggregate of Floats', call);
  if (value.type.kind === 'null') return { program, call, argument: { sql: 'NULL', type: NULL }, fraction, order };
  const column = program.fresh('g');
  inputs.push(`${value.sql} AS ${column}`);
  return { program, call, argument: { sql: column, type: value.type }, fraction, order };
}

/** Returns the argument of an aggregate: of a path its length, of a node or relationship its ordinal, or for collect() its struct. */
function inputOf(environment: Environment, call: FunctionCall, expression: Expression): SqlExpression {
  const { program } = environment;
  const entity = entityOf(environment, expression);
  const name = call.name.toLowerCase();
  const path = pathOf(environment, expression);
  if (path !== null && name === 'count' && !call.distinct) return { sql: path.length, type: INTEGER };
  if (entity === null) return lower(environment, expression);
  if (name === 'count') return { sql: entity.ordinal, type: INTEGER };
  if (name !== 'collect') throw program.refuse(`${call.name}() of nodes or relationships`, call);
  return valueOfEntity(program, entity, call);
}

function fractionOf(program: Program, expression: Expression): number | null {
  const value = constantOf(program, expression) ?? (expression.kind === 'literal' ? expression.value : parameterOf(program, expression));
  if (value === null || value === undefined || !(isInteger(value) || isFloat(value))) return null;
  const fraction = toNumber(value);
  return fraction >= 0 && fraction <= 1 ? fraction : null;
}

function parameterOf(program: Program, expression: Expression): Value {
  return expression.kind === 'parameter' ? program.parameter(expression.name) : null;
}

function isConstant(program: Program, expression: Expression): boolean {
  return expression.kind === 'literal' || expression.kind === 'parameter' || constantOf(program, expression) !== undefined;
}

/** Returns the key of an item of ORDER BY; none for a constant, which has no effect, and which DuckDB refuses where it is a text. */
function sortKeys(environment: Environment, expression: Expression, descending: boolean): SortKey[] {
  const { program } = environment;
  if (entityOf(environment, expression) !== null) throw program.refuse('an order by nodes or relationships', expression);
  const value = lower(environment, expression);
  if (value.type.kind === 'opaque' || value.type.kind === 'list' || value.type.kind === 'map')
    throw program.refuse(`an order by ${value.type.kind}`, expression);
  return isConstant(program, expression) ? [] : [{ column: typed(program, value), descending }];
}

/** The numbers of SKIP and LIMIT; null: there is no such part. */
interface Limits {
  readonly skip: bigint | null;
  readonly limit: bigint | null;
}

function limitsOf(program: Program, { skip, limit }: Projection): Limits {
  const count = (expression: Expression): bigint => {
    const value =
      constantOf(program, expression) ??
      (expression.kind === 'literal' ? expression.value : expression.kind === 'parameter' ? program.parameter(expression.name) : null);
    if (value === null || value === undefined || !isInteger(value) || value < 0)
      throw program.refuse('a computed number of rows', expression);
    if (value > program.dialect.mostRows) throw program.refuse(`a number of rows beyond ${program.dialect.mostRows}`, expression);
    return BigInt(value);
  };
  return { skip: skip === null ? null : count(skip), limit: limit === null ? null : count(limit) };
}

function limitsText({ skip, limit }: Limits): string {
  return `${limit === null ? '' : ` LIMIT ${limit}`}${skip === null ? '' : ` OFFSET ${skip}`}`;
}
