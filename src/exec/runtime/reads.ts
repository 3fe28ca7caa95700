/** What generated code asks of the graph while it runs: properties, labels, identifiers, adjacency lists, seeks. */
import { assert, GraphDBError, randomFraction, randomUuid, systemTimeMs } from '../../base/index.ts';
import type { LabelExpression } from '../../cypher/index.ts';
import type {
  AdjacencyView,
  ColumnView,
  GraphView,
  IndexView,
  NodeTableView,
  RelationshipIndexView,
  RelationshipTableView,
  TextReader,
} from '../../graph/index.ts';
import type { IndexArea } from '../../plan/index.ts';
import {
  type AreaCover,
  aType,
  CypherDuration,
  coverOfBox,
  coverOfCircle,
  elementsOf,
  isInteger,
  isTemporal,
  makeInteger,
  NodeValue,
  PathValue,
  Point,
  pointField,
  RelationshipValue,
  slice,
  subscript,
  temporalField,
  typeFault,
  type Value,
  type ValueMap,
} from '../../value/index.ts';
import { dynamicLabels, labelNames, matchesLabels } from '../codegen/labels.ts';
import type { CsvPlace } from '../csv/load-csv.ts';
import { type FunctionContext, functions } from '../functions/index.ts';
import { isVirtual } from '../functions/virtual.ts';
import { OrdinalSet } from './ordinal-map.ts';
import { ValueOperations } from './value-operations.ts';
import { holdsRelationship, type WalkShape } from './walk.ts';

/** null: no point lies in it. */
function coverOf(shape: IndexArea['shape'], area: Value): AreaCover | null {
  const [first = null, second = null] = area as Value[]; // as: the plan has made a list of two of it
  return shape === 'box' ? coverOfBox(first, second) : coverOfCircle(first, second);
}

type DynamicNames = readonly (readonly string[])[] | null;

function matchesDynamic(labels: LabelExpression, names: ReadonlySet<string>, dynamic: DynamicNames): boolean {
  if (dynamic === null) return matchesLabels(labels, names);
  const parts = dynamicLabels(labels);
  return matchesLabels(labels, names, (label) => dynamic[parts.indexOf(label)]!);
}

export type Direction = 'out' | 'in' | 'both';

/** A property key and its symbol id, -1 until the store knows the key. */
export interface KeyReference {
  readonly name: string;
  id: number;
}

/** An index as a statement names it, and where it was found last. */
export interface IndexReference {
  readonly label: string;
  readonly keys: readonly string[];
  /** The indexes of the view at that time. */
  among: readonly IndexView[];
  index: IndexView | null;
}

/** Of the index on these properties among those of the view; -1: there is none. */
export function positionOfIndex(view: GraphView, label: string, keys: readonly string[]): number {
  const labelId = view.labels.find(label);
  return view.indexes.findIndex(
    (one) => one.label === labelId && one.keys.length === keys.length && one.keys.every((key, i) => view.keys.find(keys[i]!) === key),
  );
}

/** One type's relationships in one direction, as cursors and generated loops walk them. */
export interface Adjacent {
  readonly adjacency: AdjacencyView;
  readonly table: RelationshipTableView;
  readonly neighbours: Uint32Array;
  readonly rows: Uint32Array | null;
  readonly ended: Uint8Array | null;
  /** Where a row of the log names the neighbour. */
  readonly logEnds: Uint32Array;
  /** Walked against the stored direction. */
  readonly reverse: boolean;
  /** Self-loops were given by the other direction already. */
  readonly skipLoops: boolean;
}

interface CountedRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly at: ((index: number) => Value) | null;
}

const NO_ELEMENTS: CountedRange = { start: 1, end: 0, step: 1, at: null };

export class Reads extends ValueOperations {
  /** Of the row of LOAD CSV that is worked on. */
  csvPlace: CsvPlace | null = null;
  // Made when they are first needed: most statements end before that.
  private context: FunctionContext | null = null;
  private keys: Map<string, KeyReference> | null = null;

  get functionContext(): FunctionContext {
    this.context ??= makeFunctionContext(this);
    return this.context;
  }

  // ------------------------------------------------------------ properties

  keyReference(name: string): KeyReference {
    this.keys ??= new Map();
    let reference = this.keys.get(name);
    if (reference === undefined) {
      reference = { name, id: this.view.keys.find(name) };
      this.keys.set(name, reference);
    }
    return reference;
  }

