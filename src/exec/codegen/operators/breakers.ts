/**
 * Writes operators that make all their input rows before the first leaves (eager, sort, top), that remember rows
 * (distinct), or that join.
 *
 * At the top of a statement (no outer row) the input of a breaker becomes a function of its own, one per pipeline.
 */

import {
  type CartesianProduct,
  type Distinct,
  type Eager,
  type HashJoin,
  type PlanExpression,
  type Sort,
  type Top,
  type UnionAll,
  variable,
} from '../../../plan/index.ts';
import { BYTES_PER_SEEN } from '../../runtime/rows/groups.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind } from '../environment.ts';
import { compileExpression, compileValue } from '../expressions/expression.ts';
import { toValue, valueLocal } from '../expressions/to-value.ts';
import { sinkRow } from '../paged/sinks.ts';
import { isSource, openSource } from '../paged/sources.ts';
import { any, type Typed } from '../typed.ts';
import { compositeKey } from './composite-key.ts';
import { withNames } from './needs.ts';
import { nodeSet } from './node-set.ts';
import { produce } from './produce.ts';
import { type StoredRow, storeRow } from './stored-row.ts';

type Needed = ReadonlySet<string>;

const NONE: Needed = new Set();
const NO_ROW: Environment = new Map();

/** The state of a breaker once its input has ended. */
export interface Kept {
  /** The local with the state. */
  readonly state: string;
  /** The local with the bytes that are charged for the state. */
  readonly used: string;
  /** Writes that the state is not read any more: its memory is released. */
  release(): void;
}

/** A pipeline that leaves its state in a field of S. */
export interface Pipeline {
  readonly field: string;
  /** The name of its function. */
  readonly name: string;
}

/** Writes a pipeline with the lines of `fill`, which gets the local that holds the state. */
export function pipelineInto(cg: Codegen, fill: (state: string) => void): Pipeline {
  const field = cg.state();
  const name = cg.functionOf(() => fill(cg.f.hoist(field, 's', field)));
  return { field, name };
}

/**
 * Runs `fill` as a pipeline with the state `initial` under a local name; afterwards the same state is a local of the caller.
 * `initial` as a function: text that is known only when the pipeline has been compiled.
 */
export function separately(cg: Codegen, outer: Environment, initial: string | (() => string), fill: (state: string) => void): Kept {
  const text = typeof initial === 'string' ? () => initial : initial;
  if (outer.size === 0) return runPipeline(cg, text, () => pipelineInto(cg, fill));
  return measured(cg, () => {
    const state = cg.f.fresh('s');
    cg.f.emitLater(() => `const ${state} = ${text()};`);
    fill(state);
    return state;
  });
}

/** Writes a run of a pipeline with the state `initial`; `write` writes the pipeline, or returns one that is written already. */
function runPipeline(cg: Codegen, initial: () => string, write: () => Pipeline): Kept {
  return measured(cg, () => {
    const { f } = cg;
    let field = '';
    f.emitLater(() => `${field} = ${initial()};`);
    const pipeline = write();
    field = pipeline.field;
    cg.runPipeline(pipeline.name);
    return f.local('s', field);
  });
}

/** Writes code that fills a state; the memory that is charged meanwhile counts as that of the state. */
function measured(cg: Codegen, fill: () => string): Kept {
  const before = cg.f.local('before', 'memory.used');
  const held = cg.f.local('held', 'memory.held');
  const state = fill();
  const used = cg.f.local('used', `memory.used - ${before}`);
  // Values that the last row of the input made are kept by now, or gone.
  cg.f.emit(`memory.held = ${held};`);
  return { state, used, release: () => cg.f.emit(`memory.release(${used});`) };
}

function keepRow(cg: Codegen, rows: string, fields: readonly string[]): void {
  const row = cg.f.local('r', `[${fields.join(', ')}]`);
  cg.f.emit(`${rows}.push(${row});`);
  cg.f.emit(`if ((${rows}.length & 255) === 0) memory.charge(256, ${fields.length});`);
  cg.f.emit(`memory.chargeValues(${row});`);
}

function overRows(cg: Codegen, rows: string, stored: StoredRow, outer: Environment, consume: Consume): void {
  overArray(cg, rows, outer, (row) => consume(stored.load(row, outer)));
}

