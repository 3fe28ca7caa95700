/** Tables of a replica, which show what another thread has shared. Like the tables that they follow, they only move to later states. */
import { Adjacency } from '../adjacency/adjacency.ts';
import { RelationshipTable } from '../adjacency/relationship-table.ts';
import { Column } from '../columns/column.ts';
import type { Dictionary } from '../columns/dictionary.ts';
import { NodeTable } from '../tables/node-table.ts';
import type { DictionaryOf, RowTable, TableContext } from '../tables/row-table.ts';
import type { SharedColumn, SharedNodeTable, SharedRelationshipTable } from './shared-graph.ts';

const NO_KEY = -1;

/** A node table in a reader thread. */
export class ReplicaNodeTable extends NodeTable {
  readonly id: number;

  constructor(shared: SharedNodeTable, index: number, context: TableContext) {
    super(index, shared.labels, context);
    this.id = shared.id;
  }

  override get identity(): number {
    return this.id;
  }

  follow(shared: SharedNodeTable): void {
    followRows(this, shared, this.context.dictionaryOf);
    this.idColumn = shared.idColumn === null ? null : columnOf(shared.idColumn, this.context.dictionaryOf(NO_KEY));
  }
}

/** A relationship table in a reader thread. */
export class ReplicaRelationshipTable extends RelationshipTable {
  readonly id: number;
  #outgoingId = 0;
  #incomingId = 0;

  constructor(shared: SharedRelationshipTable, type: number, context: TableContext) {
    super(type, context);
    this.id = shared.id;
  }

  override get identity(): number {
    return this.id;
  }

  follow(shared: SharedRelationshipTable): void {
    followRows(this, shared, this.context.dictionaryOf);
    this.sources = shared.sources;
    this.targets = shared.targets;
    this.sortedRows = shared.sortedRows;
    this.versionsFrom = shared.versionsFrom;
    this.followVersionRows(shared.versionRows);
    this.sourceTables.follow(shared.sourceTables);
    this.targetTables.follow(shared.targetTables);
    if (this.#outgoingId === shared.outgoing.id) this.outgoing.follow(shared.outgoing);
    else this.outgoing = Adjacency.following(shared.outgoing, 'outgoing', this);
    if (this.#incomingId === shared.incoming.id) this.incoming.follow(shared.incoming);
    else this.incoming = Adjacency.following(shared.incoming, 'incoming', this);
    this.#outgoingId = shared.outgoing.id;
    this.#incomingId = shared.incoming.id;
  }

  /** Does nothing: the writer thread decides which rows are in the CSR and which are in the log. */
  override settleAdjacency(): void {}
}

function followRows(table: RowTable, shared: SharedNodeTable | SharedRelationshipTable, dictionaryOf: DictionaryOf): void {
  table.rowCount = shared.rowCount;
  table.liveCount = shared.liveCount;
  table.ordinalBase = shared.ordinalBase;
  table.ordinals = shared.ordinals;
  table.setColumns(shared.columns.map(([key, column]) => [key, columnOf(column, dictionaryOf(key))]));
  table.chains.follow(shared.chains);
  table.stored = shared.stored;
  table.publish(table.counts());
}

function columnOf(shared: SharedColumn, dictionary: Dictionary): Column {
  const column = new Column(shared.kind, dictionary);
  column.takeBase({ ...shared, dictionary }, shared.length);
  return column;
}