  private keyId(key: KeyReference): number {
    if (key.id < 0) key.id = this.view.keys.find(key.name);
    return key.id;
  }

  nodeProperty(ordinal: number, key: KeyReference): Value {
    this.checkNode(ordinal);
    if (key.name === '_id') return this.view.nodeId(ordinal);
    const id = this.keyId(key);
    return id < 0 ? null : this.nodeView.nodeProperty(ordinal, id);
  }

  relationshipProperty(type: number, row: number, key: KeyReference): Value {
    this.checkRelationship(type, row);
    if (key.name === '_id') return this.view.relationshipId(type, row);
    const id = this.keyId(key);
    return id < 0 ? null : this.view.relationshipProperty(type, row, id);
  }

  /** `value.key` of anything. */
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

  /** `value[index]`; a node's or relationship's property by its name. */
  subscript(value: Value, index: Value): Value {
    if (value instanceof NodeValue || value instanceof RelationshipValue) {
      if (index === null) return null;
      if (typeof index !== 'string')
        throw typeFault(`a property is named by a String, not by ${aType(index)}`, 'MapElementAccessByNonString');
      return this.property(value, this.keyReference(index));
    }
    return subscript(value, index);
  }

  slice(list: Value, from: Value | undefined, to: Value | undefined): Value {
    return slice(list, from, to);
  }

  /** What it reads stays as it is. */
  get readsSnapshot(): boolean {
    return this.transaction === null;
  }

  /** How the strings of a column of strings are read. */
  texts(column: ColumnView): TextReader {
    return this.readsSnapshot ? column.texts : (column as TextReader); // It holds nothing else.
  }

  nodeId(ordinal: number): string {
    return this.view.nodeId(ordinal);
  }

  relationshipId(type: number, row: number): string {
    return this.view.relationshipId(type, row);
  }

  /** A statement that writes can hold what it has deleted. */
  checkNode(ordinal: number): void {
    if (this.transaction !== null && !this.nodeView.nodeExists(ordinal)) throw deletedFault('node');
  }

  checkRelationship(type: number, row: number): void {
    if (this.transaction !== null && !this.view.relationshipExists(type, row)) throw deletedFault('relationship');
  }

  projectAll(value: Value): ValueMap | null {
    if (value === null) return null;
    if (value instanceof Map) return new Map(value);
    if (value instanceof NodeValue) return this.view.nodeProperties(value.ordinal);
    if (value instanceof RelationshipValue) return this.view.relationshipProperties(value.type, value.row);
    throw typeFault(`${aType(value)} has no properties`);
  }

  projectNone(value: Value): ValueMap | null {
    return value === null ? null : new Map();
  }

  // ------------------------------------------------------------ labels and types

  tableOf(ordinal: number): number {
    return this.view.locateNode(ordinal) < 0 ? 0xffff : this.view.locatedTable;
  }

  /** Flattens lists: `$(['A', 'B'])`. */
  labelNames(values: readonly Value[]): string[] {
    return values.flatMap((value) => {
      if (typeof value === 'string') return [value];
      if (Array.isArray(value)) return this.labelNames(value);
      throw typeFault(`a label is named by a String, not by ${aType(value)}`);
    });
  }

  /** `dynamic`: what each `$(…)` stands for, in order. */
  hasLabels(ordinal: number, labels: LabelExpression, dynamic: DynamicNames): boolean {
    if (ordinal < 0) return false;
    const names = new Set(this.view.nodeLabels(ordinal).map((label) => this.view.labels.name(label)));
    return matchesDynamic(labels, names, dynamic);
  }

  /** `x:A|B` of a value whose type is not known before it runs. */
  hasLabelsOrType(value: Value, labels: LabelExpression, dynamic: DynamicNames): Value {
    if (value === null) return null;
    if (value instanceof NodeValue) return this.hasLabels(value.ordinal, labels, dynamic);
    if (value instanceof RelationshipValue) return matchesDynamic(labels, new Set([this.view.types.name(value.type)]), dynamic);
    throw typeFault(`${aType(value)} has no labels`);
  }

  typeName(type: number): string {
    return this.view.types.name(type);
  }

  // ------------------------------------------------------------ tables and lists of relationships

  nodeTables(indexes: readonly number[]): NodeTableView[] {
    return indexes.map((index) => this.view.nodeTables[index]!);
  }

