/** Reads nodes as of a sequence from the tables themselves: views, indexes and identifiers verify their entries against it. */
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
 * Returns the table of a node, and sets `reader.directory.row` to its row there; undefined when the node does not exist.
 * @throws INTERNAL when the node may be in a file that is not loaded
 */
export function tableOfNode(reader: NodeReader, ordinal: number): NodeTable | undefined {
  const table = loadedTableOfNode(reader, ordinal);
  if (table === undefined) assertNoNode(reader, ordinal);
  return table;
}

/** `tableOfNode` that returns undefined also for a node that is not in memory. */
export function loadedTableOfNode(reader: NodeReader, ordinal: number): NodeTable | undefined {
  if (ordinal >= reader.nodeLimit) return undefined;
  const index = reader.directory.tableAt(ordinal, reader.sequence);
  return index === NO_TABLE ? undefined : reader.tables[index];
}

/**
 * Asserts that a node which the directory does not know does not exist. A node with versions there was deleted in memory.
 * @throws INTERNAL when the node may be in a file that is not loaded
 */
export function assertNoNode({ directory, nodeLimit, tables }: NodeReader, ordinal: number): void {
  if (ordinal >= nodeLimit || directory.versions.has(ordinal)) return;
  for (const { stored } of tables) {
    if (stored !== null && !stored.rowsLoaded && mayHold(stored, ordinal)) throw notLoaded(`node ${ordinal}`);
  }
}

/** Returns a property of a node; null when the node does not exist or does not have it. */
export function nodePropertyOf(reader: NodeReader, ordinal: number, key: number): Value {
  const table = tableOfNode(reader, ordinal);
  return table === undefined ? null : table.get(reader.directory.row, key);
}

/**
 * Returns the identifier that the user set; null when the user set none, or the node does not exist, or no file that may
 * hold the node has identifiers. @throws INTERNAL when the identifier may be in a file that is not loaded
 */
export function nodeIdOf(reader: NodeReader, ordinal: number): string | null {
  const table = loadedTableOfNode(reader, ordinal);
  if (table !== undefined) return table.idAt(reader.directory.row);
  if (reader.tables.some(({ stored }) => stored?.idsLoaded === false)) assertNoNode(reader, ordinal);
  return null;
}
