/** The tables of all relationship types of an import. */
import { GraphDBError } from '../base/index.ts';
import type { RelationshipPiece } from './tables/relationship-piece.ts';
import { RelationshipTable, type RelationshipTableOptions } from './tables/relationship-table.ts';
import type { TableBuffer } from './tables/table-buffer.ts';

const MOST_RELATIONSHIPS = 2 ** 32 - 2;

/** The relationship types of an import. */
export class RelationshipTables {
  readonly #buffer: TableBuffer<RelationshipTable>;
  readonly #options: Omit<RelationshipTableOptions, 'type'>;
  readonly #byType = new Map<string, RelationshipTable>();
  /** How many relationships have been added so far. */
  count = 0;

  constructor(buffer: TableBuffer<RelationshipTable>, options: Omit<RelationshipTableOptions, 'type'>) {
    this.#buffer = buffer;
    this.#options = options;
  }

  add(piece: RelationshipPiece): void {
    const table = this.#ofType(piece.type);
    if (!table.accepts(piece)) this.#buffer.seal(table);
    table.add(piece);
    this.count += piece.rows;
    if (this.count > MOST_RELATIONSHIPS) throw new GraphDBError('UNSUPPORTED', 'a namespace holds at most 2^32 - 2 relationships');
  }

  #ofType(type: string): RelationshipTable {
    let table = this.#byType.get(type);
    if (table === undefined) {
      table = new RelationshipTable({ ...this.#options, type });
      this.#byType.set(type, table);
      this.#buffer.tables.push(table);
    }
    return table;
  }
}
