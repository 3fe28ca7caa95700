/** The changes that generated code makes to the graph: one method per kind of change, counted in the way of Neo4j. */
import { assert, GraphDBError } from '../../base/index.ts';
import type { GraphTransaction, SymbolTable } from '../../graph/index.ts';
import { argumentFault, aType, NodeValue, PathValue, RelationshipValue, typeFault, type Value } from '../../value/index.ts';
import type { Limits } from './limits.ts';
import type { FoundRelationship, Reads } from './reads.ts';
import type { MemoryAccount } from './rows/memory-account.ts';
import { bytesBeyondCharacters, isShort } from './rows/value-bytes.ts';
import type { StatementGraph } from './statement-graph.ts';
import type { Adjacent } from './walks/adjacent.ts';

/** The number of changes of each kind. */
export interface Counters {
  nodesCreated: number;
  relationshipsCreated: number;
  nodesDeleted: number;
  relationshipsDeleted: number;
  propertiesSet: number;
  labelsAdded: number;
  labelsRemoved: number;
  indexesAdded: number;
  indexesRemoved: number;
  constraintsAdded: number;
  constraintsRemoved: number;
}

const ID_KEY = '_id';

/*
 * What a change takes until its transaction is committed, in the tables and in the log (measured by filling them;
 * decision 0012), and how many steps it is.
 */
const BYTES_PER_CREATED = 64;
const BYTES_PER_DELETED = 96;
/** A row is copied before it changes. */
const BYTES_PER_VERSION = 192;
const BYTES_PER_PROPERTY = 32;
const STEPS_PER_CREATED = 16;
const STEPS_PER_CHANGE = 16;
const STEPS_PER_PROPERTY = 4;
const STEPS_TOGETHER = 256;
const BYTES_TOGETHER = 16_384;
/** The most relationships of a node that are deleted without yielding. */
const FEW_RELATIONSHIPS = 64;
/** The most properties of a map that are set without yielding. */
const FEW_PROPERTIES = 64;
/** Binary logarithm of the bytes of a value written in the time of one step. */
const WRITTEN = 5;
/** Binary logarithm of the bytes of a column zeroed in the time of one step. */
const ZEROED = 8;
/** Binary logarithm of the columns examined in the time of one step, when changed rows are read again. */
const LOOKED_AT = 2;

const NOTHING_CHANGED: Counters = Object.freeze({
  nodesCreated: 0,
  relationshipsCreated: 0,
  nodesDeleted: 0,
  relationshipsDeleted: 0,
  propertiesSet: 0,
  labelsAdded: 0,
  labelsRemoved: 0,
  indexesAdded: 0,
  indexesRemoved: 0,
  constraintsAdded: 0,
  constraintsRemoved: 0,
});

/** A creation at a place in a statement, with the ids of its labels, type and keys: assigned on first use, they never change. */
export class CreationForm {
  /** The ids of the keys; -1 until the key first has a value. */
  readonly keyIds: number[];
  /** The index of `_id` among the keys; -1 if absent. The internal identifier is no property. */
  readonly idAt: number;
  private readonly names: readonly string[];
  private readonly keys: readonly string[];
  private nameIds: readonly number[] | null = null;

  constructor(names: readonly string[], keys: readonly string[]) {
    this.names = names.length < 2 ? names : [...new Set(names)];
    this.keys = keys;
    this.keyIds = keys.map(() => -1);
    this.idAt = keys.indexOf(ID_KEY);
  }

  /** Assigns ids to the keys that have values. @returns how many keys have one */
  learnKeys(writer: GraphTransaction, values: readonly Value[]): number {
    const { keyIds } = this;
    let count = 0;
    for (let i = 0; i < values.length; i++) {
      if (values[i] === null) continue;
      if (keyIds[i]! < 0) keyIds[i] = writer.internKey(this.keys[i]!);
      count++;
    }
    return count;
  }

  labels(writer: GraphTransaction): readonly number[] {
    this.nameIds ??= this.names.map((name) => writer.internLabel(name));
    return this.nameIds;
  }

