/** Procedures that derive graphs from projected ones or generate them, and that label nodes by a predicate. */
import {
  AGGREGATIONS,
  buildRelationships,
  fields,
  generateRelationships,
  ProjectedGraph,
  readConfiguration,
  subgraph,
  undirected,
  type Work,
} from '../../../algorithms/index.ts';
import { monotonicMs, systemTimeMs } from '../../../base/index.ts';
import { argumentFault, NodeValue, quoted, type Value, type ValueMap } from '../../../value/index.ts';
import type { Procedure } from '../../runtime/procedure.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { nodePredicate, relationshipPredicate } from './filter-expression.ts';
import { checkWritable } from './graph-argument.ts';
import { mapOf, text } from './graph-procedures.ts';
import { addRelationships, checkNewName } from './mutate.ts';
import { openForWriting } from './open-parts.ts';
import { beginTask } from './task.ts';

type Rows = Generator<readonly Value[] | null>;

const MAP = { name: 'configuration', type: 'MAP', default: new Map() } as const;
const COMMON = {
  concurrency: fields.integer(4, { min: 1 }),
  jobId: fields.optional(fields.string(undefined)),
  sudo: fields.boolean(false),
  username: fields.optional(fields.string(undefined)),
  logProgress: fields.boolean(true),
};
const FILTER = { ...COMMON, parameters: fields.anything(new Map()) };
const LABEL = { ...COMMON, nodeFilter: fields.string(undefined) };
const LABEL_WRITE = { ...LABEL, writeConcurrency: fields.integer(4, { min: 1 }) };
const UNDIRECTED = {
  ...COMMON,
  relationshipType: fields.string(undefined),
  mutateRelationshipType: fields.string(undefined),
  aggregation: fields.oneOf(AGGREGATIONS, 'NONE'),
};
const GENERATE = {
  ...COMMON,
  readConcurrency: fields.integer(4, { min: 1 }),
  relationshipDistribution: fields.oneOf(['UNIFORM', 'RANDOM', 'POWER_LAW'], 'UNIFORM'),
  relationshipSeed: fields.optional(fields.integer(undefined)),
  relationshipProperty: fields.anything(new Map()),
  orientation: fields.oneOf(['NATURAL', 'REVERSE', 'UNDIRECTED'], 'NATURAL'),
  aggregation: fields.oneOf(['NONE', 'SINGLE'], 'NONE'),
  allowSelfLoops: fields.boolean(false),
};

/** Returns an array with 1 at each index for which the predicate holds. */
function* flagged(count: number, predicate: (at: number) => boolean, work: Work): Generator<null, Uint8Array, void> {
  work.charge(count);
  const flags = new Uint8Array(count);
  for (let at = 0; at < count; at++) {
    if (work.worked(2)) yield null;
    if (predicate(at)) flags[at] = 1;
  }
  return flags;
}

function* filter(context: ProcedureContext, [name, from, nodeFilter, relationshipFilter, configuration]: readonly Value[]): Rows {
  const graphName = text('graphName', name);
  const fromName = text('fromGraphName', from);
  const nodes = text('nodeFilter', nodeFilter);
  const relationships = text('relationshipFilter', relationshipFilter);
  const map = mapOf('configuration', configuration);
  const { values } = readConfiguration(FILTER, map);
  const parameters = mapOf('parameters', values.parameters);
  context.catalog.checkNew(graphName);
  const { graph } = context.catalog.get(fromName);
  const isWanted = nodePredicate(graph, nodes, parameters);
  const sets = [...graph.relationships.values()];
  const predicates = sets.map((set) => relationshipPredicate(set, sets, relationships, parameters));
  const task = beginTask(context, 'graph.filter', values.jobId);
  try {
    const { work } = task;
    function* made() {
      const keptNodes = yield* flagged(graph.nodeCount, isWanted, work);
      const kept = new Map<string, Uint8Array>();
      for (const [i, set] of sets.entries()) kept.set(set.type, yield* flagged(set.csr.targets.length, predicates[i]!, work));
      return yield* subgraph(graph, { nodes: keptNodes, relationships: kept }, work);
    }
    const { result, ms } = yield* task.timed(made());
    const now = systemTimeMs();
    const shown: ValueMap = new Map<string, Value>([...map, ['nodeFilter', nodes], ['relationshipFilter', relationships]]);
    context.catalog.add({ name: graphName, graph: result, configuration: shown, createdMs: now, modifiedMs: now });
    yield [graphName, fromName, nodes, relationships, result.nodeCount, result.relationshipCount, ms];
  } finally {
    task.end();
  }
}

