/**
 * Shapes for each algorithm over projected graphs, made of their records, so that a new algorithm has its shapes at
 * once; and for projections.
 */
import { algorithms } from '../../../src/algorithms/index.ts';
import { type Shape, shapes } from './shape.ts';

const NODES =
  "{T: {properties: ['i', 'k', 'v']}, Q: {properties: 'i'}, F: {properties: 'i'}, C: {properties: 'i'}, Hub: {properties: 'i'}}";
const EVERYTHING =
  `{nodeProjection: '*', relationshipProjection: {H: {orientation: 'UNDIRECTED'}, Q: {orientation: ` +
  `'UNDIRECTED'}, F: {orientation: 'UNDIRECTED'}, C: {orientation: 'UNDIRECTED'}}}`;
const WITH_PROPERTIES =
  "{nodeProjection: {T: {properties: ['i', 'k', 'v']}, Hub: {properties: {i: {defaultValue: 0}, k: {defaultValue: 0}, v: " +
  "{property: 'none', defaultValue: [0.0]}}}}, relationshipProjection: {H: {orientation: 'UNDIRECTED'}}}";
const SOURCE = 'MATCH (a:Hub), (b:T {i: 5}), (c:C {i: 0})';

interface Call {
  readonly graph: string;
  /** The greatest work that its configuration can ask for. */
  readonly configuration: string;
  /** Binds what the configuration names. */
  readonly match?: string;
}

const DEFAULT: Call = { graph: EVERYTHING, configuration: '' };
const FROM_HUB: Call = { graph: EVERYTHING, configuration: 'sourceNode: a', match: SOURCE };

const CALLS: Readonly<Record<string, Call>> = {
  pageRank: { graph: EVERYTHING, configuration: 'maxIterations: 1000000, tolerance: 0.0' },
  articleRank: { graph: EVERYTHING, configuration: 'maxIterations: 1000000, tolerance: 0.0' },
  eigenvector: { graph: EVERYTHING, configuration: 'maxIterations: 1000000, tolerance: 0.0' },
  hits: { graph: EVERYTHING, configuration: 'hitsIterations: 1000000' },
  labelPropagation: { graph: EVERYTHING, configuration: 'maxIterations: 1000000' },
  louvain: { graph: EVERYTHING, configuration: 'maxLevels: 1000, maxIterations: 1000, tolerance: 0.0' },
  leiden: { graph: EVERYTHING, configuration: 'maxLevels: 1000, tolerance: 0.0' },
  k1coloring: { graph: EVERYTHING, configuration: 'maxIterations: 1000000' },
  bfs: FROM_HUB,
  dfs: FROM_HUB,
  'shortestPath.dijkstra': { graph: EVERYTHING, configuration: 'sourceNode: c, targetNode: b', match: SOURCE },
  'shortestPath.astar': {
    graph: WITH_PROPERTIES,
    configuration: "sourceNode: a, targetNode: b, latitudeProperty: 'i', longitudeProperty: 'k'",
    match: SOURCE,
  },
  'shortestPath.yens': {
    graph: EVERYTHING,
    configuration: 'sourceNode: q, targetNode: r, k: 100000',
    match: 'MATCH (q:Q {i: 0}), (r:Q {i: 1})',
  },
  'allShortestPaths.dijkstra': { graph: EVERYTHING, configuration: 'sourceNode: c', match: SOURCE },
  'allShortestPaths.delta': { graph: EVERYTHING, configuration: 'sourceNode: c, delta: 0.000001', match: SOURCE },
  spanningTree: FROM_HUB,
  nodeSimilarity: { graph: EVERYTHING, configuration: 'topK: 100000, similarityCutoff: 0.0' },
  'nodeSimilarity.filtered': {
    graph: WITH_PROPERTIES,
    configuration: "topK: 100000, similarityCutoff: 0.0, sourceNodeFilter: 'T'",
  },
  knn: {
    graph: WITH_PROPERTIES,
    configuration: "nodeProperties: ['i'], topK: 1000, maxIterations: 1000, deltaThreshold: 0.0, sampleRate: 1.0",
  },
  randomWalk: { graph: EVERYTHING, configuration: 'walkLength: 100000, walksPerNode: 100' },
  fastRP: { graph: EVERYTHING, configuration: 'embeddingDimension: 4096, iterationWeights: [x IN range(1, 1000) | 1.0]' },
  node2vec: { graph: EVERYTHING, configuration: 'walkLength: 1000, walksPerNode: 1000, iterations: 1000, embeddingDimension: 1000' },
  scaleProperties: { graph: WITH_PROPERTIES, configuration: "nodeProperties: ['i', 'k'], scaler: 'StdScore'" },
};

export function algorithmShapes(): Shape[] {
  const called = algorithms.flatMap(({ name, modes }): Shape[] => {
    const { graph, configuration, match = '' } = CALLS[name] ?? DEFAULT;
    const yields = (column: string): string => (match === '' ? '' : ` YIELD ${column} RETURN count(*)`);
    const call = (mode: string, more: string, column: string): string => {
      const given = [configuration, more].filter((part) => part !== '').join(', ');
      return `${match} CALL gds.${name}.${mode}(${graph}, {${given}})${yields(column)}`.trim();
    };
    const streamed = match === '' ? '*' : null;
    const shape = (mode: string, statement: string, isWriting: boolean): Shape => ({
      name: `algorithm: ${name}, ${mode}`,
      statement,
      ...(isWriting ? { writes: true } : {}),
    });
    return [
      shape('stats', call('stats', '', 'computeMillis'), false),
      ...(streamed === null || !modes.includes('stream') ? [] : [shape('stream', call('stream', '', ''), false)]),
    ];
  });
  return [
    ...called,
    ...shapes(
      'algorithm',
      {
        'pageRank, write': `CALL gds.pageRank.write(${EVERYTHING}, {writeProperty: 'rank'})`,
        'nodeSimilarity, write':
          `CALL gds.nodeSimilarity.write(${EVERYTHING}, {topK: 100, writeProperty: 'score', ` + `writeRelationshipType: 'LIKE'})`,
        'louvain, write': `CALL gds.louvain.write(${EVERYTHING}, {writeProperty: 'community', includeIntermediateCommunities: true})`,
      },
      { writes: true },
    ),
    ...shapes(
      'projection',
      {
        everything: "CALL gds.graph.project('g1', '*', '*')",
        'with properties': `CALL gds.graph.project('g2', ${NODES}, {H: {orientation: 'UNDIRECTED', properties: 'i', aggregation: 'SUM'}})`,
        'again and again':
          "UNWIND range(1, 1000000) AS i CALL gds.graph.project('again ' + i, '*', '*') YIELD nodeCount RETURN sum(nodeCount)",
        'of rows': "MATCH (a:T), (b:T) WITH gds.graph.project('g3', a, b) AS g RETURN g.nodeCount",
        'of a walk': "MATCH (a:F)-[:F*]->(b) WITH gds.graph.project('g4', a, b) AS g RETURN g.nodeCount",
        'listed with degrees':
          "CALL gds.graph.project('g5', '*', '*') YIELD graphName UNWIND range(1, 100000) AS i CALL gds.graph.list(graphName) " +
          'YIELD degreeDistribution RETURN count(*)',
      },
      { writes: true },
    ),
  ];
}