  type(writer: GraphTransaction): number {
    this.nameIds ??= this.names.map((name) => writer.internType(name));
    return this.nameIds[0]!;
  }
}

interface WriteContext {
  readonly graph: StatementGraph;
  readonly reads: Reads;
  readonly limits: Limits;
  readonly memory: MemoryAccount;
}

/** The changes that one statement makes to the graph. */
export class Writes {
  private readonly graph: StatementGraph;
  private readonly reads: Reads;
  readonly counters: Counters;
  /** The counters at the last commit. */
  private committed = NOTHING_CHANGED;
  /** Nodes deleted without DETACH; `finish` checks that they have no relationships left. */
  private deleted: number[] = [];
  private readonly limits: Limits;
  private readonly memory: MemoryAccount;
  /** Steps and bytes of changes that are neither counted nor charged yet. */
  private steps = 0;
  private bytes = 0;
  /** The transaction of the last change, whose new columns are charged to this statement. */
  private changed: GraphTransaction | null = null;
  /** Bytes charged for changes since the last commit. */
  private charged = 0;
  /** The adjacency lists of all types as of `adjacentsOf`, the number of relationships that the statement had created then. */
  private adjacents: readonly Adjacent[] = [];
  private adjacentsOf = -1;

  constructor({ graph, reads, limits, memory }: WriteContext) {
    this.graph = graph;
    this.reads = reads;
    this.limits = limits;
    this.memory = memory;
    // A statement that only reads never changes the counters.
    this.counters = graph.readsSnapshot ? NOTHING_CHANGED : { ...NOTHING_CHANGED };
  }

  get hasChanged(): boolean {
    return Object.values(this.counters).some((count) => count > 0);
  }

  private get writer(): GraphTransaction {
    const { transaction } = this.graph;
    assert(transaction !== null, 'a statement that only reads tried to write');
    return transaction;
  }

  /** Counts and charges a change before it is made; small changes are counted together. */
  private prepare(steps: number, bytes: number): void {
    this.steps += steps;
    this.bytes += bytes;
    const { writer } = this;
    if (writer !== this.changed) this.measureColumnsOf(writer);
    if (this.steps > STEPS_TOGETHER || this.bytes > BYTES_TOGETHER) this.account();
  }

  private measureColumnsOf(writer: GraphTransaction): void {
    this.changed = writer;
    writer.measureColumns({
      added: (bytes) => {
        this.steps += bytes >> ZEROED;
        this.bytes += bytes;
        if (this.bytes > BYTES_TOGETHER) this.account();
      },
      lookedAt: (columns) => {
        this.steps += columns >> LOOKED_AT;
      },
    });
  }

  private account(): void {
    const { steps, bytes } = this;
    this.steps = 0;
    this.bytes = 0;
    this.charged += bytes;
    this.memory.chargeBytes(bytes);
    this.limits.count(steps);
  }

  private prepareCreation(values: readonly Value[]): void {
    let bytes = BYTES_PER_CREATED + BYTES_PER_PROPERTY * values.length;
    for (let i = 0; i < values.length; i++) if (!isShort(values[i])) bytes += this.valueBytes(values[i]!);
    this.prepare(STEPS_PER_CREATED + STEPS_PER_PROPERTY * values.length, bytes);
  }

  private prepareChange(value: Value): void {
    this.prepare(STEPS_PER_CHANGE, BYTES_PER_VERSION + BYTES_PER_PROPERTY + (isShort(value) ? 0 : this.valueBytes(value)));
  }

  /** Charges long names that are new: the graph keeps them, and so does the log. */
  private prepareNames(names: readonly string[], known: SymbolTable): void {
    for (const name of names) if (!isShort(name) && known.find(name) < 0) this.prepare(name.length >> WRITTEN, 2 * name.length);
  }

  /** Returns the id of a key that is set; -1 if it is to be removed, and no entity has it. */
  private keyToSet(key: string, value: Value): number {
    const { view } = this.writer;
    if (value === null && isName(key)) return view.keys.find(key);
    if (!isShort(key)) this.prepareNames([key], view.keys);
    return this.writer.internKey(key);
  }

