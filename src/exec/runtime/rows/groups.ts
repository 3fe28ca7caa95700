/** The states of grouping, aggregation, DISTINCT and joins. Groups are numbered from 0. */

import type { DictionaryView } from '../../../graph/index.ts';
import {
  CypherDate,
  equals,
  type HashKey,
  INT64_MAX,
  INT64_MIN,
  makeFloat,
  makeInteger,
  NodeValue,
  overflowFault,
  type Value,
} from '../../../value/index.ts';
import { MEAN_SCALE, meanOf } from '../../functions/index.ts';
import type { KeyValues } from './key-values.ts';
import type { MemoryAccount } from './memory-account.ts';
import { OrdinalMap } from './ordinal-map.ts';
import { bytesOfKey } from './value-bytes.ts';

type Fields = readonly unknown[];

/** V8 limits a Map or Set to 2^24 entries; with this many, another one is begun. */
const SHARD_LIMIT = 1 << 23;

/** Keys below this are always kept in the array, even if they are few. */
const FEW_KEYS = 1 << 12;

/** Groups rows by a small integer: an ordinal or a dictionary code, -1 for null. */
export class OrdinalGroups {
  found = -1;
  /** The group number plus 1 of each key; 0 if the key has no group, or is kept elsewhere. Read by generated code. */
  dense = new Int32Array(64);
  private readonly sparse = new OrdinalMap(64);
  private largest = 0;
  private nullGroup = -1;
  private readonly rows: Fields[] = [];

  get size(): number {
    return this.rows.length;
  }

  fields(group: number): Fields {
    return this.rows[group]!;
  }

  of(key: number): number {
    if (key < 0) this.found = this.nullGroup;
    else this.found = key < this.dense.length ? this.dense[key]! - 1 : this.sparse.get(key);
    return this.found;
  }

  add(key: number, fields: Fields, memory: MemoryAccount): number {
    const group = this.rows.push(fields) - 1;
    memory.charge(1, fields.length + 1);
    if (key < 0) this.nullGroup = group;
    else if (key < FEW_KEYS || key < this.dense.length) this.addDense(key, group);
    else this.addSparse(key, group);
    return group;
  }

  private addSparse(key: number, group: number): void {
    this.sparse.set(key, group);
    if (key > this.largest) this.largest = key;
    if (this.sparse.size < 128 || this.sparse.size * 16 < this.largest) return;
    this.widen(this.largest * 2 + 1);
  }

  private addDense(key: number, group: number): void {
    if (key >= this.dense.length) this.widen(Math.max(key + 1, Math.min(FEW_KEYS, this.dense.length * 4)));
    this.dense[key] = group + 1;
  }

  /** Extends the array to keys below `length`. */
  private widen(length: number): void {
    const before = this.dense.length;
    const wider = new Int32Array(length);
    wider.set(this.dense);
    if (this.sparse.size > 0) for (let key = before; key < length; key++) wider[key] = this.sparse.get(key) + 1;
    this.dense = wider;
  }
}

/**
 * Groups rows by a string of a small dictionary, or null: the number of a group is the code of its string plus 1, or 0
 * for null. No row needs a look-up; generated code marks the groups that have rows.
 */
export class CodeGroups {
  /** One more than the number of codes; not every number is a group. */
  size = 0;
  dictionary: DictionaryView | null = null;
  /** Marks the groups that have a row with 1. */
  seen = new Uint8Array(0);

  /** Prepares for reading rows of the dictionary, which may have grown since. @returns how many groups there may be */
  begin(dictionary: DictionaryView, memory: MemoryAccount): number {
    const size = dictionary.size + 1;
    if (size > this.size) {
      memory.charge(size - this.size, 1);
      const seen = new Uint8Array(size);
      seen.set(this.seen);
      this.seen = seen;
    }
    this.dictionary = dictionary;
    this.size = size;
    return size;
  }
}

const DENSE_KEYS = 1 << 20;

/**
 * Groups rows by an Integer or null, with an array for small integers and a map for the other keys.
 *
 * An integer from 0 to below `own` is the number of its group and needs no look-up; it is a group only if generated
 * code has marked it in `seen`. The other groups are numbered from `own` on.
 */
export class IntegerGroups {
  found = -1;
  /** The group number plus 1 of each small key; 0 if there is none. Read by generated code. */
  dense = new Int32Array(256);
  /** Marks the integers below `own` that have a row with 1. */
  readonly seen: Uint8Array;
  protected readonly own: number;
  private readonly rows: Fields[] = [];
  private readonly others = new KeyGroups();
  private readonly groupOfOther: number[] = [];

  constructor(own = 0) {
    this.own = own;
    this.seen = new Uint8Array(own);
  }

