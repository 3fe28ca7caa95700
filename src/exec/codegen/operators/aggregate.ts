/**
 * Writes grouping and aggregation. The key decides how a group is found: without a search (no grouping, or a string of
 * a small dictionary, whose code gives the number of the group), in a table by a number (an ordinal, a dictionary code
 * or another number that stands for the value), else in a hash table by key, or by the numbers of several keys. Each
 * group has a dense number; accumulators are arrays by that number.
 */
import type { Aggregate, PlanExpression } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { stabilise } from '../expressions/locals.ts';
import { toValue } from '../expressions/to-value.ts';
import { sinkRow } from '../paged/sinks.ts';
import { isSource, openOneRow, openSource } from '../paged/sources.ts';
import type { Typed } from '../typed.ts';
import { type AccumulatorCode, accumulate, type GroupArrays, hasTypedState, type Register, unreached } from './accumulators.ts';
import { separately } from './breakers.ts';
import { MULTIPLICITY } from './close-edge.ts';
import { compositeKey } from './composite-key.ts';
import { knownRowCount } from './count-rows.ts';
import { withNames } from './needs.ts';
import { produce } from './produce.ts';
import { fieldsOf, loadTyped } from './stored-row.ts';

/** Writes grouping and aggregation. */
export function produceAggregate(
  cg: Codegen,
  aggregate: Aggregate,
  outer: Environment,
  _needed: ReadonlySet<string>,
  consume: Consume,
): void {
  const rowCount = cg.partitioned === null ? knownRowCount(cg, aggregate) : null;
  if (rowCount !== null) {
    const close = isSource(cg, outer) ? openOneRow(cg) : null;
    const count: Typed = { type: 'integer', code: cg.f.local('count', rowCount), valid: null };
    consume(new Map([...outer, ...aggregate.aggregations.map(({ variable }) => [variable, count] as const)]));
    close?.();
    return;
  }
  const read = expressionsRead(aggregate);
  const below = withNames(new Set(), ...read);
  let keys: readonly Typed[] = [];
  let initial = '';
  let isByCode = false;
  let isEmpty: ArrayGroup['isEmpty'] = null;
  const hasPlainStates = aggregate.aggregations.every(isPlain);
  // The state is made by the caller of the pipeline, so the names are constants of the caller.
  const names = aggregate.aggregations.map((aggregation) => cg.constant(aggregation.function));
  let states: AccumulatorCode[] = aggregate.aggregations.map((aggregation, i) => unreached(names[i]!, aggregation));
  const kept = separately(
    cg,
    outer,
    () => `{ groups: ${initial === '' ? 'new KeyGroups()' : initial}${states.map((state, i) => `, a${i}: ${state.initial}`).join('')} }`,
    (state) => {
      const table = bindState(cg, outer, state, 'groups');
      const accumulators = aggregate.aggregations.map((_, i) => bindState(cg, outer, state, `a${i}`));
      if (aggregate.grouping.length === 0) {
        initial = 'null';
        // Elements of typed arrays: a local that lives across a `yield` is a tagged value for V8.
        if (takesMultiples(aggregate)) below.add(MULTIPLICITY);
        const registers = aggregate.aggregations.map(
          (): Register => ({ code: `${cg.f.local('acc', 'new Float64Array(1)')}[0]`, depth: cg.f.depth, isAlone: outer.size === 0 }),
        );
        produce(cg, aggregate.input, outer, below, (environment) =>
          sinkRow(cg, { outer, environment, expressions: read, names: NONE }, (row, expressions) => {
            states = withArguments(aggregate, expressions).map((aggregation, i) =>
              accumulate(cg, row, {
                aggregation,
                name: names[i]!,
                state: accumulators[i]!,
                group: '0',
                register: registers[i]!,
                arrays: null,
                rowCounts: null,
              }),
            );
          }),
        );
        states.forEach((state, i) => {
          if (state.settle !== undefined) cg.f.emit(state.settle(accumulators[i]!, registers[i]!.code));
        });
        return;
      }
      const accumulateRow = (environment: Environment, expressions: readonly PlanExpression[]): void => {
        keys = aggregate.grouping.map((_, i) => stabilise(cg, compileExpression(cg, environment, expressions[i]!)));
        const rows = aggregate.aggregations.findIndex(isRowCount);
        const rowCounts = rows < 0 ? null : `a${rows}`;
        const byCode = outer.size > 0 ? null : codeGroup(cg, table, keys, rowCounts);
        const found = byCode === null ? groupLookup(cg, keys, table, (part) => bindState(cg, outer, table, part)) : null;
        isByCode = byCode !== null;
        const arrays =
          byCode ??
          (found!.denseKey === null || outer.size > 0 ? null : arrayGroup(cg, table, found!, hasPlainStates ? { rowCounts } : null));
        initial = arrays?.initial ?? found!.initial;
        isEmpty = arrays?.isEmpty ?? null;
        const group = arrays?.group ?? cg.f.local('g', found!.lookup);
        states = withArguments(aggregate, expressions).map((aggregation, i) =>
          accumulate(cg, environment, { aggregation, name: names[i]!, state: accumulators[i]!, group, register: null, arrays, rowCounts }),
        );
      };
      produce(cg, aggregate.input, outer, below, (environment) =>
        sinkRow(cg, { outer, environment, expressions: read, names: NONE }, accumulateRow),
      );
    },
  );
  emitGroups(cg, aggregate, { groups: kept.state, keys, isByCode, isEmpty, states, outer }, consume);
  kept.release();
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the expressions computed of each row: the keys of the groups, then the arguments of each aggregate. */
export function expressionsRead({ grouping, aggregations }: Aggregate): readonly PlanExpression[] {
  return [...grouping.map((item) => item.expression), ...aggregations.flatMap((item) => item.arguments)];
}

/** Returns the aggregates with other expressions in the place of their arguments, in the order of `expressionsRead`. */
export function withArguments({ grouping, aggregations }: Aggregate, expressions: readonly PlanExpression[]): Aggregate['aggregations'] {
  let at = grouping.length;
  return aggregations.map((aggregation) => {
    const from = at;
    at += aggregation.arguments.length;
    return { ...aggregation, arguments: expressions.slice(from, at) };
  });
}

function isRowCount({ function: name, distinct, arguments: operands }: Aggregate['aggregations'][number]): boolean {
  return name === 'count' && !distinct && operands.length === 0;
}

/** Tells whether rows of an expand between known nodes are only counted: the number of relationships is added, not a row for each. */
function takesMultiples({ aggregations, input }: Aggregate): boolean {
  let below = input;
  while (below.kind === 'filter') below = below.input;
  return below.kind === 'expand' && below.into && aggregations.every(isRowCount);
}

function bindState(cg: Codegen, outer: Environment, state: string, field: string): string {
  return outer.size > 0 ? cg.f.local('s', `${state}.${field}`) : cg.f.hoist(`${state}.${field}`, 's', `${state}.${field}`);
}

interface Result {
  readonly groups: string;
  readonly keys: readonly Typed[];
  /** True when the groups are `CodeGroups`. */
  readonly isByCode: boolean;
  readonly isEmpty: ArrayGroup['isEmpty'];
  readonly states: readonly AccumulatorCode[];
  readonly outer: Environment;
}

function emitGroups(cg: Codegen, aggregate: Aggregate, result: Result, consume: Consume): void {
  const { groups, keys, isByCode, isEmpty, states, outer } = result;
  states.forEach((state, i) => {
    if (state.sorts === true) cg.finish(`${groups}.a${i}`);
  });
  const results = (group: string, environment: Map<string, Typed>): void => {
    aggregate.aggregations.forEach((aggregation, i) => {
      environment.set(aggregation.variable, stabilise(cg, states[i]!.result(`${groups}.a${i}`, group, groups)));
    });
    consume(environment);
  };
  if (aggregate.grouping.length === 0) {
    cg.f.open('{');
    const closeOne = isSource(cg, outer) ? openOneRow(cg) : null;
    results('0', new Map(outer));
    closeOne?.();
    cg.f.close();
    return;
  }
  if (keys.length === 0) return;
  const group = cg.f.fresh('g');
  const count = cg.f.local('count', `${groups}.groups.size`);
  let close = () => cg.f.close();
  if (isSource(cg, outer)) close = openSource(cg, { row: group, first: '0', end: count });
  else cg.f.open(`for (let ${group} = 0; ${group} < ${count}; ${group}++) {`);
  cg.work('1');
  const environment = new Map(outer);
  if (isEmpty !== null) cg.f.emit(`if (${isEmpty(groups, group)}) continue;`);
  if (isByCode) {
    environment.set(aggregate.grouping[0]!.variable, stringOfGroup(cg, groups, group, keys[0]!));
    results(group, environment);
    close();
    return;
  }
  const row = cg.f.local('row', `${groups}.groups.fields(${group})`);
  let at = 0;
  aggregate.grouping.forEach((item, i) => {
    environment.set(item.variable, loadTyped(cg, keys[i]!, row, at));
    at += fieldsOf(keys[i]!).length;
  });
  results(group, environment);
  close();
}

interface ArrayGroup extends GroupArrays {
  readonly group: string;
  /** JavaScript that makes the groups. */
  readonly initial: string;
  /** Returns JavaScript that is true for the number of a group that no row has; null when each number has a row. */
  readonly isEmpty: ((groups: string, group: string) => string) | null;
}

/** When small integers (ages, years, hours) are the numbers of their groups. */
const SMALL_INTEGERS = { groups: 'IntegerGroups', most: 1 << 12, leastRows: 1 << 14 };
/** When Dates are the numbers of their groups: days since 1970, up to 2059. */
const RECENT_DAYS = { groups: 'DayGroups', most: 1 << 15, leastRows: 1 << 17 };

/** Tells whether an aggregate keeps just a number or two for a group: numbers that no group has then cost nothing. */
function isPlain({ function: name, distinct }: Aggregate['aggregations'][number]): boolean {
  return !distinct && hasTypedState(name);
}

/**
 * Writes the search for a group in an array by key; where there are many rows, a small key is the number of its group,
 * since most rows would wait for that read. A key that is not in the array is looked up in the groups, and every state
 * that has arrays by group makes room for it.
 */
function arrayGroup(
  cg: Codegen,
  table: string,
  { denseKey: key, lookup, initial, own }: GroupLookup,
  plain: { readonly rowCounts: string | null } | null,
): ArrayGroup {
  const tables = cg.f.tablesOfRows;
  const most = own !== undefined && plain !== null && tables !== null && cg.shape.hasRows(tables, own.leastRows) ? own.most : 0;
  const dense = cg.f.hoistVariable(`${table}.dense`, 'dense', `${table}.dense`);
  const itself = most > 0 ? `${key} >= 0 && ${key} < ${most} ? ${key} : ` : '';
  const group = cg.f.variable('g', `${itself}${key} >= 0 && ${key} < ${dense}.length ? ${dense}[${key}] - 1 : -1`);
  const grown = new Map<string, string>();
  const owners = new Set<string>();
  cg.f.emitLater(() => {
    const reserved = [...owners].map((owner) => ` ${owner}.reserve(${group});`).join('');
    const taken = [...grown].map(([field, local]) => ` ${local} = ${field};`).join('');
    return `if (${group} < 0) { ${group} = ${lookup}; ${dense} = ${table}.dense;${reserved}${taken} }`;
  });
  if (most > 0 && plain!.rowCounts === null) {
    const seen = cg.f.hoist(`${table}.seen`, 'seen', `${table}.seen`);
    cg.f.emit(`if (${group} < ${most}) ${seen}[${group}] = 1;`);
  }
  const of = (state: string, field: string): string => {
    const name = `${state}.${field}`;
    const local = cg.f.hoistVariable(name, 'a', most > 0 ? `(${state}.reserve(${most - 1}), ${name})` : name);
    owners.add(state);
    grown.set(name, local);
    return local;
  };
  if (most === 0) return { group, initial, isEmpty: null, of };
  const isEmpty = isUncounted(plain!.rowCounts) ?? ((groups: string, one: string) => `!${groups}.groups.has(${one})`);
  return { group, initial: `new ${own!.groups}(${most})`, isEmpty, of };
}

/** Returns a test by the count of rows whether a group is empty; null when no aggregate counts rows. */
function isUncounted(rowCounts: string | null): ArrayGroup['isEmpty'] {
  return rowCounts === null ? null : (groups, group) => `!(${groups}.${rowCounts}.counts[${group}] > 0)`;
}

/** Finds a group by the code of a string, whose dictionary has few beside the rows, without a search; null for any other keys. */
function codeGroup(cg: Codegen, table: string, keys: readonly Typed[], rowCounts: string | null): ArrayGroup | null {
  const dictionary = keys.length === 1 ? keys[0]!.dictionary : undefined;
  const tables = cg.f.tablesOfRows;
  if (dictionary === undefined || tables === null || !cg.shape.hasFewCodes(dictionary.key, tables)) return null;
  const size = cg.f.hoist(`${table}.begin`, 'size', `${table}.begin(${dictionary.name}, memory)`);
  const group = cg.f.local('g', keys[0]!.valid === null ? `${dictionary.code} + 1` : `(${keys[0]!.valid} ? ${dictionary.code} + 1 : 0)`);
  if (rowCounts === null) cg.f.emit(`${cg.f.hoist(`${table}.seen`, 'seen', `${table}.seen`)}[${group}] = 1;`);
  const of = (state: string, field: string): string =>
    cg.f.hoist(`${state}.${field}`, 'a', `(${state}.reserve(${size} - 1), ${state}.${field})`);
  const isEmpty = isUncounted(rowCounts) ?? ((groups: string, one: string) => `${groups}.groups.seen[${one}] === 0`);
  return { group, initial: 'new CodeGroups()', isEmpty, of };
}

function stringOfGroup(cg: Codegen, groups: string, group: string, { valid }: Typed): Typed {
  const decoded = `${groups}.groups.dictionary.decode(${group} - 1)`;
  const code = cg.f.later('x', valid === null ? decoded : `(${group} > 0 ? ${decoded} : null)`);
  return { type: 'string', code, valid: valid === null ? null : `${code} !== null` };
}

interface GroupLookup {
  readonly initial: string;
  readonly lookup: string;
  /** The local with the key, when that is always a number; else null. */
  readonly denseKey: string | null;
  /** The keys that are the numbers of their groups, from `leastRows` rows on: those from 0 to below `most`. */
  readonly own?: { readonly groups: string; readonly most: number; readonly leastRows: number };
}

/** Returns how the group of a row is found; a new group remembers the raw fields of its keys. */
function groupLookup(cg: Codegen, keys: readonly Typed[], table: string, bind: (part: string) => string): GroupLookup {
  const fields = `[${keys.flatMap(fieldsOf).join(', ')}]`;
  const only = keys.length === 1 ? keys[0]! : null;
  const make = (code: string): string => `${table}.of(${code}) >= 0 ? ${table}.found : ${table}.add(${code}, ${fields}, memory)`;
  const ordinal = only === null ? undefined : only.type === 'node' ? only.code : (only.dictionary?.code ?? only.number);
  if (ordinal !== undefined) {
    const local = cg.f.local('key', ordinal);
    return { initial: 'new OrdinalGroups()', lookup: make(local), denseKey: local };
  }
  if (only !== null && (only.type === 'integer' || only.day !== undefined)) {
    const { code, valid } = only.day ?? only;
    const local = cg.f.local('key', valid === null ? code : `(${valid} ? ${code} : null)`);
    const isNumber = valid === null && (only.day !== undefined || only.small === true);
    return {
      initial: 'new IntegerGroups()',
      lookup: make(local),
      denseKey: isNumber ? local : null,
      own: only.day === undefined ? SMALL_INTEGERS : RECENT_DAYS,
    };
  }
  if (only === null) {
    const { first, second, sizes } = compositeKey(cg, keys, bind);
    const group = cg.f.local('known', `${table}.find(${first}, ${second})`);
    const lookup = `${group} >= 0 ? ${group} : ${table}.add(${first}, ${second}, ${fields}, memory)`;
    return { initial: `new CompositeGroups(${sizes})`, lookup, denseKey: null };
  }
  const local = cg.f.local('key', `values.hashKey(${toValue(only)})`);
  return { initial: 'new KeyGroups()', lookup: make(local), denseKey: null };
}