  tablesWith(labels: LabelExpression): NodeTableView[] {
    if (labels.kind === 'labelName') {
      const id = this.view.labels.find(labels.name);
      return id < 0 ? [] : [...this.view.tablesWithLabel(id)];
    }
    return this.view.nodeTables.filter((table) => matchesLabels(labels, labelNames(this.view, table)));
  }

  relationshipTables(types: readonly string[] | null): RelationshipTableView[] {
    const { relationshipTables } = this.view;
    if (types === null) return relationshipTables.filter((table) => table !== undefined);
    const ids = new Set(types.map((type) => this.view.types.find(type)));
    return [...ids].map((id) => relationshipTables[id]).filter((table) => table !== undefined);
  }

  /** Nodes or relationships in the tables, as this view counts them. */
  liveRows(tables: readonly { readonly liveCount: number }[]): number {
    return tables.reduce((sum, table) => sum + table.liveCount, 0);
  }

  adjacencies(types: readonly string[] | null, direction: Direction): Adjacent[] {
    const list: Adjacent[] = [];
    for (const table of this.relationshipTables(types)) {
      if (direction !== 'in') list.push(adjacent(table, false, false));
      if (direction !== 'out') list.push(adjacent(table, true, direction === 'both'));
    }
    return list;
  }

  degree(node: number, types: readonly string[] | null, direction: Direction): number {
    if (types === null) return this.view.degree(node, direction, -1);
    return this.relationshipTables(types).reduce((sum, table) => sum + this.view.degree(node, direction, table.type), 0);
  }

  source(type: number, row: number): number {
    return this.view.relationshipTables[type]!.sources[row]!;
  }

  target(type: number, row: number): number {
    return this.view.relationshipTables[type]!.targets[row]!;
  }

  relationshipValue(type: number, row: number): RelationshipValue | null {
    if (row < 0) return null;
    const table = this.view.relationshipTables[type]!;
    return new RelationshipValue(type, row, table.sources[row]!, table.targets[row]!);
  }

  /** -1 for null. */
  ordinalOf(value: Value): number {
    if (value === null) return -1;
    if (value instanceof NodeValue) return value.ordinal;
    throw typeFault(`a Node is needed here, not ${aType(value)}`);
  }

  /** The other end of a relationship that is bound already, where it fits the pattern; `into` -1: any. */
  acrossRelationship(value: Value, from: number, into: number, types: readonly string[] | null, direction: Direction): number[] {
    if (value === null) return [];
    if (!(value instanceof RelationshipValue)) throw typeFault(`a Relationship is needed here, not ${aType(value)}`);
    if (types !== null && !types.includes(this.typeName(value.type))) return [];
    if (!this.view.relationshipExists(value.type, value.row)) return [];
    const ends = new Set<number>();
    if (direction !== 'in' && value.source === from) ends.add(value.target);
    if (direction !== 'out' && value.target === from) ends.add(value.source);
    return [...ends].filter((end) => into < 0 || end === into);
  }

