/**
 * PageRank, WCC and BFS against loops written by hand over the same arrays, on an RMAT graph, in turns: `node bench/algorithms.ts [relationships]`. Prints medians of processor time, and ratios.
 *
 * Kernels count their work for a statement that is never stopped; conversion to rows is not measured.
 */
import {
  algorithms,
  buildRelationships,
  type Pieces,
  ProjectedGraph,
  readConfiguration,
  select,
  type Work,
} from '../src/algorithms/index.ts';
import type { Value } from '../src/value/index.ts';

const ROUNDS = 9;
const relationshipCount = Number(process.argv[2] ?? 1_000_000);
const nodeCount = 2 ** Math.ceil(Math.log2(relationshipCount / 8));

const work: Work = { worked: () => false, charge: () => undefined, release: () => undefined, progress: () => undefined };

function ended<T>(pieces: Pieces<T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}

/** Probabilities of Graph500, from a linear congruential generator. */
function rmat(): { sources: Uint32Array; targets: Uint32Array } {
  let state = 12345;
  const fraction = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const sources = new Uint32Array(relationshipCount);
  const targets = new Uint32Array(relationshipCount);
  for (let i = 0; i < relationshipCount; i++) {
    for (let size = nodeCount >> 1; size > 0; size >>= 1) {
      const drawn = fraction();
      if (drawn >= 0.76) sources[i]! += size;
      if ((drawn >= 0.57 && drawn < 0.76) || drawn >= 0.95) targets[i]! += size;
    }
  }
  return { sources, targets };
}

const csrOf = (orientation: 'NATURAL' | 'REVERSE') =>
  ended(
    buildRelationships(
      { type: 'R', orientation, aggregation: 'NONE', nodeCount, count: relationshipCount, ...rmat(), properties: [] },
      work,
    ),
  );
const out = csrOf('NATURAL');
const inverse = csrOf('REVERSE').csr;
const graph = new ProjectedGraph({
  ordinals: Uint32Array.from({ length: nodeCount }, (_, i) => i),
  labels: new Map(),
  properties: new Map(),
  relationships: new Map([['R', out]]),
});
const topology = ended(select(graph, { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: null }, work));
ended(topology.inverse(work));

function pageRank(): void {
  const { offsets } = out.csr;
  let ranks = new Float64Array(nodeCount).fill(0.15);
  let next = new Float64Array(nodeCount);
  const shares = new Float64Array(nodeCount);
  for (let iteration = 1; iteration < 20; iteration++) {
    for (let node = 0; node < nodeCount; node++) shares[node] = ranks[node]! / (offsets[node + 1]! - offsets[node]!);
    for (let node = 0; node < nodeCount; node++) {
      let sum = 0;
      for (let i = inverse.offsets[node]!; i < inverse.offsets[node + 1]!; i++) sum += shares[inverse.targets[i]!]!;
      next[node] = 0.15 + 0.85 * sum;
    }
    [ranks, next] = [next, ranks];
  }
}

function wcc(): void {
  const { offsets, targets } = out.csr;
  const parents = Uint32Array.from({ length: nodeCount }, (_, i) => i);
  const find = (node: number): number => {
    let at = node;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (let node = 0; node < nodeCount; node++)
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      const [a, b] = [find(node), find(targets[i]!)];
      if (a < b) parents[b] = a;
      else parents[a] = b;
    }
  for (let node = 0; node < nodeCount; node++) parents[node] = find(node);
}

function bfs(): void {
  const { offsets, targets } = out.csr;
  const isSeen = new Uint8Array(nodeCount);
  const queue = new Uint32Array(nodeCount);
  isSeen[0] = 1;
  for (let head = 0, count = 1; head < count; head++) {
    const node = queue[head]!;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      const target = targets[i]!;
      if (isSeen[target] === 1) continue;
      isSeen[target] = 1;
      queue[count++] = target;
    }
  }
}

const CASES: readonly { name: string; configuration: Record<string, Value>; byHand: () => void }[] = [
  { name: 'pageRank', configuration: { tolerance: 0 }, byHand: pageRank },
  { name: 'wcc', configuration: {}, byHand: wcc },
  { name: 'bfs', configuration: { sourceNode: 0 }, byHand: bfs },
];

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;
const timed = (run: () => unknown): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

console.log(`RMAT, ${nodeCount} nodes, ${relationshipCount} relationships; median of ${ROUNDS}, ms of processor time`);
for (const { name, configuration, byHand } of CASES) {
  const algorithm = algorithms.find((each) => each.name === name)!;
  const { values } = readConfiguration(algorithm.fields, new Map(Object.entries(configuration)));
  const own: number[] = [];
  const hand: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(timed(() => ended(algorithm.run({ topology, configuration: values, work }))));
    hand.push(timed(byHand));
  }
  console.log(
    `${name.padEnd(10)} kernel ${median(own).toFixed(1).padStart(8)}  by hand ${median(hand).toFixed(1).padStart(8)}  ratio ${(median(own) / median(hand)).toFixed(2)}`,
  );
}
