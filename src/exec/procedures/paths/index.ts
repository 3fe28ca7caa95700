/** `apoc.path.*`: finds paths from start nodes, and the nodes and relationships around them. */
import { argumentFault, NodeValue, type RelationshipValue, type Value } from '../../../value/index.ts';
import type { Procedure, ProcedureField } from '../../runtime/procedure.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { OrdinalSet } from '../../runtime/rows/ordinal-map.ts';
import { Cursor } from '../../runtime/walks/walk.ts';
import { expand, pathOf, type Reached } from './expand.ts';
import { type Expansion, expansionOf } from './expansion.ts';

type Rows = Generator<readonly Value[] | null>;

const BYTES_PER_RELATIONSHIP = 56;
const RELATIONSHIPS_CHARGED_TOGETHER = 256;

function* rows(context: ProcedureContext, expansion: Expansion, row: (reached: Reached) => Value): Rows {
  let isEmpty = true;
  for (const reached of expand(context, expansion)) {
    if (reached !== null) isEmpty = false;
    if (reached !== null && context.worked(reached.depth)) yield null;
    yield reached === null ? null : [row(reached)];
  }
  if (isEmpty && expansion.isOptional) yield [null];
}

/** Reads a configuration under which each node is found once, along one shortest path. */
function onceEach(name: string, start: Value, configuration: Value): Expansion {
  const expansion = expansionOf(start, configuration);
  if (expansion.minLevel > 1) throw argumentFault(`minLevel is 0 or 1 in ${name}()`);
  return { ...expansion, uniqueness: 'NODE_GLOBAL' };
}

const nodeOf = ({ node }: Reached): Value => new NodeValue(node);

/** Yields the nodes found, and every relationship between two of them. */
function* subgraph(context: ProcedureContext, expansion: Expansion): Rows {
  const nodes: NodeValue[] = [];
  const among = new OrdinalSet();
  for (const reached of expand(context, expansion)) {
    if (reached === null) yield null;
    else if (among.add(reached.node)) nodes.push(new NodeValue(reached.node));
  }
  const relationships: RelationshipValue[] = [];
  const outgoing = context.adjacencies(null, 'out');
  const cursor = new Cursor();
  for (const { ordinal } of nodes) {
    cursor.open(ordinal, outgoing);
    while (cursor.advance()) {
      if (context.worked(1)) yield null;
      if (!among.has(cursor.neighbour)) continue;
      if (relationships.length % RELATIONSHIPS_CHARGED_TOGETHER === 0)
        context.chargeBytes(BYTES_PER_RELATIONSHIP * RELATIONSHIPS_CHARGED_TOGETHER);
      relationships.push(cursor.relationship());
    }
  }
  yield [nodes, relationships];
}

/** Converts positional arguments to a configuration: relationship filter, label filter, least and greatest length. */
function positional([relationshipFilter, labelFilter, minLevel, maxLevel]: readonly Value[]): Value {
  return new Map<string, Value>([
    ['relationshipFilter', relationshipFilter ?? null],
    ['labelFilter', labelFilter ?? null],
    ['minLevel', minLevel ?? null],
    ['maxLevel', maxLevel ?? null],
  ]);
}

const START = { name: 'startNode', type: 'ANY' } as const;
const CONFIGURATION = { name: 'config', type: 'MAP' } as const;
const PATH: readonly ProcedureField[] = [{ name: 'path', type: 'PATH' }];

function procedure(name: string, description: string, outputs: readonly ProcedureField[], call: Procedure['call']): Procedure {
  return { name, inputs: [START, CONFIGURATION], outputs, mode: 'READ', scans: 'relationships', description, call };
}

/** The procedures `apoc.path.*`. */
export const pathProcedures: readonly Procedure[] = [
  {
    name: 'apoc.path.expand',
    inputs: [
      START,
      { name: 'relFilter', type: 'STRING' },
      { name: 'labelFilter', type: 'STRING' },
      { name: 'minDepth', type: 'INTEGER' },
      { name: 'maxDepth', type: 'INTEGER' },
    ],
    outputs: PATH,
    mode: 'READ',
    scans: 'relationships',
    description: 'Paths from a node, by types and directions of relationships, labels and length.',
    call: (context, [start, ...filters]) => rows(context, expansionOf(start!, positional(filters)), pathOf),
  },
  procedure('apoc.path.expandConfig', 'Paths from nodes, as a map describes them.', PATH, (context, [start, configuration]) =>
    rows(context, expansionOf(start!, configuration!), pathOf),
  ),
  procedure(
    'apoc.path.spanningTree',
    'A path to each node that is reached, none along two ways.',
    PATH,
    (context, [start, configuration]) => rows(context, onceEach('apoc.path.spanningTree', start!, configuration!), pathOf),
  ),
  procedure('apoc.path.subgraphNodes', 'The nodes that are reached.', [{ name: 'node', type: 'NODE' }], (context, [start, configuration]) =>
    rows(context, onceEach('apoc.path.subgraphNodes', start!, configuration!), nodeOf),
  ),
  procedure(
    'apoc.path.subgraphAll',
    'The nodes that are reached, and all relationships between them.',
    [
      { name: 'nodes', type: 'LIST<NODE>' },
      { name: 'relationships', type: 'LIST<RELATIONSHIP>' },
    ],
    (context, [start, configuration]) => subgraph(context, onceEach('apoc.path.subgraphAll', start!, configuration!)),
  ),
];
