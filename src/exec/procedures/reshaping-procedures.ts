/**
 * APOC's procedures that change relationships as Cypher cannot (their type, ends or direction), copy nodes, and rename
 * labels, types and properties.
 */
import { aType, NodeValue, RelationshipValue, typeFault, type Value } from '../../value/index.ts';
import type { Procedure, ProcedureField } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import type { Pieces } from './graph-shape.ts';
import { existing, names, node, type Rows } from './writing-procedures.ts';

/** Entities that are charged to the statement's memory together. */
const CHARGED_TOGETHER = 1024;

function text(what: string, value: Value): string {
  if (typeof value === 'string' && value !== '') return value;
  throw typeFault(`${what} is a String that is not empty`);
}

function relationship(value: Value): RelationshipValue {
  if (value instanceof RelationshipValue) return value;
  throw typeFault(`expected a Relationship, not ${aType(value)}`);
}

// ---------------------------------------------------------------- relationships

interface Shape {
  readonly type: string;
  readonly source: number;
  readonly target: number;
}

/** Replaces a relationship by one of another type or with other ends, and with equal properties. */
function* reshape(context: ProcedureContext, value: Value, change: (now: Shape) => Partial<Shape>): Rows {
  if (value === null) return;
  const old = existing(context, relationship(value));
  const { view, writes } = context;
  const now = { type: view.types.name(old.type), source: old.source, target: old.target };
  const { type, source, target } = { ...now, ...change(now) };
  const values = view.relationshipProperties(old.type, old.row);
  values.delete('_id');
  const id = view.relationshipId(old.type, old.row);
  yield* writes.delete(old, false);
  yield [id, writes.createRelationship(type, source, target, [...values.keys()], [...values.values()]), null];
}

// ---------------------------------------------------------------- copies

function* cloneNodes(context: ProcedureContext, [nodes, withRelationships, skipped]: readonly Value[]): Rows {
  if (nodes === null) return;
  const skippedKeys = names('the keys of properties', skipped!);
  for (const value of Array.isArray(nodes) ? nodes : [nodes!]) {
    if (context.worked(1)) yield null;
    const original = existing(context, node(value));
    const { view, writes } = context;
    const labels = view.nodeLabels(original.ordinal).map((label) => view.labels.name(label));
    const values = view.nodeProperties(original.ordinal);
    for (const key of ['_id', ...skippedKeys]) values.delete(key);
    const copy = writes.createNode(labels, [...values.keys()], [...values.values()]);
    if (withRelationships === true) yield* copyRelationships(context, original.ordinal, copy);
    yield [view.nodeId(original.ordinal), new NodeValue(copy), null];
  }
}

function* copyRelationships(context: ProcedureContext, original: number, copy: number): Pieces<void> {
  const end = (ordinal: number): number => (ordinal === original ? copy : ordinal);
  for (const { type, row } of context.relationshipsOf(new NodeValue(original))) {
    if (context.worked(1)) yield null;
    const { view, writes } = context;
    const { sources, targets } = view.relationshipTables[type]!;
    const values = view.relationshipProperties(type, row);
    values.delete('_id');
    writes.createRelationship(view.types.name(type), end(sources[row]!), end(targets[row]!), [...values.keys()], [...values.values()]);
  }
}

// ---------------------------------------------------------------- names

/** Returns the entities of a list. @throws ENTITY_NOT_FOUND if this statement has deleted one of them */
function* listed<Entity extends NodeValue | RelationshipValue>(
  context: ProcedureContext,
  list: readonly Value[],
  entityIn: (value: Value) => Entity,
): Pieces<Entity[]> {
  const found: Entity[] = [];
  for (const value of list) {
    if (context.worked(1)) yield null;
    found.push(existing(context, entityIn(value)));
  }
  return found;
}