/** Writes a loop over the elements of an array, which may be the source of rows of a pipeline. */
function overArray(cg: Codegen, array: string, outer: Environment, body: (element: string) => void): void {
  if (!isSource(cg, outer)) {
    const row = cg.f.fresh('row');
    cg.f.open(`for (const ${row} of ${array}) {`);
    cg.work('1');
    body(row);
    cg.f.close();
    return;
  }
  const rows = cg.f.local('rows', array);
  const at = cg.f.fresh('at');
  const close = openSource(cg, { row: at, first: '0', end: `${rows}.length` });
  cg.work('1');
  body(cg.f.local('row', `${rows}[${at}]`));
  close();
}

interface KeptRows extends Kept {
  readonly stored: StoredRow;
}

/** Writes a pipeline that keeps all rows of an input in an array; null when the input can have no rows. */
function collectRows(cg: Codegen, build: (consume: Consume) => void, outer: Environment, needed: Needed): KeptRows | null {
  const collector = new RowCollector(cg, outer, needed);
  const kept = separately(cg, outer, '[]', (state) => build((environment) => collector.keep(environment, state)));
  return collector.stored === null ? null : { ...kept, stored: collector.stored };
}

class RowCollector {
  /** How rows are kept; null until code that keeps one has been written. */
  stored: StoredRow | null = null;
  private readonly cg: Codegen;
  private readonly outer: Environment;
  private readonly needed: Needed;

  constructor(cg: Codegen, outer: Environment, needed: Needed) {
    this.cg = cg;
    this.outer = outer;
    this.needed = needed;
  }

  /** Writes that a row is kept in the array `rows`. */
  keep(environment: Environment, rows: string): void {
    const { cg, outer, needed } = this;
    sinkRow(cg, { outer, environment, expressions: [], names: needed }, (row) => {
      this.stored = storeRow(cg, row, outer, needed);
      keepRow(cg, rows, this.stored.fields);
    });
  }
}

/** The input of an `eager` operator whose code was written before that of the operators above it. */
export interface WrittenEager {
  readonly pipeline: Pipeline;
  /** How its rows are kept; null when the input can have no rows. */
  readonly stored: StoredRow | null;
}

/** Writes the input of the operator, at the top of a statement, as a pipeline. */
export function writeEager(cg: Codegen, eager: Eager, needed: Needed): WrittenEager {
  const collector = new RowCollector(cg, NO_ROW, needed);
  const pipeline = pipelineInto(cg, (state) =>
    produce(cg, eager.input, NO_ROW, needed, (environment) => collector.keep(environment, state)),
  );
  return { pipeline, stored: collector.stored };
}

/** Writes an operator that holds back all rows until its input has ended. */
export function produceEager(cg: Codegen, eager: Eager, outer: Environment, needed: Needed, consume: Consume): void {
  const kept = collectedRows(cg, eager, outer, needed);
  if (kept === null) return;
  overRows(cg, kept.state, kept.stored, outer, consume);
  kept.release();
}

function collectedRows(cg: Codegen, eager: Eager, outer: Environment, needed: Needed): KeptRows | null {
  const written = outer.size > 0 ? undefined : cg.written.get(eager);
  if (written === undefined) return collectRows(cg, (keep) => produce(cg, eager.input, outer, needed, keep), outer, needed);
  const kept = runPipeline(
    cg,
    () => '[]',
    () => written.pipeline,
  );
  return written.stored === null ? null : { ...kept, stored: written.stored };
}

/** The code of a key by which rows are sorted. */
export interface SortKey {
  readonly code: string;
  /** True when the key takes no memory beside its place. */
  readonly isShort: boolean;
  readonly compare: (left: string, right: string) => string;
}

/** Compiles a key by which rows are sorted. */
export function sortKey(cg: Codegen, environment: Environment, expression: PlanExpression, descending: boolean): SortKey {
  const typed = compileExpression(cg, environment, expression);
  const oriented = (a: string, b: string): [string, string] => (descending ? [b, a] : [a, b]);
  if (typed.type === 'integer' && typed.valid === null) {
    return { code: typed.code, isShort: true, compare: (a, b) => compareInline(...oriented(a, b)) };
  }
  if (typed.day !== undefined && typed.day.valid === null) {
    return { code: typed.day.code, isShort: true, compare: (a, b) => compareInline(...oriented(a, b)) };
  }
  const isShort = typed.type === 'integer' || typed.type === 'boolean' || typed.type === 'null';
  const code = typed.type === 'string' && typed.valid === null ? typed.code : toValue(typed);
  const function_ = typed.type === 'string' && typed.valid === null ? 'compareStrings' : 'order';
  return { code, isShort, compare: (a, b) => `${function_}(${oriented(a, b).join(', ')})` };
}