  /** Returns the bytes of a value that is copied into the table and into the log. */
  private valueBytes(value: Value): number {
    const bytes = this.memory.bytesBeside(value) + bytesBeyondCharacters(value);
    this.limits.count(bytes >> WRITTEN);
    return 2 * bytes;
  }

  /** Makes the form of a creation, once for each place in a statement. @param names labels, or a single type */
  creationForm(names: readonly string[], keys: readonly string[]): CreationForm {
    return new CreationForm(names, keys);
  }

  createNode(labels: readonly string[], keys: readonly string[], values: readonly Value[]): number {
    const { view } = this.writer;
    this.prepareNames(labels, view.labels);
    this.prepareNames(keys, view.keys);
    return this.createNodeOf(new CreationForm(labels, keys), values);
  }

  /** Creates a node. @param values the values of the form's keys, null for none @returns the ordinal of the node */
  createNodeOf(form: CreationForm, values: readonly Value[]): number {
    const { writer } = this;
    const { idAt } = form;
    this.prepareCreation(values);
    let id: string | null = null;
    let given = values;
    if (idAt >= 0) {
      if (values[idAt] !== null) id = internalId(values[idAt]!);
      given = values.with(idAt, null);
    }
    const properties = form.learnKeys(writer, given);
    const labels = form.labels(writer);
    const ordinal = writer.createNode(labels, form.keyIds, given, id);
    this.counters.nodesCreated++;
    this.counters.labelsAdded += labels.length;
    this.counters.propertiesSet += properties;
    return ordinal;
  }

  createRelationship(type: Value, source: number, target: number, keys: readonly string[], values: readonly Value[]): RelationshipValue {
    if (typeof type !== 'string') throw typeFault(`a relationship type is named by a String, not by ${aType(type)}`);
    const { view } = this.writer;
    this.prepareNames([type], view.types);
    this.prepareNames(keys, view.keys);
    return this.createRelationshipOf(new CreationForm([type], keys), source, target, values);
  }

  createRelationshipOf(form: CreationForm, source: number, target: number, values: readonly Value[]): RelationshipValue {
    const { writer } = this;
    if (source < 0 || target < 0) {
      const tck = { type: 'SemanticError', phase: 'runtime', detail: 'MissingNode' } as const;
      throw new GraphDBError('ENTITY_NOT_FOUND', 'a relationship cannot be created: one of its nodes is null', { tck });
    }
    this.reads.checkNode(source);
    this.reads.checkNode(target);
    if (form.idAt >= 0 && values[form.idAt] !== null) refuseIdentifier(ID_KEY);
    this.prepareCreation(values);
    const properties = form.learnKeys(writer, values);
    const type = form.type(writer);
    const row = writer.createRelationship(type, source, target, form.keyIds, values);
    this.counters.relationshipsCreated++;
    this.counters.propertiesSet += properties;
    return new RelationshipValue(type, row, source, target);
  }

  /** Returns the properties in a map, or those of a node or relationship. @throws TYPE_ERROR for null and other values */
  propertyMap(value: Value): ReadonlyMap<string, Value> {
    const map = this.reads.projectAll(value);
    if (map === null) throw typeFault('properties are given as a Map, not as null');
    return map;
  }

  /** Sets a property; the value null removes it. Does nothing if the target is null. */
  setProperty(target: Value, key: string, value: Value): void {
    if (target === null) return;
    refuseIdentifier(key);
    this.prepareChange(value);
    const { writer } = this;
    if (target instanceof NodeValue) {
      this.reads.checkNode(target.ordinal);
      const id = this.keyToSet(key, value);
      if (id >= 0 && writer.setNodeProperty(target.ordinal, id, value)) this.counters.propertiesSet++;
    } else if (target instanceof RelationshipValue) {
      this.reads.checkRelationship(target.type, target.row);
      const id = this.keyToSet(key, value);
      if (id >= 0 && writer.setRelationshipProperty(target.type, target.row, id, value)) this.counters.propertiesSet++;
    } else throw typeFault(`SET changes a Node or a Relationship, not ${aType(target)}`);
  }

