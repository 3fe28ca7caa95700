/** `apoc.create.*`: creating and changing nodes and relationships whose labels, types and keys are computed. */
import { aType, NodeValue, typeFault, type Value } from '../../value/index.ts';
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

/** Changes each of the nodes: one, or a list of them. */
function* each(context: ProcedureContext, nodes: Value, change: (target: NodeValue) => void): Rows {
  if (nodes === null) return;
  for (const one of Array.isArray(nodes) ? nodes : [nodes]) {
    if (context.worked(1)) yield null;
    if (!(one instanceof NodeValue)) throw typeFault(`expected a Node, not ${aType(one)}`);
    change(one);
    yield [one];
  }
}

const NODE = [{ name: 'node', type: 'NODE' }] as const;
const NODES = { name: 'nodes', type: 'ANY' } as const;
const PROPERTIES = { name: 'props', type: 'MAP' } as const;
const LABELS = { name: 'labels', type: 'LIST<STRING>' } as const;

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
      each(context, nodes!, (target) => context.writes.setProperty(target, name('the key of a property', key!), value!)),
  },
  {
    name: 'apoc.create.removeLabels',
    inputs: [NODES, LABELS],
    outputs: NODE,
    mode: 'WRITE',
    description: 'Removes labels from a node, or from each of a list of nodes.',
    call: (context, [nodes, labels]) => each(context, nodes!, (target) => context.writes.removeLabels(target, names('labels', labels!))),
  },
];
