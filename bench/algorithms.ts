/**
 * Graph algorithms against loops written by hand over the same arrays, with one thread and with two, in turns, on RMAT
 * graphs and on the whole social network; with `--peers <python>` igraph and networkx beside them, on the same edges:
 * `node bench/algorithms.ts [relationships ...] [--social scale] [--rounds 5] [--peers python]`; 1,000,000 and 10,000,000
 * relationships and the scale 1 unless any are given; the scale 0 leaves the social network out, the least is 0.5. Prints medians in
 * milliseconds, ratios, and which goals they miss: at most 1.5 times the loop by hand with one thread, 1.7 times as fast
 * with two, ahead of the peers. Results are not made into rows.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AlgorithmThreads, algorithms, type ProjectedGraph, readConfiguration, select, type Topology } from '../src/algorithms/index.ts';
import type { Value } from '../src/value/index.ts';
import * as byHand from './algorithms/by-hand.ts';
import { ALONE, type Edges, ended, projectedGraph, rmat, wholeNetwork } from './algorithms/rmat.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, peers: { type: 'string' }, social: { type: 'string', default: '1' } },
});
const rounds = Number(options.rounds);
const sizes = positionals.length === 0 ? [1_000_000, 10_000_000] : positionals.map(Number);
/** Above so many relationships networkx, which takes minutes for a million, is left out. */
const MOST_FOR_NETWORKX = 1_000_000;
const GOALS = { toHand: 1.5, ofTwo: 1.7, ofPeer: 1 };
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

function topologyOf(graph: ProjectedGraph, { type, isWeighted }: Case): Topology {
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
    const withNetworkx = sources.length <= MOST_FOR_NETWORKX ? 'yes' : 'no';
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

const shown = (value: number | undefined, digits = 1): string =>
  (value === undefined ? '' : value.toFixed(value < 100 ? digits : 0)).padStart(9);

interface Measured {
  readonly name: string;
  readonly hand: number;
  readonly one: number;
  readonly two: number;
}

/** Runs the loop by hand, the kernel alone and the kernel with two threads in turns. */
function measured(graph: ProjectedGraph, each: Case): Measured {
  const topology = topologyOf(graph, each);
  const run = kernelOf(each, topology);
  const weights = topology.weights ?? new Float64Array(0);
  const inverse = ended(topology.inverse(ALONE));
  const times = { hand: [] as number[], one: [] as number[], two: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const hand = timed(() => each.byHand({ ...topology.csr, weights }, { ...inverse.csr, weights }));
    const one = timed(() => run(false));
    const two = timed(() => run(true));
    if (round === 0) continue; // It has been compiled now.
    times.hand.push(hand);
    times.one.push(one);
    times.two.push(two);
  }
  return { name: each.name, hand: median(times.hand), one: median(times.one), two: median(times.two) };
}

function missedGoals({ hand, one, two }: Measured, igraph: number | undefined, networkx: number | undefined): string {
  const missed = [
    ...(one / hand > GOALS.toHand ? ['by hand'] : []),
    ...(one / two < GOALS.ofTwo ? ['two threads'] : []),
    ...(igraph !== undefined && igraph / one <= GOALS.ofPeer ? ['igraph'] : []),
    ...(networkx !== undefined && networkx / one <= GOALS.ofPeer ? ['networkx'] : []),
  ];
  return missed.length === 0 ? '' : `  misses: ${missed.join(', ')}`;
}

function measureAll(title: string, edges: Edges): void {
  const graph = projectedGraph(edges);
  console.log(`\n${title}, ${edges.nodeCount} nodes, ${edges.sources.length} relationships; medians of ${rounds}, ms; then ratios`);
  console.log(`${''.padEnd(36)}  by hand  1 thread 2 threads    igraph  networkx | 1 to hand  1 to 2  igraph/1  networkx/1`);
  const results = CASES.map((each) => measured(graph, each));
  const peers = options.peers === undefined ? new Map<string, number>() : peerTimes(options.peers, edges);
  for (const result of results) {
    const { name, hand, one, two } = result;
    const [igraph, networkx] = [peers.get(`igraph ${name}`), peers.get(`networkx ${name}`)];
    const ratio = (peer: number | undefined): number | undefined => (peer === undefined ? undefined : peer / one);
    console.log(
      `${name.padEnd(35)}${shown(hand)} ${shown(one)} ${shown(two)} ${shown(igraph)} ${shown(networkx)} | ${shown(one / hand, 2)} ` +
        `${shown(one / two, 2)} ${shown(ratio(igraph), 2)} ${shown(ratio(networkx), 2)}${missedGoals(result, igraph, networkx)}`,
    );
  }
}

for (const size of sizes) measureAll('RMAT', rmat(size));
if (Number(options.social) > 0) measureAll(`social network of scale ${options.social}`, wholeNetwork(Number(options.social)));
await threads.close();
