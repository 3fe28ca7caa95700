/** One case of random steps of a session, and the fewest of them that still disagree. */
import { type Random, seededRandom } from '../support/random.ts';
import { type Counts, noCounts } from './counts.ts';
import { DRAWN, type Features } from './generate/features.ts';
import { type GraphSpec, randomGraph } from './generate/graph.ts';
import { randomQuery } from './generate/query.ts';
import { writer } from './generate/scope.ts';
import { randomUpdate } from './generate/update.ts';
import { AUDITS, Session, type Step } from './session.ts';

export interface UpdateFailure {
  readonly spec: GraphSpec;
  /** All that was done, in order; the last disagreed. */
  readonly steps: readonly Step[];
  readonly reason: string;
}

const STATEMENTS = 20;
const FURTHER_AUDITS = 3;
const MOST_NODES = 40;
const SHRINK = 'MATCH (n) WHERE n.i % 2 = 0 OR n.i IS NULL DETACH DELETE n';

export async function updateCase(seed: number, counts: Counts, features: Features = DRAWN): Promise<UpdateFailure | null> {
  const random = seededRandom(seed);
  const spec = randomGraph(random, { features });
  const session = new Session(spec, counts);
  counts.graphs++;
  const steps: Step[] = random.chance(0.4) ? [plain('indexes')] : [];
  try {
    await session.open();
    for (const step of steps) await session.perform(step);
    for (let i = 0; i < STATEMENTS; i++) {
      for (const step of [...between(session, random), statement(session, random, features)]) {
        steps.push(step);
        const reason = await session.perform(step);
        if (reason !== null) return { spec, steps, reason };
      }
    }
    return await last(spec, steps, session);
  } finally {
    await session.close();
  }
}

const plain = (kind: Step['kind']): Step => ({ kind, text: '', queries: [], audits: AUDITS });

/** The whole graph, and some of the ways that lead to parts of it. */
function someAudits(random: Random): string[] {
  return [...AUDITS.slice(0, 2), ...Array.from({ length: FURTHER_AUDITS }, () => random.pick(AUDITS))];
}

function* between(session: Session, random: Random): Generator<Step> {
  if (!session.inTransaction && random.chance(0.25)) yield plain('begin');
  else if (session.inTransaction && random.chance(0.35)) yield plain(random.chance(0.6) ? 'commit' : 'rollback');
  if (!session.inTransaction && random.chance(0.15)) yield plain('flush');
  if (!session.inTransaction && random.chance(0.15)) yield plain('reopen');
}

function statement(session: Session, random: Random, features: Features): Step {
  const text = session.current.nodes.size > MOST_NODES ? SHRINK : randomUpdate(writer(random, { features }));
  return {
    kind: 'statement',
    text,
    // What the statement creates may have no key, or one that is there.
    queries: [randomQuery(writer(random, { keysAreUnique: false, features }))],
    audits: someAudits(random),
  };
}

async function last(spec: GraphSpec, steps: Step[], session: Session): Promise<UpdateFailure | null> {
  for (const step of [plain('commit'), plain('reopen')]) {
    steps.push(step);
    const reason = await session.perform(step);
    if (reason !== null) return { spec, steps, reason };
  }
  return null;
}

/** Plays the steps on a new store. */
export async function replay(spec: GraphSpec, steps: readonly Step[]): Promise<string | null> {
  const session = new Session(spec, noCounts());
  try {
    await session.open();
    for (const step of steps) {
      const reason = await session.perform(step);
      if (reason !== null) return reason;
    }
    return null;
  } finally {
    await session.close();
  }
}
