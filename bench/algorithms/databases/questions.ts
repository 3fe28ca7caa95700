/** The statements of each database. All aggregate the stream of an algorithm over nodes `:N {number}` and relationships `:R {weight}`. */
import type { PeerName } from './database.ts';

/** The number of the node that searches begin at: it has the most relationships. */
const SOURCE = 0;
/** A node of few relationships in graphs of 100,000 and more. */
const TARGET = 4096;
const NAMIDB_SOURCE = `'00000000-0000-7000-8000-${SOURCE.toString(16).padStart(12, '0')}'`;

const EQUAL = { FalkorDB: 0, Grafeo: 0, NamiDB: 0 };
/** Sums of floats in different orders. */
const NEARLY_EQUAL = { FalkorDB: 1e-9, Grafeo: 1e-9, NamiDB: 1e-9 };

/** One thing to compute. */
export interface Question {
  readonly name: string;
  /** Over the projected graphs `directed` and `undirected`, with the parameter `$concurrency`. */
  readonly ours: string;
  /** A database without the algorithm has none. */
  readonly peers: Partial<Readonly<Record<PeerName, string>>>;
  /** The largest difference of an answer's first column, as a part of ours; a database that defines the algorithm otherwise has none. */
  readonly tolerances: Partial<Readonly<Record<PeerName, number>>>;
  /** How the definitions differ. */
  readonly note?: string;
}

