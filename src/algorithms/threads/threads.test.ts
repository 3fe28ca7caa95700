/** Phases that threads share: the same result for any number of them, an early end, a thread that is lost. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Value } from '../../value/index.ts';
import { algorithms } from '../algorithms.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { select } from '../graph/topology.ts';
import { SeededRandom } from '../random.ts';
import type { Outcome } from '../table/algorithm.ts';
import { ended, projected, TestWork } from '../testing/random-graphs.fixture.ts';
import { AlgorithmThreads, type Team } from './algorithm-threads.ts';
import { phaseNamed } from './shared-phase.ts';

const random = new SeededRandom(5);
const skewed = (nodeCount: number): number => random.below(random.below(nodeCount) + 1);

function graphOf(nodeCount: number, edgeCount: number, isUndirected: boolean) {
  const edges = Array.from({ length: edgeCount }, () => ({
    from: random.below(nodeCount),
    to: skewed(nodeCount),
    weight: random.below(9) / 7,
  }));
  return projected({ name: 'skewed', nodeCount, edges, isUndirected });
}

const LARGE = { directed: graphOf(10_000, 40_000, false), undirected: graphOf(10_000, 40_000, true) };
const SMALL = { directed: graphOf(700, 2_000, false), undirected: graphOf(700, 2_000, true) };

/** Each algorithm that threads share, its configuration, and whether it works for each source. */
const SHARED: readonly { readonly name: string; readonly configuration?: Record<string, Value>; readonly isSmall?: true }[] = [
  { name: 'pageRank', configuration: { tolerance: 0 } },
  { name: 'pageRank', configuration: { tolerance: 0, danglingNodes: 'REDISTRIBUTE' } },
  { name: 'articleRank' },
  { name: 'eigenvector' },
  { name: 'hits' },
  { name: 'degree', configuration: { orientation: 'UNDIRECTED' } },
  { name: 'wcc' },
  { name: 'labelPropagation' },
  { name: 'triangleCount' },
  { name: 'localClusteringCoefficient' },
  { name: 'localClusteringCoefficient.directed' },
  { name: 'nodeSimilarity' },
  { name: 'nodeSimilarity', configuration: { bottomK: 3, topN: 50 } },
  { name: 'fastRP', configuration: { embeddingDimension: 16, nodeSelfInfluence: 0.5 } },
  { name: 'closeness', isSmall: true },
  { name: 'closeness.harmonic', isSmall: true },
  { name: 'betweenness', isSmall: true },
  { name: 'betweenness', configuration: { samplingSize: 100, samplingSeed: 3 }, isSmall: true },
];

const threads = new AlgorithmThreads(3);
after(() => threads.close());

/** Memory that is not shared would be copied for each thread, and changes to it lost. */
function assertShared(value: unknown): void {
  if (ArrayBuffer.isView(value)) assert.ok(value.buffer instanceof SharedArrayBuffer, 'arrays of a state are shared');
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) assertShared(each);
}

/** Shares every phase, however short; counts how many were. */
class CountedTeam implements Team {
  begun = 0;
  readonly leastSteps = 0;
  private readonly team: Team;

  constructor(concurrency: number) {
    this.team = threads.team(concurrency)!; // There are processors for it.
  }

  get size(): number {
    return this.team.size;
  }

  begin: Team['begin'] = (phase, bounds, state) => {
    this.begun++;
    assertShared(state);
    return this.team.begin(phase, bounds, state);
  };

  end: Team['end'] = (job) => this.team.end(job);
  check: Team['check'] = (job) => this.team.check(job);
}

function textOf(outcome: Outcome): string {
  if (outcome.kind === 'nodes')
    return Object.values(outcome.properties)
      .map(({ values }) => values.join())
      .join(';');
  if (outcome.kind === 'pairs') return `${outcome.sources.join()};${outcome.targets.join()};${outcome.weights.join()}`;
  return JSON.stringify([...outcome.paths()]);
}

