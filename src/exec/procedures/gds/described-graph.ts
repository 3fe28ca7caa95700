/** The columns that describe a projected graph, as in `gds.graph.list`. */
import type { CatalogEntry, ProjectedGraph, Work } from '../../../algorithms/index.ts';
import { degreeDistribution } from '../../../algorithms/index.ts';
import { CypherDateTime, makeFloat, type Value, type ValueMap } from '../../../value/index.ts';
import type { ProcedureField } from '../../runtime/procedure.ts';
import { readableBytes } from './estimates.ts';

/** The name that drivers use for the only database of a server. */
const DATABASE = 'neo4j';
const DAY_MS = 86_400_000;

/** The columns that describe a projected graph. */
export const GRAPH_OUTPUTS: readonly ProcedureField[] = [
  { name: 'graphName', type: 'STRING' },
  { name: 'database', type: 'STRING' },
  { name: 'databaseLocation', type: 'STRING' },
  { name: 'memoryUsage', type: 'STRING' },
  { name: 'sizeInBytes', type: 'INTEGER' },
  { name: 'nodeCount', type: 'INTEGER' },
  { name: 'relationshipCount', type: 'INTEGER' },
  { name: 'configuration', type: 'MAP' },
  { name: 'density', type: 'FLOAT' },
  { name: 'creationTime', type: 'DATETIME' },
  { name: 'modificationTime', type: 'DATETIME' },
  { name: 'schema', type: 'MAP' },
  { name: 'schemaWithOrientation', type: 'MAP' },
];

/** Returns the row that describes a projected graph. */
export function graphRow({ name, graph, configuration, createdMs, modifiedMs }: CatalogEntry): Value[] {
  const { bytes, nodeCount, relationshipCount } = graph;
  const density = nodeCount < 2 ? 0 : relationshipCount / (nodeCount * (nodeCount - 1));
  return [
    name,
    DATABASE,
    'local',
    readableBytes(bytes),
    bytes,
    nodeCount,
    relationshipCount,
    configuration,
    makeFloat(density),
    instant(createdMs),
    instant(modifiedMs),
    schemaOf(graph, false),
    schemaOf(graph, true),
  ];
}

/** Computes the degree distribution of a projected graph. */
export function* degreesOf(graph: ProjectedGraph, work: Work): Generator<null, Value, void> {
  return yield* degreeDistribution(graph, work);
}

/** Converts milliseconds since 1970 to a date and time in UTC. */
export function instant(ms: number): CypherDateTime {
  const day = Math.floor(ms / DAY_MS);
  return new CypherDateTime(day, Math.round((ms - day * DAY_MS) * 1e6), 0, null);
}

const TYPES = { integer: 'Integer', float: 'Float', integers: 'List of Integer', floats: 'List of Float' } as const;

function schemaOf({ labels, properties, relationships }: ProjectedGraph, withOrientation: boolean): ValueMap {
  const nodeProperties: ValueMap = new Map(
    [...properties].map(([key, { kind, stored }]) => [
      key,
      `${TYPES[kind]} ` +
        `(${kind.endsWith('s') ? '[]' : kind === 'integer' ? 'DefaultValue(-9223372036854775808)' : 'DefaultValue(NaN)'}, ` +
        `${stored ? 'PERSISTENT' : 'TRANSIENT'})`,
    ]),
  );
  const nodes: ValueMap = new Map([...labels.keys()].map((label) => [label, nodeProperties]));
  const types: ValueMap = new Map(
    [...relationships.values()].map(({ type, orientation, properties: own }) => {
      const described: ValueMap = new Map([...own.keys()].map((key) => [key, 'Float (DefaultValue(NaN), PERSISTENT, Aggregation.NONE)']));
      const direction = orientation === 'UNDIRECTED' ? 'UNDIRECTED' : 'DIRECTED';
      const oriented: ValueMap = new Map<string, Value>([
        ['direction', direction],
        ['properties', described],
      ]);
      return [type, withOrientation ? oriented : described];
    }),
  );
  return new Map<string, Value>([
    ['graphProperties', new Map()],
    ['nodes', nodes],
    ['relationships', types],
  ]);
}