  /**
   * Performs `target = value`, or `target += value` with `merge`. Returns null when it is done; if it would change many
   * properties, it changes nothing and returns the changes, for `setMany`.
   */
  setAll(target: Value, value: Value, merge: boolean): ReadonlyMap<string, Value> | null {
    if (target === null) return null;
    if (!(target instanceof NodeValue || target instanceof RelationshipValue))
      throw typeFault(`SET changes a Node or a Relationship, not ${aType(target)}`);
    if (value === null) throw typeFault('the properties to SET are given as a Map, not as null');
    const properties = this.reads.projectAll(value)!;
    if (properties.has(ID_KEY)) refuseIdentifier(ID_KEY);
    const changes = merge ? properties : withRemovals(this.reads.projectAll(target)!, properties);
    if (changes.size > FEW_PROPERTIES) return changes;
    for (const [key, item] of changes) this.setProperty(target, key, item);
    return null;
  }

  /** Sets properties, and yields in between so that other statements run; the value null removes a property. */
  *setMany(target: Value, properties: Iterable<readonly [key: string, value: Value]>): Generator<null, void, void> {
    for (const [key, item] of properties) {
      this.setProperty(target, key, item);
      if (this.limits.worked(1)) yield null;
    }
  }

  setLabels(target: Value, labels: readonly string[]): void {
    if (target === null) return;
    if (!(target instanceof NodeValue)) throw typeFault(`labels are set on a Node, not on ${aType(target)}`);
    this.prepareChange(null);
    this.reads.checkNode(target.ordinal);
    const { writer } = this;
    this.prepareNames(labels, writer.view.labels);
    const ids = [...new Set(labels)].map((label) => writer.internLabel(label));
    this.counters.labelsAdded += writer.addLabels(target.ordinal, ids);
  }

  removeLabels(target: Value, labels: readonly string[]): void {
    if (target === null) return;
    if (!(target instanceof NodeValue)) throw typeFault(`labels are removed from a Node, not from ${aType(target)}`);
    this.prepareChange(null);
    this.reads.checkNode(target.ordinal);
    const { writer } = this;
    const ids = [...new Set(labels)].map((label) => (isName(label) ? writer.view.labels.find(label) : writer.internLabel(label)));
    this.counters.labelsRemoved += writer.removeLabels(
      target.ordinal,
      ids.filter((id) => id >= 0),
    );
  }

  /** Deletes a node, a relationship or a path; yields in between, because a node may have any number of relationships. */
  *delete(value: Value, detach: boolean): Generator<null, void, void> {
    if (value === null) return;
    if (value instanceof NodeValue) yield* this.deleteNode(value.ordinal, detach);
    else if (value instanceof RelationshipValue) this.deleteRelationship(value.type, value.row);
    else if (value instanceof PathValue) {
      for (const relationship of value.relationships) {
        // In the path of an algorithm it may be a virtual one, which is refused.
        yield* this.delete(relationship, detach);
        if (this.limits.worked(1)) yield null;
      }
      for (const ordinal of value.nodes) yield* this.deleteNode(ordinal, detach);
    } else {
      const tck = { type: 'TypeError', phase: 'runtime', detail: 'InvalidArgumentType' } as const;
      throw new GraphDBError('TYPE_ERROR', `DELETE takes Nodes, Relationships and Paths, not ${aType(value)}`, { tck });
    }
  }

  /** Deletes a node. With `detach` and many relationships, it changes nothing and returns them, for `deleteNodeWith`; else null. */
  deleteNodeAtOnce(ordinal: number, detach: boolean): readonly FoundRelationship[] | null {
    if (detach) {
      const found = this.reads.relationshipsAmong(ordinal, this.allAdjacents());
      if (found.length > FEW_RELATIONSHIPS) return found;
      for (const { type, row } of found) this.deleteRelationship(type, row);
    }
    this.deleteOnlyNode(ordinal, detach);
    return null;
  }

