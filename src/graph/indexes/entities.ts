/** Nodes with certain labels, or relationships of a type, as one reader sees them: what an index reads rows of, and verifies its entries against. */
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import type { RowTable } from '../tables/row-table.ts';

export interface Entities {
  /** In which their rows stand, among others. */
  readonly tables: readonly RowTable[];
  /** As long as it is the same, no row comes to the reader; -1: rows may come at any time. */
  readonly rowsRevision: number;
  /** The table in whose home rows entities are numbered; null: they are numbered by ordinals. */
  readonly homeTable: RowTable | null;
  /** Returns the table of an entity, whose row is then `row`; undefined: the reader does not see it, or it is none of these. */
  locate(entity: number): RowTable | undefined;
  readonly row: number;
}

/** A reader of nodes that indexes are seen through. */
export interface RevisedReader extends NodeReader {
  readonly rowsRevision: number;
}

export class LabelledNodes implements Entities {
  readonly homeTable = null;
  row = -1;
  readonly #reader: RevisedReader;
  readonly #labels: readonly number[];

  constructor(reader: RevisedReader, labels: readonly number[]) {
    this.#reader = reader;
    this.#labels = labels;
  }

  get tables(): readonly RowTable[] {
    return this.#reader.tables;
  }

  get rowsRevision(): number {
    return this.#reader.rowsRevision;
  }

  locate(ordinal: number): RowTable | undefined {
    const table = tableOfNode(this.#reader, ordinal);
    if (table?.isOf(this.#labels) !== true) return undefined;
    this.row = this.#reader.directory.row;
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

const NO_TABLES: readonly RowTable[] = [];

export class TypedRelationships implements Entities {
  row = -1;
  readonly #reader: RelationshipReader;
  readonly #type: number;
  #tables = NO_TABLES;

  constructor(reader: RelationshipReader, type: number) {
    this.#reader = reader;
    this.#type = type;
  }

  /** There are no entities where there is no table. */
  get homeTable(): RowTable | null {
    return this.#reader.relationshipTable(this.#type) ?? null;
  }

  get tables(): readonly RowTable[] {
    const table = this.homeTable;
    if (table === null) return NO_TABLES;
    if (this.#tables[0] !== table) this.#tables = [table];
    return this.#tables;
  }

  get rowsRevision(): number {
    return this.#reader.rowsRevision;
  }

  locate(homeRow: number): RowTable | undefined {
    const table = this.#reader.relationshipTable(this.#type);
    if (table === undefined || homeRow >= this.#reader.rowCountOf(this.#type) || !table.isHomeRow(homeRow)) return undefined;
    this.row = table.rowAt(homeRow, this.#reader.sequence);
    return this.row < 0 ? undefined : table;
  }
}
