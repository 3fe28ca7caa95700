/**
 * Maps the ordinal of each node to its table and row. An entry is written when its ordinal is given out, and stays while a snapshot may
 * read it: later changes (a newer version, other labels, deletion) are kept in `versions`, so that older snapshots read the same arrays.
 */

import { EMPTY_U16, EMPTY_U32, grown } from '../arrays/shared-array.ts';
import { NO_TABLE } from './node-table.ts';
import type { Shape } from './row-table.ts';
import { type SharedChains, VersionChains } from './version-chains.ts';

/** The arrays of a directory, for other threads to read. */
export interface SharedDirectory {
  readonly limit: number;
  readonly tableOf: Uint16Array;
  readonly rowOf: Uint32Array;
  readonly versions: SharedChains;
}

/** The table and row of each node. */
export class Directory {
  /** Ordinals below this were given out or skipped. */
  limit = 0;
  tableOf: Uint16Array = EMPTY_U16;
  rowOf: Uint32Array = EMPTY_U32;
  readonly versions = new VersionChains();
  /** The row of the node that `tableAt` was last asked for. */
  row = 0;
  #versionedSeen = false;

  /** Returns the arrays for readers at `sequence`, which must be published. */
  share(sequence: number, limit: number): SharedDirectory {
    return { limit, tableOf: this.tableOf, rowOf: this.rowOf, versions: this.versions.share(sequence) };
  }

  /** Lets this directory read what another thread has shared. */
  follow({ limit, tableOf, rowOf, versions }: SharedDirectory): void {
    this.limit = limit;
    this.tableOf = tableOf;
    this.rowOf = rowOf;
    this.versions.follow(versions);
  }

  /** Makes room for the ordinals below `limit`; added ordinals belong to no node. */
  extend(limit: number): void {
    if (limit <= this.limit) return;
    if (limit > this.tableOf.length) {
      this.tableOf = grown(this.tableOf, limit);
      this.rowOf = grown(this.rowOf, limit);
    }
    if (limit === this.limit + 1) this.tableOf[this.limit] = NO_TABLE;
    else this.tableOf.fill(NO_TABLE, this.limit, limit);
    this.limit = limit;
  }

  set(ordinal: number, table: number, row: number): void {
    this.tableOf[ordinal] = table;
    this.rowOf[ordinal] = row;
  }

  /** Enters the first `count` rows of a table, whose nodes have the ordinals from `base` on. */
  setFirstRows(base: number, table: number, count: number): void {
    this.tableOf.fill(table, base, base + count);
    const { rowOf } = this;
    for (let row = 0; row < count; row++) rowOf[base + row] = row;
  }

  /** Returns the table of a node at `sequence`, and sets `row` to its row there; NO_TABLE when the node does not exist. */
  tableAt(ordinal: number, sequence: number): number {
    if (ordinal >= this.limit) return NO_TABLE;
    if (this.versions.has(ordinal)) {
      const entry = this.versions.find(ordinal, sequence);
      if (entry >= 0) {
        this.row = this.versions.rows[entry] as number;
        return this.versions.tables[entry] as number;
      }
    }
    this.row = this.rowOf[ordinal] as number;
    return this.tableOf[ordinal] as number;
  }

  /** Raises the shape version when `versions` has got its first entry or has lost its last one. */
  noteShape(shape: Shape): void {
    const versioned = this.versions.bitmap !== null;
    if (versioned === this.#versionedSeen) return;
    this.#versionedSeen = versioned;
    shape.version++;
  }
}
