/** Searches and shortest paths against distances of all pairs and an enumeration of all paths, on 200 random graphs of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbers } from '../graph/node-property.ts';
import {
  arcsOf,
  distancesOf,
  near,
  outcomeOf,
  pairsOf,
  pathsOf,
  type RandomGraph,
  randomGraphs,
  summaryOf,
} from '../testing/random-graphs.fixture.ts';
import { astar, delta, dijkstraToAll, dijkstraToTargets } from './shortest-paths.ts';
import { spanningTree } from './spanning-tree.ts';
import { bfs, dfs } from './traversal.ts';
import { yens } from './yens.ts';

const GRAPHS = [...randomGraphs(200, false), ...randomGraphs(100, true)].filter(({ nodeCount }) => nodeCount > 0);
const INFINITE = Number.POSITIVE_INFINITY;
const ordinal = (node: number): number => 10 * (node + 1);

test('breadth first: all that can be reached, the nearest first, each after a node that leads to it', () => {
  for (const graph of GRAPHS) {
    const distances = distancesOf(graph, false)[0]!;
    const [path] = pathsOf(outcomeOf(bfs, graph, { sourceNode: 10 }));
    assert.deepEqual(
      [...path!.nodes].sort((a, b) => a - b),
      distances.flatMap((d, node) => (d < INFINITE ? [node] : [])),
    );
    const depths = path!.nodes.map((node) => distances[node]!);
    assert.deepEqual(
      depths,
      [...depths].sort((a, b) => a - b),
      graph.name,
    );
    const [near] = pathsOf(outcomeOf(bfs, graph, { sourceNode: 10, maxDepth: 2 }));
    assert.deepEqual(
      near!.nodes,
      path!.nodes.filter((node) => distances[node]! <= 2),
    );
    const target = path!.nodes[Math.floor(path!.nodes.length / 2)]!;
    const [until] = pathsOf(outcomeOf(bfs, graph, { sourceNode: 10, targetNodes: [ordinal(target)] }));
    assert.deepEqual(until!.nodes, path!.nodes.slice(0, path!.nodes.indexOf(target) + 1));
  }
});

test('depth first: the order of a recursive search that takes the largest neighbour first', () => {
  for (const graph of GRAPHS) {
    const arcs = arcsOf(graph);
    const order: number[] = [];
    const visit = (node: number): void => {
      order.push(node);
      const next = arcs.filter(({ from }) => from === node).map(({ to }) => to);
      for (const each of next.sort((a, b) => b - a)) if (!order.includes(each)) visit(each);
    };
    visit(0);
    const [path] = pathsOf(outcomeOf(dfs, graph, { sourceNode: 10 }));
    assert.deepEqual(path!.nodes, order, graph.name);
  }
});

/** Each path leads along arcs, and costs what the lightest of them add up to. */
function assertPaths(graph: RandomGraph, paths: readonly { nodes: number[]; costs: number[] }[], isWeighted: boolean): void {
  const arcs = arcsOf(graph);
  for (const { nodes, costs } of paths) {
    assert.equal(costs[0], 0);
    for (let i = 1; i < nodes.length; i++) {
      const weights = arcs
        .filter(({ from, to }) => from === nodes[i - 1] && to === nodes[i])
        .map(({ weight }) => (isWeighted ? weight : 1));
      assert.equal(costs[i]! - costs[i - 1]!, Math.min(...weights), graph.name);
    }
  }
}

