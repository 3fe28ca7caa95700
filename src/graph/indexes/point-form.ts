/** The form of an index on one key that answers areas, from the points in the plane. */
import { type AreaCover, Point } from '../../value/index.ts';
import { ascendingOnce } from '../arrays/ascending.ts';
import { PointEntries } from '../arrays/point-entries.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { Entities } from './entities.ts';
import { RowForm } from './row-form.ts';

/** The spatial form of an index. */
export class PointForm extends RowForm {
  readonly #entries = new PointEntries();

  protected override enter(table: RowTable, from: number, to: number): void {
    const key = this.subject.keys[0] as number;
    for (let row = from; row < to; row++) {
      const value = table.get(row, key);
      if (value instanceof Point) this.#entries.add(value, table.entityOf(row));
    }
  }

  /** Returns entities, ascending: all whose point lies in the cover, and a few whose point once did. */
  area(cover: AreaCover, entities: Entities): readonly number[] {
    this.catchUp(entities.tables);
    const found: number[] = [];
    this.#entries.forEach(cover, (entity) => {
      if (entities.locate(entity) !== undefined) found.push(entity);
    });
    return ascendingOnce(found);
  }
}