function compareInline(a: string, b: string): string {
  return `(${a} < ${b} ? -1 : ${a} > ${b} ? 1 : 0)`;
}

/** Writes a comparison of rows by their keys. */
export function comparator(keys: readonly SortKey[]): string {
  const terms = keys.map((key, i) => key.compare(`a[${i}]`, `b[${i}]`));
  return `(a, b) => ${terms.join(' || ')}`;
}

/** Returns the expressions of ORDER BY. */
export function expressionsOf(items: Sort['items']): readonly PlanExpression[] {
  return items.map(({ expression }) => expression);
}

/** Writes a sort. */
export function produceSort(cg: Codegen, sort: Sort, outer: Environment, needed: Needed, consume: Consume): void {
  const below = withNames(needed, ...sort.items.map((item) => item.expression));
  let stored: StoredRow | null = null;
  let compare = '';
  const kept = separately(cg, outer, '[]', (state) => {
    produce(cg, sort.input, outer, below, (environment) =>
      sinkRow(cg, { outer, environment, expressions: expressionsOf(sort.items), names: needed }, (row, expressions) => {
        const keys = sort.items.map((item, i) => sortKey(cg, row, expressions[i]!, item.descending));
        compare = comparator(keys);
        const codes = keys.map(({ code }) => code);
        stored = storeRow(cg, row, outer, needed, codes);
        keepRow(cg, state, [...codes, ...stored.fields]);
      }),
    );
  });
  if (stored === null) return;
  cg.f.emit(cg.sortRows(kept.state, compare, kept.used));
  overRows(cg, kept.state, stored, outer, consume);
  kept.release();
}

/** Returns the code of how many rows of a sort are kept. The sum is one of doubles, which does not overflow. */
export function mostRows(cg: Codegen, outer: Environment, { skip, count }: Top): string {
  const limit = `rowCount(${compileValue(cg, outer, count)}, ${cg.constant('LIMIT')})`;
  return skip === null ? limit : `rowCount(${compileValue(cg, outer, skip)}, ${cg.constant('SKIP')}) + ${limit}`;
}

/** Writes a sort of which only the first rows are kept. */
export function produceTop(cg: Codegen, top: Top, outer: Environment, needed: Needed, consume: Consume): void {
  const below = withNames(needed, ...top.items.map((item) => item.expression));
  const limit = mostRows(cg, outer, top);
  let stored: StoredRow | null = null;
  let order = '() => 0, true';
  const kept = separately(
    cg,
    outer,
    () => `new TopRows(${limit}, ${order})`,
    (rows) => {
      produce(cg, top.input, outer, below, (environment) =>
        sinkRow(cg, { outer, environment, expressions: expressionsOf(top.items), names: needed }, (row, expressions) => {
          const keys = top.items.map((item, i) => sortKey(cg, row, expressions[i]!, item.descending));
          const codes = keys.map(({ code }) => code);
          stored = storeRow(cg, row, outer, needed, codes);
          order = `${comparator(keys)}, ${stored.isShort && keys.every(({ isShort }) => isShort)}`;
          const first = cg.f.local('k', codes[0]!);
          cg.f.open(`if (!${rows}.full || ${keys[0]!.compare(first, `${rows}.bound`)} <= 0) {`);
          cg.f.emit(`${rows}.offer([${[first, ...codes.slice(1), ...stored.fields].join(', ')}], memory);`);
          cg.f.close();
        }),
      );
    },
  );
  if (stored === null) return;
  cg.finish(kept.state);
  overRows(cg, `${kept.state}.sorted()`, stored, outer, consume);
  kept.release();
}

/** Writes DISTINCT, which lets through the first of equivalent rows. */
export function produceDistinct(cg: Codegen, distinct: Distinct, outer: Environment, needed: Needed, consume: Consume): void {
  const below = new Set([...needed, ...distinct.variables]);
  let begin = '';
  let released = '';
  cg.f.emitLater(() => begin);
  produce(cg, distinct.input, outer, below, (environment) =>
    sinkRow(cg, { outer, environment, expressions: distinct.variables.map(variable), names: below }, (row, expressions) => {
      const seen = seenRows(
        cg,
        expressions.map((expression) => compileExpression(cg, row, expression)),
      );
      ({ begin, released } = seen);
      cg.f.open(`if (${seen.set}.add(${seen.key})) {`);
      if (seen.added !== '') cg.f.emit(seen.added);
      consume(row);
      cg.f.close();
    }),
  );
  if (released !== '') cg.f.emit(released);
}

