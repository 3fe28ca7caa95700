/** One file of an exported graph that tables are written to. */
import type { StoredTable } from './stored-graph.ts';
import type { TableBatch } from './table-batch.ts';

/** A file of an exported graph. */
export interface TableFile {
  write(table: StoredTable, batch: TableBatch): Promise<void>;
  /** Writes what ends the file; the file itself is finished by its owner. */
  finish(): Promise<void>;
}
