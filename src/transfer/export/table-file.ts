/** A file of an exported graph that tables are written to, batch by batch. */
import type { StoredTable } from './stored-graph.ts';
import type { TableBatch } from './table-batch.ts';

/** A file of an exported graph. */
export interface TableFile {
  write(table: StoredTable, batch: TableBatch): Promise<void>;
  /** Writes the end of the file; its owner finishes the file itself. */
  finish(): Promise<void>;
}
