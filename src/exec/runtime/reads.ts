/** Reads the graph for generated code: properties, labels, identifiers, relationships and adjacency lists. */
import { GraphDBError } from '../../base/index.ts';
import type { LabelExpression } from '../../cypher/index.ts';
import type { ColumnView, NodeTableView, PropertyReader, RelationshipTableView, TextReader } from '../../graph/index.ts';
import {
  aType,
  CypherDuration,
  isTemporal,
  NodeValue,
  Point,
  pointField,
  RelationshipValue,
  subscript,
  temporalField,
  typeFault,
  type Value,
  type ValueMap,
} from '../../value/index.ts';
import { isVirtual } from '../functions/virtual.ts';
import { dynamicLabels, labelNames, matchesLabels } from './labels.ts';
import type { Limits } from './limits.ts';
import type { MemoryAccount } from './rows/memory-account.ts';
import type { StatementGraph } from './statement-graph.ts';
import { type Adjacent, adjacentOf, type Direction } from './walks/adjacent.ts';
import { holdsRelationship, type WalkShape } from './walks/walk-shape.ts';

type DynamicNames = readonly (readonly string[])[] | null;

function matchesDynamic(labels: LabelExpression, names: ReadonlySet<string>, dynamic: DynamicNames): boolean {
  if (dynamic === null) return matchesLabels(labels, names);
  const parts = dynamicLabels(labels);
  return matchesLabels(labels, names, (label) => dynamic[parts.indexOf(label)]!);
}

/** A property key and its symbol id; the id is -1 until the store knows the key. */
export interface KeyReference {
  readonly name: string;
  id: number;
}

/** A relationship, identified by its type and its home row. */
export interface FoundRelationship {
  readonly type: number;
  readonly row: number;
}

const NO_PROPERTY: PropertyReader = { get: () => null };

/** The limits and the memory that long lists of relationships are counted and charged against. */
interface Account {
  readonly limits: Pick<Limits, 'count'>;
  readonly memory: Pick<MemoryAccount, 'hold'>;
}

/** Lists with more relationships than this are charged to the memory held by the current row. */
const MANY_RELATIONSHIPS = 1024;
/** Bytes for a relationship found: its place in a list, and an object of two numbers. */
const BYTES_PER_FOUND = 40;

/** Reads of the graph by generated code. */
export class Reads {
  private readonly graph: StatementGraph;
  private readonly account: Account;
  // Made on first use, because most statements never need it.
  private keys: Map<string, KeyReference> | null = null;

  constructor(graph: StatementGraph, account: Account) {
    this.graph = graph;
    this.account = account;
  }

  /** A number above every node ordinal. */
  get nodeLimit(): number {
    return this.graph.view.nodeLimit;
  }

  // ------------------------------------------------------------ properties

  keyReference(name: string): KeyReference {
    this.keys ??= new Map();
    let reference = this.keys.get(name);
    if (reference === undefined) {
      reference = { name, id: this.graph.view.keys.find(name) };
      this.keys.set(name, reference);
    }
    return reference;
  }

  private keyId(key: KeyReference): number {
    if (key.id < 0) key.id = this.graph.view.keys.find(key.name);
    return key.id;
  }

  nodeProperty(ordinal: number, key: KeyReference): Value {
    this.checkNode(ordinal);
    if (key.name === '_id') return this.graph.view.nodeId(ordinal);
    const id = this.keyId(key);
    return id < 0 ? null : this.graph.nodeView.nodeProperty(ordinal, id);
  }

  /** Returns a reader that gives the same values as `nodeProperty`, only for statements that do not write. */
  nodeReader({ id }: KeyReference): PropertyReader {
    return id < 0 ? NO_PROPERTY : this.graph.view.nodePropertyReader(id);
  }

  /**
   * Returns, for each relationship type, a reader that gives the same values as `relationshipProperty`; only for
   * statements that do not write.
   */
  relationshipReaders({ id }: KeyReference): readonly PropertyReader[] {
    const { view } = this.graph;
    return view.relationshipTables.map((_, type) => (id < 0 ? NO_PROPERTY : view.relationshipPropertyReader(type, id)));
  }

  relationshipProperty(type: number, row: number, key: KeyReference): Value {
    this.checkRelationship(type, row);
    if (key.name === '_id') return this.graph.view.relationshipId(type, row);
    const id = this.keyId(key);
    return id < 0 ? null : this.graph.view.relationshipProperty(type, row, id);
  }

