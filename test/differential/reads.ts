/**
 * One graph, queries over it, and the ways of asking them, all against the oracle. The graph comes to lie in two
 * stores, each of which passes through several stages; a query is asked at a few stages, in a few ways, drawn at
 * random: over many queries every way is taken at every stage.
 */
import type { Engine } from '../../src/engine/index.ts';
import { type Random, seededRandom } from '../support/random.ts';
import type { Counts } from './counts.ts';
import { DRAWN, type Features } from './generate/features.ts';
import { type GraphSpec, modelOf, randomGraph } from './generate/graph.ts';
import { PARAMETERS } from './generate/parameters.ts';
import { randomQuery } from './generate/query.ts';
import { writer } from './generate/scope.ts';
import { ask, checkOne, type Question } from './questions.ts';
import { build, buildWithChurn, freshUri, INDEXES, open } from './stores.ts';
import { BY_FEW_PAGES, BY_PAGE, IN_WORKERS, WAYS, type Way } from './ways.ts';

export interface ReadFailure {
  readonly spec: GraphSpec;
  readonly query: string;
  readonly how: string;
  readonly reason: string;
}

/** The ways that a question is asked in at a stage. */
type Ways = (question: Question) => readonly Way[];

interface Asking {
  readonly seed: number;
  readonly counts: Counts;
  readonly waysAt: (stage: string) => Ways;
}

const QUERIES_PER_GRAPH = 40;
/** A replica of the graph in each worker costs more than many queries. */
const STAGES_WITH_WORKERS = 0.12;
const ASKED_AT_A_STAGE = 0.35;
/** Each question opens the store once more. */
const READ_BY_PAGE = 0.5;
const BY_PAGE_STAGE = 'read by page';

export async function readCase(seed: number, counts: Counts, features: Features = DRAWN): Promise<ReadFailure | null> {
  const random = seededRandom(seed);
  const spec = randomGraph(random, { features });
  const queries = Array.from({ length: QUERIES_PER_GRAPH }, () => randomQuery(writer(random, { features })));
  counts.graphs++;
  return checkQueries(spec, queries, { seed, counts, waysAt: (stage) => someWays(stage, random) });
}

/** Every query at every stage in every way. */
export function checkThoroughly(spec: GraphSpec, queries: readonly string[], asking: Omit<Asking, 'waysAt'>): Promise<ReadFailure | null> {
  return checkQueries(spec, queries, { ...asking, waysAt: () => () => WAYS });
}

/** The first disagreement. The seed decides how the stores come to hold the graph. */
async function checkQueries(spec: GraphSpec, queries: readonly string[], { seed, counts, waysAt }: Asking): Promise<ReadFailure | null> {
  const graph = modelOf(spec);
  const questions = [...new Set(queries)].flatMap((query) => ask(query, graph, counts) ?? []);
  counts.cases.reads += questions.length;
  const check: Check = async (engine, store) => {
    const ways = waysAt(store);
    for (const question of questions) {
      for (const way of ways(question)) {
        counts.runs++;
        const reason = await checkOne(question, way, engine, counts);
        if (reason !== null) return { spec, query: question.query, how: `${store}, ${way.name}`, reason };
      }
    }
    return null;
  };
  return (await onStraightStore(spec, seed, check)) ?? (await onGrownStore(spec, seed, check)) ?? (await onChurnedStore(spec, seed, check));
}

type Check = (engine: Engine, store: string) => Promise<ReadFailure | null>;

/** In one way as soon as the graph is there, built straight and with churn, then now and again. */
function someWays(stage: string, random: Random): Ways {
  if (stage === BY_PAGE_STAGE) return () => [BY_PAGE, BY_FEW_PAGES];
  const ways = random.chance(STAGES_WITH_WORKERS) ? WAYS : WAYS.filter((way) => way !== IN_WORKERS);
  return () => {
    const asked = stage === 'as built' || stage === 'churned' || random.chance(ASKED_AT_A_STAGE);
    return asked ? [random.pick(ways)] : [];
  };
}

async function onStraightStore(spec: GraphSpec, seed: number, check: Check): Promise<ReadFailure | null> {
  const uri = freshUri();
  let engine = await open(uri);
  try {
    await build(spec, (query, params = PARAMETERS) => engine.execute(query, params));
    let failure = await check(engine, 'as built');
    if (failure !== null) return failure;
    const random = seededRandom(seed + 1);
    if (random.chance(0.7)) await engine.flush();
    if (random.chance(0.5)) {
      failure = await check(engine, 'flushed');
      if (failure !== null) return failure;
    }
    if (random.chance(READ_BY_PAGE)) {
      await engine.flush();
      failure = await check(engine, BY_PAGE_STAGE);
      if (failure !== null) return failure;
    }
    await engine.close();
    engine = await open(uri, random.chance(0.75));
    failure = await check(engine, 'opened again');
    if (failure !== null) return failure;
    for (const index of INDEXES) await engine.execute(index, PARAMETERS);
    return await check(engine, 'with indexes');
  } finally {
    await engine.close();
  }
}

/** Flushed and merged while it was built: files hold what was there by then, later files or the log the rest. */
async function onGrownStore(spec: GraphSpec, seed: number, check: Check): Promise<ReadFailure | null> {
  const random = seededRandom(seed + 3);
  if (!random.chance(READ_BY_PAGE)) return null;
  const engine = await open(freshUri());
  try {
    if (random.chance(0.5)) for (const index of INDEXES) await engine.execute(index, PARAMETERS);
    await build(spec, async (query, params = PARAMETERS) => {
      await engine.execute(query, params);
      if (random.chance(0.3)) await engine.flush();
      if (random.chance(0.2)) await engine.compact();
    });
    return await check(engine, BY_PAGE_STAGE);
  } finally {
    await engine.close();
  }
}

async function onChurnedStore(spec: GraphSpec, seed: number, check: Check): Promise<ReadFailure | null> {
  const uri = freshUri();
  let engine = await open(uri);
  try {
    const random = seededRandom(seed + 2);
    if (random.chance(0.3)) for (const index of INDEXES) await engine.execute(index, PARAMETERS);
    await buildWithChurn(spec, engine, seed);
    let failure = await check(engine, 'churned');
    if (failure !== null) return failure;
    if (random.chance(0.6)) await engine.flush();
    if (random.chance(0.4)) {
      await engine.compact();
      failure = await check(engine, 'churned and merged');
      if (failure !== null) return failure;
    }
    if (random.chance(READ_BY_PAGE)) {
      await engine.flush();
      if (random.chance(0.5)) await engine.compact();
      failure = await check(engine, BY_PAGE_STAGE);
      if (failure !== null) return failure;
    }
    await engine.close();
    engine = await open(uri);
    return await check(engine, 'churned and opened again');
  } finally {
    await engine.close();
  }
}
