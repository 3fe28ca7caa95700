/** Communities and triangles against their definitions, on 200 random graphs of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFloat } from '../../value/index.ts';
import { numbers } from '../graph/node-property.ts';
import {
  arcsOf,
  distancesOf,
  matrixOf,
  near,
  outcomeOf,
  type RandomGraph,
  randomGraphs,
  summaryOf,
  valuesOf,
} from '../testing/random-graphs.fixture.ts';
import { directedClusteringCoefficient } from './directed-clustering.ts';
import { kcore } from './k-core.ts';
import { k1coloring } from './k1-coloring.ts';
import { labelPropagation } from './label-propagation.ts';
import { leiden } from './leiden.ts';
import { louvain } from './louvain.ts';
import { localClusteringCoefficient, triangleCount } from './triangles.ts';

const DIRECTED = [...randomGraphs(200, false)];
const UNDIRECTED = [...randomGraphs(200, true)];

/**
 * One synchronous iteration after the other, labels counted in a map: CDLP of LDBC Graphalytics where the labels begin
 * as numbers of nodes.
 */
function propagated(graph: RandomGraph, iterations: number, isWeighted: boolean, first: readonly number[]): number[] {
  let labels = [...first];
  for (let i = 0; i < iterations; i++) {
    labels = labels.map((own, node) => {
      const sums = new Map<number, number>();
      for (const { from, to, weight } of arcsOf(graph))
        if (from === node) sums.set(labels[to]!, (sums.get(labels[to]!) ?? 0) + (isWeighted ? weight : 1));
      const most = Math.max(...sums.values());
      const best = [...sums].filter(([, sum]) => sum === most).map(([label]) => label);
      return best.length === 0 ? own : Math.min(...best);
    });
  }
  return labels;
}

test('label propagation is that of Graphalytics', () => {
  for (const graph of [...DIRECTED, ...UNDIRECTED]) {
    const own = Array.from({ length: graph.nodeCount }, (_, node) => node);
    for (const isWeighted of [false, true]) {
      const outcome = outcomeOf(labelPropagation, graph, { maxIterations: 4 }, { isWeighted });
      assert.deepEqual(valuesOf(outcome), propagated(graph, Number(summaryOf(outcome)['ranIterations']), isWeighted, own), graph.name);
      assert.deepEqual(valuesOf(outcome), propagated(graph, 4, isWeighted, own), graph.name);
    }
    const seeds = own.map((node) => 1000 - 7 * node);
    const properties = new Map([['seed', numbers('integer', Float64Array.from(seeds))]]);
    assert.deepEqual(
      valuesOf(outcomeOf(labelPropagation, graph, { maxIterations: 3, seedProperty: 'seed' }, { properties })),
      propagated(graph, 3, false, seeds),
      graph.name,
    );
  }
});

test('directed coefficients are those of all ordered pairs of neighbours, as Graphalytics defines them', () => {
  for (const graph of [...DIRECTED, ...UNDIRECTED]) {
    const matrix = matrixOf(graph);
    const has = (from: number, to: number): boolean => matrix[from]![to]! > 0;
    const nodes = matrix.map((_, node) => node);
    const expected = nodes.map((node) => {
      const around = nodes.filter((other) => other !== node && (has(node, other) || has(other, node)));
      const pairs = around.flatMap((from) => around.filter((to) => to !== from && has(from, to))).length;
      return around.length < 2 ? 0 : pairs / (around.length * (around.length - 1));
    });
    const outcome = outcomeOf(directedClusteringCoefficient, graph, {});
    assert.deepEqual(valuesOf(outcome), expected, graph.name);
    const mean = expected.length === 0 ? 0 : expected.reduce((sum, each) => sum + each, 0) / expected.length;
    assert.deepEqual(summaryOf(outcome)['averageClusteringCoefficient'], makeFloat(mean), graph.name);
  }
  for (const graph of UNDIRECTED) {
    const same = valuesOf(outcomeOf(localClusteringCoefficient, graph, {}));
    near(valuesOf(outcomeOf(directedClusteringCoefficient, graph, {})), same, graph.name);
  }
});

