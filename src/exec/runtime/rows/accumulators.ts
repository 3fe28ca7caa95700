/** The states of an aggregate function, one accumulator of the function library for each group. */
import type { GraphCatalog, Work } from '../../../algorithms/index.ts';
import type { AggregateName } from '../../../functions/index.ts';
import { order, type Value } from '../../../value/index.ts';
import { type Accumulator, type AggregateDefinition, aggregates } from '../../functions/index.ts';
import type { Limits } from '../limits.ts';
import { KeySet } from './groups.ts';
import type { KeyValues } from './key-values.ts';
import type { MemoryAccount } from './memory-account.ts';
import { sortRows } from './sort-rows.ts';
import { isShort } from './value-bytes.ts';

/** Binary logarithm of the bytes of a long value that are compared in the time of one step. */
const COMPARED = 6;

/** The accumulators of any aggregate function, by group. */
export class Accumulators {
  private readonly memory: MemoryAccount;
  private readonly create: () => Accumulator;
  private readonly distinct: KeySet[] | null;
  private readonly list: (Accumulator | undefined)[] = [];
  private readonly values: KeyValues;
  private readonly keeps: AggregateDefinition['facts']['keeps'];
  /** Bytes charged for the largest value so far of each group; only for aggregates that keep one value. */
  private readonly largest: number[] = [];

  /** @param catalog the projected graphs, for aggregates that say `usesCatalog` */
  constructor(values: KeyValues, memory: MemoryAccount, name: AggregateName, distinct: boolean, catalog?: GraphCatalog) {
    this.values = values;
    this.memory = memory;
    this.create = () => aggregates[name].create(catalog);
    this.keeps = aggregates[name].facts.keeps;
    this.distinct = distinct ? [] : null;
  }

  add(group: number, value: Value, argument?: Value, third?: Value, fourth?: Value, fifth?: Value): void {
    if (this.distinct !== null) {
      if (value === null) return;
      this.distinct[group] ??= new KeySet();
      if (!this.distinct[group]!.add(this.values.hashKey(value))) return;
      this.memory.charge(1, 2);
      this.memory.chargeBytes(this.distinct[group]!.addedBytes);
    }
    let accumulator = this.list[group];
    if (accumulator === undefined) accumulator = this.list[group] = this.create();
    if (this.keeps === 'values') this.memory.chargeElement(value);
    else if (this.keeps === 'value' && !isShort(value)) this.chargeLargest(group, value);
    accumulator.add(value, argument, third, fourth, fifth);
  }

  private chargeLargest(group: number, value: Value): void {
    const bytes = this.memory.bytesBeside(value);
    this.memory.limits.count(bytes >> COMPARED);
    const known = this.largest[group] ?? 0;
    if (bytes <= known) return;
    this.memory.chargeBytes(bytes - known);
    this.largest[group] = bytes;
  }

  /** Completes the accumulators before results are read, for example by sorting; yields null where other statements should run. */
  *finish(limits: Limits): Generator<null, void, void> {
    for (const accumulator of this.list) {
      const unsorted = accumulator?.unsorted?.();
      if (accumulator?.finish !== undefined) yield* accumulator.finish(workOf(limits, this.memory));
      if (unsorted !== undefined) yield* sortRows(unsorted, order, { limits, bytes: 0 });
    }
  }

  /** Completes the accumulators as `finish` does, in code that cannot yield. */
  finishAtOnce(limits: Limits): void {
    for (const _ of this.finish(limits)) limits.look();
  }

  result(group: number): Value {
    return (this.list[group] ?? this.create()).result();
  }
}

/** Counts and charges the work of completing an accumulator against its statement. */
export function workOf(limits: Limits, memory: MemoryAccount): Work {
  return {
    worked: (steps) => limits.worked(steps),
    charge: (bytes) => memory.chargeBytes(bytes),
    release: (bytes) => memory.release(bytes),
    progress: () => undefined,
    team: null,
  };
}