/** Returns the nodes of a list; if it is empty, those with a label (null for all nodes). */
function* nodesOf(context: ProcedureContext, list: Value, label: string | null): Pieces<NodeValue[]> {
  if (Array.isArray(list) && list.length > 0) return yield* listed(context, list, node);
  const { view } = context;
  const found: NodeValue[] = [];
  for (const table of label === null ? view.nodeTables : view.tablesWithLabel(view.labels.find(label))) {
    for (let row = 0; row < table.rowCount; row++) {
      if (context.worked(1)) yield null;
      if (table.ended !== null && !table.isRowVisible(row)) continue;
      if (found.length % CHARGED_TOGETHER === 0) context.charge(CHARGED_TOGETHER, 1);
      found.push(new NodeValue(table.ordinalBase >= 0 ? row + table.ordinalBase : table.ordinals[row]!));
    }
  }
  return found;
}

/** Returns the relationships of a list; if it is empty, those of a type (null for all relationships). */
function* relationshipsOf(context: ProcedureContext, list: Value, type: string | null): Pieces<RelationshipValue[]> {
  if (Array.isArray(list) && list.length > 0) return yield* listed(context, list, relationship);
  const found: RelationshipValue[] = [];
  const wanted = type === null ? -1 : context.view.types.find(type);
  for (const table of context.view.relationshipTables) {
    if (table === undefined || (type !== null && table.type !== wanted)) continue;
    for (let row = 0; row < table.rowCount; row++) {
      if (context.worked(1)) yield null;
      if (row >= table.versionsFrom && !table.isHomeRow(row)) continue; // A later version of a relationship at another row.
      if (table.ended !== null && !table.isVisible(row)) continue;
      if (found.length % CHARGED_TOGETHER === 0) context.charge(CHARGED_TOGETHER, 1);
      found.push(new RelationshipValue(table.type, row, table.sources[row]!, table.targets[row]!));
    }
  }
  return found;
}

const renamed = (total: number): Value[] => [1, total, 0, total, 0, 0, 0, new Map(), summary(1), summary(total), [], []];

function summary(total: number): Value {
  return new Map<string, Value>([
    ['total', total],
    ['committed', total],
    ['failed', 0],
    ['errors', new Map()],
  ]);
}

function* renameLabel(context: ProcedureContext, [from, to, list]: readonly Value[]): Rows {
  const [old, label] = [text('the old label', from!), text('the new label', to!)];
  if (label === old) {
    yield renamed(0);
    return;
  }
  const nodes = yield* nodesOf(context, list!, old);
  let total = 0;
  for (const each of nodes) {
    if (context.worked(1)) yield null;
    const { view, writes } = context;
    if (!view.nodeLabels(each.ordinal).some((id) => view.labels.name(id) === old)) continue;
    writes.setLabels(each, [label]);
    writes.removeLabels(each, [old]);
    total++;
  }
  yield renamed(total);
}

function* renameType(context: ProcedureContext, [from, to, list]: readonly Value[]): Rows {
  const [old, type] = [text('the old type', from!), text('the new type', to!)];
  if (type === old) {
    yield renamed(0);
    return;
  }
  const all = yield* relationshipsOf(context, list!, old);
  let total = 0;
  for (const each of all) {
    if (context.worked(1)) yield null;
    if (context.view.types.name(each.type) !== old) continue;
    for (const row of reshape(context, each, () => ({ type }))) if (row === null) yield null;
    total++;
  }
  yield renamed(total);
}

function* renameProperty(
  context: ProcedureContext,
  [from, to]: readonly Value[],
  entities: Pieces<(NodeValue | RelationshipValue)[]>,
): Rows {
  const [old, key] = [text('the old key', from!), text('the new key', to!)];
  if (key === old) {
    yield renamed(0);
    return;
  }
  let total = 0;
  for (const each of yield* entities) {
    if (context.worked(1)) yield null;
    const value = context.property(each, old);
    if (value === null) continue;
    context.writes.setProperty(each, key, value);
    context.writes.setProperty(each, old, null);
    total++;
  }
  yield renamed(total);
}