for (const isWeighted of [false, true]) {
  test(`Dijkstra and delta-stepping find the shortest paths, ${isWeighted ? 'with' : 'without'} weights`, () => {
    for (const graph of GRAPHS) {
      const distances = distancesOf(graph, isWeighted)[0]!;
      const expected = distances.flatMap((d, node) => (d < INFINITE ? [[node, d]] : []));
      const all = pathsOf(outcomeOf(dijkstraToAll, graph, { sourceNode: 10 }, { isWeighted }));
      const costs = all.map((path) => path.costs.at(-1)!);
      assert.deepEqual(
        costs,
        [...costs].sort((a, b) => a - b),
      );
      for (const width of [0.25, 1, 7.5]) {
        const byDelta = pathsOf(outcomeOf(delta, graph, { sourceNode: 10, delta: width }, { isWeighted }));
        for (const paths of [all, byDelta]) {
          assertPaths(graph, paths, isWeighted);
          assert.deepEqual(
            paths.map(({ nodes, costs: own }) => [nodes.at(-1)!, own.at(-1)!]).sort((a, b) => a[0]! - b[0]!),
            expected,
            graph.name,
          );
        }
      }
      const target = graph.nodeCount - 1;
      for (const configuration of [{ targetNode: ordinal(target) }, { targetNodes: [ordinal(target), 10] }]) {
        const found = pathsOf(outcomeOf(dijkstraToTargets, graph, { sourceNode: 10, ...configuration }, { isWeighted }));
        const path = found.find(({ nodes }) => nodes.at(-1) === target);
        assert.equal(path?.costs.at(-1) ?? INFINITE, distances[target], graph.name);
      }
      const properties = new Map([
        ['latitude', numbers('float', new Float64Array(graph.nodeCount))],
        ['longitude', numbers('float', new Float64Array(graph.nodeCount))],
      ]);
      const places = { latitudeProperty: 'latitude', longitudeProperty: 'longitude' };
      const guided = pathsOf(
        outcomeOf(astar, graph, { sourceNode: 10, targetNode: ordinal(target), ...places }, { isWeighted, properties }),
      );
      assert.equal(guided[0]?.costs.at(-1) ?? INFINITE, distances[target], graph.name);
    }
  });

  test(`Yen finds the k shortest of all paths, ${isWeighted ? 'with' : 'without'} weights`, () => {
    for (const graph of GRAPHS.filter(({ nodeCount, edges }) => nodeCount < 9 && edges.length < 22)) {
      const target = graph.nodeCount - 1;
      const costs = allPaths(graph, target, isWeighted).sort((a, b) => a - b);
      const found = pathsOf(outcomeOf(yens, graph, { sourceNode: 10, targetNode: ordinal(target), k: 5 }, { isWeighted }));
      assertPaths(graph, found, isWeighted);
      assert.equal(new Set(found.map(({ nodes }) => nodes.join())).size, found.length);
      for (const { nodes } of found) assert.equal(new Set(nodes).size, nodes.length);
      assert.deepEqual(
        found.map((path) => path.costs.at(-1)!),
        costs.slice(0, 5),
        graph.name,
      );
    }
  });
}

/** Costs of all paths without a repeated node, of parallel arcs the lightest. */
function allPaths(graph: RandomGraph, target: number, isWeighted: boolean): number[] {
  const { nodeCount } = graph;
  const weights = Array.from({ length: nodeCount }, () => new Array<number>(nodeCount).fill(INFINITE));
  for (const { from, to, weight } of arcsOf(graph)) weights[from]![to] = Math.min(weights[from]![to]!, isWeighted ? weight : 1);
  const costs: number[] = [];
  const walk = (node: number, visited: readonly number[], cost: number): void => {
    if (node === target) {
      costs.push(cost);
      return;
    }
    for (let next = 0; next < nodeCount; next++)
      if (!visited.includes(next) && weights[node]![next]! < INFINITE) walk(next, [...visited, next], cost + weights[node]![next]!);
  };
  walk(0, [0], 0);
  return costs;
}

test('A* with distances on the globe for weights', () => {
  // Stations on the equator, one degree apart: 60 nautical miles and a little.
  const nodeCount = 12;
  const edges = Array.from({ length: nodeCount - 1 }, (_, i) => ({ from: i, to: i + 1, weight: 61 })).concat({
    from: 0,
    to: 11,
    weight: 700,
  });
  const graph: RandomGraph = { name: 'equator', nodeCount, edges, isUndirected: true };
  const properties = new Map([
    ['latitude', numbers('float', new Float64Array(nodeCount))],
    [
      'longitude',
      numbers(
        'float',
        Float64Array.from({ length: nodeCount }, (_, i) => i),
      ),
    ],
  ]);
  const configuration = { sourceNode: 10, targetNode: 120, latitudeProperty: 'latitude', longitudeProperty: 'longitude' };
  const [path] = pathsOf(outcomeOf(astar, graph, configuration, { isWeighted: true, properties }));
  assert.equal(path!.costs.at(-1), 11 * 61);
});

