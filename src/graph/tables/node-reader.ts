/** Reading nodes as of a sequence, in every case right: what views, indexes and identifiers are verified against. */
import type { Value } from '../../value/index.ts';
import type { Directory } from './directory.ts';
import { NO_TABLE, type NodeTable } from './node-table.ts';

export interface NodeReader {
  readonly sequence: number;
  readonly nodeLimit: number;
  readonly directory: Directory;
  readonly tables: readonly NodeTable[];
}

/** The table of a node, undefined where it does not exist; its row is then `reader.directory.row`. */
export function tableOfNode(reader: NodeReader, ordinal: number): NodeTable | undefined {
  if (ordinal >= reader.nodeLimit) return undefined;
  const index = reader.directory.tableAt(ordinal, reader.sequence);
  return index === NO_TABLE ? undefined : reader.tables[index];
}

export function nodePropertyOf(reader: NodeReader, ordinal: number, key: number): Value {
  const table = tableOfNode(reader, ordinal);
  return table === undefined ? null : table.get(reader.directory.row, key);
}
