/** One case: a graph, queries over it, and every way of asking them, all against the oracle. */
import type { Engine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type GraphSpec, modelOf, randomGraph } from './generate/graph.ts';
import { randomQuery } from './generate/query.ts';
import { writer } from './generate/scope.ts';
import { ask, type Counts, checkOne } from './questions.ts';
import { build, buildWithChurn, freshUri, INDEXES, open } from './stores.ts';
import { WAYS, type Way } from './ways.ts';

export interface ReadFailure {
  readonly spec: GraphSpec;
  readonly query: string;
  readonly how: string;
  readonly reason: string;
}

const none: ReadonlyMap<string, Value> = new Map();
const QUERIES_PER_CASE = 12;

export async function readCase(seed: number, counts: Counts): Promise<ReadFailure | null> {
  const random = seededRandom(seed);
  const spec = randomGraph(random);
  const queries = Array.from({ length: QUERIES_PER_CASE }, () => randomQuery(writer(random)));
  counts.cases++;
  return checkQueries(spec, queries, { seed, counts });
}

/** The first disagreement, over all stores and ways. The seed decides how the stores come to hold the graph. */
export async function checkQueries(
  spec: GraphSpec,
  queries: readonly string[],
  { seed, counts }: { seed: number; counts: Counts },
): Promise<ReadFailure | null> {
  const graph = modelOf(spec);
  const questions = queries.flatMap((query) => ask(query, graph, counts) ?? []);
  counts.queries += questions.length;
  const check: Check = async (engine, store, ways) => {
    for (const question of questions) {
      for (const way of ways) {
        counts.runs++;
        const reason = await checkOne(question, way, engine, counts);
        if (reason !== null) return { spec, query: question.query, how: `${store}, ${way.name}`, reason };
      }
    }
    return null;
  };
  return (await onStraightStore(spec, seed, check)) ?? (await onChurnedStore(spec, seed, check));
}

type Check = (engine: Engine, store: string, ways: readonly Way[]) => Promise<ReadFailure | null>;

async function onStraightStore(spec: GraphSpec, seed: number, check: Check): Promise<ReadFailure | null> {
  const uri = freshUri();
  let engine = await open(uri);
  try {
    await build(spec, (query, params = none) => engine.execute(query, params));
    let failure = await check(engine, 'as built', WAYS);
    if (failure !== null) return failure;
    const random = seededRandom(seed + 1);
    if (random.chance(0.7)) await engine.flush();
    if (random.chance(0.5)) {
      failure = await check(engine, 'flushed', someWays(random));
      if (failure !== null) return failure;
    }
    await engine.close();
    engine = await open(uri);
    failure = await check(engine, 'opened again', someWays(random));
    if (failure !== null) return failure;
    for (const index of INDEXES) await engine.execute(index, none);
    return await check(engine, 'with indexes', WAYS.slice(0, 4));
  } finally {
    await engine.close();
  }
}

async function onChurnedStore(spec: GraphSpec, seed: number, check: Check): Promise<ReadFailure | null> {
  const uri = freshUri();
  let engine = await open(uri);
  try {
    const random = seededRandom(seed + 2);
    if (random.chance(0.3)) for (const index of INDEXES) await engine.execute(index, none);
    await buildWithChurn(spec, engine, seed);
    const failure = await check(engine, 'churned', WAYS.slice(0, 4));
    if (failure !== null) return failure;
    if (random.chance(0.5)) await engine.flush();
    await engine.close();
    engine = await open(uri);
    return await check(engine, 'churned and opened again', someWays(random));
  } finally {
    await engine.close();
  }
}

function someWays(random: Random): Way[] {
  return WAYS.filter((_, i) => i === 0 || random.chance(0.3));
}
