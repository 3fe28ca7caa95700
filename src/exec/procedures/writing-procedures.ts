/** Procedures of Neo4j and APOC that write, by which LangChain and LlamaIndex store extracted graphs. */
import type { NodeTableView } from '../../graph/index.ts';
import { aType, equals, finiteVector, isNumber, NodeValue, RelationshipValue, toNumber, typeFault, type Value } from '../../value/index.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { checkMergeProperties } from '../runtime/values/value-operations.ts';
import type { Pieces } from './graph-shape.ts';

const NO_PROPERTIES: Value = new Map();
/** Nodes that are charged to the statement's memory together. */
const CHARGED_TOGETHER = 1024;

/** The rows of a procedure; null where other statements should run. */
export type Rows = Generator<readonly Value[] | null>;

/** Returns names given as a list of non-empty Strings. @throws TYPE_ERROR for any other value */
export function names(what: string, value: Value): string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '')) return value as string[];
  throw typeFault(`${what} are given as a List of Strings that are not empty`);
}

/** Returns properties given as a map; none for null. @throws TYPE_ERROR for any other value */
export function properties(what: string, value: Value): ReadonlyMap<string, Value> {
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw typeFault(`${what} are given as a Map, not as ${aType(value)}`);
}

/** Returns an argument that must be a node. @throws TYPE_ERROR if it is not */
export function node(value: Value): NodeValue {
  if (value instanceof NodeValue) return value;
  throw typeFault(`expected a Node, not ${aType(value)}`);
}

/** Returns an entity that is in the graph. @throws ENTITY_NOT_FOUND if this statement has deleted it */
export function existing<Entity extends NodeValue | RelationshipValue>({ property }: ProcedureContext, entity: Entity): Entity {
  property(entity, '_id');
  return entity;
}

function relationship(value: Value): RelationshipValue {
  if (value instanceof RelationshipValue) return value;
  throw typeFault(`expected a Relationship, not ${aType(value)}`);
}

// ---------------------------------------------------------------- nodes

function* mergeNode(context: ProcedureContext, [labels, identity, onCreate, onMatch]: readonly Value[]): Rows {
  const labelNames = names('labels', labels!);
  const wanted = properties('identifying properties', identity!);
  checkMergeProperties(identity!);
  const found = yield* findNodes(context, labelNames, wanted);
  if (found.length === 0) {
    const all = new Map([...wanted, ...properties('properties on creation', onCreate!)]);
    yield [new NodeValue(context.writes.createNode(labelNames, [...all.keys()], [...all.values()]))];
    return;
  }
  for (const ordinal of found) {
    const match = new NodeValue(ordinal);
    const many = context.writes.setAll(match, new Map(properties('properties on match', onMatch!)), true);
    if (many !== null) yield* context.writes.setMany(match, many);
    yield [match];
  }
}

/** Returns the ordinals of the nodes with all the labels and properties, from an index if one fits, else by reading tables. */
function* findNodes(context: ProcedureContext, labels: readonly string[], wanted: ReadonlyMap<string, Value>): Pieces<number[]> {
  const { view } = context;
  const labelIds = labels.map((label) => view.labels.find(label));
  if (labelIds.includes(-1)) return [];
  const hasAll = (ordinal: number): boolean => {
    const has = view.nodeLabels(ordinal);
    return (
      labelIds.every((id) => has.includes(id)) &&
      [...wanted].every(([key, value]) => isEqual(context.property(new NodeValue(ordinal), key), value))
    );
  };
  const id = wanted.get('_id');
  if (typeof id === 'string') return [view.findNodeById(id)].filter((ordinal) => ordinal >= 0 && hasAll(ordinal));
  for (const { subject, answers } of view.indexes) {
    const isOver = subject.entity === 'node' && labelIds.some((label) => subject.labelsOrTypes.includes(label));
    const values = subject.keys.map((key) => wanted.get(view.keys.name(key)));
    if (isOver && answers.equality !== undefined && values.every((value) => value !== undefined))
      return answers.equality.lookup.find(values).filter(hasAll);
  }
  const tables = labelIds.length === 0 ? view.nodeTables : view.tablesWithLabel(labelIds[0]!);
  const found: number[] = [];
  for (const table of tables) if (labelIds.every((label) => table.labels.includes(label))) yield* scan(context, table, wanted, found);
  return found;
}

/** Appends to `found` the ordinals of the nodes of a table that have all the properties. */
function* scan(context: ProcedureContext, table: NodeTableView, wanted: ReadonlyMap<string, Value>, found: number[]): Pieces<void> {
  const { view } = context;
  const columns = [...wanted].map(([key, value]) => ({ column: table.column(view.keys.find(key)), value }));
  if (columns.some(({ column }) => column === null)) return;
  for (let row = 0; row < table.rowCount; row++) {
    if (context.worked(1 + columns.length)) yield null;
    if (table.ended !== null && !table.isRowVisible(row)) continue;
    if (!columns.every(({ column, value }) => isEqual(column!.get(row), value))) continue;
    found.push(table.ordinalBase >= 0 ? row + table.ordinalBase : table.ordinals[row]!);
    if (found.length % CHARGED_TOGETHER === 0) context.charge(CHARGED_TOGETHER, 1);
  }
}

const isEqual = (left: Value, right: Value): boolean => equals(left, right) === true;

function* addLabels(context: ProcedureContext, [nodes, labels]: readonly Value[]): Rows {
  if (nodes === null) return;
  const added = names('labels', labels!);
  for (const each of Array.isArray(nodes) ? nodes : [nodes!]) {
    if (context.worked(1)) yield null;
    const target = node(each);
    context.writes.setLabels(target, added);
    yield [target];
  }
}

