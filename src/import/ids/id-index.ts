/** Indexes from the ids of one space to nodes. */
import type { FieldBlock, Selection } from '../../formats/index.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import type { IntegerSlots } from './integer-table.ts';
import type { SharedTextTable } from './text-table.ts';

/**
 * The memory of an index, in which other threads look ids up while no thread changes it; `shared` returns null where
 * the index lies in memory that cannot be shared.
 */
export type SharedIds =
  | { readonly kind: 'string'; readonly table: SharedTextTable }
  | { readonly kind: 'integer'; readonly size: number; readonly direct: Uint32Array | null; readonly table: IntegerSlots }
  | { readonly kind: 'merged'; readonly known: SharedIds; readonly added: SharedIds };

/** Looks up ids, as relationships need it. */
export interface IdResolver {
  /** Whether ids are integers; looking them up is faster when the scanner has read them as such. */
  readonly areIntegers: boolean;
  /** Looks up the ids of rows. `nodes[i]` gets the node of row `rows[i]`, or NO_NODE where there is none. */
  resolve(block: FieldBlock, column: number, rows: Selection, nodes: Uint32Array, bad: BadRows): void;
  shared(): SharedIds | null;
}

/** An index from ids to nodes. */
export interface IdIndex extends IdResolver {
  readonly size: number;
  /**
   * Gives the ids of rows to the nodes `firstNode`, `firstNode + 1`, …. Rows without an id, or with one that is taken,
   * are bad: they get no node, and the following rows move up.
   *
   * @returns how many rows got a node
   */
  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number;
  /** Replaces the number n of each node by `ordinals[n]`. */
  renumber(ordinals: Uint32Array): void;
}
