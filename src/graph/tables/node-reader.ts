/** Reading nodes as of a sequence, in every case right: what views, indexes and identifiers are verified against. */
import type { Value } from '../../value/index.ts';
import { notLoaded } from '../view/residency.ts';
import type { Directory } from './directory.ts';
import { NO_TABLE, type NodeTable } from './node-table.ts';
import { mayHold } from './table-files.ts';

/** Reads nodes as of a sequence. */
export interface NodeReader {
  readonly sequence: number;
  readonly nodeLimit: number;
  readonly directory: Directory;
  readonly tables: readonly NodeTable[];
}

/**
 * The table of a node, undefined where it does not exist; its row is then `reader.directory.row`. INTERNAL: it may lie
 * in a file that was not loaded.
 */
export function tableOfNode(reader: NodeReader, ordinal: number): NodeTable | undefined {
  const table = loadedTableOfNode(reader, ordinal);
  if (table === undefined) assertNoNode(reader, ordinal);
  return table;
}

/** The table of a node, undefined also where it is not in memory; its row is then `reader.directory.row`. */
export function loadedTableOfNode(reader: NodeReader, ordinal: number): NodeTable | undefined {
  if (ordinal >= reader.nodeLimit) return undefined;
  const index = reader.directory.tableAt(ordinal, reader.sequence);
  return index === NO_TABLE ? undefined : reader.tables[index];
}

/**
 * INTERNAL: a node that the directory does not know may lie in a file that was not loaded. One that has left its table
 * in memory has versions there.
 */
export function assertNoNode({ directory, nodeLimit, tables }: NodeReader, ordinal: number): void {
  if (ordinal >= nodeLimit || directory.versions.has(ordinal)) return;
  for (const { stored } of tables) {
    if (stored !== null && !stored.rowsLoaded && mayHold(stored, ordinal)) throw notLoaded(`node ${ordinal}`);
  }
}

/** Returns a property of a node; null: it has none. */
export function nodePropertyOf(reader: NodeReader, ordinal: number, key: number): Value {
  const table = tableOfNode(reader, ordinal);
  return table === undefined ? null : table.get(reader.directory.row, key);
}

/**
 * The identifier that the user set; null: none, or no such node. A node whose table is not loaded has none where no
 * file of the table has one. INTERNAL: one was not loaded.
 */
export function nodeIdOf(reader: NodeReader, ordinal: number): string | null {
  const table = loadedTableOfNode(reader, ordinal);
  if (table !== undefined) return table.idAt(reader.directory.row);
  if (reader.tables.some(({ stored }) => stored?.idsLoaded === false)) assertNoNode(reader, ordinal);
  return null;
}