test('triangles and coefficients are those of all triples of nodes', () => {
  for (const graph of UNDIRECTED) {
    const matrix = matrixOf(graph);
    const n = graph.nodeCount;
    const counts = new Array<number>(n).fill(0);
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++)
        for (let c = b + 1; c < n; c++)
          if (matrix[a]![b]! > 0 && matrix[b]![c]! > 0 && matrix[a]![c]! > 0) for (const node of [a, b, c]) counts[node]!++;
    const degrees = matrix.map((row, node) => row.filter((count, other) => count > 0 && other !== node).length);
    const outcome = outcomeOf(triangleCount, graph, {});
    assert.deepEqual(valuesOf(outcome), counts, graph.name);
    assert.equal(summaryOf(outcome)['globalTriangleCount'], counts.reduce((sum, each) => sum + each, 0) / 3);
    const expected = counts.map((count, node) => (degrees[node]! < 2 ? 0 : (2 * count) / (degrees[node]! * (degrees[node]! - 1))));
    near(valuesOf(outcomeOf(localClusteringCoefficient, graph, {})), expected, graph.name);
    const properties = new Map([['triangles', numbers('integer', Float64Array.from(counts))]]);
    near(
      valuesOf(outcomeOf(localClusteringCoefficient, graph, { triangleCountProperty: 'triangles' }, { properties })),
      expected,
      graph.name,
    );
    const few = valuesOf(outcomeOf(triangleCount, graph, { maxDegree: 3 }));
    const isSmall = degrees.map((degree) => degree <= 3);
    for (let node = 0; node < n; node++) {
      let count = 0;
      for (let b = 0; b < n; b++)
        for (let c = b + 1; c < n; c++)
          if (b !== node && c !== node && isSmall[b] && isSmall[c] && matrix[node]![b]! > 0 && matrix[b]![c]! > 0 && matrix[node]![c]! > 0)
            count++;
      assert.equal(few[node], isSmall[node] ? count : -1, graph.name);
    }
  }
});

test('core values are those of taking away what has too few neighbours', () => {
  for (const graph of UNDIRECTED) {
    const arcs = arcsOf(graph).filter(({ from, to }) => from !== to);
    const cores = new Array<number>(graph.nodeCount).fill(0);
    for (let k = 1; ; k++) {
      const left = new Set(cores.keys());
      for (let isDone = false; !isDone; ) {
        isDone = true;
        for (const node of left)
          if (arcs.filter(({ from, to }) => from === node && left.has(to)).length < k) {
            left.delete(node);
            isDone = false;
          }
      }
      if (left.size === 0) break;
      for (const node of left) cores[node] = k;
    }
    const outcome = outcomeOf(kcore, graph, {});
    assert.deepEqual(valuesOf(outcome), cores, graph.name);
    assert.equal(summaryOf(outcome)['degeneracy'], Math.max(0, ...cores));
  }
});

test('no neighbours have one colour, and there is no colour too many', () => {
  for (const graph of [...DIRECTED, ...UNDIRECTED]) {
    const outcome = outcomeOf(k1coloring, graph, {});
    const colours = valuesOf(outcome);
    const arcs = arcsOf(graph).filter(({ from, to }) => from !== to);
    for (const { from, to } of arcs) assert.notEqual(colours[from], colours[to], graph.name);
    for (const [node, colour] of colours.entries()) {
      const around = new Set(arcs.flatMap(({ from, to }) => (from === node ? [colours[to]!] : to === node ? [colours[from]!] : [])));
      for (let smaller = 0; smaller < colour; smaller++) assert.ok(around.has(smaller), graph.name);
    }
    assert.equal(summaryOf(outcome)['colorCount'], new Set(colours).size);
  }
});

/** Computes modularity by its definition, over all pairs of nodes. */
function modularityOf(graph: RandomGraph, communities: readonly number[], isWeighted: boolean, gamma = 1): number {
  const arcs = graph.edges.flatMap((edge) => [edge, { from: edge.to, to: edge.from, weight: edge.weight }]);
  const weightOf = ({ weight }: { weight: number }): number => (isWeighted ? weight : 1);
  const total = arcs.reduce((sum, arc) => sum + weightOf(arc), 0);
  if (total === 0) return 0;
  let value = arcs.filter(({ from, to }) => communities[from] === communities[to]).reduce((sum, arc) => sum + weightOf(arc), 0) / total;
  for (const community of new Set(communities)) {
    const share = arcs.filter(({ from }) => communities[from] === community).reduce((sum, arc) => sum + weightOf(arc), 0) / total;
    value -= gamma * share * share;
  }
  return value;
}

