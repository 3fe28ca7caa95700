/**
 * The contract of all kinds of indexes (docs/decisions/0011-index-contract.md). An index is told what happens to rows,
 * fills itself from them when it likes, and is asked through the view of a reader.
 *
 * Rows are only ever added to tables, or cut off again at the end by a rollback. So an index may lag behind: it
 * remembers how many rows of each table it has read, and looks at the others itself before it answers, or while it
 * does. An entry says "this row had these values once": it is verified against the view that asks, so that each
 * snapshot gets its own right answer.
 */
import type { Value } from '../../value/index.ts';
import type { SharedMultimap } from '../arrays/hash-multimap.ts';
import type { SharedClusters } from '../clusters/shared-clusters.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { IndexState, IndexSubject, IndexView, SettingValue } from '../view/index-view.ts';
import type { Entities } from './entities.ts';

/**
 * The form in which another thread reads an index: plain objects and arrays in shared memory, of which nothing is
 * changed that the other thread looks at.
 */
export type SharedIndexForm = SharedMultimap | SharedClusters;

/** The nodes and relationships that a reader sees. */
export interface IndexedGraph {
  nodesWith(labels: readonly number[]): Entities;
  relationshipsOf(type: number): Entities;
}

/** Entries for equality: one for each value that an entity has had, and for each version of the entity that was read. */
export interface IndexStatistics {
  readonly entries: number;
  readonly bytes: number;
}

/** An index of any kind. */
export interface GraphIndex {
  readonly subject: IndexSubject;
  readonly state: IndexState;
  /** Counts what it has in memory about the tables. */
  statistics(tables: readonly RowTable[]): IndexStatistics;

  /** Begins to answer for a reader. The view is valid as long as the reader is, and sees what the reader comes to see. */
  seenBy(graph: IndexedGraph): IndexView;

  /** Reads so many rows more at most, of tables that are in memory. Returns whether none of these is left. */
  fill(rows: number, tables: readonly RowTable[]): boolean;
  /** A property of a row has changed in place. */
  rowChanged(table: RowTable, row: number, key: number): void;
  /** Rows from `rowCount` on were taken back. */
  truncate(table: RowTable, rowCount: number): void;
  /** The rows of a table that are still needed stand in another table from now on. */
  tableReplaced(table: RowTable, replacement: RowTable): void;

  /**
   * Returns the form that a reader in another thread may use, with all rows of the tables in it; null: nothing, it
   * fills an index of its own.
   */
  share(tables: readonly RowTable[]): SharedIndexForm | null;
  /** To read what another thread has shared: it holds every row that a reader here can see. */
  follow(shared: SharedIndexForm): void;
}

/** A setting that OPTIONS {indexConfig} may give. */
export interface IndexSetting {
  /** Matches the name of the setting in lower case. */
  readonly pattern: RegExp;
  /** A description of the values that it takes, for messages: `a list of 2 numbers`. */
  readonly takes: string;
  /** Returns the value as it is kept; null: it cannot be the value of this setting. */
  read(value: Value): SettingValue | null;
  /**
   * How the definition keeps it: by which name, and what it is where it was not given (null: nothing). Absent: the
   * value is checked, and changes nothing.
   */
  readonly kept?: { readonly name: string; readonly initial: SettingValue | null };
}

/** One row of the table of kinds (index-kinds.ts). SHOW INDEXES and CREATE INDEX name it as the table does, in upper case. */
export interface IndexKind {
  readonly keys: 'none' | 'one' | 'several' | 'one and filters';
  /** Providers by Neo4j's names; the first is the one of SHOW INDEXES. */
  readonly providers: readonly [string, ...string[]];
  readonly settings: readonly IndexSetting[];
  /** null: what it is asked for is found without an index. */
  readonly create: ((subject: IndexSubject) => GraphIndex) | null;
}
