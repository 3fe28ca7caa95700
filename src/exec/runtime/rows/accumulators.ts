/** The state of an aggregate that is kept by an accumulator of the function library, by group. */
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

/** Any aggregate function. */
export class Accumulators {
  private readonly memory: MemoryAccount;
  private readonly create: () => Accumulator;
  private readonly distinct: KeySet[] | null;
  private readonly list: (Accumulator | undefined)[] = [];
  private readonly values: KeyValues;
  private readonly keeps: AggregateDefinition['facts']['keeps'];
  /** The memory of the largest value so far of each group, where one value is kept. */
  private readonly largest: number[] = [];

  /** @param catalog of projected graphs, for aggregates that say `usesCatalog` */
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
    const known = this.largest[group] ?? 0;
    if (bytes <= known) return;
    this.memory.chargeBytes(bytes - known);
    this.largest[group] = bytes;
  }

  /** Before results are asked for: sorts what is to be sorted, and gives way meanwhile. */
  *finish(limits: Limits): Generator<null, void, void> {
    for (const accumulator of this.list) {
      const unsorted = accumulator?.unsorted?.();
      if (accumulator?.finish !== undefined) yield* accumulator.finish(workOf(limits, this.memory));
      if (unsorted !== undefined) yield* sortRows(unsorted, order, { limits, bytes: 0 });
    }
  }

  /** `finish` where nobody can give way. */
  finishAtOnce(limits: Limits): void {
    for (const _ of this.finish(limits)) limits.look();
  }

  result(group: number): Value {
    return (this.list[group] ?? this.create()).result();
  }
}

/** The work of an accumulator that is finished, counted and charged as that of its statement. */
export function workOf(limits: Limits, memory: MemoryAccount): Work {
  return {
    worked: (steps) => limits.worked(steps),
    charge: (bytes) => memory.chargeBytes(bytes),
    release: (bytes) => memory.release(bytes),
    progress: () => undefined,
    team: null,
  };
}
