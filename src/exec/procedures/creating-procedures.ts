/** `apoc.create.*`: creates and changes nodes and relationships whose labels, types and keys are computed. */
import { argumentFault, aType, NodeValue, RelationshipValue, typeFault, type Value } from '../../value/index.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { names, node, properties, type Rows } from './writing-procedures.ts';

function name(what: string, value: Value): string {
  if (typeof value === 'string' && value !== '') return value;
  throw typeFault(`${what} is a String that is not empty`);
}

function* createNode({ writes }: ProcedureContext, [labels, props]: readonly Value[]): Rows {
  const values = properties('properties', props!);
  yield [new NodeValue(writes.createNode(names('labels', labels!), [...values.keys()], [...values.values()]))];
}

function* createRelationship({ writes }: ProcedureContext, [from, type, props, to]: readonly Value[]): Rows {
  const values = properties('properties', props!);
  const ends = [node(from!).ordinal, node(to!).ordinal] as const;
  yield [writes.createRelationship(name('a relationship type', type!), ...ends, [...values.keys()], [...values.values()])];
}

function* createNodes({ worked, writes }: ProcedureContext, [labels, list]: readonly Value[]): Rows {
  const labelNames = names('labels', labels!);
  if (!Array.isArray(list)) throw typeFault(`properties are given as a List of Maps, not as ${aType(list!)}`);
  for (const item of list) {
    if (worked(1)) yield null;
    const values = properties('properties', item);
    yield [new NodeValue(writes.createNode(labelNames, [...values.keys()], [...values.values()]))];
  }
}

/** Changes an entity, or each entity of a list, and yields it; nothing for null. */
function* each<Entity extends Value>(
  context: ProcedureContext,
  entities: Value,
  checked: (value: Value) => Entity,
  change: (target: Entity) => Generator<null, void, void> | void,
): Rows {
  if (entities === null) return;
  for (const one of Array.isArray(entities) ? entities : [entities]) {
    if (context.worked(1)) yield null;
    const target = checked(one);
    const changing = change(target);
    if (changing !== undefined) yield* changing;
    yield [target];
  }
}

function relationship(value: Value): RelationshipValue {
  if (value instanceof RelationshipValue) return value;
  throw typeFault(`expected a Relationship, not ${aType(value)}`);
}

/** Sets properties whose keys and values are given as lists of equal length. */
function setKeys(
  { writes }: ProcedureContext,
  target: NodeValue | RelationshipValue,
  keys: Value,
  values: Value,
): Generator<null, void, void> {
  const keyNames = names('the keys of properties', keys);
  if (!Array.isArray(values) || values.length !== keyNames.length)
    throw argumentFault(`expected a List with a value for each of the ${keyNames.length} keys`);
  return writes.setMany(
    target,
    keyNames.map((key, i) => [key, values[i]!]),
  );
}

function removeKeys({ writes }: ProcedureContext, target: NodeValue | RelationshipValue, keys: Value): Generator<null, void, void> {
  return writes.setMany(
    target,
    names('the keys of properties', keys).map((key) => [key, null]),
  );
}

/** Gives the node these labels and removes all others. */
function setLabels({ view, writes }: ProcedureContext, target: NodeValue, labels: Value): void {
  const wanted = names('labels', labels);
  const former = view.nodeLabels(target.ordinal).map((label) => view.labels.name(label));
  writes.removeLabels(
    target,
    former.filter((label) => !wanted.includes(label)),
  );
  writes.setLabels(target, wanted);
}

const KEY = { name: 'key', type: 'STRING' } as const;
const KEYS = { name: 'keys', type: 'LIST<STRING>' } as const;
const VALUE = { name: 'value', type: 'ANY' } as const;
const VALUES = { name: 'values', type: 'LIST<ANY>' } as const;
const RELATIONSHIP = [{ name: 'rel', type: 'RELATIONSHIP' }] as const;
const RELATIONSHIPS = { name: 'rels', type: 'ANY' } as const;

