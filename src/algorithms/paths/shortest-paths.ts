/** The shortest-path procedures from one node: to one or several targets, to all nodes, and to one target by A*. */
import { argumentFault } from '../../value/index.ts';
import { float, node, nodes, optional, string } from '../configuration/fields.ts';
import { sourceIn, sourcesIn } from '../graph/sources.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type Column, type FoundPath, type PathOutcome, pathAlgorithm, type Size } from '../table/algorithm.ts';
import { Arrays, type Work } from '../work.ts';
import { BYTES_PER_NODE, deltaStepping, LEAST_BYTES_PER_NODE } from './delta-stepping.ts';
import { checkWeights, newSearch, pathTo, run, type ShortestPathTree } from './dijkstra.ts';

/** The columns of `stream` of shortest paths. */
export const PATH_COLUMNS: readonly Column[] = [
  { name: 'index', type: 'INTEGER' },
  { name: 'sourceNode', type: 'INTEGER' },
  { name: 'targetNode', type: 'INTEGER' },
  { name: 'totalCost', type: 'FLOAT' },
  { name: 'nodeIds', type: 'LIST<INTEGER>' },
  { name: 'costs', type: 'LIST<FLOAT>' },
  { name: 'path', type: 'PATH' },
];

const TARGETS = { sourceNode: node(), targetNode: optional(node()), targetNodes: optional(nodes(undefined)) };
const ALL = { sourceNode: node() };
const DELTA = { sourceNode: node(), delta: float(2, { min: 0, above: true }) };
const ASTAR = {
  sourceNode: node(),
  targetNode: node(),
  latitudeProperty: string(undefined),
  longitudeProperty: string(undefined),
};

const COMMON = {
  modes: ['stream', 'stats', 'mutate', 'write'],
  weights: 'optional',
  needsUndirected: false,
  columns: PATH_COLUMNS,
  summary: [],
  bytes: ({ nodeCount }: Size) => nodeCount * 32,
  leastBytes: ({ nodeCount }: Size) => nodeCount * 28,
} as const;

/** Bytes that are counted for one node of a path that is handed out. */
const BYTES_PER_PLACE = 32;

/** Returns the outcome with the paths of a tree to some nodes; nodes that were not reached have none. */
export function outcomeOf(tree: ShortestPathTree, ends: Iterable<number>, work: Work): PathOutcome {
  return {
    kind: 'paths',
    isStepwise: false,
    *paths() {
      for (const end of ends) {
        if (tree.distances[end] === Number.POSITIVE_INFINITY) continue;
        const path = pathTo(tree, end);
        if (work.worked(path.nodes.length)) yield null;
        yield path;
      }
    },
    summary: {},
  };
}

/** Returns the outcome with paths that were already found. */
export function outcomeOfPaths(paths: readonly FoundPath[]): PathOutcome {
  return {
    kind: 'paths',
    isStepwise: false,
    *paths() {
      yield* paths;
    },
    summary: {},
  };
}

/** Returns the bytes that a found path takes. */
export const bytesOfPath = (path: FoundPath): number => path.nodes.length * BYTES_PER_PLACE;

/** Dijkstra's shortest paths to one or several targets. */
export const dijkstraToTargets: Algorithm<typeof TARGETS, PathOutcome> = pathAlgorithm({
  ...COMMON,
  name: 'shortestPath.dijkstra',
  description: 'The shortest path to a node, or to each of some nodes.',
  fields: TARGETS,
  relationships: (_, { targetNode, targetNodes }) => (targetNode === null ? 0 : 1) + (targetNodes?.length ?? 0),
  *run({ topology, configuration: { sourceNode, targetNode, targetNodes }, work }) {
    const ordinals = [...(targetNode === null ? [] : [targetNode]), ...(targetNodes ?? [])];
    if (ordinals.length === 0) throw argumentFault('No value specified for the mandatory configuration parameter `targetNode`');
    const source = sourceIn(topology, 'sourceNode', sourceNode);
    const targets = [...new Set(sourcesIn(topology, targetNode === null ? 'targetNodes' : 'targetNode', ordinals))];
    yield* checkWeights(topology, work);
    const state = newSearch(topology, source, targets.length === 1 ? { target: targets[0]! } : {}, new Arrays(work));
    yield* run(state, work);
    return outcomeOf(state, targets, work);
  },
});