interface SeenRows {
  /** The local with the set, and the line that makes it, or makes it empty. */
  readonly set: string;
  readonly begin: string;
  /** JavaScript of this row's key: arguments of the set's `add`. */
  readonly key: string;
  /** Lines that charge for a row that was added, and that release all that was charged. */
  readonly added: string;
  readonly released: string;
}

/**
 * Returns the set that fits the values. It knows a node by its ordinal, plus 1 if it may be null; several values by
 * numbers that stand for them; a small integer, or a value with a number, by that; any other by its hash key.
 */
function seenRows(cg: Codegen, typed: readonly Typed[]): SeenRows {
  const [first] = typed;
  const charged = (set: string): Pick<SeenRows, 'added' | 'released'> => ({
    added: `memory.chargeBytes(${BYTES_PER_SEEN});`,
    released: `memory.release(${set}.size * ${BYTES_PER_SEEN});`,
  });
  if (typed.length === 1 && first!.type === 'node') {
    const set = nodeSet(cg);
    return { set, begin: `${set}.clear();`, key: first!.valid === null ? first!.code : `${first!.code} + 1`, ...charged(set) };
  }
  const set = cg.f.fresh('seen');
  if (typed.length > 1) {
    const key = compositeKey(cg, typed, (part) => cg.f.local('s', `${set}.${part}`));
    const begin = `const ${set} = new CompositeSet(${key.sizes});`;
    return { set, begin, key: `${key.first}, ${key.second}, memory`, added: '', released: `memory.release(${set}.bytes);` };
  }
  const number = first?.number ?? (first?.type === 'integer' && first.small === true ? toValue(first) : null);
  if (number !== null) return { set, begin: `const ${set} = new IntegerSet();`, key: number, ...charged(set) };
  const { added, released } = charged(set);
  return {
    set,
    begin: `const ${set} = new KeySet();`,
    key: first === undefined ? "''" : `values.hashKey(${toValue(first)})`,
    added: `${added} memory.chargeBytes(${set}.addedBytes);`,
    released: `${released} memory.release(${set}.bytes);`,
  };
}

/** Writes UNION ALL. */
export function produceUnionAll(cg: Codegen, union: UnionAll, outer: Environment, consume: Consume): void {
  const kept = separately(cg, outer, '[]', (target) => {
    for (const input of union.inputs) {
      produce(cg, input, outer, new Set(union.variables), (environment) =>
        sinkRow(cg, { outer, environment, expressions: union.variables.map(variable), names: NONE }, (row, expressions) => {
          keepRow(
            cg,
            target,
            expressions.map((expression) => toValue(compileExpression(cg, row, expression))),
          );
        }),
      );
    }
  });
  overArray(cg, kept.state, outer, (row) => {
    const bound = new Map(outer);
    union.variables.forEach((name, i) => bound.set(name, any(cg.f.local('x', `${row}[${i}]`))));
    consume(bound);
  });
  kept.release();
}

/** Writes a cartesian product: the rows of the right side are made once, before those of the left side, and kept. */
export function produceCartesianProduct(
  cg: Codegen,
  product: CartesianProduct,
  outer: Environment,
  needed: Needed,
  consume: Consume,
): void {
  const kept = collectRows(cg, (keep) => produce(cg, product.right, outer, needed, keep), outer, needed);
  if (kept === null) return;
  cg.f.open(`if (${kept.state}.length > 0) {`);
  produce(cg, product.left, outer, needed, (environment) => {
    overRows(cg, kept.state, kept.stored, environment, consume);
  });
  cg.f.close();
  kept.release();
}

