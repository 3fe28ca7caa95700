/** From the ids of one space to nodes. */
import type { FieldBlock, Selection } from '../../formats/index.ts';
import type { BadRows } from '../csv/bad-rows.ts';
import type { IntegerSlots } from './integer-table.ts';
import type { SharedTextTable } from './text-table.ts';

/** The memory of an index, for other threads to look ids up in while nobody changes it. Null: it lies in none that can be shared. */
export type SharedIds =
  | { readonly kind: 'string'; readonly table: SharedTextTable }
  | { readonly kind: 'integer'; readonly size: number; readonly direct: Uint32Array | null; readonly table: IntegerSlots }
  | { readonly kind: 'merged'; readonly known: SharedIds; readonly added: SharedIds };

/** The look-ups of an index that relationships need. */
export interface IdResolver {
  /** Ids are numbers: it helps when the scanner has read them. */
  readonly areIntegers: boolean;
  /** The nodes of these rows' ids, in `nodes[0] … nodes[rows.length - 1]`; NO_NODE where there is none. */
  resolve(block: FieldBlock, column: number, rows: Selection, nodes: Uint32Array, bad: BadRows): void;
  shared(): SharedIds | null;
}

/** An index from ids to nodes. */
export interface IdIndex extends IdResolver {
  readonly size: number;
  /**
   * Gives the ids of these rows to the nodes `firstNode`, `firstNode + 1`, …. Rows without an id, or with one that is
   * taken, are bad; they get no node, the rows after them close up.
   * @returns how many got one
   */
  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number;
  /** Node n becomes `ordinals[n]`. */
  renumber(ordinals: Uint32Array): void;
}