  /** The end of a walk along a list of relationships that is bound already, where it is one that a `Walk` of the shape could have taken. */
  alongRelationships(list: Value, ends: { from: number; into: number; reversed: boolean }, shape: WalkShape): number[] {
    if (list === null) return [];
    if (!Array.isArray(list)) throw typeFault(`a List of Relationships is needed here, not ${aType(list)}`);
    if (list.length < shape.min || list.length > shape.max) return [];
    let reached = [ends.from];
    const taken: Value[] = [...shape.excluded];
    for (const each of ends.reversed ? list.toReversed() : list) {
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

  // ------------------------------------------------------------ seeks

  nodeById(id: Value): number[] {
    const ordinal = typeof id === 'string' ? this.view.findNodeById(id) : -1;
    return ordinal < 0 ? [] : [ordinal];
  }

  nodesById(ids: Value): number[] {
    const found = new OrdinalSet();
    return this.members(ids).flatMap((id) => this.nodeById(id).filter((ordinal) => found.add(ordinal)));
  }

  relationshipById(id: Value): RelationshipValue[] {
    const found = typeof id === 'string' ? this.view.findRelationshipById(id) : null;
    return found === null ? [] : [this.relationshipValue(found[0], found[1])!];
  }

  relationshipsById(ids: Value): RelationshipValue[] {
    return [...new Set(this.members(ids))].flatMap((id) => this.relationshipById(id));
  }

  private members(list: Value): readonly Value[] {
    if (list === null) return [];
    const elements = elementsOf(list);
    if (elements === null) throw typeFault(`IN expects a List, not ${aType(list)}`);
    return elements;
  }

  indexReference(label: string, keys: readonly string[]): IndexReference {
    return { label, keys, among: [], index: null };
  }

  index(reference: IndexReference): IndexView {
    const { indexes } = this.nodeView;
    if (reference.among !== indexes || reference.index === null) {
      const at = positionOfIndex(this.nodeView, reference.label, reference.keys);
      if (at < 0) {
        throw new GraphDBError(
          'INTERNAL',
          `the plan uses an index on ${reference.label} that is not there any more; run the statement again`,
        );
      }
      reference.among = indexes;
      reference.index = indexes[at]!;
    }
    return reference.index;
  }

  indexSeekMany(index: IndexView, list: Value): number[] {
    const found = new OrdinalSet();
    const ordinals: number[] = [];
    for (const value of this.elements(list)) {
      for (const ordinal of index.findValue(value)) if (found.add(ordinal)) ordinals.push(ordinal);
    }
    return ordinals;
  }

  /** A bound given as undefined is open; one that is null fits nothing. */
  indexRange(
    index: IndexView,
    low: Value | undefined,
    lowInclusive: boolean,
    high: Value | undefined,
    highInclusive: boolean,
  ): ArrayLike<number> {
    if (low === null || high === null) return [];
    return index.range(low ?? null, lowInclusive, high ?? null, highInclusive);
  }

  indexPrefix(index: IndexView, prefix: Value): ArrayLike<number> {
    if (typeof prefix !== 'string') return [];
    const from = index.range(prefix, true, null, false);
    let count = 0;
    for (; count < from.length; count++) {
      const value = this.view.nodeProperty(from[count]!, index.keys[0]!);
      if (typeof value !== 'string' || !value.startsWith(prefix)) break;
    }
    return from.subarray(0, count);
  }

  /** `area`: the corners of a box, or the centre and radius of a circle. */
  indexArea(index: IndexView, shape: IndexArea['shape'], area: Value): readonly number[] {
    const cover = coverOf(shape, area);
    return cover === null ? [] : index.area(cover);
  }

  private relationshipIndexes(types: readonly string[], keys: readonly string[]): RelationshipIndexView[] {
    const keyIds = keys.map((key) => this.view.keys.find(key));
    return types.map((type) => {
      const typeId = this.view.types.find(type);
      const index = this.view.relationshipIndexes.find((one) => one.type === typeId && sameNumbers(one.keys, keyIds));
      if (index === undefined)
        throw new GraphDBError('INTERNAL', `the plan uses an index on ${type} that is not there any more; run the statement again`);
      return index;
    });
  }

  relationshipSeek(types: readonly string[], keys: readonly string[], values: readonly Value[]): RelationshipValue[] {
    if (values.includes(null)) return [];
    return this.relationshipIndexes(types, keys).flatMap((index) => this.relationshipsAt(index, index.find(values)));
  }

  relationshipSeekMany(types: readonly string[], keys: readonly string[], list: Value): RelationshipValue[] {
    const values = this.elements(list).filter((value) => value !== null);
    return this.relationshipIndexes(types, keys).flatMap((index) => {
      const found = new OrdinalSet();
      const rows = values.flatMap((value) => [...index.find([value])].filter((row) => found.add(row)));
      return this.relationshipsAt(index, rows);
    });
  }

  /** Bounds as of `indexRange`. */
  relationshipRange(
    types: readonly string[],
    key: string,
    low: Value | undefined,
    lowInclusive: boolean,
    high: Value | undefined,
    highInclusive: boolean,
  ): RelationshipValue[] {
    if (low === null || high === null) return [];
    return this.relationshipIndexes(types, [key]).flatMap((index) =>
      this.relationshipsAt(index, index.range(low ?? null, lowInclusive, high ?? null, highInclusive)),
    );
  }

  *relationshipPrefix(types: readonly string[], key: string, prefix: Value): Generator<RelationshipValue> {
    if (typeof prefix !== 'string') return;
    const reference = this.keyReference(key);
    for (const index of this.relationshipIndexes(types, [key])) {
      for (const row of index.range(prefix, true, null, false)) {
        const value = this.relationshipProperty(index.type, row, reference);
        if (typeof value !== 'string' || !value.startsWith(prefix)) break;
        yield this.relationshipValue(index.type, row)!;
      }
    }
  }

  relationshipArea(types: readonly string[], key: string, shape: IndexArea['shape'], area: Value): RelationshipValue[] {
    const cover = coverOf(shape, area);
    return cover === null ? [] : this.relationshipIndexes(types, [key]).flatMap((index) => this.relationshipsAt(index, index.area(cover)));
  }

  private relationshipsAt({ type }: RelationshipIndexView, rows: Iterable<number>): RelationshipValue[] {
    return Array.from(rows, (row) => this.relationshipValue(type, row)!);
  }

  // ------------------------------------------------------------ lists and paths

  /** Bounds of `range(start, end, step)`, of numbers that a loop can count through. `at` null: these are its elements; else it tells them. */
  range(start: Value, end: Value, step: Value = 1): CountedRange {
    if (start === null || end === null || step === null) return NO_ELEMENTS;
    const numbers = [start, end, step].every((one) => typeof one === 'number' && Number.isSafeInteger(one));
    if (numbers && step !== 0) return { start: start as number, end: end as number, step: step as number, at: null };
    if (!isInteger(start) || !isInteger(end) || !isInteger(step) || step === 0) {
      functions.get('range')!.evaluate(this.functionContext, start, end, step);
      assert(false, 'a range of what is no Integer, or without a step');
    }
    const [from, by] = [BigInt(start), BigInt(step)];
    const last = (BigInt(end) - from) / by;
    // Towards zero: less than a step against the direction is no element either.
    const isEmpty = by > 0n ? from > BigInt(end) : from < BigInt(end);
    return isEmpty ? NO_ELEMENTS : { start: 0, end: Number(last), step: 1, at: (index) => makeInteger(from + BigInt(index) * by) };
  }

  /** Alternating nodes and relationships; a list stands for the relationships of a variable length. Null when any of them is. */
  buildPath(parts: readonly Value[]): PathValue | null {
    if (parts.includes(null)) return null;
    const nodes = [this.ordinalOf(parts[0]!)];
    const relationships: RelationshipValue[] = [];
    for (let i = 1; i < parts.length; i += 2) {
      const steps = Array.isArray(parts[i]) ? (parts[i] as Value[]) : [parts[i]!];
      for (const step of steps as RelationshipValue[]) {
        const last = nodes[nodes.length - 1]!;
        relationships.push(step);
        nodes.push(step.source === last ? step.target : step.source);
      }
    }
    return new PathValue(nodes, relationships);
  }
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number, i) => number === other[i]);
}

