/** From the ids of one space to nodes. */
import type { BadRows } from '../csv/bad-rows.ts';
import type { FieldBlock, Selection } from '../csv/field-block.ts';

/** Stands for a node that is not there. */
export const NO_NODE = 0xffff_ffff;

export interface IdIndex {
  readonly size: number;
  /**
   * Gives the ids of these rows to the nodes `firstNode`, `firstNode + 1`, …. Rows without an id, or with one that is taken, are bad; they get no node, the rows after them close up.
   * @returns how many got one
   */
  insert(block: FieldBlock, column: number, rows: Selection, firstNode: number, bad: BadRows): number;
  /** The nodes of these rows' ids, in `nodes[0] … nodes[rows.length - 1]`; NO_NODE where there is none. */
  resolve(block: FieldBlock, column: number, rows: Selection, nodes: Uint32Array, bad: BadRows): void;
  /** Node n becomes `ordinals[n]`. */
  renumber(ordinals: Uint32Array): void;
}
