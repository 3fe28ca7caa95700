/**
 * Groups and aggregates more rows than fit into memory. Each group sees its rows in the order in which they arrived, so
 * sums are the same as in memory, to the last bit.
 *
 * 1. Groups are kept in memory as long as they fit. From then on, rows of unknown groups are written, partitioned by
 *    their keys; rows of known groups too, if a group grows with its rows (collect, percentiles). A `SpilledDistinct`
 *    tells whether the value of a DISTINCT aggregate is new, possibly later. If there is only one group, its rows are
 *    written as long as the group may fit in the end, with nothing else in memory; beyond that the statement fails.
 * 2. Groups that do not grow are complete then, and are yielded first. The others continue one partition after the
 *    other: first the groups that fit, and in further passes those that did not.
 * 3. The results of the groups of a partition are written with the number of their first row, and merged in that order.
 */
import type { GraphCatalog } from '../../../algorithms/index.ts';
import type { AggregateName } from '../../../functions/index.ts';
import { type HashKey, order, type Value } from '../../../value/index.ts';
import { type Accumulator, aggregates, countRows } from '../../functions/index.ts';
import { workOf } from '../rows/accumulators.ts';
import type { KeyValues } from '../rows/key-values.ts';
import { MemoryAccount } from '../rows/memory-account.ts';
import { sortRows } from '../rows/sort-rows.ts';
import { isShort } from '../rows/value-bytes.ts';
import { PARTITIONS, Partitions, partitionOf } from './partitions.ts';
import { bytesOfRow } from './row-bytes.ts';
import type { Row } from './row-codec.ts';
import { SortedRuns } from './sorted-runs.ts';
import type { SpillSpace } from './spill-space.ts';
import { SpilledDistinct } from './spilled-distinct.ts';
import type { SpilledRows } from './spilled-rows.ts';

/** One aggregate of the operator. */
export interface AggregateForm {
  readonly name: AggregateName;
  readonly distinct: boolean;
  /** The number of operands; 0 for `count(*)`. */
  readonly operands: number;
}

interface Group {
  /** The fields of its key, as generated code wants them. */
  readonly fields: Row;
  /** The number of its first row, by which results are ordered. */
  readonly arrival: number;
  readonly states: readonly Accumulator[];
  /** The memory of the largest value so far, for each aggregate that keeps one value. */
  readonly largest: number[];
  /** Bytes charged for the group. */
  bytes: number;
}

interface Column extends AggregateForm {
  /** The index of its first operand in a row. */
  readonly at: number;
  readonly bit: number;
  readonly keeps: 'numbers' | 'value' | 'values';
  /** Finds the distinct values; null if the aggregate sees every value. */
  readonly seen: SpilledDistinct | null;
}

/** Bytes for a group: its place in a map, and its parts. */
const BYTES_PER_GROUP = 160;
const BYTES_PER_ACCUMULATOR = 96;
/** Aggregates whose result does not depend on the order of their values. */
const IN_ANY_ORDER: ReadonlySet<AggregateName> = new Set<AggregateName>(['count', 'min', 'max']);
const NO_VALUES: readonly Value[] = [];
const NO_GROUPS = new Map<HashKey, Group>();
/** The most groups kept in memory at a time; V8 limits a Map to 2^24 entries. */
const MOST_GROUPS = 1 << 23;

/** Groups and aggregates rows, and writes them to temporary files if they do not fit into memory. */
export class SpilledAggregation {
  readonly #space: SpillSpace;
  readonly #values: KeyValues;
  readonly #width: number;
  readonly #columns: readonly Column[];
  /** A bit mask of the aggregates that see every row. */
  readonly #plain: number;
  /** Whether a group takes more memory with each of its rows. */
  readonly #grows: boolean;
  readonly #found: SortedRuns;
  readonly #catalog: GraphCatalog | undefined;
  #groups = new Map<HashKey, Group>();
  /** Bytes of the groups, and rows that they have seen, in memory or in the current pass. */
  #bytes = 0;
  #rows = 0;
  #isFull = false;
  /** The memory that the only group will take once it has seen its written rows; null if none was written. */
  #owed: MemoryAccount | null = null;
  #partitions: Partitions | null = null;
  #arrivals = 0;