const NODE = [{ name: 'node', type: 'NODE' }] as const;
const NODES = { name: 'nodes', type: 'ANY' } as const;
const PROPERTIES = { name: 'props', type: 'MAP' } as const;
const LABELS = { name: 'labels', type: 'LIST<STRING>' } as const;

/** The procedures `apoc.create.*`. */
export const creatingProcedures: readonly Procedure[] = [
  {
    name: 'apoc.create.node',
    inputs: [LABELS, PROPERTIES],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Creates a node whose labels are computed.',
    call: createNode,
  },
  {
    name: 'apoc.create.relationship',
    inputs: [{ name: 'from', type: 'NODE' }, { name: 'relType', type: 'STRING' }, PROPERTIES, { name: 'to', type: 'NODE' }],
    outputs: [{ name: 'rel', type: 'RELATIONSHIP' }],
    mode: 'WRITE',
    description: 'Creates a relationship whose type is computed.',
    call: createRelationship,
  },
  {
    name: 'apoc.create.setProperty',
    inputs: [NODES, { name: 'key', type: 'STRING' }, { name: 'value', type: 'ANY' }],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Sets a property whose key is computed, of a node or each of a list of nodes.',
    call: (context, [nodes, key, value]) =>
      each(context, nodes!, node, (target) => context.writes.setProperty(target, name('the key of a property', key!), value!)),
  },
  {
    name: 'apoc.create.removeLabels',
    inputs: [NODES, LABELS],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Removes labels from a node, or from each of a list of nodes.',
    call: (context, [nodes, labels]) =>
      each(context, nodes!, node, (target) => context.writes.removeLabels(target, names('labels', labels!))),
  },
  {
    name: 'apoc.create.nodes',
    inputs: [LABELS, { name: 'props', type: 'LIST<MAP>' }],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Creates a node for each map of properties.',
    call: createNodes,
  },
  {
    name: 'apoc.create.setLabels',
    inputs: [NODES, LABELS],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Gives a node, or each of a list of nodes, these labels and no others.',
    call: (context, [nodes, labels]) => each(context, nodes!, node, (target) => setLabels(context, target, labels!)),
  },
  {
    name: 'apoc.create.setProperties',
    inputs: [NODES, KEYS, VALUES],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Sets properties whose keys are computed, of a node or each of a list of nodes.',
    call: (context, [nodes, keys, values]) => each(context, nodes!, node, (target) => setKeys(context, target, keys!, values!)),
  },
  {
    name: 'apoc.create.removeProperties',
    inputs: [NODES, KEYS],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Removes properties from a node, or from each of a list of nodes.',
    call: (context, [nodes, keys]) => each(context, nodes!, node, (target) => removeKeys(context, target, keys!)),
  },
  {
    name: 'apoc.create.setRelProperty',
    inputs: [RELATIONSHIPS, KEY, VALUE],
    outputs: RELATIONSHIP,
    mode: 'WRITE',
    description: 'Sets a property whose key is computed, of a relationship or each of a list of relationships.',
    call: (context, [list, key, value]) =>
      each(context, list!, relationship, (target) => context.writes.setProperty(target, name('the key of a property', key!), value!)),
  },
  {
    name: 'apoc.create.setRelProperties',
    inputs: [RELATIONSHIPS, KEYS, VALUES],
    outputs: RELATIONSHIP,
    mode: 'WRITE',
    description: 'Sets properties whose keys are computed, of a relationship or each of a list of relationships.',
    call: (context, [list, keys, values]) => each(context, list!, relationship, (target) => setKeys(context, target, keys!, values!)),
  },
  {
    name: 'apoc.create.removeRelProperties',
    inputs: [RELATIONSHIPS, KEYS],
    outputs: RELATIONSHIP,
    mode: 'WRITE',
    description: 'Removes properties from a relationship, or from each of a list of relationships.',
    call: (context, [list, keys]) => each(context, list!, relationship, (target) => removeKeys(context, target, keys!)),
  },
];