function* mutateLabel({ catalog, worked }: ProcedureContext, [name, label, configuration]: readonly Value[]): Rows {
  const began = monotonicMs();
  const graphName = text('graphName', name);
  const { graph } = catalog.get(graphName);
  const nodeLabel = text('nodeLabel', label);
  const { values, shown } = readConfiguration(LABEL, mapOf('configuration', configuration));
  checkNewName('Node label', nodeLabel, graph.labels);
  const isWanted = nodePredicate(graph, values.nodeFilter, new Map());
  catalog.checkBytes(graph.nodeCount);
  const bitmap = new Uint8Array(new SharedArrayBuffer(graph.nodeCount));
  let count = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    if (worked(2)) yield null;
    if (!isWanted(node)) continue;
    bitmap[node] = 1;
    count++;
  }
  const entry = catalog.getSame(graphName, graph);
  checkNewName('Node label', nodeLabel, graph.labels);
  catalog.checkBytes(graph.nodeCount);
  graph.labels.set(nodeLabel, bitmap);
  catalog.noteChange(entry);
  yield [Math.round(monotonicMs() - began), name!, nodeLabel, count, graph.nodeCount, shown];
}

function* writeLabel(context: ProcedureContext, [name, label, configuration]: readonly Value[]): Rows {
  const began = monotonicMs();
  const { graph } = context.catalog.get(text('graphName', name));
  checkWritable(graph);
  const nodeLabel = text('nodeLabel', label);
  const { values, shown } = readConfiguration(LABEL_WRITE, mapOf('configuration', configuration));
  const isWanted = nodePredicate(graph, values.nodeFilter, new Map());
  yield* openForWriting(context, graph);
  let count = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    if (context.worked(2)) yield null;
    const ordinal = graph.ordinals[node]!;
    if (!isWanted(node) || !context.view.nodeExists(ordinal)) continue;
    context.writes.setLabels(new NodeValue(ordinal), [nodeLabel]);
    count++;
  }
  yield [Math.round(monotonicMs() - began), name!, nodeLabel, count, graph.nodeCount, shown];
}

function* toUndirected(context: ProcedureContext, [name, configuration]: readonly Value[]): Rows {
  const graphName = text('graphName', name);
  const { graph } = context.catalog.get(graphName);
  const { values, shown } = readConfiguration(UNDIRECTED, mapOf('configuration', configuration));
  const { relationshipType, mutateRelationshipType, jobId } = values;
  const set = graph.relationships.get(relationshipType);
  if (set === undefined) throw argumentFault(`Relationship type ${quoted(relationshipType)} not found in the graph`);
  if (set.orientation === 'UNDIRECTED') throw argumentFault(`The relationships of type ${quoted(relationshipType)} are undirected already`);
  checkNewName('Relationship type', mutateRelationshipType, graph.relationships);
  const task = beginTask(context, 'graph.relationships.toUndirected', jobId);
  try {
    const { result, ms } = yield* task.timed(undirected(set, mutateRelationshipType, values.aggregation, task.work));
    addRelationships(context.catalog, { name: graphName, graph, set: result });
    yield [0, ms, 0, 0, set.csr.targets.length, result.csr.targets.length, shown];
  } finally {
    task.end();
  }
}

function* generate(context: ProcedureContext, [name, nodes, degree, configuration]: readonly Value[]): Rows {
  const graphName = text('graphName', name);
  const { values, shown } = readConfiguration(GENERATE, mapOf('configuration', configuration));
  context.catalog.checkNew(graphName);
  const nodeCount = Number(nodes);
  const averageDegree = Number(degree);
  if (!(nodeCount > 0 && nodeCount < 2 ** 32 && averageDegree >= 0))
    throw argumentFault('nodeCount is positive, and averageDegree is not negative');
  const task = beginTask(context, 'graph.generate', values.jobId);
  try {
    const { work } = task;
    const { relationshipDistribution, relationshipSeed, allowSelfLoops, orientation, aggregation } = values;
    const property = mapOf('relationshipProperty', values.relationshipProperty);
    function* made() {
      const drawn = yield* generateRelationships(
        { nodeCount, averageDegree, distribution: relationshipDistribution, seed: relationshipSeed, allowSelfLoops, property },
        work,
      );
      const set = yield* buildRelationships({ type: 'REL', orientation, aggregation, nodeCount, ...drawn }, work);
      work.charge(nodeCount * 5);
      const ordinals = new Uint32Array(new SharedArrayBuffer(4 * nodeCount));
      for (let node = 0; node < nodeCount; node++) ordinals[node] = node;
      const all = new Uint8Array(new SharedArrayBuffer(nodeCount)).fill(1);
      return new ProjectedGraph({
        isOfDatabase: false,
        ordinals,
        labels: new Map([['__ALL__', all]]),
        properties: new Map(),
        relationships: new Map([['REL', set]]),
      });
    }
    const { result, ms } = yield* task.timed(made());
    const now = systemTimeMs();
    context.catalog.add({ name: graphName, graph: result, configuration: shown, createdMs: now, modifiedMs: now });
    const shownSeed = relationshipSeed;
    yield [graphName, nodeCount, result.relationshipCount, ms, shownSeed, degree!, relationshipDistribution, property];
  } finally {
    task.end();
  }
}