/** The best of all partitions of a few nodes. */
function bestModularity(graph: RandomGraph, isWeighted: boolean): number {
  let best = Number.NEGATIVE_INFINITY;
  const communities: number[] = [];
  const assign = (node: number, used: number): void => {
    if (node === graph.nodeCount) {
      best = Math.max(best, modularityOf(graph, communities, isWeighted));
      return;
    }
    for (let community = 0; community <= used; community++) {
      communities[node] = community;
      assign(node + 1, Math.max(used, community + 1));
    }
  };
  assign(0, 0);
  return best;
}

for (const isWeighted of [false, true]) {
  test(
    'Louvain and Leiden tell the modularity of what they found, no worse than single nodes and near the best, ' +
      `${isWeighted ? 'with' : 'without'} weights`,
    () => {
      const short = { louvain: 0, leiden: 0, graphs: 0 };
      for (const graph of [...DIRECTED, ...UNDIRECTED]) {
        const isSmall = graph.nodeCount > 0 && graph.nodeCount <= 7;
        const best = isSmall ? bestModularity(graph, isWeighted) : 1;
        for (const algorithm of graph.isUndirected ? [louvain, leiden] : [louvain]) {
          const outcome = outcomeOf(algorithm, graph, {}, { isWeighted });
          const communities = valuesOf(outcome);
          const found = modularityOf(graph, communities, isWeighted);
          const told = summaryOf(outcome);
          near([Number((told['modularity'] as { value?: number } | null)?.value ?? told['modularity'])], [found], graph.name);
          assert.ok(found >= modularityOf(graph, [...communities.keys()], isWeighted) - 1e-9, graph.name);
          assert.ok(found <= best + 1e-9, graph.name);
          for (const [node, community] of communities.entries())
            assert.ok(community <= node && communities[community] === community, graph.name);
          if (isSmall && found < best - 1e-9) short[algorithm.name as 'louvain' | 'leiden']++;
          if (algorithm === leiden) assertConnected(graph, communities, isWeighted);
        }
        if (isSmall) short.graphs++;
      }
      assert.ok(short.louvain + short.leiden < short.graphs / 4, JSON.stringify(short));
    },
  );
}

/** A community of Leiden does not fall into parts. */
function assertConnected(graph: RandomGraph, communities: readonly number[], isWeighted: boolean): void {
  const inside = graph.edges.filter(({ from, to, weight }) => communities[from] === communities[to] && (!isWeighted || weight > 0));
  const distances = distancesOf({ ...graph, edges: inside }, false);
  for (const [a, community] of communities.entries())
    for (const [b, other] of communities.entries())
      if (community === other) assert.ok(distances[a]![b]! < Number.POSITIVE_INFINITY, `${graph.name}: ${communities}`);
}

test('two cliques with one relationship between them', () => {
  const clique = (first: number) =>
    [0, 1, 2, 3, 4].flatMap((a) => [0, 1, 2, 3, 4].filter((b) => b > a).map((b) => ({ from: first + a, to: first + b, weight: 1 })));
  const graph: RandomGraph = {
    name: 'cliques',
    nodeCount: 10,
    isUndirected: true,
    edges: [...clique(0), ...clique(5), { from: 4, to: 5, weight: 1 }],
  };
  const expected = [0, 0, 0, 0, 0, 5, 5, 5, 5, 5];
  for (const algorithm of [louvain, leiden]) {
    assert.deepEqual(valuesOf(outcomeOf(algorithm, graph, {})), expected);
    assert.deepEqual(valuesOf(outcomeOf(algorithm, graph, { consecutiveIds: true })), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    const levels = outcomeOf(algorithm, graph, { includeIntermediateCommunities: true });
    const row = levels.row(9, 109);
    assert.equal(row[0], 109);
    assert.equal((row[2] as number[]).at(-1), 5);
    assert.throws(() => outcomeOf(algorithm, graph, { includeIntermediateCommunities: true, consecutiveIds: true }), {
      code: 'ARGUMENT_ERROR',
    });
  }
  assert.deepEqual(valuesOf(outcomeOf(labelPropagation, graph, {})), expected);
});
