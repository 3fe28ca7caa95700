/**
 * Graph algorithms against loops written by hand over the same arrays, with one thread and with two, in turns, on an
 * RMAT graph; with `--peers <python>` igraph and networkx beside them, on the same edges:
 * `node bench/algorithms.ts [relationships] [--rounds 5] [--peers python]`. Prints medians in milliseconds, and ratios.
 * Results are not made into rows.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AlgorithmThreads, algorithms, readConfiguration, select, type Topology } from '../src/algorithms/index.ts';
import type { Value } from '../src/value/index.ts';
import * as byHand from './algorithms/by-hand.ts';
import { ALONE, type Edges, ended, projectedGraph, rmat } from './algorithms/rmat.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, peers: { type: 'string' } },
});
const rounds = Number(options.rounds);
const edges = rmat(Number(positionals[0] ?? 1_000_000));
const graph = projectedGraph(edges);
const threads = new AlgorithmThreads(2);

interface Case {
  readonly name: string;
  readonly configuration: Record<string, Value>;
  readonly type: 'R' | 'U';
  readonly isWeighted?: true;
  readonly byHand: byHand.ByHand;
}

const CASES: readonly Case[] = [
  { name: 'pageRank', configuration: { tolerance: 0 }, type: 'R', byHand: byHand.pageRank },
  { name: 'wcc', configuration: {}, type: 'R', byHand: byHand.wcc },
  { name: 'bfs', configuration: { sourceNode: 0 }, type: 'R', byHand: byHand.bfs },
  { name: 'allShortestPaths.dijkstra', configuration: { sourceNode: 0 }, type: 'R', isWeighted: true, byHand: byHand.sssp },
  { name: 'labelPropagation', configuration: {}, type: 'U', byHand: byHand.cdlp },
  { name: 'localClusteringCoefficient', configuration: {}, type: 'U', byHand: byHand.lcc },
  { name: 'localClusteringCoefficient.directed', configuration: {}, type: 'R', byHand: byHand.directedLcc },
];

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;
const timed = (run: () => unknown): number => {
  const before = performance.now();
  run();
  return performance.now() - before;
};

function topologyOf({ type, isWeighted }: Case): Topology {
  const topology = ended(
    select(graph, { nodeLabels: ['*'], relationshipTypes: [type], weightProperty: isWeighted === true ? 'weight' : null }, ALONE),
  );
  ended(topology.inverse(ALONE));
  return topology;
}

function kernelOf(each: Case, topology: Topology): (isShared: boolean) => void {
  const algorithm = algorithms.find(({ name }) => name === each.name)!; // Named above.
  const { values } = readConfiguration(algorithm.fields, new Map(Object.entries(each.configuration)));
  return (isShared) => {
    const work = isShared ? { ...ALONE, team: threads.team(2) } : ALONE;
    ended(algorithm.run({ topology, configuration: values, work }));
  };
}

function peerTimes(python: string, { sources, targets, weights, nodeCount }: Edges): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-algorithms-'));
  try {
    for (const [name, values] of Object.entries({ sources, targets, weights })) writeFileSync(join(folder, name), values);
    const withNetworkx = sources.length <= 1_000_000 ? 'yes' : 'no';
    const program = join(import.meta.dirname, 'algorithms/peers.py');
    const { stdout, status } = spawnSync(python, [program, folder, String(Math.min(rounds, 3)), withNetworkx, String(nodeCount)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error('the program of the peers has failed');
    const lines = stdout.trim().split('\n');
    return new Map(
      lines.map((line) => {
        const { library, algorithm, ms } = JSON.parse(line) as { library: string; algorithm: string; ms: number };
        return [`${library} ${algorithm}`, ms];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// The thread takes a while to start.
threads.team(2)?.begin({ kind: 'phase', name: 'degree.addUp', run: () => undefined }, new Uint32Array(1), {});
await new Promise((resolve) => setTimeout(resolve, 2_000));

const shown = (ms: number | undefined): string => (ms === undefined ? '' : ms.toFixed(ms < 100 ? 1 : 0)).padStart(9);
console.log(`RMAT, ${edges.nodeCount} nodes, ${edges.sources.length} relationships; medians of ${rounds}, ms`);
console.log(`${''.padEnd(28)}  by hand  1 thread 2 threads   to hand   to one    igraph  networkx`);
const results = CASES.map((each) => {
  const topology = topologyOf(each);
  const run = kernelOf(each, topology);
  const weights = topology.weights ?? new Float64Array(0);
  const inverse = ended(topology.inverse(ALONE));
  const times = { hand: [] as number[], one: [] as number[], two: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const round1 = timed(() => each.byHand({ ...topology.csr, weights }, { ...inverse.csr, weights }));
    const round2 = timed(() => run(false));
    const round3 = timed(() => run(true));
    if (round === 0) continue; // It has been compiled now.
    times.hand.push(round1);
    times.one.push(round2);
    times.two.push(round3);
  }
  return { name: each.name, hand: median(times.hand), one: median(times.one), two: median(times.two) };
});
await threads.close();
const peers = options.peers === undefined ? new Map<string, number>() : peerTimes(options.peers, edges);
for (const { name, hand, one, two } of results)
  console.log(
    `${name.padEnd(27)}${shown(hand)} ${shown(one)} ${shown(two)} ${(one / hand).toFixed(2).padStart(9)} ` +
      `${(one / two).toFixed(2).padStart(8)} ${shown(peers.get(`igraph ${name}`))} ${shown(peers.get(`networkx ${name}`))}`,
  );
