/**
 * The one open write transaction: every write goes directly to the tables, where only the view of this transaction sees it (M1), to the
 * undo log, and to the change log. It ends with `commit` (the writes stay, unseen until published) or `rollback`.
 */
import { assert, GraphDBError } from '../../base/index.ts';
import { assertStorable, type Value, type ValueMap } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { GraphCounts, GraphData } from '../data/graph-data.ts';
import { GraphSnapshot, type SnapshotSource } from '../snapshot/graph-snapshot.ts';
import { ordinalOfId } from '../tables/node-ids.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import { NO_TABLE, type NodeTable } from '../tables/node-table.ts';
import type { RowCounts, RowTable } from '../tables/row-table.ts';
import { UndoLog } from '../tables/undo-log.ts';
import type { ColumnMeter, ConstraintDefinition, GraphTransaction, GraphView, IndexDefinition } from '../view/view.ts';
import { CHANGE, ChangeLog, type RelationshipName } from './change-log.ts';
import { ConstraintChecker } from './constraints.ts';
import { ImageLog } from './image-log.ts';
import { SchemaWriter } from './schema-writer.ts';
import { VectorGuard } from './vector-guard.ts';

/** A committed transaction, with all that the store needs to publish it or to undo it. */
export interface CommittedTransaction {
  readonly sequence: number;
  readonly counts: GraphCounts;
  readonly tables: readonly { readonly table: RowTable; readonly counts: RowCounts }[];
  readonly log: ChangeLog;
  readonly undo: UndoLog;
}

/** Fails before a relationship of another row, or of none, is changed and logged. @throws INTERNAL when the row is not loaded */
function assertHomeRow(table: RelationshipTable, homeRow: number): void {
  table.assertRow(homeRow);
  assert(homeRow < table.rowCount && table.isHomeRow(homeRow), 'a relationship is changed by its home row');
}

/** The store that a transaction is part of. */
export interface TransactionOwner {
  readonly data: GraphData;
  readonly publishedSequence: number;
  ended(transaction: CommittedTransaction | null): void;
}

const LARGEST_ORDINAL = 0xfffffffd;

/** The open write transaction. */
export class Transaction implements GraphTransaction, NodeReader {
  readonly sequence: number;
  readonly #owner: TransactionOwner;
  readonly #data: GraphData;
  readonly #startCounts: GraphCounts;
  readonly #undo = new UndoLog();
  readonly #log: ChangeLog;
  /** Writes the states before changes; null when changes are not captured. */
  readonly #images: ImageLog | null;
  readonly #constraints: ConstraintChecker;
  readonly #vectors: VectorGuard;
  /** Changes the schema without checking constraints: for replaying the log. */
  readonly schema: SchemaWriter;
  #view: GraphSnapshot | null = null;
  #meter: ColumnMeter | null = null;
  #nodesAreStale = false;
  #relationshipsAreStale = false;
  #open = true;
  #lastLabels: readonly number[] = [];
  #lastTable: NodeTable | null = null;

