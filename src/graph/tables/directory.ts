/**
 * Where each node stands: table and row by ordinal. An entry is written when its ordinal is given and stays while a snapshot may read it:
 * what changed later (a newer version, other labels, deletion) lies in `versions`, so that older snapshots need no other arrays.
 */

import { EMPTY_U16, EMPTY_U32, grown } from '../arrays/shared-array.ts';
import { NO_TABLE } from './node-table.ts';
import type { Shape } from './row-table.ts';
import { type SharedChains, VersionChains } from './version-chains.ts';

/** A directory, as other threads read it. */
export interface SharedDirectory {
  readonly limit: number;
  readonly tableOf: Uint16Array;
  readonly rowOf: Uint32Array;
  readonly versions: SharedChains;
}

/** The place of each node. */
export class Directory {
  /** Ordinals below this were given or skipped. */
  limit = 0;
  tableOf: Uint16Array = EMPTY_U16;
  rowOf: Uint32Array = EMPTY_U32;
  readonly versions = new VersionChains();
  /** Set by `tableAt`. */
  row = 0;
  #versionedSeen = false;

  /** Returns the part of it that readers at `sequence`, a published one, need. */
  share(sequence: number, limit: number): SharedDirectory {
    return { limit, tableOf: this.tableOf, rowOf: this.rowOf, versions: this.versions.share(sequence) };
  }

  /** To read what another thread has shared. */
  follow({ limit, tableOf, rowOf, versions }: SharedDirectory): void {
    this.limit = limit;
    this.tableOf = tableOf;
    this.rowOf = rowOf;
    this.versions.follow(versions);
  }

  /** Gives room to the ordinals below `limit`; new ones belong to no node. */
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

  /** The first `count` rows of a table are nodes with the ordinals from `base` on. */
  setFirstRows(base: number, table: number, count: number): void {
    this.tableOf.fill(table, base, base + count);
    const { rowOf } = this;
    for (let row = 0; row < count; row++) rowOf[base + row] = row;
  }

  /** The table of a node at `sequence`, NO_TABLE where there is none; its row is then `row`. */
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

  /** Counts the first version, and the end of the last one, as changes of form. */
  noteShape(shape: Shape): void {
    const versioned = this.versions.bitmap !== null;
    if (versioned === this.#versionedSeen) return;
    this.#versionedSeen = versioned;
    shape.version++;
  }
}
