/** Procedures of the graph catalog: they project, list and drop graphs. */
import { projectionRequest, readConfiguration } from '../../../algorithms/index.ts';
import { systemTimeMs } from '../../../base/index.ts';
import { typeFault, typeName, type Value, type ValueMap } from '../../../value/index.ts';
import type { Procedure, ProcedureField } from '../../runtime/procedure.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { degreesOf, GRAPH_OUTPUTS, graphRow } from './described-graph.ts';
import { ESTIMATE_OUTPUTS, estimateRow } from './estimates.ts';
import { PROJECTION_FIELDS, projected } from './graph-argument.ts';
import { leastProjectionBytes, projectionBytes, requestedSize } from './projection-size.ts';
import { beginTask } from './task.ts';

type Rows = Generator<readonly Value[] | null>;

const MAP = { name: 'configuration', type: 'MAP', default: new Map() } as const;
const PROJECTIONS = [
  { name: 'nodeProjection', type: 'ANY' },
  { name: 'relationshipProjection', type: 'ANY' },
] as const;

/** Returns an argument that must be a String. @throws TYPE_ERROR if it is not */
export function text(name: string, value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw typeFault(`The value of \`${name}\` must be of type \`String\` but was \`${typeName(value ?? null)}\`.`);
}

/** Returns an argument that must be a map. @throws TYPE_ERROR if it is not */
export function mapOf(name: string, value: Value | undefined): ValueMap {
  if (value instanceof Map) return value;
  throw typeFault(`The value of \`${name}\` must be of type \`Map\` but was \`${typeName(value ?? null)}\`.`);
}

function* project(context: ProcedureContext, [name, nodes, relationships, configuration]: readonly Value[]): Rows {
  const graphName = text('graphName', name);
  const map = mapOf('configuration', configuration);
  const { values } = readConfiguration(PROJECTION_FIELDS, map);
  const request = projectionRequest(nodes!, relationships!, map);
  context.catalog.checkNew(graphName);
  const task = beginTask(context, 'graph.project', values.jobId);
  try {
    const { result: graph, ms } = yield* task.timed(projected(context, request, task.work));
    const now = systemTimeMs();
    const shown: ValueMap = new Map([...map, ['nodeProjection', nodes!], ['relationshipProjection', relationships!]]);
    context.catalog.add({ name: graphName, graph, configuration: shown, createdMs: now, modifiedMs: now });
    yield [nodes!, relationships!, graphName, graph.nodeCount, graph.relationshipCount, ms];
  } finally {
    task.end();
  }
}

function estimateProjection(context: ProcedureContext, [nodes, relationships, configuration]: readonly Value[]): Value[] {
  const map = mapOf('configuration', configuration);
  readConfiguration(PROJECTION_FIELDS, map);
  const request = projectionRequest(nodes!, relationships!, map);
  const size = requestedSize(context.view, request);
  const parts = projectionBytes(context.view, request);
  return estimateRow('graph.project', { parts, least: leastProjectionBytes(context.view, request) }, size, context.memoryLimit);
}

function* list(context: ProcedureContext, [name]: readonly Value[]): Rows {
  const { catalog } = context;
  const wanted = text('graphName', name);
  for (const entry of wanted === '' ? catalog.list() : catalog.list().filter((each) => each.name === wanted)) {
    const task = beginTask(context, 'graph.list', null);
    try {
      yield [yield* degreesOf(entry.graph, task.work), ...graphRow(entry)];
    } finally {
      task.end();
    }
  }
}

function* drop({ catalog }: ProcedureContext, [given, failIfMissing]: readonly Value[]): Rows {
  const names = new Set((Array.isArray(given) ? given : [given]).map((each) => text('graphName', each)));
  const found = [...names].filter((name) => failIfMissing !== false || catalog.has(name));
  for (const name of found) catalog.get(name);
  for (const name of found) yield graphRow(catalog.drop(name));
}

const COUNTS: readonly ProcedureField[] = [
  { name: 'nodeCount', type: 'INTEGER' },
  { name: 'relationshipCount', type: 'INTEGER' },
];

/** The procedures of the graph catalog. */
export const graphProcedures: readonly Procedure[] = [
  {
    name: 'gds.graph.project',
    inputs: [{ name: 'graphName', type: 'STRING' }, ...PROJECTIONS, MAP],
    outputs: [
      { name: 'nodeProjection', type: 'ANY' },
      { name: 'relationshipProjection', type: 'ANY' },
      { name: 'graphName', type: 'STRING' },
      ...COUNTS,
      { name: 'projectMillis', type: 'INTEGER' },
    ],
    mode: 'READ',
    projects: true,
    usesCatalog: true,
    description: 'Projects nodes and relationships into the catalog of graphs, under a name.',
    call: project,
  },
  {
    name: 'gds.graph.project.estimate',
    inputs: [...PROJECTIONS, MAP],
    outputs: ESTIMATE_OUTPUTS,
    mode: 'READ',
    usesCatalog: true,
    description: 'The memory that a projection takes at most.',
    call: (context, args) => [estimateProjection(context, args)],
  },
  {
    name: 'gds.graph.list',
    inputs: [{ name: 'graphName', type: 'STRING', default: '' }],
    outputs: [{ name: 'degreeDistribution', type: 'MAP' }, ...GRAPH_OUTPUTS],
    mode: 'READ',
    usesCatalog: true,
    description: 'The projected graphs, or one of them.',
    call: list,
  },
  {
    name: 'gds.graph.exists',
    inputs: [{ name: 'graphName', type: 'STRING' }],
    outputs: [
      { name: 'graphName', type: 'STRING' },
      { name: 'exists', type: 'BOOLEAN' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Whether a graph of the name was projected.',
    call: ({ catalog }, [name]) => [[name!, catalog.has(text('graphName', name))]],
  },
  {
    name: 'gds.graph.drop',
    inputs: [
      { name: 'graphName', type: 'ANY' },
      { name: 'failIfMissing', type: 'BOOLEAN', default: true },
      { name: 'dbName', type: 'STRING', default: '' },
      { name: 'username', type: 'STRING', default: '' },
    ],
    outputs: GRAPH_OUTPUTS,
    mode: 'READ',
    usesCatalog: true,
    description: 'Removes projected graphs and gives their memory back.',
    call: drop,
  },
];