function adjacent(table: RelationshipTableView, reverse: boolean, skipLoops: boolean): Adjacent {
  const adjacency = reverse ? table.incoming : table.outgoing;
  return {
    adjacency,
    table,
    neighbours: adjacency.neighbours,
    rows: adjacency.rows,
    ended: table.ended,
    logEnds: reverse ? table.sources : table.targets,
    reverse,
    skipLoops,
  };
}

export function deletedFault(what: 'node' | 'relationship'): GraphDBError {
  return new GraphDBError('ENTITY_NOT_FOUND', `the ${what} was deleted by this statement: it has no properties or labels any more`, {
    tck: { type: 'EntityNotFound', phase: 'runtime', detail: 'DeletedEntityAccess' },
  });
}

function makeFunctionContext(reads: Reads): FunctionContext {
  return {
    graph: {
      nodeId: (node) => reads.view.nodeId(node.ordinal),
      nodeLabels: (node) => {
        reads.checkNode(node.ordinal);
        return reads.view.nodeLabels(node.ordinal).map((label) => reads.view.labels.name(label));
      },
      nodeProperty: (node, key) => reads.nodeProperty(node.ordinal, reads.keyReference(key)),
      nodeProperties: (node) => {
        reads.checkNode(node.ordinal);
        return reads.view.nodeProperties(node.ordinal);
      },
      relationshipId: (one) => reads.view.relationshipId(one.type, one.row),
      relationshipType: (one) => reads.view.types.name(one.type),
      relationshipProperty: (one, key) => reads.relationshipProperty(one.type, one.row, reads.keyReference(key)),
      relationshipProperties: (one) => {
        reads.checkRelationship(one.type, one.row);
        return reads.view.relationshipProperties(one.type, one.row);
      },
    },
    statementTime: reads.statementTime,
    transactionTime: reads.transactionTime,
    realTime: () => {
      const now = systemTimeMs();
      return { epochSecond: Math.floor(now / 1000), nano: (((now % 1000) + 1000) % 1000) * 1_000_000 };
    },
    random: randomFraction,
    randomUuid,
    csvPlace: () => reads.csvPlace,
  };
}
