/** PageRank as LDBC Graphalytics defines it, against its recurrence and its published ranks. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { arcsOf, near, outcomeOf, type RandomGraph, randomGraphs, summaryOf, valuesOf } from '../testing/random-graphs.fixture.ts';
import { articleRank, pageRank } from './page-rank.ts';

const GRAPHS = [...randomGraphs(100, false), ...randomGraphs(100, true)];

/** Ranks by the recurrence of LDBC Graphalytics, over pairs of nodes. @param sources the nodes where ranks start */
function distribution(graph: RandomGraph, isWeighted: boolean, iterations: number, sources: readonly number[]): number[] {
  const nodes = Array.from({ length: graph.nodeCount }, (_, node) => node);
  const arcs = arcsOf(graph).map((arc) => ({ ...arc, weight: isWeighted ? arc.weight : 1 }));
  const between = (from: number, to: number): number =>
    arcs.filter((arc) => arc.from === from && arc.to === to).reduce((sum, { weight }) => sum + weight, 0);
  const shares = nodes.map((from) => {
    const all = nodes.reduce((sum, to) => sum + between(from, to), 0);
    return nodes.map((to) => (all > 0 ? between(from, to) / all : sources.includes(to) ? 1 / sources.length : 0));
  });
  const start = nodes.map((node) => (sources.includes(node) ? 1 / sources.length : 0));
  let rank = start;
  for (let i = 0; i < iterations; i++)
    rank = nodes.map((to) => 0.15 * start[to]! + 0.85 * nodes.reduce((sum, from) => sum + rank[from]! * shares[from]![to]!, 0));
  return rank;
}

for (const isWeighted of [false, true]) {
  test(`PageRank that redistributes follows LDBC Graphalytics, ${isWeighted ? 'with' : 'without'} weights`, () => {
    for (const graph of GRAPHS)
      for (const iterations of [1, 2, 14]) {
        const configuration = { maxIterations: iterations, tolerance: 0, danglingNodes: 'redistribute' };
        const all = Array.from({ length: graph.nodeCount }, (_, node) => node);
        const sources = all.filter((node) => node % 3 === 1);
        const given = { ...configuration, sourceNodes: sources.map((node) => 10 * (node + 1)) };
        for (const [values, starts] of [
          [configuration, all],
          [given, sources.length > 0 ? sources : all],
        ] as const) {
          const found = valuesOf(outcomeOf(pageRank, graph, values, { isWeighted }));
          near(found, distribution(graph, isWeighted, iterations, starts), graph.name, 1e-12);
        }
      }
  });
}

/** The examples of Graphalytics: relationships by the numbers of their nodes, and ranks after two iterations. */
const EXAMPLES = [
  {
    name: 'example-directed',
    isUndirected: false,
    first: 1,
    edges: '1 3, 1 5, 2 4, 2 5, 2 10, 3 1, 3 5, 3 8, 3 10, 5 3, 5 4, 5 8, 6 3, 6 4, 7 4, 8 1, 9 4',
    ranks: [
      1.477629166666667e-1, 4.753375e-2, 1.550469444444444e-1, 1.597573611111111e-1, 1.4624e-1, 4.753375e-2, 4.753375e-2,
      1.135740277777778e-1, 4.753375e-2, 8.748375e-2,
    ],
  },
  {
    name: 'example-undirected',
    isUndirected: true,
    first: 2,
    edges: '2 3, 2 4, 3 4, 3 5, 3 8, 5 6, 5 8, 6 7, 6 8, 6 9, 6 10, 7 9',
    ranks: [
      9.084490740740739e-2, 1.424089506172839e-1, 9.084490740740739e-2, 1.249891975308642e-1, 1.686172839506173e-1, 9.749537037037037e-2,
      1.249891975308642e-1, 9.749537037037037e-2, 6.231481481481481e-2,
    ],
  },
];

for (const { name, isUndirected, first, edges, ranks } of EXAMPLES) {
  test(`the ranks that LDBC Graphalytics publishes: ${name}`, () => {
    const pairs = edges.split(', ').map((pair) => pair.split(' ').map((node) => Number(node) - first));
    const graph = { name, nodeCount: ranks.length, isUndirected, edges: pairs.map(([from, to]) => ({ from: from!, to: to!, weight: 1 })) };
    const configuration = { dampingFactor: 0.85, maxIterations: 2, tolerance: 0, danglingNodes: 'REDISTRIBUTE' };
    const outcome = outcomeOf(pageRank, graph, configuration);
    near(valuesOf(outcome), ranks, name, 1e-15);
    assert.deepEqual([summaryOf(outcome)['ranIterations'], summaryOf(outcome)['didConverge']], [2, false]);
  });
}

test('PageRank that redistributes ends when no rank changes by more than the tolerance times the mean', () => {
  const [first, ...rest] = [...randomGraphs(40, false)].filter(({ edges }) => edges.length > 3);
  for (const graph of [first!, ...rest]) {
    const run = (tolerance: number) => outcomeOf(pageRank, graph, { maxIterations: 400, tolerance, danglingNodes: 'REDISTRIBUTE' });
    const { ranIterations, didConverge } = summaryOf(run(0.01));
    assert.equal(didConverge, true);
    const count = Number(ranIterations);
    const all = Array.from({ length: graph.nodeCount }, (_, node) => node);
    const change = (iteration: number): number => {
      const before = distribution(graph, false, iteration - 1, all);
      return Math.max(...distribution(graph, false, iteration, all).map((rank, node) => Math.abs(rank - before[node]!)));
    };
    assert.ok(change(count) <= 0.01 / graph.nodeCount);
    assert.ok(count === 1 || change(count - 1) > 0.01 / graph.nodeCount);
  }
});

test('a word that danglingNodes does not know is refused, and ArticleRank does not know it at all', () => {
  const [graph] = randomGraphs(1, false);
  assert.throws(() => outcomeOf(pageRank, graph!, { danglingNodes: 'drop' }), {
    code: 'ARGUMENT_ERROR',
    message: /danglingNodes `drop` is not supported. Must be one of: \['IGNORE', 'REDISTRIBUTE'\]/,
  });
  assert.throws(() => outcomeOf(pageRank, graph!, { danglingNodes: true }), { code: 'TYPE_ERROR' });
  assert.throws(() => outcomeOf(articleRank, graph!, { danglingNodes: 'IGNORE' }), { code: 'ARGUMENT_ERROR' });
});