  /** @param capture whether the change log also records the states before changes; false when the log is replayed */
  constructor(owner: TransactionOwner, sequence: number, capture: boolean) {
    this.#owner = owner;
    this.#data = owner.data;
    this.sequence = sequence;
    this.#startCounts = owner.data.counts();
    this.#log = new ChangeLog(owner.data, capture);
    this.#images = capture ? new ImageLog(this, owner.data, this.#log) : null;
    this.#constraints = new ConstraintChecker(owner.data);
    this.#vectors = new VectorGuard(owner.data);
    this.schema = new SchemaWriter(owner.data, this.#log);
  }

  // ------------------------------------------------------------ reading

  get nodeLimit(): number {
    return this.#data.directory.limit;
  }

  get directory(): GraphData['directory'] {
    return this.#data.directory;
  }

  get tables(): readonly NodeTable[] {
    return this.#data.nodeTables;
  }

  get view(): GraphView {
    this.#view ??= new GraphSnapshot(this.#source());
    return this.#view;
  }

  refresh(): void {
    if (this.#view === null || !(this.#nodesAreStale || this.#relationshipsAreStale)) return;
    this.#nodesAreStale = false;
    this.#relationshipsAreStale = false;
    const looked = this.#view.columnsLookedAt;
    this.#view.take(this.#source());
    this.#meter?.lookedAt(this.#view.columnsLookedAt - looked);
  }

  refreshNodes(): void {
    if (this.#nodesAreStale) this.refresh();
  }

  #source(): SnapshotSource {
    const data = this.#data;
    return { data, counts: data.counts(), sequence: this.sequence, publishedSequence: this.#owner.publishedSequence, horizon: 'newest' };
  }

  get hasChanges(): boolean {
    return !this.#log.isEmpty;
  }

  measureColumns(meter: ColumnMeter): void {
    this.#undo.chargeColumn = (bytes) => meter.added(bytes);
    this.#meter = meter;
  }

  // ------------------------------------------------------------ names

  internLabel(name: string): number {
    return this.#data.labels.intern(name);
  }

  internType(name: string): number {
    return this.#data.types.intern(name);
  }

  internKey(name: string): number {
    return this.#data.keys.intern(name);
  }

  // ------------------------------------------------------------ nodes

  createNode(labels: readonly number[], keys: readonly number[], values: readonly Value[], id: string | null): number {
    const { nodeIds, directory } = this.#data;
    if (id !== null) this.#checkId(id, nodeIds.find(id, this));
    return this.#addNode(nodeIds.nextFree(directory.limit, this), labels, keys, values, id);
  }

  /**
   * `createNode` with a given ordinal, for replaying the log. The identifier was free when the commit was made, so it is
   * only checked against nodes in memory.
   */
  createNodeAs(ordinal: number, labels: readonly number[], keys: readonly number[], values: readonly Value[], id: string | null): number {
    if (id !== null) this.#checkId(id, this.#data.nodeIds.findLoaded(id, this));
    return this.#addNode(ordinal, labels, keys, values, id);
  }

  #addNode(ordinal: number, labels: readonly number[], keys: readonly number[], values: readonly Value[], id: string | null): number {
    this.#writing();
    checkStorable(values);
    this.#vectors.checkAll('node', labels, keys, values);
    if (ordinal > LARGEST_ORDINAL) throw new GraphDBError('UNSUPPORTED', 'the namespace has given all of its 4,294,967,294 node ordinals');
    const data = this.#data;
    const table = this.#touchedTable(labels);
    const row = table.appendRow(ordinal);
    table.liveCount++;
    data.directory.extend(ordinal + 1);
    data.directory.set(ordinal, table.index, row);
    data.nodeCount++;
    for (let i = 0; i < keys.length; i++) {
      const value = values[i] as Value;
      // Indexes read new rows when they are asked, so that no index is told of this write.
      if (value !== null) table.write(row, keys[i] as number, value, this.#undo);
    }
    if (id !== null) {
      table.writeId(row, id);
      data.nodeIds.add(id, ordinal);
    }
    this.#constraints.nodeChanged(ordinal);
    this.#images?.nodeCreated(ordinal);
    this.#log.createNode(ordinal, labels, keys, values, id);
    return ordinal;
  }

  /** @param holder the node with this identifier; -1 when there is none @throws CONSTRAINT_VIOLATION when there is one */
  #checkId(id: string, holder: number): void {
    assertStorable(id);
    if (holder < 0) return;
    const computed = ordinalOfId(id, 'n') === holder ? ' (it was given by the store)' : '';
    throw new GraphDBError('CONSTRAINT_VIOLATION', `a node with the internal identifier "${id}" exists already${computed}`);
  }

  #touchedTable(labels: readonly number[]): NodeTable {
    if (this.#lastTable !== null && sameNumbers(labels, this.#lastLabels)) {
      this.#lastTable.version++;
      return this.#lastTable;
    }
    const sorted = labels.toSorted((a, b) => a - b);
    let table = this.#data.findNodeTable(sorted);
    if (table === undefined) {
      table = this.#data.addNodeTable(sorted);
      const added = table;
      this.#undo.add(() => this.#data.removeNodeTable(added));
    }
    table.touch(this.sequence, this.#undo);
    this.#lastLabels = labels.slice();
    this.#lastTable = table;
    return table;
  }

  #writeNode(table: NodeTable, row: number, key: number, value: Value): void {
    if (value === null) table.clear(row, key);
    else table.write(row, key, value, this.#undo);
    for (const index of this.#data.indexes) index.rowChanged(table, row, key);
    this.#data.automaticIndexes.rowChanged(table, row, key);
  }

  /** Touches the table of a node and returns it, with the row in `directory.row`; undefined when the node does not exist. */
  #tableForUpdate(ordinal: number): NodeTable | undefined {
    if (ordinal >= this.nodeLimit) return undefined;
    const table = tableOfNode(this, ordinal);
    table?.touch(this.sequence, this.#undo);
    return table;
  }

  setNodeProperty(node: number, key: number, value: Value): boolean {
    this.#writing();
    if (value !== null) assertStorable(value);
    const table = this.#tableForUpdate(node);
    if (table === undefined) return false;
    const row = this.#data.directory.row;
    const before = table.get(row, key);
    if (value === null && before === null) return false;
    if (value === before) return true;
    if (value !== null) this.#vectors.check('node', table.labels, key, value);
    this.#images?.nodeChanges(node, table, row);
    this.#log.setNodeProperty(node, key, value);
    const target = table.canWrite(row, key) ? row : this.#newNodeVersion(table, row, node);
    this.#writeNode(table, target, key, value);
    this.#constraints.nodeChanged(node);
    return true;
  }

  #newNodeVersion(table: NodeTable, row: number, node: number): number {
    table.forgetOrdinalBase();
    const copy = table.copyRow(row);
    table.end(row, this.sequence);
    this.#place(node, table.index, copy);
    return copy;
  }

  /** Records the table and row of a node from this transaction on. */
  #place(node: number, table: number, row: number): void {
    const directory = this.#data.directory;
    if (node >= this.#startCounts.nodeLimit) directory.set(node, table, row);
    else directory.versions.put(node, this.sequence, table, row);
  }

  addLabels(node: number, labels: readonly number[]): number {
    return this.#changeLabels(node, labels, CHANGE.addLabels);
  }

  removeLabels(node: number, labels: readonly number[]): number {
    return this.#changeLabels(node, labels, CHANGE.removeLabels);
  }

  /** @returns how many labels were added or removed */
  #changeLabels(node: number, labels: readonly number[], record: typeof CHANGE.addLabels | typeof CHANGE.removeLabels): number {
    this.#writing();
    const table = this.#tableForUpdate(node);
    if (table === undefined) return 0;
    const row = this.#data.directory.row;
    const adding = record === CHANGE.addLabels;
    const changed = [...new Set(labels)].filter((label) => table.labels.includes(label) !== adding);
    if (changed.length === 0) return 0;
    if (adding) this.#vectors.checkAdded(changed, table.labels, (key) => table.get(row, key));
    this.#images?.nodeChanges(node, table, row);
    const wanted = adding ? [...table.labels, ...changed] : table.labels.filter((label) => !changed.includes(label));
    this.#moveNode(node, table, row, wanted);
    this.#constraints.nodeChanged(node);
    this.#log.changeLabels(record, node, changed);
    return changed.length;
  }

  #moveNode(node: number, from: NodeTable, row: number, labels: readonly number[]): void {
    const to = this.#touchedTable(labels);
    from.forgetOrdinalBase();
    const copy = to.appendRow(node);
    to.copyFrom(from, row, copy, this.#undo);
    from.end(row, this.sequence);
    from.liveCount--;
    to.liveCount++;
    this.#place(node, to.index, copy);
    for (const table of this.#data.relationshipTables) {
      table?.sourceTables.nodeMoved(from.index, to.index, this.#data.shape);
      table?.targetTables.nodeMoved(from.index, to.index, this.#data.shape);
    }
  }

  deleteNode(node: number): boolean {
    this.#writing();
    const table = this.#tableForUpdate(node);
    if (table === undefined) return false;
    const { row } = this.#data.directory;
    assert(table.hasWholeRow(row), 'a node is deleted from a table that is not loaded');
    this.#images?.nodeChanges(node, table, row);
    table.end(row, this.sequence);
    table.liveCount--;
    this.#data.nodeCount--;
    this.#place(node, NO_TABLE, 0);
    this.#log.deleteNode(node);
    return true;
  }

  // ------------------------------------------------------------ relationships

  createRelationship(type: number, source: number, target: number, keys: readonly number[], values: readonly Value[]): number {
    return this.createRelationshipAs({ type, source, target, ordinal: this.#data.relationshipLimit }, keys, values);
  }

  /** `createRelationship` with a given ordinal, for replaying the log. */
  createRelationshipAs(name: RelationshipName, keys: readonly number[], values: readonly Value[]): number {
    this.#writingRelationships();
    checkStorable(values);
    this.#vectors.checkAll('relationship', [name.type], keys, values);
    if (name.ordinal > LARGEST_ORDINAL) {
      throw new GraphDBError('UNSUPPORTED', 'the namespace has given all of its 4,294,967,294 relationship ordinals');
    }
    const data = this.#data;
    const table = this.#touchedRelationshipTable(name.type);
    const row = table.append(name.ordinal, name.source, name.target);
    table.liveCount++;
    data.relationshipCount++;
    data.relationshipLimit = name.ordinal + 1;
    for (let i = 0; i < keys.length; i++) {
      const value = values[i] as Value;
      if (value !== null) table.write(row, keys[i] as number, value, this.#undo);
    }
    this.#constraints.relationshipChanged(name.type, row);
    this.#images?.relationshipCreated(name);
    this.#log.createRelationship(name, keys, values);
    return row;
  }

  #touchedRelationshipTable(type: number): RelationshipTable {
    let table = this.#data.relationshipTables[type];
    if (table === undefined) {
      table = this.#data.addRelationshipTable(type);
      this.#undo.add(() => this.#data.setRelationshipTable(type, undefined));
    }
    table.touch(this.sequence, this.#undo);
    return table;
  }

  #tableOfRelationship(type: number): RelationshipTable {
    const table = this.#data.relationshipTables[type];
    assert(table !== undefined, 'a relationship of a type that has none');
    return table;
  }

  #nameOf(table: RelationshipTable, homeRow: number): RelationshipName {
    return {
      type: table.type,
      source: table.sources[homeRow] as number,
      target: table.targets[homeRow] as number,
      ordinal: table.ordinalOf(homeRow),
    };
  }

  setRelationshipProperty(type: number, homeRow: number, key: number, value: Value): boolean {
    this.#writingRelationships();
    if (value !== null) assertStorable(value);
    const table = this.#tableOfRelationship(type);
    assertHomeRow(table, homeRow);
    const row = table.rowAt(homeRow, this.sequence);
    if (row < 0) return false;
    const before = table.get(row, key);
    if (value === null && before === null) return false;
    if (value === before) return true;
    if (value !== null) this.#vectors.check('relationship', [type], key, value);
    table.touch(this.sequence, this.#undo);
    const name = this.#nameOf(table, homeRow);
    this.#images?.relationshipChanges(name, table, row);
    this.#log.setRelationshipProperty(name, key, value);
    const target = table.canWrite(row, key) ? row : this.#newRelationshipVersion(table, homeRow, row);
    this.#writeRelationship(table, target, key, value);
    this.#constraints.relationshipChanged(type, homeRow);
    return true;
  }

  #writeRelationship(table: RelationshipTable, row: number, key: number, value: Value): void {
    if (value === null) table.clear(row, key);
    else table.write(row, key, value, this.#undo);
    for (const index of this.#data.indexes) index.rowChanged(table, row, key);
  }

  #newRelationshipVersion(table: RelationshipTable, homeRow: number, row: number): number {
    table.forgetOrdinalBase();
    const copy = table.appendVersion(row);
    table.moveTo(homeRow, copy, this.sequence);
    return copy;
  }

  deleteRelationship(type: number, homeRow: number): boolean {
    this.#writingRelationships();
    const table = this.#tableOfRelationship(type);
    assertHomeRow(table, homeRow);
    const row = table.rowAt(homeRow, this.sequence);
    if (row < 0) return false;
    assert(table.hasWholeRow(homeRow), 'a relationship is deleted from a table that is not loaded');
    table.touch(this.sequence, this.#undo);
    const name = this.#nameOf(table, homeRow);
    this.#images?.relationshipChanges(name, table, row);
    this.#log.deleteRelationship(name);
    table.delete(homeRow, this.sequence);
    table.liveCount--;
    this.#data.relationshipCount--;
    return true;
  }

  // ------------------------------------------------------------ schema

  createIndex(definition: IndexDefinition): boolean {
    this.#writing();
    return this.schema.createIndex(definition);
  }

  dropIndex(name: string): boolean {
    this.#writing();
    return this.schema.dropIndex(name);
  }

  *createConstraint(definition: ConstraintDefinition): Generator<number, boolean, void> {
    this.#writing();
    if (!this.schema.createConstraint(definition)) return false;
    yield* this.checkConstraint(definition);
    return true;
  }

  dropConstraint(name: string): boolean {
    this.#writing();
    return this.schema.dropConstraint(name);
  }

  checkConstraint(definition: ConstraintDefinition): Generator<number, void, void> {
    return this.#constraints.checkAll(definition, this);
  }

  checkConstraints(): Generator<number, void, void> {
    return this.#constraints.checkChanged(this);
  }

  // ------------------------------------------------------------ the end

  changes(facts: () => ValueMap = () => new Map()): Uint8Array {
    if (this.#images !== null) this.#log.commitFacts(facts());
    return this.#log.bytes();
  }

  commit(): number {
    assert(this.#open, 'commit of a transaction that has ended');
    if (!this.hasChanges) {
      this.rollback();
      return this.sequence - 1;
    }
    return this.commitEvenEmpty();
  }

  /** `commit` that uses its sequence even when nothing has changed: a commit of the log already has its sequence. */
  commitEvenEmpty(): number {
    this.#open = false;
    const data = this.#data;
    const tables = (this.#undo.touched as RowTable[]).map((table) => ({ table, counts: table.counts() }));
    this.#owner.ended({ sequence: this.sequence, counts: data.counts(), tables, log: this.#log, undo: this.#undo });
    return this.sequence;
  }

  rollback(): void {
    if (!this.#open) return;
    this.#open = false;
    undoTransaction(this.#data, this.#startCounts, this.#undo, this.#log);
    this.#owner.ended(null);
  }

  #writing(): void {
    assert(this.#open, 'a write to a transaction that has ended');
    this.#nodesAreStale = true;
  }

  #writingRelationships(): void {
    assert(this.#open, 'a write to a transaction that has ended');
    this.#relationshipsAreStale = true;
  }
}

/** Restores the data to the state before a transaction. */
export function undoTransaction(data: GraphData, startCounts: GraphCounts, undo: UndoLog, log: ChangeLog): void {
  undo.run();
  const indexes = new Set([...data.indexes, ...startCounts.indexes, ...data.automaticIndexes]);
  for (const table of undo.touched as RowTable[]) for (const index of indexes) index.truncate(table, table.rowCount);
  data.resetCounts(startCounts);
  log.undefineSymbols();
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function checkStorable(values: readonly Value[]): void {
  for (const value of values) if (value !== null && (typeof value === 'object' || typeof value === 'string')) assertStorable(value);
}
