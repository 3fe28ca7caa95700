/** One file of an exported graph that tables are written to. */
import type { StoredTable, TableBatch } from './stored-graph.ts';

export interface TableFile {
  write(table: StoredTable, batch: TableBatch): Promise<void>;
  /** Writes what ends the file; the file itself is finished by its owner. */
  finish(): Promise<void>;
}