  /** Evaluates `value.key` for a value of any type. @throws TYPE_ERROR if the value has no properties */
  property(value: Value, key: KeyReference): Value {
    if (value === null) return null;
    if (value instanceof Map) return value.get(key.name) ?? null;
    if (value instanceof NodeValue) return this.nodeProperty(value.ordinal, key);
    if (value instanceof RelationshipValue) return this.relationshipProperty(value.type, value.row, key);
    if (isTemporal(value) || value instanceof CypherDuration) return temporalField(value, key.name);
    if (value instanceof Point) return pointField(value, key.name);
    if (isVirtual(value)) return value.properties.get(key.name) ?? null;
    throw typeFault(
      `${aType(value)} has no properties, and so no ${key.name}${/^(length|size)$/i.test(key.name) ? '; write size(x)' : ''}`,
    );
  }

  /** Evaluates `value[index]`, where the value may also be a node or a relationship and the index the name of a property. */
  subscript(value: Value, index: Value): Value {
    if (value instanceof NodeValue || value instanceof RelationshipValue) {
      if (index === null) return null;
      if (typeof index !== 'string')
        throw typeFault(`a property is named by a String, not by ${aType(index)}`, 'MapElementAccessByNonString');
      return this.property(value, this.keyReference(index));
    }
    return subscript(value, index);
  }

  /** Returns the reader for a column that holds only strings. */
  texts(column: ColumnView): TextReader {
    return this.graph.readsSnapshot ? column.texts : (column as TextReader); // It holds nothing else.
  }

  nodeId(ordinal: number): string {
    return this.graph.view.nodeId(ordinal);
  }

  relationshipId(type: number, row: number): string {
    return this.graph.view.relationshipId(type, row);
  }

  /** Checks that a node exists: a statement that writes may refer to a node that it has deleted. @throws ENTITY_NOT_FOUND */
  checkNode(ordinal: number): void {
    if (this.graph.transaction !== null && !this.graph.nodeView.nodeExists(ordinal)) throw deletedFault('node');
  }

  checkRelationship(type: number, row: number): void {
    if (this.graph.transaction !== null && !this.graph.view.relationshipExists(type, row)) throw deletedFault('relationship');
  }

  projectAll(value: Value): ValueMap | null {
    if (value === null) return null;
    if (value instanceof Map) return new Map(value);
    if (value instanceof NodeValue) return this.graph.view.nodeProperties(value.ordinal);
    if (value instanceof RelationshipValue) return this.graph.view.relationshipProperties(value.type, value.row);
    throw typeFault(`${aType(value)} has no properties`);
  }

  // ------------------------------------------------------------ labels and types

  tableOf(ordinal: number): number {
    return this.graph.view.locateNode(ordinal) < 0 ? 0xffff : this.graph.view.locatedTable;
  }

  /** Tells whether a node satisfies a label expression. @param dynamic the names for each `$(…)`, in order; null if there is none */
  hasLabels(ordinal: number, labels: LabelExpression, dynamic: DynamicNames): boolean {
    if (ordinal < 0) return false;
    const names = new Set(this.graph.view.nodeLabels(ordinal).map((label) => this.graph.view.labels.name(label)));
    return matchesDynamic(labels, names, dynamic);
  }

  /** Evaluates `x:A|B` for a value whose type is known only at run time. */
  hasLabelsOrType(value: Value, labels: LabelExpression, dynamic: DynamicNames): Value {
    if (value === null) return null;
    if (value instanceof NodeValue) return this.hasLabels(value.ordinal, labels, dynamic);
    if (value instanceof RelationshipValue) return matchesDynamic(labels, new Set([this.graph.view.types.name(value.type)]), dynamic);
    throw typeFault(`${aType(value)} has no labels`);
  }

  typeName(type: number): string {
    return this.graph.view.types.name(type);
  }

  // ------------------------------------------------------------ tables and lists of relationships

  nodeTables(indexes: readonly number[]): NodeTableView[] {
    return indexes.map((index) => this.graph.view.nodeTables[index]!);
  }

  tablesWith(labels: LabelExpression): NodeTableView[] {
    if (labels.kind === 'labelName') {
      const id = this.graph.view.labels.find(labels.name);
      return id < 0 ? [] : [...this.graph.view.tablesWithLabel(id)];
    }
    return this.graph.view.nodeTables.filter((table) => matchesLabels(labels, labelNames(this.graph.view, table)));
  }

  relationshipTables(types: readonly string[] | null): RelationshipTableView[] {
    const { relationshipTables } = this.graph.view;
    if (types === null) return relationshipTables.filter((table) => table !== undefined);
    const ids = new Set(types.map((type) => this.graph.view.types.find(type)));
    return [...ids].map((id) => relationshipTables[id]).filter((table) => table !== undefined);
  }

  adjacencies(types: readonly string[] | null, direction: Direction): Adjacent[] {
    const list: Adjacent[] = [];
    for (const table of this.relationshipTables(types)) {
      if (direction !== 'in') list.push(adjacentOf(table, false, false));
      if (direction !== 'out') list.push(adjacentOf(table, true, direction === 'both'));
    }
    return list;
  }

