/**
 * Nodes with certain labels, or relationships of a type, as one reader sees them: what an index reads rows of, and
 * verifies its entries against.
 */
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { loadedTableOfNode, type NodeReader } from '../tables/node-reader.ts';
import type { RowTable } from '../tables/row-table.ts';

const NO_TABLES: readonly RowTable[] = [];

/** Nodes or relationships, as an index sees them. */
export interface Entities {
  /** To be called before each question: shows what the reader sees by then. */
  take(): void;
  /** In which their rows stand, among others. */
  readonly tables: readonly RowTable[];
  /** As long as it is the same, no row comes to the reader; -1: rows may come at any time. */
  readonly rowsRevision: number;
  /** Rows of one of the tables from here on are not seen. */
  rowCountOf(table: RowTable): number;
  /** The table in whose home rows entities are numbered; null: they are numbered by ordinals. */
  readonly homeTable: RowTable | null;
  /** Returns the table of an entity, whose row is then `row`; undefined: the reader does not see it, or it is none of these. */
  locate(entity: number): RowTable | undefined;
  readonly row: number;
}

/** The entities of a reader in all tables but some. */
export class SomeTables implements Entities {
  readonly tables: readonly RowTable[];
  readonly #entities: Entities;

  constructor(entities: Entities, without: readonly RowTable[]) {
    this.#entities = entities;
    this.tables = entities.tables.filter((table) => !without.includes(table));
  }

  take(): void {
    this.#entities.take();
  }

  get rowsRevision(): number {
    return this.#entities.rowsRevision;
  }

  rowCountOf(table: RowTable): number {
    return this.#entities.rowCountOf(table);
  }

  get homeTable(): RowTable | null {
    return this.#entities.homeTable;
  }

  get row(): number {
    return this.#entities.row;
  }

  locate(entity: number): RowTable | undefined {
    const table = this.#entities.locate(entity);
    return table !== undefined && this.tables.includes(table) ? table : undefined;
  }
}

/** A reader of nodes that indexes are seen through. */
export interface RevisedReader extends NodeReader {
  readonly rowsRevision: number;
  /** Rows of the node table from here on are not seen. */
  nodeRowCountOf(table: RowTable): number;
}

/** Nodes with certain labels. */
export class LabelledNodes implements Entities {
  readonly homeTable = null;
  row = -1;
  readonly #reader: RevisedReader;
  /** The last table that was found to be one of these. */
  #labelled: RowTable | null = null;
  readonly #labels: readonly number[];

  constructor(reader: RevisedReader, labels: readonly number[]) {
    this.#reader = reader;
    this.#labels = labels;
  }

  /** The reader itself tells what it sees. */
  take(): void {}

  get tables(): readonly RowTable[] {
    return this.#reader.tables;
  }

  get rowsRevision(): number {
    return this.#reader.rowsRevision;
  }

  rowCountOf(table: RowTable): number {
    return this.#reader.nodeRowCountOf(table);
  }

  locate(ordinal: number): RowTable | undefined {
    const reader = this.#reader;
    const table = loadedTableOfNode(reader, ordinal);
    if (table === undefined) return undefined;
    if (table !== this.#labelled) {
      if (!table.isOf(this.#labels)) return undefined;
      this.#labelled = table;
    }
    this.row = reader.directory.row;
    return table;
  }
}

/** A reader of relationships that indexes are seen through. */
export interface RelationshipReader {
  readonly sequence: number;
  readonly rowsRevision: number;
  /** Undefined: there are none of the type. */
  relationshipTable(type: number): RelationshipTable | undefined;
  /** Rows of the type from here on are not seen. */
  rowCountOf(type: number): number;
}

/** Relationships of a type. */
export class TypedRelationships implements Entities {
  /** There are no entities where there is no table. */
  homeTable: RelationshipTable | null = null;
  tables = NO_TABLES;
  rowsRevision = -1;
  row = -1;
  readonly #reader: RelationshipReader;
  readonly #type: number;
  #sequence = 0;
  #rowCount = 0;

  constructor(reader: RelationshipReader, type: number) {
    this.#reader = reader;
    this.#type = type;
  }

  take(): void {
    const table = this.#reader.relationshipTable(this.#type) ?? null;
    if (table !== this.homeTable) this.tables = table === null ? NO_TABLES : [table];
    this.homeTable = table;
    this.rowsRevision = this.#reader.rowsRevision;
    this.#sequence = this.#reader.sequence;
    this.#rowCount = this.#reader.rowCountOf(this.#type);
  }

  rowCountOf(): number {
    return this.#rowCount;
  }

  locate(homeRow: number): RowTable | undefined {
    const table = this.homeTable;
    if (table === null || homeRow >= this.#rowCount || !table.isHomeRow(homeRow)) return undefined;
    this.row = table.rowAt(homeRow, this.#sequence);
    return this.row < 0 ? undefined : table;
  }
}