  /**
   * @param width the number of leading fields of a row that make up its key
   *
   * @param catalog the projected graphs, for aggregates that say `usesCatalog`
   */
  constructor(space: SpillSpace, values: KeyValues, width: number, forms: readonly AggregateForm[], catalog?: GraphCatalog) {
    this.#space = space;
    this.#catalog = catalog;
    this.#values = values;
    this.#width = width;
    let at = width;
    this.#columns = forms.map((form, i) => {
      const column = { ...form, at, bit: 1 << i, keeps: aggregates[form.name].facts.keeps };
      at += form.operands;
      return { ...column, seen: form.distinct ? new SpilledDistinct(space) : null };
    });
    this.#plain = this.#columns.reduce((bits, { bit, distinct }) => (distinct ? bits : bits | bit), 0);
    this.#grows = this.#columns.some(({ keeps }) => keeps === 'values');
    this.#found = new SortedRuns(space, null);
  }

  /** Makes the only group of an aggregation without a key, which exists even if there is no row. */
  begin(): void {
    this.#create(null, []);
  }

  /** @param row the fields of the key, followed by the operands of the aggregates */
  add(key: HashKey, row: Row): void {
    let bits = this.#plain;
    for (const column of this.#columns) if (column.seen !== null && this.#isNew(column, column.seen, key, row)) bits |= column.bit;
    this.#take(key, row, bits, this.#arrivals++);
  }

  #isNew({ at, operands }: Column, distinct: SpilledDistinct, key: HashKey, row: Row): boolean {
    if (row[at] === null) return false;
    const own = row.map((field, i) => (i < this.#width || (i >= at && i < at + operands) ? field : null));
    const value = this.#values.hashKey(row[at] as Value); // as: operands are values
    return distinct.add(this.#width === 0 ? value : this.#values.hashKeyOf([key, value]), [...own, key]);
  }

  #take(key: HashKey, row: Row, bits: number, arrival: number): void {
    const group = this.#groups.get(key);
    if (this.#isFull && (group === undefined || this.#grows)) {
      if (this.#width === 0) this.#owe(row, bits);
      this.#partitions ??= new Partitions(this.#space);
      this.#partitions.append(key, [...row, key, bits, arrival]);
    } else {
      this.#accumulate(group ?? this.#create(key, row.slice(0, this.#width), arrival), row, bits);
      this.#isFull = this.#isFullNow;
    }
  }

  /** Charges a written row to the only group. @throws MEMORY_LIMIT once the group cannot fit, even if all other memory were free */
  #owe(row: Row, bits: number): void {
    const { memory, limits } = this.#space;
    this.#owed ??= new MemoryAccount(memory.limit, limits, this.#bytes);
    for (const { bit, at, keeps } of this.#columns) if (keeps === 'values' && (bits & bit) !== 0) this.#owed.chargeElement(row[at]);
  }

  #create(key: HashKey, fields: Row, arrival = 0): Group {
    const states = this.#columns.map(({ name, operands }) => (operands === 0 ? countRows() : aggregates[name].create(this.#catalog)));
    const bytes = bytesOfRow(fields, this.#space.limits) + BYTES_PER_GROUP + BYTES_PER_ACCUMULATOR * states.length + 2 * String(key).length;
    this.#space.memory.chargeBytes(bytes);
    this.#bytes += bytes;
    const group = { fields, arrival, states, largest: [], bytes };
    this.#groups.set(key, group);
    return group;
  }

  get #isFullNow(): boolean {
    const count = this.#grows ? this.#rows : this.#groups.size;
    return this.#groups.size >= MOST_GROUPS || this.#space.isFull(count, this.#bytes);
  }

  #accumulate(group: Group, row: Row, bits: number): void {
    const { memory } = this.#space;
    const before = memory.used;
    for (let i = 0; i < this.#columns.length; i++) {
      const { bit, at, operands, keeps } = this.#columns[i]!;
      if ((bits & bit) === 0) continue;
      const value = operands === 0 ? null : (row[at] as Value); // as: operands are values
      if (keeps === 'values') memory.chargeElement(value);
      else if (keeps === 'value' && !isShort(value)) this.#chargeLargest(group, i, value);
      group.states[i]!.add(value, ...(operands > 1 ? (row.slice(at + 1, at + operands) as Value[]) : NO_VALUES));
    }
    this.#rows++;
    const bytes = memory.used - before;
    group.bytes += bytes;
    this.#bytes += bytes;
  }

  #chargeLargest({ largest }: Group, at: number, value: Value): void {
    const bytes = this.#space.memory.bytesBeside(value);
    const known = largest[at] ?? 0;
    if (bytes <= known) return;
    this.#space.memory.chargeBytes(bytes - known);
    largest[at] = bytes;
  }

  /** Yields each group once: the fields of its key, followed by the results of the aggregates; null where other statements should run. */
  *rows(): Generator<unknown[] | null, void, void> {
    try {
      for (const { seen, bit, name } of this.#columns)
        if (seen !== null) yield* this.#takeDeferred(seen.deferred(!IN_ANY_ORDER.has(name)), bit);
      if (this.#partitions === null || !this.#grows) {
        for (const group of this.#groups.values()) yield* this.#resultOf(group);
        this.#forget();
      }
      if (this.#partitions === null) return;
      yield* this.#partitions.end();
      const known = this.#partedGroups();
      for (let at = 0; at < PARTITIONS; at++) {
        this.#groups = known[at]!;
        known[at] = NO_GROUPS;
        let rows = this.#partitions.parts[at]!;
        do rows = yield* this.#pass(rows, this.#partitions.another());
        while (rows.count > 0);
      }
      this.#partitions.close();
      yield* this.#found.rows();
    } finally {
      this.#close();
    }
  }

  *#takeDeferred(rows: Generator<unknown[] | null, void, void>, bit: number): Generator<null, void, void> {
    for (const row of rows) {
      if (row === null) yield null;
      else this.#take(row[row.length - 2] as HashKey, row.slice(0, -2), bit, this.#arrivals);
    }
  }

  #partedGroups(): Map<HashKey, Group>[] {
    const parted = Array.from({ length: PARTITIONS }, () => new Map<HashKey, Group>());
    for (const [key, group] of this.#groups) parted[partitionOf(key)]!.set(key, group);
    return parted;
  }

  /**
   * Feeds rows to the groups in memory and to those that still fit beside them, and writes the results of these groups.
   *
   * @returns the rows of the groups that did not fit
   */
  *#pass(rows: SpilledRows, left: SpilledRows): Generator<null, SpilledRows, void> {
    const { limits } = this.#space;
    this.#bytes = 0;
    this.#rows = 0;
    const reader = rows.reader();
    for (let row = reader.advance(); row !== null; row = reader.advance()) {
      if (limits.worked(1)) yield null;
      const [key, bits, arrival] = row.slice(-3) as [HashKey, number, number];
      const group = this.#groups.get(key);
      if (group === undefined && this.#isFullNow) left.append(row);
      else this.#accumulate(group ?? this.#create(key, row.slice(0, this.#width), arrival), row, bits);
    }
    left.end();
    const found = this.#found.begin();
    for (const group of this.#groups.values()) {
      for (const result of this.#resultOf(group)) {
        if (result === null) yield null;
        else found.append([...result, group.arrival]);
      }
    }
    found.end();
    this.#forget();
    return left;
  }

  *#resultOf({ fields, states }: Group): Generator<unknown[] | null, void, void> {
    const { limits } = this.#space;
    if (limits.worked(1)) yield null;
    for (const state of states) {
      const unsorted = state.unsorted?.();
      if (state.finish !== undefined) yield* state.finish(workOf(limits, this.#space.memory));
      if (unsorted !== undefined) yield* sortRows(unsorted, order, { limits, bytes: 0 });
    }
    yield [...fields, ...states.map((state) => state.result())];
  }

  #forget(): void {
    let bytes = 0;
    for (const group of this.#groups.values()) bytes += group.bytes;
    this.#groups = new Map();
    this.#space.releaseWritten(bytes);
  }

  #close(): void {
    this.#forget();
    for (const { seen } of this.#columns) seen?.close();
    this.#partitions?.close();
    this.#found.close();
  }
}
