/**
 * The contract of all kinds of indexes (docs/decisions/0011-index-contract.md). An index is told of changes of rows, fills
 * itself from the rows at a time of its choice, and is asked through the view of a reader.
 *
 * Rows are only ever appended to tables, or cut off at the end by a rollback. So an index may lag behind: it remembers how
 * many rows of each table it has read, and looks at the rest before or while it answers. An entry says "this row had these
 * values once"; it is verified against the view of the reader, so that each snapshot gets the answer that is right for it.
 */
import type { Value } from '../../value/index.ts';
import type { SharedMultimap } from '../arrays/hash-multimap.ts';
import type { SharedClusters } from '../clusters/shared-clusters.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { IndexState, IndexSubject, IndexView, SettingValue } from '../view/index-view.ts';
import type { Entities } from './entities.ts';

/**
 * The form in which another thread reads an index: plain objects and arrays in shared memory. The parts that the other
 * thread reads never change.
 */
export type SharedIndexForm = SharedMultimap | SharedClusters;

/** The nodes and relationships that a reader sees. */
export interface IndexedGraph {
  nodesWith(labels: readonly number[]): Entities;
  relationshipsOf(type: number): Entities;
}

/** The size of an index in memory: entries that answer equality, one per value that an entity has had, and bytes. */
export interface IndexStatistics {
  readonly entries: number;
  readonly bytes: number;
}

/** An index of any kind. */
export interface GraphIndex {
  readonly subject: IndexSubject;
  readonly state: IndexState;
  /** Returns the size of the entries in memory about the tables. */
  statistics(tables: readonly RowTable[]): IndexStatistics;

  /** Returns the view of a reader on the index. It is valid as long as the reader, and follows the reader when that sees more. */
  seenBy(graph: IndexedGraph): IndexView;

  /** Reads at most `rows` more rows of those tables that are in memory. Returns whether all rows of these have been read. */
  fill(rows: number, tables: readonly RowTable[]): boolean;
  /** Notes that a property of a row has changed in place. */
  rowChanged(table: RowTable, row: number, key: number): void;
  /** Notes that the rows from `rowCount` on were rolled back. */
  truncate(table: RowTable, rowCount: number): void;
  /** Notes that a table was rewritten as `replacement`, with its rows that are still needed. */
  tableReplaced(table: RowTable, replacement: RowTable): void;

  /**
   * Returns the form for readers in other threads, with all rows of the tables entered; null when these threads must fill
   * indexes of their own.
   */
  share(tables: readonly RowTable[]): SharedIndexForm | null;
  /** Lets this index read what another thread has shared, which must hold every row that a reader of this one can see. */
  follow(shared: SharedIndexForm): void;
}

/** A setting that OPTIONS {indexConfig} may give. */
export interface IndexSetting {
  /** A pattern for the name of the setting in lower case. */
  readonly pattern: RegExp;
  /** Describes the allowed values in messages: `a list of 2 numbers`. */
  readonly takes: string;
  /** Returns the value as the definition keeps it; null when it is not an allowed value. */
  read(value: Value): SettingValue | null;
  /**
   * The name under which the definition keeps the setting, and its default (null: none). Absent for a setting that is only
   * checked and has no effect.
   */
  readonly kept?: { readonly name: string; readonly initial: SettingValue | null };
}

/** One kind of index in the table of kinds (index-kinds.ts). SHOW INDEXES and CREATE INDEX use its name there in upper case. */
export interface IndexKind {
  readonly keys: 'none' | 'one' | 'several' | 'one and filters';
  /** Providers by Neo4j's names; the first is the one of SHOW INDEXES. */
  readonly providers: readonly [string, ...string[]];
  readonly settings: readonly IndexSetting[];
  /** Creates an index of this kind; null when its questions are answered without an index. */
  readonly create: ((subject: IndexSubject) => GraphIndex) | null;
}