  degree(node: number, types: readonly string[] | null, direction: Direction): number {
    if (types === null) return this.graph.view.degree(node, direction, -1);
    return this.relationshipTables(types).reduce((sum, table) => sum + this.graph.view.degree(node, direction, table.type), 0);
  }

  source(type: number, row: number): number {
    return this.graph.view.relationshipTables[type]!.sourceOf(row);
  }

  target(type: number, row: number): number {
    return this.graph.view.relationshipTables[type]!.targetOf(row);
  }

  relationshipValue(type: number, row: number): RelationshipValue | null {
    if (row < 0) return null;
    const table = this.graph.view.relationshipTables[type]!;
    return new RelationshipValue(type, row, table.sourceOf(row), table.targetOf(row));
  }

  /** Returns the other ends of a relationship that is already bound, as far as it matches the pattern; `into` -1 allows any. */
  acrossRelationship(value: Value, from: number, into: number, types: readonly string[] | null, direction: Direction): number[] {
    if (value === null) return [];
    if (!(value instanceof RelationshipValue)) throw typeFault(`a Relationship is needed here, not ${aType(value)}`);
    if (types !== null && !types.includes(this.typeName(value.type))) return [];
    if (!this.graph.view.relationshipExists(value.type, value.row)) return [];
    const ends = new Set<number>();
    if (direction !== 'in' && value.source === from) ends.add(value.target);
    if (direction !== 'out' && value.target === from) ends.add(value.source);
    return [...ends].filter((end) => into < 0 || end === into);
  }

  /** Returns the ends of walks along an already bound list of relationships that a `Walk` of the shape allows; `into` -1 allows any. */
  alongRelationships(list: Value, ends: { from: number; into: number; reversed: boolean }, shape: WalkShape): number[] {
    if (list === null) return [];
    if (!Array.isArray(list)) throw typeFault(`a List of Relationships is needed here, not ${aType(list)}`);
    if (list.length < shape.min || list.length > shape.max) return [];
    let reached = [ends.from];
    const taken: Value[] = [...shape.excluded];
    for (const each of ends.reversed ? list.toReversed() : list) {
      if (reached.length === 0) break;
      this.account.limits.count(1 + (taken.length >> 5));
      reached = reached.flatMap((from) => this.stepAlong(each, from, shape, taken));
      taken.push(each);
    }
    return reached.filter((end) => ends.into < 0 || end === ends.into);
  }

  private stepAlong(value: Value, from: number, { types, direction, step }: WalkShape, taken: readonly Value[]): number[] {
    const ends = this.acrossRelationship(value, from, -1, types, direction);
    if (ends.length === 0) return ends;
    const { type, row } = value as RelationshipValue;
    if (holdsRelationship(taken as Value[], type, row)) return [];
    return ends.filter((to) => step === null || step(type, row, from, to));
  }

  /** Returns every relationship of a node in either direction; a self-loop appears once. */
  relationshipsOf(ordinal: number): FoundRelationship[] {
    return this.relationshipsAmong(ordinal, this.adjacencies(null, 'both'));
  }

  /** Returns the relationships of a node in the given lists, which must cover both directions; a self-loop appears once. */
  relationshipsAmong(ordinal: number, adjacents: readonly Adjacent[]): FoundRelationship[] {
    const { limits, memory } = this.account;
    const found: FoundRelationship[] = [];
    for (const { table, adjacency, reverse, ended, logEnds } of adjacents) {
      limits.count(1);
      const take = (row: number, neighbour: number): void => {
        if (reverse && neighbour === ordinal) return;
        if (ended !== null && ((ended[row >> 3]! >> (row & 7)) & 1) === 1 && !table.isVisible(row)) return;
        found.push({ type: table.type, row });
      };
      if (adjacency.openList(ordinal)) {
        const { end, neighbours, rows, rowShift } = adjacency;
        let k = adjacency.first;
        limits.count(end - k);
        if (end - k > MANY_RELATIONSHIPS) memory.hold(BYTES_PER_FOUND * (end - k));
        for (; k < end; k++) take(rows === null ? k + rowShift : rows[k + rowShift]!, neighbours[k]!);
      }
      if (!adjacency.hasLog) continue;
      for (let row = adjacency.logHead(ordinal); row >= 0; row = adjacency.logNext[row - adjacency.logBase]!) {
        limits.count(1);
        if (row < table.rowCount) take(row, logEnds[row]!);
      }
    }
    return found;
  }
}

/** Makes the error ENTITY_NOT_FOUND for an entity that the statement has deleted. */
export function deletedFault(what: 'node' | 'relationship'): GraphDBError {
  return new GraphDBError('ENTITY_NOT_FOUND', `the ${what} was deleted by this statement: it has no properties or labels any more`, {
    tck: { type: 'EntityNotFound', phase: 'runtime', detail: 'DeletedEntityAccess' },
  });
}
