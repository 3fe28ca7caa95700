/**
 * The entities of an index as one reader sees them: nodes with certain labels, or relationships of a type. An index reads
 * their rows, and verifies its entries against them.
 */
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { loadedTableOfNode, type NodeReader } from '../tables/node-reader.ts';
import type { RowTable } from '../tables/row-table.ts';

const NO_TABLES: readonly RowTable[] = [];

/** The nodes or the relationships of an index, as one reader sees them. */
export interface Entities {
  /** Brings the other fields up to what the reader sees; must be called before each question. */
  take(): void;
  /** Tables that hold all rows of the entities, and perhaps rows of other entities. */
  readonly tables: readonly RowTable[];
  /** While this number stays the same, the reader sees no new rows; -1 when new rows may appear at any time. */
  readonly rowsRevision: number;
  /** Returns how many of the first rows of a table the reader may see. */
  rowCountOf(table: RowTable): number;
  /** The table whose home rows number the entities; null when the entities are numbered by ordinals. */
  readonly homeTable: RowTable | null;
  /** Returns the table of an entity and sets `row`; undefined when the reader does not see it, or it is not one of these entities. */
  locate(entity: number): RowTable | undefined;
  readonly row: number;
}

/** The entities of a reader without those in some tables. */
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

/** A reader of nodes through which indexes answer. */
export interface RevisedReader extends NodeReader {
  readonly rowsRevision: number;
  /** Returns how many of the first rows of a node table the reader may see. */
  nodeRowCountOf(table: RowTable): number;
}

/** The nodes with any of some labels. */
export class LabelledNodes implements Entities {
  readonly homeTable = null;
  row = -1;
  readonly #reader: RevisedReader;
  /** The table of the last node that had one of the labels. */
  #labelled: RowTable | null = null;
  readonly #labels: readonly number[];

  constructor(reader: RevisedReader, labels: readonly number[]) {
    this.#reader = reader;
    this.#labels = labels;
  }

  /** Does nothing: the reader is asked each time. */
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

/** A reader of relationships through which indexes answer. */
export interface RelationshipReader {
  readonly sequence: number;
  readonly rowsRevision: number;
  /** Returns the table of a type; undefined when there are no relationships of the type. */
  relationshipTable(type: number): RelationshipTable | undefined;
  /** Returns how many of the first rows of a type the reader may see. */
  rowCountOf(type: number): number;
}

/** The relationships of a type. */
export class TypedRelationships implements Entities {
  /** The table of the type; null when there is none, and then there are no entities. */
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
