/** The form of an index on one key that answers ranges and prefixes: entities sorted by their values. */
import { order, type Value } from '../../value/index.ts';
import { SortedEntries, type ValueRange } from '../arrays/sorted-entries.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { Entities } from './entities.ts';
import { RowForm } from './row-form.ts';

/** The sorted form of an index. */
export class SortedForm extends RowForm {
  readonly #entries = new SortedEntries();

  protected override enter(table: RowTable, from: number, to: number): void {
    const key = this.subject.keys[0] as number;
    for (let row = from; row < to; row++) {
      const value = table.get(row, key);
      if (value !== null) this.#entries.add(value, table.entityOf(row));
    }
  }

  /** Returns the entities whose value lies in the range, ascending by value, then by number. */
  range(range: ValueRange, entities: Entities): Uint32Array {
    this.catchUp(entities.tables);
    const found: number[] = [];
    let last = -1;
    this.#entries.forEach(range, (value, entity) => {
      const now = this.#valueOf(entity, entities);
      if (now === null || (now !== value && order(now, value) !== 0) || entity === last) return;
      found.push(entity);
      last = entity;
    });
    return new Uint32Array(found);
  }

  startingWith(prefix: string, entities: Entities): Uint32Array {
    const from = this.range({ low: prefix, lowInclusive: true, high: null, highInclusive: false }, entities);
    let count = 0;
    for (; count < from.length; count++) {
      const value = this.#valueOf(from[count] as number, entities);
      if (typeof value !== 'string' || !value.startsWith(prefix)) break;
    }
    return from.subarray(0, count);
  }

  #valueOf(entity: number, entities: Entities): Value {
    return entities.locate(entity)?.get(entities.row, this.subject.keys[0] as number) ?? null;
  }
}
