/** The nodes of one label set that are not written yet. */
import type { TableName } from '../../storage/index.ts';
import { PropertyColumns } from './property-columns.ts';
import type { BufferedTable, SealedTable, UnwrittenTable } from './table-buffer.ts';

export class NodeTable implements BufferedTable {
  readonly index: number;
  readonly name: TableName;
  rows = 0;
  readonly properties = new PropertyColumns();

  constructor(index: number, labels: readonly string[]) {
    this.index = index;
    this.name = { kind: 'nodes', labels };
  }

  get bytes(): number {
    return this.properties.bytes;
  }

  truncate(rows: number): void {
    this.rows = rows;
    this.properties.truncate(rows);
  }

  take(firstOrdinal: number): UnwrittenTable[] {
    const { rows, bytes } = this;
    this.rows = 0;
    const columns = this.properties.take(rows, null);
    const table: SealedTable = { ...this.name, rows, columns, minOrdinal: firstOrdinal, denseOrdinals: true, base: true };
    return [{ bytes, sealed: async () => table, release: () => {} }];
  }
}
