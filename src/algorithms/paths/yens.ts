/**
 * The k shortest paths without a repeated node (Yen 1971). O(k × length × Dijkstra).
 *
 * Paths differ by their nodes; of parallel relationships the lightest counts. Equal costs are ordered by the nodes of the paths.
 */

import { integer, node } from '../configuration/fields.ts';
import { sourceIn } from '../graph/sources.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type FoundPath, type PathOutcome, pathAlgorithm } from '../table/algorithm.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { checkWeights, newSearch, newSearchIn, pathTo, run, type Search } from './dijkstra.ts';
import { bytesOfPath, outcomeOfPaths, PATH_COLUMNS } from './shortest-paths.ts';

const FIELDS = { sourceNode: node(), targetNode: node(), k: integer(undefined, { min: 1 }) };

/** Finds shortest paths from a given node to the target, around blocked nodes and blocked first steps. */
class Spurs {
  private readonly target: number;
  private readonly work: Work;
  /** The last search, whose arrays the next one uses again. */
  private last: Search;
  readonly isBlocked: Uint8Array;

  constructor(topology: Topology, target: number, work: Work) {
    const arrays = new Arrays(work);
    this.target = target;
    this.work = work;
    this.isBlocked = arrays.uint8(topology.nodeCount);
    this.last = { ...newSearch(topology, target, { target, keepsOrder: true }, arrays), isBlocked: this.isBlocked };
  }

  *find(source: number, blockedFirst: ReadonlySet<number>): Pieces<FoundPath | null> {
    const { target, work } = this;
    if (work.worked(this.last.settledCount + this.last.heap.size)) yield null;
    this.last = newSearchIn(this.last, source, blockedFirst);
    yield* run(this.last, work);
    return this.last.distances[target] === Number.POSITIVE_INFINITY ? null : pathTo(this.last, target);
  }
}

function compare(a: FoundPath, b: FoundPath): number {
  const difference = a.costs.at(-1)! - b.costs.at(-1)!;
  if (difference !== 0) return difference;
  const length = Math.min(a.nodes.length, b.nodes.length);
  for (let i = 0; i < length; i++) if (a.nodes[i] !== b.nodes[i]) return a.nodes[i]! - b.nodes[i]!;
  return a.nodes.length - b.nodes.length;
}

const sameStart = (a: FoundPath, b: FoundPath, length: number): boolean => {
  for (let i = 0; i < length; i++) if (a.nodes[i] !== b.nodes[i]) return false;
  return true;
};

function joined(root: FoundPath, spur: FoundPath, at: number): FoundPath {
  const base = root.costs[at]!;
  return {
    nodes: [...root.nodes.slice(0, at), ...spur.nodes],
    costs: [...root.costs.slice(0, at), ...spur.costs.map((cost) => base + cost)],
  };
}

/** Returns the index of the path that is first in an order. O(paths). */
function indexOfFirst(paths: readonly FoundPath[], order: (a: FoundPath, b: FoundPath) => number): number {
  let first = 0;
  for (let i = 1; i < paths.length; i++) if (order(paths[i]!, paths[first]!) < 0) first = i;
  return first;
}

function* shortestPaths(topology: Topology, source: number, target: number, k: number, work: Work): Pieces<FoundPath[]> {
  const spurs = new Spurs(topology, target, work);
  const first = yield* spurs.find(source, new Set());
  if (first === null) return [];
  const found = [first];
  const candidates: FoundPath[] = [];
  const known = new Set<string>([first.nodes.join()]);
  while (found.length < k) {
    const last = found.at(-1)!;
    for (let at = 0; at < last.nodes.length - 1; at++) {
      const next = new Set<number>();
      for (const path of found) if (sameStart(path, last, at + 1)) next.add(path.nodes[at + 1]!);
      for (let i = 0; i < at; i++) spurs.isBlocked[last.nodes[i]!] = 1;
      const spur = yield* spurs.find(last.nodes[at]!, next);
      for (let i = 0; i < at; i++) spurs.isBlocked[last.nodes[i]!] = 0;
      if (spur === null) continue;
      const path = joined(last, spur, at);
      const name = path.nodes.join();
      if (known.has(name)) continue;
      work.charge(2 * bytesOfPath(path));
      known.add(name);
      candidates.push(path);
      if (candidates.length <= k - found.length) continue;
      // As many better ones are waiting as are still to be found. If it is met again, it is dropped again.
      const [worst] = candidates.splice(
        indexOfFirst(candidates, (a, b) => compare(b, a)),
        1,
      );
      known.delete(worst!.nodes.join());
      work.release(2 * bytesOfPath(worst!));
    }
    if (candidates.length === 0) break;
    found.push(...candidates.splice(indexOfFirst(candidates, compare), 1));
    work.progress(found.length / k);
  }
  return found;
}

/** Yen's k shortest paths. */
export const yens: Algorithm<typeof FIELDS, PathOutcome> = pathAlgorithm({
  name: 'shortestPath.yens',
  description: 'Some shortest paths to a node, the shortest first, none of which visits a node twice.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: PATH_COLUMNS,
  summary: [],
  // Each path may visit every node. The first is not charged, and one more than is wanted waits until the worst is dropped.
  bytes: ({ nodeCount }, { k }) => nodeCount * 33 + (k > 1 ? k * nodeCount * 64 : 0),
  leastBytes: ({ nodeCount }) => nodeCount * 33,
  relationships: (_, { k }) => k,
  *run({ topology, configuration: { sourceNode, targetNode, k }, work }) {
    const source = sourceIn(topology, 'sourceNode', sourceNode);
    const target = sourceIn(topology, 'targetNode', targetNode);
    yield* checkWeights(topology, work);
    return outcomeOfPaths(yield* shortestPaths(topology, source, target, k, work));
  },
});