function setVector(context: ProcedureContext, target: NodeValue | RelationshipValue | null, key: Value, value: Value): void {
  if (typeof key !== 'string') throw typeFault(`a property is named by a String, not by ${aType(key)}`);
  if (Array.isArray(value)) context.worked(value.length);
  if (!(value instanceof Float32Array) && !(Array.isArray(value) && value.every(isNumber)))
    throw typeFault(`a vector is given as a List of numbers, not as ${aType(value)}`);
  const vector = value instanceof Float32Array ? value : Float32Array.from(value.map((each) => toNumber(each as number)));
  context.writes.setProperty(target, key, finiteVector(vector));
}

// ---------------------------------------------------------------- relationships

function* mergeRelationship(context: ProcedureContext, args: readonly Value[]): Rows {
  const [start, type, identity, onCreate, end, onMatch] = args as [Value, Value, Value, Value, Value, Value];
  if (typeof type !== 'string' || type === '') throw typeFault('a relationship type is named by a String that is not empty');
  const wanted = properties('identifying properties', identity);
  checkMergeProperties(identity);
  const source = node(start);
  const target = node(end);
  const found = yield* findRelationships(context, type, { source, target }, wanted);
  if (found.length === 0) {
    const all = new Map([...wanted, ...properties('properties on creation', onCreate)]);
    yield [context.writes.createRelationship(type, source.ordinal, target.ordinal, [...all.keys()], [...all.values()])];
    return;
  }
  for (const match of found) {
    const many = context.writes.setAll(match, new Map(properties('properties on match', onMatch)), true);
    if (many !== null) yield* context.writes.setMany(match, many);
    yield [match];
  }
}

function* findRelationships(
  context: ProcedureContext,
  type: string,
  { source, target }: { source: NodeValue; target: NodeValue },
  wanted: ReadonlyMap<string, Value>,
): Pieces<RelationshipValue[]> {
  const typeId = context.view.types.find(type);
  const table = context.view.relationshipTables[typeId];
  if (table === undefined) return [];
  const found: RelationshipValue[] = [];
  for (const { type: each, row } of context.relationshipsOf(source)) {
    if (context.worked(1)) yield null;
    if (each !== typeId || table.sources[row] !== source.ordinal || table.targets[row] !== target.ordinal) continue;
    const one = new RelationshipValue(typeId, row, source.ordinal, target.ordinal);
    if ([...wanted].every(([key, value]) => isEqual(context.property(one, key), value))) found.push(one);
  }
  return found;
}

/** The procedures that merge nodes and relationships, add labels, and set vectors. */
export const writingProcedures: readonly Procedure[] = [
  {
    name: 'apoc.merge.node',
    inputs: [
      { name: 'labels', type: 'LIST<STRING>' },
      { name: 'identProps', type: 'MAP' },
      { name: 'onCreateProps', type: 'MAP', default: NO_PROPERTIES },
      { name: 'onMatchProps', type: 'MAP', default: NO_PROPERTIES },
    ],
    outputs: [{ name: 'node', type: 'NODE' }],
    mode: 'WRITE',
    description: 'MERGE of a node whose labels are computed.',
    call: mergeNode,
  },
  {
    name: 'apoc.merge.relationship',
    inputs: [
      { name: 'startNode', type: 'NODE' },
      { name: 'relType', type: 'STRING' },
      { name: 'identProps', type: 'MAP' },
      { name: 'onCreateProps', type: 'MAP' },
      { name: 'endNode', type: 'NODE' },
      { name: 'onMatchProps', type: 'MAP', default: NO_PROPERTIES },
    ],
    outputs: [{ name: 'rel', type: 'RELATIONSHIP' }],
    mode: 'WRITE',
    description: 'MERGE of a relationship whose type is computed.',
    call: mergeRelationship,
  },
  {
    name: 'apoc.create.addLabels',
    inputs: [
      { name: 'nodes', type: 'ANY' },
      { name: 'labels', type: 'LIST<STRING>' },
    ],
    outputs: [{ name: 'node', type: 'NODE' }],
    mode: 'WRITE',
    description: 'Adds labels to a node, or to each of a list of nodes.',
    call: addLabels,
  },
  {
    name: 'db.create.setNodeVectorProperty',
    inputs: [
      { name: 'node', type: 'NODE' },
      { name: 'key', type: 'STRING' },
      { name: 'vector', type: 'ANY' },
    ],
    outputs: [],
    mode: 'WRITE',
    description: 'Sets a property of a node to a vector.',
    call(context, [target, key, value]) {
      setVector(context, target === null ? null : node(target!), key!, value!);
      return [];
    },
  },
  {
    name: 'db.create.setRelationshipVectorProperty',
    inputs: [
      { name: 'relationship', type: 'RELATIONSHIP' },
      { name: 'key', type: 'STRING' },
      { name: 'vector', type: 'ANY' },
    ],
    outputs: [],
    mode: 'WRITE',
    description: 'Sets a property of a relationship to a vector.',
    call(context, [target, key, value]) {
      setVector(context, target === null ? null : relationship(target!), key!, value!);
      return [];
    },
  },
  {
    name: 'db.create.setVectorProperty',
    inputs: [
      { name: 'node', type: 'NODE' },
      { name: 'key', type: 'STRING' },
      { name: 'vector', type: 'ANY' },
    ],
    outputs: [{ name: 'node', type: 'NODE' }],
    mode: 'WRITE',
    description: 'Sets a property of a node to a vector, and answers the node; db.create.setNodeVectorProperty is the newer name.',
    call(context, [target, key, value]) {
      if (target === null) return [];
      setVector(context, node(target!), key!, value!);
      return [[target!]];
    },
  },
];