  get size(): number {
    return this.own + this.rows.length;
  }

  has(group: number): boolean {
    return group >= this.own || this.seen[group] === 1;
  }

  fields(group: number): Fields {
    return group < this.own ? [group] : this.rows[group - this.own]!;
  }

  of(key: number | bigint | null): number {
    if (typeof key === 'number' && key >= 0 && key < DENSE_KEYS) this.found = key < this.dense.length ? this.dense[key]! - 1 : -1;
    else {
      const other = this.others.of(key);
      this.found = other < 0 ? -1 : this.groupOfOther[other]!;
    }
    return this.found;
  }

  add(key: number | bigint | null, fields: Fields, memory: MemoryAccount): number {
    const group = this.own + this.rows.push(fields) - 1;
    if (typeof key === 'number' && key >= 0 && key < DENSE_KEYS) {
      memory.charge(1, fields.length + 1);
      if (key >= this.dense.length) {
        const wider = new Int32Array(Math.min(DENSE_KEYS, Math.max(key + 1, this.dense.length * 4)));
        wider.set(this.dense);
        this.dense = wider;
      }
      this.dense[key] = group + 1;
    } else this.groupOfOther[this.others.add(key, [], memory)] = group;
    return group;
  }
}

/** Groups rows by a Date, whose days since 1970 are the integer. */
export class DayGroups extends IntegerGroups {
  override fields(group: number): Fields {
    return group < this.own ? [new CypherDate(group)] : super.fields(group);
  }
}

/** Groups rows by a primitive value that stands for the key. */
export class KeyGroups {
  found = -1;
  private readonly shards: Map<HashKey, number>[] = [new Map()];
  private readonly rows: Fields[] = [];

  get size(): number {
    return this.rows.length;
  }

  fields(group: number): Fields {
    return this.rows[group]!;
  }

  of(key: HashKey): number {
    for (const shard of this.shards) {
      const group = shard.get(key);
      if (group !== undefined) {
        this.found = group;
        return group;
      }
    }
    return -1;
  }

  add(key: HashKey, fields: Fields, memory: MemoryAccount): number {
    const group = this.rows.push(fields) - 1;
    memory.charge(1, fields.length + 4);
    memory.chargeBytes(bytesOfKey(key));
    memory.chargeValues(fields);
    let last = this.shards[this.shards.length - 1]!;
    if (last.size >= SHARD_LIMIT) this.shards.push((last = new Map()));
    last.set(key, group);
    return group;
  }
}

/** Bytes for a key in a set of DISTINCT. */
export const BYTES_PER_SEEN = 88;

/** A set of keys of any type. */
export class KeySet {
  size = 0;
  /** Bytes of all long keys, beside their places in the set; `addedBytes` are those of the key that was added last. */
  bytes = 0;
  addedBytes = 0;
  private readonly shards: Set<HashKey>[] = [new Set()];

  has(key: HashKey): boolean {
    for (const shard of this.shards) if (shard.has(key)) return true;
    return false;
  }

  /** Adds a key. Returns true if it was not in the set. */
  add(key: HashKey): boolean {
    for (const shard of this.shards) if (shard.has(key)) return false;
    let last = this.shards[this.shards.length - 1]!;
    if (last.size >= SHARD_LIMIT) this.shards.push((last = new Set()));
    last.add(key);
    this.addedBytes = bytesOfKey(key);
    this.bytes += this.addedBytes;
    this.size++;
    return true;
  }
}

/** A set of JavaScript numbers that are integers, and null; open addressing. */
export class IntegerSet {
  size = 0;
  private keys = new Float64Array(64).fill(Number.NaN);
  private mask = 63;
  private hasNull = false;

  /** Adds a key. Returns true if it was not in the set. */
  add(key: number | null): boolean {
    if (key === null) {
      if (this.hasNull) return false;
      this.hasNull = true;
    } else if (!this.place(key)) return false;
    if (++this.size * 2 > this.mask) this.grow();
    return true;
  }

  private place(key: number): boolean {
    const { keys, mask } = this;
    let slot = slotOf(key) & mask;
    for (let found = keys[slot]!; found === found; found = keys[slot]!) {
      if (found === key) return false;
      slot = (slot + 1) & mask;
    }
    keys[slot] = key;
    return true;
  }

  private grow(): void {
    const { keys } = this;
    this.keys = new Float64Array(keys.length * 4).fill(Number.NaN);
    this.mask = this.keys.length - 1;
    for (let i = 0; i < keys.length; i++) if (keys[i] === keys[i]) this.place(keys[i]!);
  }
}

