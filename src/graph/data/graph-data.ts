/**
 * All data of the store in memory, as its single writer sees it: symbols, dictionaries, tables, the directory of nodes, counts. Only the
 * open transaction writes to it; the store decides which part of it snapshots see.
 */

import { assert, GraphDBError } from '../../base/index.ts';
import { RelationshipTable } from '../adjacency/relationship-table.ts';
import { Dictionary } from '../columns/dictionary.ts';
import { AutomaticIndexes } from '../indexes/automatic-indexes.ts';
import type { GraphIndex } from '../indexes/graph-index.ts';
import { Directory } from '../tables/directory.ts';
import { NodeIds } from '../tables/node-ids.ts';
import { NO_TABLE, NodeTable } from '../tables/node-table.ts';
import type { Shape, TableContext } from '../tables/row-table.ts';
import { EMPTY_SCHEMA, type Schema } from './schema.ts';
import { Symbols } from './symbols.ts';

/** The state that a transaction changes in addition to the rows of tables. */
export interface GraphCounts {
  readonly nodeLimit: number;
  readonly relationshipLimit: number;
  /** The number of entries in the version log of the directory. */
  readonly nodeVersions: number;
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly schema: Schema;
  readonly indexes: readonly GraphIndex[];
}

/** The graph in memory, as its writer sees it. */
export class GraphData {
  readonly labels = new Symbols();
  readonly types = new Symbols();
  readonly keys = new Symbols();
  readonly shape: Shape = { version: 1 };
  directory = new Directory();
  readonly nodeTables: NodeTable[] = [];
  /** Tables of relationships, by type symbol id. */
  readonly relationshipTables: (RelationshipTable | undefined)[] = [];
  nodeIds = new NodeIds();
  /** Relationship ordinals below this were given out. */
  relationshipLimit = 0;
  nodeCount = 0;
  relationshipCount = 0;
  schema: Schema = EMPTY_SCHEMA;
  /** The declared indexes. The array is replaced, never changed in place. */
  indexes: readonly GraphIndex[] = [];
  readonly automaticIndexes = new AutomaticIndexes();
  /** Whether relationships are sorted into CSRs; when false, all of them stay in the logs of their adjacencies. */
  sortsRelationships = true;
  /** Whether commits also record the states before them, for change capture (decision 0039). */
  capturesChanges = false;
  readonly context: TableContext;
  readonly #dictionaries: (Dictionary | undefined)[] = [];
  readonly #idDictionary = new Dictionary();
  readonly #tablesByLabels = new Map<string, NodeTable>();

  constructor() {
    this.context = {
      shape: this.shape,
      dictionaryOf: (key) => this.dictionaryOf(key),
      sortsRelationships: () => this.sortsRelationships,
      nodeLimit: () => this.directory.limit,
    };
  }

  dictionaryOf(key: number): Dictionary {
    if (key < 0) return this.#idDictionary;
    const known = this.#dictionaries[key];
    if (known !== undefined) return known;
    const dictionary = new Dictionary();
    this.#dictionaries[key] = dictionary;
    return dictionary;
  }

  /** The bytes of all dictionaries together. */
  get dictionaryBytes(): number {
    return this.#dictionaries.reduce((sum, dictionary) => sum + (dictionary?.bytes ?? 0), this.#idDictionary.bytes);
  }

  idDictionary(): Dictionary {
    return this.#idDictionary;
  }

  /** @param labels ascending symbol ids */
  findNodeTable(labels: readonly number[]): NodeTable | undefined {
    return this.#tablesByLabels.get(labels.join());
  }

  addNodeTable(labels: readonly number[]): NodeTable {
    if (this.nodeTables.length === NO_TABLE) {
      throw new GraphDBError('UNSUPPORTED', `the namespace has given all of its ${NO_TABLE} combinations of labels`);
    }
    const table = new NodeTable(this.nodeTables.length, labels.slice(), this.context);
    this.nodeTables.push(table);
    this.#tablesByLabels.set(labels.join(), table);
    this.shape.version++;
    return table;
  }

  removeNodeTable(table: NodeTable): void {
    assert(this.nodeTables.at(-1) === table, 'node tables are removed newest first');
    this.nodeTables.pop();
    this.#tablesByLabels.delete(table.labels.join());
    this.shape.version++;
  }

  /** Puts a rewritten table in the place of the old one. */
  replaceNodeTable(table: NodeTable): void {
    this.nodeTables[table.index] = table;
    this.#tablesByLabels.set(table.labels.join(), table);
    this.shape.version++;
  }

  addRelationshipTable(type: number): RelationshipTable {
    const table = new RelationshipTable(type, this.context);
    this.setRelationshipTable(type, table);
    return table;
  }

  setRelationshipTable(type: number, table: RelationshipTable | undefined): void {
    while (this.relationshipTables.length <= type) this.relationshipTables.push(undefined);
    this.relationshipTables[type] = table;
    this.shape.version++;
  }

  counts(): GraphCounts {
    return {
      nodeLimit: this.directory.limit,
      relationshipLimit: this.relationshipLimit,
      nodeVersions: this.directory.versions.length,
      nodeCount: this.nodeCount,
      relationshipCount: this.relationshipCount,
      schema: this.schema,
      indexes: this.indexes,
    };
  }

  resetCounts(counts: GraphCounts): void {
    this.directory.limit = counts.nodeLimit;
    this.directory.versions.truncate(counts.nodeVersions);
    this.relationshipLimit = counts.relationshipLimit;
    this.nodeCount = counts.nodeCount;
    this.relationshipCount = counts.relationshipCount;
    this.schema = counts.schema;
    this.indexes = counts.indexes;
  }
}