const REL = { name: 'rel', type: 'RELATIONSHIP' } as const;
const RESHAPED: readonly ProcedureField[] = [
  { name: 'input', type: 'ANY' },
  { name: 'output', type: 'RELATIONSHIP' },
  { name: 'error', type: 'STRING' },
];
const RENAMED: readonly ProcedureField[] = [
  ...['batches', 'total', 'timeTaken', 'committedOperations', 'failedOperations', 'failedBatches', 'retries'].map((name) => ({
    name,
    type: 'INTEGER',
  })),
  ...['errorMessages', 'batch', 'operations'].map((name) => ({ name, type: 'MAP' })),
  ...['constraints', 'indexes'].map((name) => ({ name, type: 'LIST<STRING>' })),
];

function rename(name: string, names: readonly [string, string, string], description: string, call: Procedure['call']): Procedure {
  const [from, to, list] = names;
  const inputs = [
    { name: from, type: 'STRING' },
    { name: to, type: 'STRING' },
    { name: list, type: 'LIST<ANY>', default: [] },
  ];
  return { name: `apoc.refactor.rename.${name}`, inputs, outputs: RENAMED, mode: 'WRITE', description, call };
}

/** The procedures that reshape relationships, copy nodes, and rename labels, types and properties. */
export const reshapingProcedures: readonly Procedure[] = [
  {
    name: 'apoc.refactor.setType',
    inputs: [REL, { name: 'newType', type: 'STRING' }],
    outputs: RESHAPED,
    mode: 'WRITE',
    description: 'Replaces a relationship by one of another type.',
    call: (context, [rel, type]) => reshape(context, rel!, () => ({ type: text('a relationship type', type!) })),
  },
  {
    name: 'apoc.refactor.invert',
    inputs: [REL],
    outputs: RESHAPED,
    mode: 'WRITE',
    description: 'Replaces a relationship by one of the other direction.',
    call: (context, [rel]) => reshape(context, rel!, ({ source, target }) => ({ source: target, target: source })),
  },
  {
    name: 'apoc.refactor.to',
    inputs: [REL, { name: 'endNode', type: 'NODE' }],
    outputs: RESHAPED,
    mode: 'WRITE',
    description: 'Replaces a relationship by one to another node.',
    call: (context, [rel, end]) => reshape(context, rel!, () => ({ target: node(end!).ordinal })),
  },
  {
    name: 'apoc.refactor.from',
    inputs: [REL, { name: 'newNode', type: 'NODE' }],
    outputs: RESHAPED,
    mode: 'WRITE',
    description: 'Replaces a relationship by one from another node.',
    call: (context, [rel, start]) => reshape(context, rel!, () => ({ source: node(start!).ordinal })),
  },
  {
    name: 'apoc.refactor.cloneNodes',
    inputs: [
      { name: 'nodes', type: 'LIST<NODE>' },
      { name: 'withRelationships', type: 'BOOLEAN', default: false },
      { name: 'skipProperties', type: 'LIST<STRING>', default: [] },
    ],
    outputs: [
      { name: 'input', type: 'ANY' },
      { name: 'output', type: 'NODE' },
      { name: 'error', type: 'STRING' },
    ],
    mode: 'WRITE',
    description: 'Copies nodes with their labels and properties, and with their relationships where that is asked for.',
    call: cloneNodes,
  },
  rename('label', ['oldLabel', 'newLabel', 'nodes'], 'Gives nodes a label in the place of another one.', renameLabel),
  rename('type', ['oldType', 'newType', 'rels'], 'Gives relationships another type.', renameType),
  rename('nodeProperty', ['oldName', 'newName', 'nodes'], 'Gives a property of nodes another key.', (context, args) =>
    renameProperty(context, args, nodesOf(context, args[2]!, null)),
  ),
  rename('typeProperty', ['oldName', 'newName', 'rels'], 'Gives a property of relationships another key.', (context, args) =>
    renameProperty(context, args, relationshipsOf(context, args[2]!, null)),
  ),
];