/** Hashes a number; for a number beyond 32 bits, its upper part is included. */
function slotOf(key: number): number {
  const low = key | 0;
  const mixed = low === key ? low : low ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x85ebca6b);
  return Math.imul(mixed, 0x9e3779b1) >>> 7;
}

function widened(array: Float64Array<ArrayBuffer>, group: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(Math.max(group + 1, array.length * 4));
  wider.set(array);
  return wider;
}

/** The states of count(*) and count(expression). Generated code adds to `counts` directly, for groups that it has reserved. */
export class Counts {
  counts = new Float64Array(64);

  reserve(group: number): void {
    if (group >= this.counts.length) this.counts = widened(this.counts, group);
  }

  add(group: number, count: number): void {
    this.reserve(group);
    this.counts[group]! += count;
  }

  get(group: number): number {
    return this.counts[group] ?? 0;
  }
}

/** The states of sum() over Integers, exact beyond the safe integers. `get` throws ARITHMETIC_ERROR if a sum ends outside 64 bits. */
export class IntegerSums {
  /** Sums within the safe integers. Generated code adds to them directly, for groups that it has reserved. */
  sums = new Float64Array(64);
  private readonly wide: (bigint | undefined)[] = [];

  reserve(group: number): void {
    if (group >= this.sums.length) this.sums = widened(this.sums, group);
  }

  add(group: number, value: number | bigint): void {
    this.reserve(group);
    if (typeof value === 'number') {
      const sum = this.sums[group]! + value;
      if (Number.isSafeInteger(sum)) {
        this.sums[group] = sum;
        return;
      }
    }
    this.wide[group] = (this.wide[group] ?? 0n) + BigInt(this.sums[group]!) + BigInt(value);
    this.sums[group] = 0;
  }

  get(group: number): Value {
    const wide = this.wide[group];
    if (wide === undefined) return this.sums[group] ?? 0;
    const sum = wide + BigInt(this.sums[group]!);
    if (sum > INT64_MAX || sum < INT64_MIN) throw overflowFault('sum()');
    return makeInteger(sum);
  }

  /** Returns the exact sum divided by the count; the sum may exceed 64 bits. */
  mean(group: number, count: number): number {
    return Number((this.wide[group] ?? 0n) + BigInt(this.sums[group] ?? 0)) / count;
  }
}

/** The states of sum() over Floats. The result is a Float, or the Integer 0 if there was no value. */
export class FloatSums {
  sums = new Float64Array(64);
  counts = new Float64Array(64);

  reserve(group: number): void {
    if (group < this.sums.length) return;
    this.sums = widened(this.sums, group);
    this.counts = widened(this.counts, group);
  }

  add(group: number, value: number): void {
    this.reserve(group);
    this.sums[group]! += value;
    this.counts[group]!++;
  }

  get(group: number): Value {
    return (this.counts[group] ?? 0) === 0 ? 0 : makeFloat(this.sums[group]!);
  }
}

/** The states of avg() over Floats: the sum, and the scaled sum that `meanOf` needs. Generated code adds to both directly. */
export class FloatMeans {
  sums = new Float64Array(64);
  scaled = new Float64Array(64);

  reserve(group: number): void {
    if (group < this.sums.length) return;
    this.sums = widened(this.sums, group);
    this.scaled = widened(this.scaled, group);
  }

  add(group: number, value: number): void {
    this.reserve(group);
    this.sums[group]! += value;
    this.scaled[group]! += value * MEAN_SCALE;
  }

  mean(group: number, count: number): number {
    return meanOf(this.sums[group]!, this.scaled[group]!, count);
  }
}

/** The states of avg(): the sum divided by the count; null if there is no value. */
export class Averages<T extends number | bigint> {
  /** Generated code adds to the sums and to `counts` directly. */
  readonly sums: { reserve(group: number): void; add(group: number, value: T): void; mean(group: number, count: number): number };
  counts = new Float64Array(64);

  constructor(sums: Averages<T>['sums']) {
    this.sums = sums;
  }

  reserve(group: number): void {
    this.sums.reserve(group);
    if (group >= this.counts.length) this.counts = widened(this.counts, group);
  }

  add(group: number, value: T): void {
    this.addPart(group, value, 1);
  }

  /** Adds `count` values by their sum. */
  addPart(group: number, sum: T, count: number): void {
    this.reserve(group);
    this.sums.add(group, sum);
    this.counts[group]! += count;
  }

  get(group: number): Value {
    return this.over(group, this.counts[group] ?? 0);
  }

  /** Returns the mean for a count that was kept elsewhere; null for 0. */
  over(group: number, count: number): Value {
    return count === 0 ? null : makeFloat(this.sums.mean(group, count));
  }
}