test('a weight that is negative, or none, is refused; so is a node that is not there', () => {
  const graph: RandomGraph = { name: 'two', nodeCount: 2, edges: [{ from: 0, to: 1, weight: -1 }], isUndirected: false };
  assert.throws(() => outcomeOf(dijkstraToAll, graph, { sourceNode: 10 }, { isWeighted: true }), { code: 'ARGUMENT_ERROR' });
  const none = { ...graph, edges: [{ from: 0, to: 1, weight: Number.NaN }] };
  assert.throws(() => outcomeOf(delta, none, { sourceNode: 10 }, { isWeighted: true }), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => outcomeOf(bfs, graph, { sourceNode: 15 }), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => outcomeOf(dijkstraToTargets, graph, { sourceNode: 10 }), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => outcomeOf(bfs, graph, {}), { code: 'ARGUMENT_ERROR' });
});

for (const objective of ['minimum', 'maximum'] as const) {
  test(`the ${objective} spanning tree weighs what Kruskal's does`, () => {
    const sign = objective === 'minimum' ? 1 : -1;
    for (const graph of GRAPHS.filter(({ isUndirected }) => isUndirected)) {
      const outcome = outcomeOf(spanningTree, graph, { sourceNode: 10, objective }, { isWeighted: true });
      const [root, ...tree] = pairsOf(outcome);
      assert.deepEqual(root, [0, 0, 0]);
      const reached = distancesOf(graph, false)[0]!.map((d) => d < INFINITE);
      const parents = graph.edges.map(() => 0);
      for (let node = 0; node < graph.nodeCount; node++) parents[node] = node;
      const rootOf = (node: number): number => (parents[node] === node ? node : rootOf(parents[node]!));
      let expected = 0;
      for (const { from, to, weight } of [...graph.edges].sort((a, b) => sign * (a.weight - b.weight))) {
        if (!reached[from] || rootOf(from) === rootOf(to)) continue;
        parents[rootOf(from)] = rootOf(to);
        expected += weight;
      }
      near([tree.reduce((sum, [, , weight]) => sum + weight, 0)], [expected], graph.name);
      assert.equal(summaryOf(outcome)['effectiveNodeCount'], reached.filter(Boolean).length);
      const inTree = new Set([0]);
      for (const [node, parent, weight] of tree) {
        assert.ok(inTree.has(parent) && !inTree.has(node), graph.name);
        inTree.add(node);
        assert.ok(arcsOf(graph).some((arc) => arc.from === parent && arc.to === node && arc.weight === weight));
      }
    }
  });
}

test('delta-stepping through more buckets than a call has arguments, and over and over through one', () => {
  const leaves = 150_000;
  const star = Array.from({ length: leaves }, (_, i) => ({ from: 0, to: i + 1, weight: ((i * 7_919) % leaves) * 10 }));
  const wide: RandomGraph = { name: 'star', nodeCount: leaves + 1, edges: star, isUndirected: false };
  const costs = pathsOf(outcomeOf(delta, wide, { sourceNode: 10 }, { isWeighted: true })).map(({ costs: own }) => own.at(-1));
  assert.deepEqual(costs, [0, ...star.map(({ weight }) => weight)]);
  // Each shortcut is worse than all that is saved behind it, so that taking the newest node first takes time exponential in the length.
  const length = 60;
  const chain = Array.from({ length }, (_, from) => [
    { from, to: from + 1, weight: 2 ** -40 },
    { from, to: Math.min(length, from + 2), weight: 2 ** (length - from - 60) },
  ]).flat();
  const narrow: RandomGraph = { name: 'chain', nodeCount: length + 1, edges: chain, isUndirected: false };
  const paths = pathsOf(outcomeOf(delta, narrow, { sourceNode: 10, delta: 1e9 }, { isWeighted: true }));
  assert.deepEqual(
    paths.map(({ costs: own }) => own.at(-1)),
    distancesOf(narrow, true)[0],
  );
});