export const QUESTIONS: readonly Question[] = [
  {
    name: 'PageRank',
    ours:
      "CALL gds.pageRank.stream('directed', {maxIterations: 20, tolerance: 0, danglingNodes: 'REDISTRIBUTE', concurrency: $concurrency}) " +
      'YIELD nodeId, score RETURN max(score) / sum(score) AS share, count(nodeId) AS nodes',
    peers: {
      FalkorDB: "CALL algo.pageRank('N', 'R') YIELD node, score RETURN max(score) / sum(score) AS share, count(node) AS nodes",
      Grafeo:
        'CALL grafeo.pagerank({damping: 0.85, max_iterations: 20, tolerance: 0.0}) YIELD node_id, score ' +
        'RETURN max(score) / sum(score) AS share, count(node_id) AS nodes',
      NamiDB:
        'CALL algo.pagerank({damping: 0.85, max_iterations: 20, tolerance: 0.0}) YIELD node_id, score ' +
        'RETURN max(score) / sum(score) AS share, count(node_id) AS nodes',
    },
    tolerances: { FalkorDB: 0.01, Grafeo: 1e-9 },
    note:
      '20 iterations; FalkorDB iterates until a tolerance of its own, which cannot be set; ' +
      'NamiDB weighs relationships by their property `weight`, told or not',
  },
  {
    name: 'weakly connected components',
    ours: "CALL gds.wcc.stream('directed', {concurrency: $concurrency}) YIELD componentId RETURN count(DISTINCT componentId) AS components",
    peers: {
      FalkorDB:
        "CALL algo.WCC({nodeLabels: ['N'], relationshipTypes: ['R']}) YIELD componentId RETURN count(DISTINCT componentId) AS components",
      Grafeo: 'CALL grafeo.connected_components() YIELD component_id RETURN count(DISTINCT component_id) AS components',
      NamiDB: 'CALL algo.wcc() YIELD component RETURN count(DISTINCT component) AS components',
    },
    tolerances: EQUAL,
  },
  {
    name: 'strongly connected components',
    ours: "CALL gds.scc.stream('directed', {concurrency: $concurrency}) YIELD componentId RETURN count(DISTINCT componentId) AS components",
    peers: {
      Grafeo: 'CALL grafeo.strongly_connected_components() YIELD component_id RETURN count(DISTINCT component_id) AS components',
      NamiDB: 'CALL algo.scc() YIELD component RETURN count(DISTINCT component) AS components',
    },
    tolerances: EQUAL,
  },
  {
    name: 'breadth-first search',
    ours:
      `MATCH (source:N {number: ${SOURCE}}) CALL gds.bfs.stream('directed', {sourceNode: source, concurrency: $concurrency}) ` +
      'YIELD nodeIds RETURN size(nodeIds) AS reached',
    peers: {
      FalkorDB: `MATCH (source:N {number: ${SOURCE}}) CALL algo.BFS(source, -1, 'R') YIELD nodes RETURN size(nodes) + 1 AS reached`,
      Grafeo: `CALL grafeo.bfs({start: ${SOURCE}}) YIELD node_id RETURN count(node_id) AS reached`,
      NamiDB: `CALL algo.shortest_path({source: ${NAMIDB_SOURCE}}) YIELD node_id RETURN count(node_id) AS reached`,
    },
    tolerances: EQUAL,
  },
  {
    name: 'Dijkstra, all distances',
    ours:
      `MATCH (source:N {number: ${SOURCE}}) CALL gds.allShortestPaths.dijkstra.stream('directed', ` +
      "{sourceNode: source, relationshipWeightProperty: 'weight', concurrency: $concurrency}) " +
      'YIELD totalCost RETURN sum(totalCost) AS total, count(totalCost) AS reached',
    peers: {
      Grafeo:
        `CALL grafeo.dijkstra({source: ${SOURCE}, weight: 'weight'}) YIELD node_id, distance ` +
        'RETURN sum(distance) AS total, count(node_id) AS reached',
      NamiDB:
        `CALL algo.shortest_path({source: ${NAMIDB_SOURCE}, weighted: true}) YIELD node_id, distance ` +
        'RETURN sum(distance) AS total, count(node_id) AS reached',
    },
    tolerances: NEARLY_EQUAL,
  },
  {
    name: 'Dijkstra to one node',
    ours:
      `MATCH (source:N {number: ${SOURCE}}), (target:N {number: ${TARGET}}) CALL gds.shortestPath.dijkstra.stream('directed', ` +
      "{sourceNode: source, targetNode: target, relationshipWeightProperty: 'weight', concurrency: $concurrency}) " +
      'YIELD totalCost RETURN sum(totalCost) AS total',
    peers: {
      FalkorDB:
        `MATCH (source:N {number: ${SOURCE}}), (target:N {number: ${TARGET}}) CALL algo.SPpaths({sourceNode: source, targetNode: target, ` +
        "relTypes: ['R'], weightProp: 'weight', relDirection: 'outgoing', pathCount: 1}) YIELD pathWeight RETURN sum(pathWeight) AS total",
      Grafeo:
        `CALL grafeo.dijkstra({source: ${SOURCE}, target: ${TARGET}, weight: 'weight'}) YIELD distance ` + 'RETURN sum(distance) AS total',
    },
    tolerances: NEARLY_EQUAL,
  },
  {
    name: 'label propagation',
    ours:
      "CALL gds.labelPropagation.stream('undirected', {maxIterations: 10, concurrency: $concurrency}) " +
      'YIELD communityId RETURN count(DISTINCT communityId) AS communities',
    peers: {
      FalkorDB:
        "CALL algo.labelPropagation({nodeLabels: ['N'], relationshipTypes: ['R'], maxIterations: 10}) YIELD communityId " +
        'RETURN count(DISTINCT communityId) AS communities',
      Grafeo: 'CALL grafeo.label_propagation({max_iterations: 10}) YIELD community_id RETURN count(DISTINCT community_id) AS communities',
      NamiDB: 'CALL algo.label_propagation({max_iterations: 10}) YIELD community RETURN count(DISTINCT community) AS communities',
    },
    tolerances: { FalkorDB: 0 },
    note: 'at most 10 iterations; Grafeo and NamiDB define the order of updates otherwise',
  },
  {
    name: 'clustering coefficients',
    ours:
      "CALL gds.localClusteringCoefficient.stream('undirected', {concurrency: $concurrency}) " +
      'YIELD localClusteringCoefficient RETURN sum(localClusteringCoefficient) AS total',
    peers: {
      Grafeo: 'CALL grafeo.clustering_coefficient() YIELD coefficient RETURN sum(coefficient) AS total',
      NamiDB: 'CALL algo.triangle_count() YIELD coefficient RETURN sum(coefficient) AS total',
    },
    tolerances: NEARLY_EQUAL,
  },
  {
    name: 'Louvain',
    ours:
      "CALL gds.louvain.stream('undirected', {concurrency: $concurrency}) YIELD communityId " +
      'RETURN count(DISTINCT communityId) AS communities',
    peers: {
      Grafeo: 'CALL grafeo.louvain() YIELD community_id RETURN count(DISTINCT community_id) AS communities',
      NamiDB: 'CALL algo.louvain() YIELD community RETURN count(DISTINCT community) AS communities',
    },
    tolerances: {},
    note: 'nodes are visited in different orders, and levels end by different limits',
  },
  {
    name: 'betweenness of 16 sources',
    ours:
      "CALL gds.betweenness.stream('directed', {samplingSize: 16, samplingSeed: 1, concurrency: $concurrency}) " +
      'YIELD nodeId, score RETURN max(score) AS most, count(nodeId) AS nodes',
    peers: {
      FalkorDB:
        "CALL algo.betweenness({nodeLabels: ['N'], relationshipTypes: ['R'], samplingSize: 16, samplingSeed: 1}) YIELD node, score " +
        'RETURN max(score) AS most, count(node) AS nodes',
    },
    tolerances: {},
    note: 'databases draw different sources; Grafeo and NamiDB take all nodes as sources and no fewer',
  },
];