/** The states of min() and max() over numbers or days, which generated code compares; `has` marks the groups with a value. */
export class Extremes {
  values = new Float64Array(64);
  has = new Uint8Array(64);

  reserve(group: number): void {
    if (group < this.values.length) return;
    this.values = widened(this.values, group);
    const wider = new Uint8Array(this.values.length);
    wider.set(this.has);
    this.has = wider;
  }

  integer(group: number): Value {
    return this.has[group] === 1 ? this.values[group]! : null;
  }

  float(group: number): Value {
    return this.has[group] === 1 ? makeFloat(this.values[group]!) : null;
  }

  date(group: number): Value {
    return this.has[group] === 1 ? new CypherDate(this.values[group]!) : null;
  }
}

/** The states of count(DISTINCT …) over values that integers stand for: Integers, days, codes of one dictionary. */
export class DistinctIntegerCounts {
  private readonly memory: MemoryAccount;
  private readonly sets: (IntegerSet | undefined)[] = [];

  constructor(memory: MemoryAccount) {
    this.memory = memory;
  }

  add(group: number, key: number): void {
    const set = (this.sets[group] ??= new IntegerSet());
    if (set.add(key)) this.memory.charge(1, 1);
  }

  get(group: number): number {
    return this.sets[group]?.size ?? 0;
  }
}

type Row = readonly unknown[];

const NO_ROWS: readonly Row[] = [];

/** The build side of a hash join, by key values. Keys that contain null or NaN match nothing and are not kept. */
export class JoinTable {
  private readonly values: KeyValues;
  private readonly memory: MemoryAccount;
  private readonly groups = new Map<HashKey, Row[]>();

  constructor(values: KeyValues, memory: MemoryAccount) {
    this.values = values;
    this.memory = memory;
  }

  insert(keys: readonly Value[], row: Row): void {
    if (joinable(keys)) this.put(this.values.hashKeyOf(keys), row);
  }

  find(keys: readonly Value[]): readonly Row[] {
    return joinable(keys) ? (this.groups.get(this.values.hashKeyOf(keys)) ?? NO_ROWS) : NO_ROWS;
  }

  /** Adds a row that is joined on a single value. */
  insertOne(key: Value, row: Row): void {
    if (isJoinable(key)) this.put(this.values.hashKey(key), row);
  }

  findOne(key: Value): readonly Row[] {
    return isJoinable(key) ? (this.groups.get(this.values.hashKey(key)) ?? NO_ROWS) : NO_ROWS;
  }

  private put(key: HashKey, row: Row): void {
    const rows = this.groups.get(key);
    if (rows !== undefined) {
      rows.push(row);
      return;
    }
    this.memory.chargeBytes(bytesOfKey(key));
    this.groups.set(key, [row]);
  }
}

/** Tells whether a key can match: null and NaN equal nothing, nor does a list that holds one of these. */
export function joinable(keys: readonly Value[]): boolean {
  return keys.every(isJoinable);
}

function isJoinable(key: Value): boolean {
  if (typeof key !== 'object') return !(typeof key === 'number' && Number.isNaN(key));
  return key !== null && equals(key, key) === true;
}

/** The build side of a join on a node, by its ordinal; -1 stands for null and matches nothing. */
export class NodeJoinTable {
  private readonly groups = new OrdinalMap();
  private readonly rows: Row[][] = [];

  insert(ordinal: number, row: Row): void {
    if (ordinal < 0) return;
    const group = this.groups.get(ordinal);
    if (group >= 0) this.rows[group]!.push(row);
    else this.groups.set(ordinal, this.rows.push([row]) - 1);
  }

  find(ordinal: number): readonly Row[] {
    const group = ordinal < 0 ? -1 : this.groups.get(ordinal);
    return group < 0 ? NO_ROWS : this.rows[group]!;
  }

  /** Returns the rows for a value of any type: a value that is no node matches none. */
  findValue(value: Value): readonly Row[] {
    return value instanceof NodeValue ? this.find(value.ordinal) : NO_ROWS;
  }
}

/** The build side of a join on a node whose rows hold nothing else: only the number of rows per node is kept. */
export class NodeJoinCounts {
  private readonly counts = new OrdinalMap();

  insert(ordinal: number): void {
    if (ordinal >= 0) this.counts.set(ordinal, Math.max(0, this.counts.get(ordinal)) + 1);
  }

  find(ordinal: number): number {
    return ordinal < 0 ? 0 : Math.max(0, this.counts.get(ordinal));
  }

  /** Returns the number of rows for a value of any type: a value that is no node matches none. */
  findValue(value: Value): number {
    return value instanceof NodeValue ? this.find(value.ordinal) : 0;
  }
}