/** Writes a hash join. */
export function produceHashJoin(cg: Codegen, join: HashJoin, outer: Environment, needed: Needed, consume: Consume): void {
  let stored: StoredRow | null = null;
  let table: JoinTableCode | null = null;
  /** Places of keys by the variables of their nodes: a node that is a key need not be kept, because the other side has it. */
  const keyNodes = new Map<string, number>();
  const right = withNames(needed, ...join.rightKeys);
  const left = withNames(needed, ...join.leftKeys);
  const kept = separately(
    cg,
    outer,
    () => table?.initial ?? 'null',
    (state) => {
      produce(cg, join.right, outer, right, (environment) =>
        sinkRow(cg, { outer, environment, expressions: join.rightKeys, names: needed }, (row, expressions) => {
          const keys = expressions.map((key) => compileExpression(cg, row, key));
          join.rightKeys.forEach((key, at) => {
            const isNode = key.kind === 'variable' && keys[at]!.type === 'node' && !outer.has(key.name);
            if (isNode && join.leftKeys[at]!.kind === 'variable') keyNodes.set(key.name, at);
          });
          stored = storeRow(cg, row, outer, new Set([...needed].filter((name) => !keyNodes.has(name))));
          table = joinTable(keys, stored);
          table.insert(cg, state, keys);
        }),
      );
    },
  );
  if (stored === null) return;
  const loaded: StoredRow = stored;
  const { overFound } = table as unknown as JoinTableCode; // Set with `stored`.
  produce(cg, join.left, outer, left, (environment) => {
    const keys = join.leftKeys.map((key) => compileExpression(cg, environment, key));
    overFound(cg, kept.state, keys, (row) => {
      cg.work('1');
      const nodes = Array.from(keyNodes, ([name, at]): [string, Typed] => [name, keys[at]!]);
      consume(bind(row === null ? environment : loaded.load(row, environment), ...nodes));
      cg.f.close();
    });
  });
  kept.release();
}

/** How rows are kept for a join. */
interface JoinTableCode {
  readonly initial: string;
  insert(cg: Codegen, state: string, keys: readonly Typed[]): void;
  /** Opens a loop over the rows with these keys; `body` closes it. `row`: null where only the number of rows was kept. */
  overFound(cg: Codegen, state: string, keys: readonly Typed[], body: (row: string | null) => void): void;
}

/** Returns the code of a hash table of the rows that are kept, by their keys: a single node is found by its ordinal. */
function joinTable(keys: readonly Typed[], stored: StoredRow): JoinTableCode {
  const isOnNode = keys.length === 1 && keys[0]!.type === 'node';
  return isOnNode && stored.fields.length === 0 ? COUNTS : rowsByKeys(keys, stored);
}

const COUNTS: JoinTableCode = {
  initial: 'new NodeJoinCounts()',
  insert(cg, state, [key]) {
    cg.f.emit(`${state}.insert(${key!.code});`);
    cg.f.emit('memory.charge(1, 1);');
  },
  overFound(cg, state, [key], body) {
    const count = cg.f.variable('count', findNode(cg, state, key!));
    cg.f.open(`for (; ${count} > 0; ${count}--) {`);
    body(null);
  },
};

function findNode(cg: Codegen, state: string, key: Typed): string {
  return key.type === 'node' ? `${state}.find(${key.code})` : `${state}.findValue(${valueLocal(cg, key)})`;
}

function rowsByKeys(kept: readonly Typed[], stored: StoredRow): JoinTableCode {
  const isOne = kept.length === 1;
  const isNode = isOne && kept[0]!.type === 'node';
  return {
    initial: isNode ? 'new NodeJoinTable()' : 'new JoinTable(values, memory)',
    insert(cg, state, keys) {
      const row = cg.f.local('r', `[${stored.fields.join(', ')}]`);
      if (isNode) cg.f.emit(`${state}.insert(${keys[0]!.code}, ${row});`);
      else if (isOne) cg.f.emit(`${state}.insertOne(${toValue(keys[0]!)}, ${row});`);
      else cg.f.emit(`${state}.insert([${keys.map(toValue).join(', ')}], ${row});`);
      cg.f.emit(`memory.charge(1, ${stored.fields.length + 2});${stored.isShort ? '' : ` memory.chargeValues(${row});`}`);
    },
    overFound(cg, state, keys, body) {
      const local = (key: Typed): string => valueLocal(cg, key);
      const found = isNode
        ? findNode(cg, state, keys[0]!)
        : isOne
          ? `${state}.findOne(${local(keys[0]!)})`
          : `${state}.find([${keys.map(local).join(', ')}])`;
      const row = cg.f.fresh('row');
      cg.f.open(`for (const ${row} of ${found}) {`);
      body(row);
    },
  };
}