/** Dijkstra's shortest paths to all nodes. */
export const dijkstraToAll: Algorithm<typeof ALL, PathOutcome> = pathAlgorithm({
  ...COMMON,
  name: 'allShortestPaths.dijkstra',
  description: 'The shortest paths from a node to all that can be reached, the nearest first.',
  fields: ALL,
  bytes: ({ nodeCount }) => nodeCount * 36,
  leastBytes: ({ nodeCount }) => nodeCount * 32,
  *run({ topology, configuration, work }) {
    const source = sourceIn(topology, 'sourceNode', configuration.sourceNode);
    yield* checkWeights(topology, work);
    const state = newSearch(topology, source, { keepsOrder: true }, new Arrays(work));
    yield* run(state, work);
    return outcomeOf(state, state.settled!.subarray(0, state.settledCount), work);
  },
});

/** Delta-stepping to all nodes. */
export const delta: Algorithm<typeof DELTA, PathOutcome> = pathAlgorithm({
  ...COMMON,
  name: 'allShortestPaths.delta',
  description: 'The shortest paths from a node to all that can be reached, by delta-stepping.',
  fields: DELTA,
  bytes: ({ nodeCount }) => nodeCount * BYTES_PER_NODE,
  leastBytes: ({ nodeCount }) => nodeCount * LEAST_BYTES_PER_NODE,
  *run({ topology, configuration, work }) {
    const source = sourceIn(topology, 'sourceNode', configuration.sourceNode);
    yield* checkWeights(topology, work);
    const tree = yield* deltaStepping(topology, source, configuration.delta, work);
    return outcomeOf(tree, everyNode(topology), work);
  },
});

function* everyNode({ nodeCount }: Topology): Generator<number> {
  for (let each = 0; each < nodeCount; each++) yield each;
}

const EARTH_RADIUS_NAUTICAL_MILES = 3443.92;
const RADIANS = Math.PI / 180;

/** Returns the great-circle distance in nautical miles between two places given in degrees (haversine). */
function nauticalMiles(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const a = Math.sin(((otherLatitude - latitude) * RADIANS) / 2) ** 2;
  const b = Math.cos(latitude * RADIANS) * Math.cos(otherLatitude * RADIANS) * Math.sin(((otherLongitude - longitude) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_NAUTICAL_MILES * Math.asin(Math.min(1, Math.sqrt(a + b)));
}

/** A* to one target. */
export const astar: Algorithm<typeof ASTAR, PathOutcome> = pathAlgorithm({
  ...COMMON,
  name: 'shortestPath.astar',
  description: 'The shortest path to a node, guided by the distance on the globe; weights are nautical miles or more.',
  fields: ASTAR,
  relationships: () => 1,
  *run({ topology, configuration, work }) {
    const source = sourceIn(topology, 'sourceNode', configuration.sourceNode);
    const target = sourceIn(topology, 'targetNode', configuration.targetNode);
    const latitudes = topology.numbers(configuration.latitudeProperty);
    const longitudes = topology.numbers(configuration.longitudeProperty);
    yield* checkWeights(topology, work);
    const bound = (each: number): number => {
      const miles = nauticalMiles(latitudes[each]!, longitudes[each]!, latitudes[target]!, longitudes[target]!);
      return Number.isNaN(miles) ? 0 : miles;
    };
    const state = newSearch(topology, source, { target, bound }, new Arrays(work));
    yield* run(state, work);
    return outcomeOf(state, [target], work);
  },
});