  /** Deletes a node and the given relationships, which must be all it has; yields so that other statements run. */
  *deleteNodeWith(ordinal: number, relationships: readonly FoundRelationship[]): Generator<null, void, void> {
    for (const { type, row } of relationships) {
      this.deleteRelationship(type, row);
      if (this.limits.worked(1)) yield null;
    }
    this.deleteOnlyNode(ordinal, true);
  }

  private *deleteNode(ordinal: number, detach: boolean): Generator<null, void, void> {
    if (this.limits.worked(1)) yield null;
    const many = this.deleteNodeAtOnce(ordinal, detach);
    if (many !== null) yield* this.deleteNodeWith(ordinal, many);
  }

  /** Deletes a node alone. Unless it was detached, `finish` checks that it has no relationships left. */
  private deleteOnlyNode(ordinal: number, isDetached: boolean): void {
    this.prepare(STEPS_PER_CHANGE, BYTES_PER_DELETED);
    if (!this.writer.deleteNode(ordinal)) return;
    this.counters.nodesDeleted++;
    if (!isDetached) this.deleted.push(ordinal);
  }

  /** Returns adjacency lists of all types, which may contain relationships deleted since they were made. */
  private allAdjacents(): readonly Adjacent[] {
    if (this.adjacentsOf !== this.counters.relationshipsCreated) {
      this.adjacents = this.reads.adjacencies(null, 'both');
      this.adjacentsOf = this.counters.relationshipsCreated;
    }
    return this.adjacents;
  }

  private deleteRelationship(type: number, row: number): void {
    this.prepare(STEPS_PER_CHANGE, BYTES_PER_DELETED);
    if (this.writer.deleteRelationship(type, row)) this.counters.relationshipsDeleted++;
  }

  /** Checks, at the end of a statement or batch, that deleted nodes have no relationships. @throws CONSTRAINT_VIOLATION */
  *finish(): Generator<null, void, void> {
    if (this.deleted.length === 0) return;
    const adjacents = this.reads.adjacencies(null, 'both');
    for (const ordinal of this.deleted) {
      if (this.limits.worked(1)) yield null;
      if (this.reads.relationshipsAmong(ordinal, adjacents).length === 0) continue;
      const tck = { type: 'ConstraintVerificationFailed', phase: 'runtime', detail: 'DeleteConnectedNode' } as const;
      const id = this.graph.view.nodeId(ordinal);
      throw new GraphDBError('CONSTRAINT_VIOLATION', `the node ${id} still has relationships: delete them first, or use DETACH DELETE`, {
        tck,
      });
    }
    this.forgetDeleted();
  }

  private forgetDeleted(): void {
    this.deleted = [];
  }

  private releaseChanges(): void {
    this.memory.release(this.charged);
    this.charged = 0;
  }

  /** Records a commit: the changes stay counted, but their memory is released. */
  noteCommit(): void {
    this.committed = { ...this.counters };
    this.adjacentsOf = -1;
    this.releaseChanges();
  }

  /** Forgets the changes since the last commit, which were rolled back. */
  forgetChanges(): void {
    Object.assign(this.counters, this.committed);
    this.forgetDeleted();
    this.adjacentsOf = -1;
    this.releaseChanges();
  }
}

/** Returns changes that give an entity exactly these properties: null for each other property that it has. */
function withRemovals(before: ReadonlyMap<string, Value>, properties: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  let changes: Map<string, Value> | null = null;
  for (const key of before.keys()) if (!properties.has(key)) changes = (changes ?? new Map(properties)).set(key, null);
  return changes ?? properties;
}

function refuseIdentifier(key: string): void {
  if (key === ID_KEY)
    throw new GraphDBError('SEMANTIC_ERROR', '_id is the internal identifier: it is given when a node is created and never changes');
}

/** Returns whether a text can name a label or a key at all; interning one that cannot is an error. */
function isName(text: string): boolean {
  return text !== '' && text.isWellFormed();
}

function internalId(value: Value): string {
  if (typeof value === 'string' && value.length > 0) return value;
  throw argumentFault(`_id is a String that is not empty, not ${aType(value)}`);
}