for (const { name, configuration = {}, isSmall } of SHARED) {
  const algorithm = algorithms.find((each) => each.name === name)!;
  for (const weightProperty of algorithm.weights === 'none' ? [null] : [null, 'weight']) {
    test(
      `${name} ${JSON.stringify(configuration)}${weightProperty === null ? '' : ' with weights'}: one, two or three threads ` +
        'give the same',
      () => {
        const graphs = isSmall === true ? SMALL : LARGE;
        for (const graph of algorithm.needsUndirected ? [graphs.undirected] : [graphs.directed, graphs.undirected]) {
          const selection = { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty };
          const { values } = readConfiguration(algorithm.fields, new Map(Object.entries(configuration)));
          const run = (team: Team | null) => {
            const topology = ended(select(graph, selection, new TestWork()));
            const work = new TestWork(team);
            const text = textOf(ended<Outcome>(algorithm.run({ topology, configuration: values, work })));
            const { nodeCount, relationshipCount, isUndirected } = topology;
            const size = {
              nodeCount,
              relationshipCount,
              isDirected: !isUndirected,
              isWeighted: weightProperty !== null,
              members: team?.size ?? 1,
            };
            assert.ok(work.most <= 1.25 * algorithm.bytes(size, values) + 4096, `${work.most} bytes were charged`);
            return text;
          };
          const alone = run(null);
          for (const concurrency of [2, 3]) {
            const team = new CountedTeam(concurrency);
            assert.equal(run(team) === alone, true, `${concurrency} threads give what one gives`);
            assert.ok(team.begun > 0, 'phases were shared');
          }
        }
      },
    );
  }
}

/** Steps of the kernel until it has yielded so often, then an early end. */
function endedEarly(team: Team, yields: number): void {
  const algorithm = algorithms.find(({ name }) => name === 'betweenness')!;
  const topology = ended(select(LARGE.directed, { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: null }, new TestWork()));
  const { values } = readConfiguration(algorithm.fields, new Map());
  const pieces = algorithm.run({ topology, configuration: values, work: new TestWork(team) });
  for (let i = 0; i < yields; i++) assert.equal(pieces.next().done, false);
  pieces.return(undefined as never);
}

test('threads stop when a statement ends early, and help the next one', async () => {
  const team = new CountedTeam(3);
  endedEarly(team, 50);
  const began = performance.now();
  const algorithm = algorithms.find(({ name }) => name === 'triangleCount')!;
  const topology = ended(select(SMALL.undirected, { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: null }, new TestWork()));
  const { values } = readConfiguration(algorithm.fields, new Map());
  ended<Outcome>(algorithm.run({ topology, configuration: values, work: new TestWork(team) }));
  assert.ok(performance.now() - began < 20_000, 'the whole of it would take minutes');
});

test('a thread that meets an error fails its job, and another one takes its place', async () => {
  const own = new AlgorithmThreads(2);
  const team = own.team(2, 0)!; // There are processors for it.
  const { weights } = ended(
    select(SMALL.directed, { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: 'weight' }, new TestWork()),
  );
  const job = team.begin(phaseNamed('degree.addUp'), Uint32Array.of(0, 1), { weights });
  await until(() => assert.throws(() => team.check(job), { code: 'INTERNAL' }));
  team.end(job);
  const bounds = Uint32Array.of(0, 1);
  const parents = new Uint32Array(new SharedArrayBuffer(4)).fill(7);
  const next = team.begin(phaseNamed('wcc.begin'), bounds, { parents });
  await until(() => assert.equal(parents[0], 0));
  team.check(next);
  team.end(next);
  await own.close();
});

/** Tries again while it throws, up to a limit that only a fault reaches. */
async function until(check: () => void): Promise<void> {
  for (let left = 3_000; ; left--) {
    try {
      check();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await pause(10);
    }
  }
}