const GRAPH_NAME = { name: 'graphName', type: 'STRING' } as const;
const NODE_LABEL = { name: 'nodeLabel', type: 'STRING' } as const;
const COUNTS = [
  { name: 'nodeCount', type: 'INTEGER' },
  { name: 'relationshipCount', type: 'INTEGER' },
] as const;

/** The procedures that derive, generate and label graphs. */
export const partProcedures: readonly Procedure[] = [
  {
    name: 'gds.graph.filter',
    inputs: [
      GRAPH_NAME,
      { name: 'fromGraphName', type: 'STRING' },
      { name: 'nodeFilter', type: 'STRING' },
      { name: 'relationshipFilter', type: 'STRING' },
      MAP,
    ],
    outputs: [
      GRAPH_NAME,
      { name: 'fromGraphName', type: 'STRING' },
      { name: 'nodeFilter', type: 'STRING' },
      { name: 'relationshipFilter', type: 'STRING' },
      ...COUNTS,
      { name: 'projectMillis', type: 'INTEGER' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Makes a graph of those nodes and relationships of another one that pass filters.',
    call: filter,
  },
  {
    name: 'gds.graph.nodeLabel.mutate',
    inputs: [GRAPH_NAME, NODE_LABEL, MAP],
    outputs: [
      { name: 'mutateMillis', type: 'INTEGER' },
      GRAPH_NAME,
      NODE_LABEL,
      { name: 'nodeLabelsWritten', type: 'INTEGER' },
      { name: 'nodeCount', type: 'INTEGER' },
      { name: 'configuration', type: 'MAP' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Labels those nodes of a projected graph that pass a filter.',
    call: mutateLabel,
  },
  {
    name: 'gds.graph.nodeLabel.write',
    inputs: [GRAPH_NAME, NODE_LABEL, MAP],
    outputs: [
      { name: 'writeMillis', type: 'INTEGER' },
      GRAPH_NAME,
      NODE_LABEL,
      { name: 'nodeLabelsWritten', type: 'INTEGER' },
      { name: 'nodeCount', type: 'INTEGER' },
      { name: 'configuration', type: 'MAP' },
    ],
    mode: 'WRITE',
    projects: true,
    usesCatalog: true,
    description: 'Labels those nodes of the database that pass a filter in a projected graph.',
    call: writeLabel,
  },
  {
    name: 'gds.graph.relationships.toUndirected',
    inputs: [GRAPH_NAME, MAP],
    outputs: [
      { name: 'preProcessingMillis', type: 'INTEGER' },
      { name: 'computeMillis', type: 'INTEGER' },
      { name: 'mutateMillis', type: 'INTEGER' },
      { name: 'postProcessingMillis', type: 'INTEGER' },
      { name: 'inputRelationships', type: 'INTEGER' },
      { name: 'relationshipsWritten', type: 'INTEGER' },
      { name: 'configuration', type: 'MAP' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Adds the relationships of a type to a projected graph as undirected ones of another type.',
    call: toUndirected,
  },
  {
    name: 'gds.graph.generate',
    inputs: [GRAPH_NAME, { name: 'nodeCount', type: 'INTEGER' }, { name: 'averageDegree', type: 'INTEGER' }, MAP],
    outputs: [
      { name: 'name', type: 'STRING' },
      { name: 'nodes', type: 'INTEGER' },
      { name: 'relationships', type: 'INTEGER' },
      { name: 'generateMillis', type: 'INTEGER' },
      { name: 'relationshipSeed', type: 'INTEGER' },
      { name: 'averageDegree', type: 'FLOAT' },
      { name: 'relationshipDistribution', type: 'STRING' },
      { name: 'relationshipProperty', type: 'MAP' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Makes a graph of random relationships.',
    call: generate,
  },
];
