/**
 * One seeded simulation: engines over one bucket in memory that fails, rival writers that fence each other, readers
 * that follow, flushes, merges and collections by timers, crashes at any request; then everything is held against the
 * model.
 *
 * - No answered operation is lost; none that was refused is there; none is there twice (B3–B5).
 * - Whatever anybody ever saw is the state after a prefix of the operations that are there at the end, and looks the
 *   same by scan, index and both directions (B8, M1, M2).
 * - Who follows changes has the graph, whoever tells them; what it was told and its writer took back, it is told of (decision 0039).
 * - So does what a copy of the namespace holds that was made meanwhile.
 * - Manifests have children, of few bytes or of many, by seed; each is there before its manifest and as long as it.
 * - Artefacts answer as the rows do, at any time and in every copy (B9), and every manifest may follow the one before (B1, B2, B6, B9).
 * - At the end all agree: who wrote last, who follows, who opens anew, before and after a flush, a merge and a
 *   collection; and every byte of the bucket is sound (B6, B7).
 */
import type { ReadWorkers } from '../../src/engine/index.ts';
import { inspectNamespace } from '../../src/storage/index.ts';
import { Reader, Time, Writer } from './actors.ts';
import { ARTEFACT_KINDS } from './artefacts.ts';
import { ChangeReader } from './changes.ts';
import { Model } from './model.ts';
import { Process } from './process.ts';
import { assertSame, Violation } from './violation.ts';
import { LONGEST_REQUEST_MS, type Observation, SOUND, World } from './world.ts';

export interface SimulationReport {
  readonly operations: number;
  readonly answered: number;
  readonly observations: number;
  readonly requests: number;
  readonly faults: number;
  readonly crashes: number;
  /** Reads of versions that were kept no longer. */
  readonly expired: number;
  /** Looks at operations whose outcome was unknown, and which were taken back. */
  readonly takenBack: number;
  /** The number of copies of the namespace, each looked at. */
  readonly copies: number;
  /** Read from the feed of changes, and times that a reader of it was told that what it had read was taken back. */
  readonly changes: number;
  readonly retracted: number;
  /** Times that an artefact was asked. */
  readonly artefacts: number;
  /** The number of children of manifests that were put. */
  readonly children: number;
  /** Objects of the log that were put while lower numbers were in flight. */
  readonly beside: number;
  /** The number of pauses of machines, each with its clock. */
  readonly pauses: number;
  /** A trace that is the same for the same seed. */
  readonly trace: string;
}

const STEPS = 60;
/** Who has not ended then waits for something that does not come. */
const MOST_TIME_STEPS = 20_000;

/**
 * Throws a Violation, or what else went wrong.
 * @param workers every statement that reads runs in one of these threads; then the same seed gives the same faults, but not the same trace
 */
export async function simulate(seed: number, workers: ReadWorkers | null = null): Promise<SimulationReport> {
  const world = new World(seed, workers);
  try {
    await createNamespace(world);
    const writers = [new Writer(world, 'a'), new Writer(world, 'b')];
    const readers = [new Reader(world, 'r'), new Reader(world, 's')];
    await live(world, writers, readers);
    const trace = world.trace();
    await audit(world, [...writers, ...readers]);
    const answered = [...world.fates.values()].filter((fate) => fate === 'answered').length;
    const { requests, faults, crashes, expired, takenBack, copies, artefacts, changes, retracted, pauses } = world;
    return {
      operations: world.operations.length,
      answered,
      observations: world.observations.length,
      requests,
      faults,
      crashes,
      expired,
      takenBack,
      copies,
      artefacts,
      changes,
      retracted,
      children: world.audit.childrenPut,
      beside: world.audit.depths.slice(1).reduce((sum, count) => sum + count, 0),
      pauses,
      trace,
    };
  } finally {
    world.end();
  }
}

/** All take their steps beside each other, readers as long as somebody writes; time goes on until the last has ended. */
async function live(world: World, writers: readonly Writer[], readers: readonly Reader[]): Promise<void> {
  let writing = writers.length;
  let acting = writers.length + readers.length;
  const writes = writers.map(async (writer) => {
    for (let step = 0; step < STEPS; step++) await writer.step();
    writing--;
    acting--;
  });
  const reads = readers.map(async (reader) => {
    while (writing > 0) await reader.step();
    acting--;
  });
  const time = new Time(world);
  const passes = async (): Promise<void> => {
    for (let step = 0; acting > 0; step++) {
      if (step === MOST_TIME_STEPS) throw new Violation(`${acting} actors wait for something that does not come`);
      await time.step(step < STEPS);
    }
  };
  await Promise.all([...writes, ...reads, passes()]);
}

/** Without faults: a probe of the store that is slept through refuses the store. */
async function createNamespace(world: World): Promise<void> {
  const { failing } = world;
  world.failing = SOUND;
  const first = new Process(world, 'first');
  await first.open({});
  first.kill();
  world.failing = failing;
}

async function audit(world: World, actors: readonly (Reader | Writer)[]): Promise<void> {
  world.failing = SOUND;
  world.calmClocks();
  // Whoever still waits for a slow request gets its answer.
  world.time.leap(LONGEST_REQUEST_MS);
  await settled();
  if (world.violations.length > 0) throw world.violations[0];
  const last = new Process(world, 'last');
  await last.open({});
  const history = await last.observe('all');
  checkHistory(world, history);
  checkWitnessed(world, history);
  const observations = [...world.observations.filter((seen) => !sawTakenBack(world, seen, history)), history];
  for (const seen of observations) checkPrefix(seen, history);
  checkStates(world, observations);
  await checkChanges(world, last, actors);
  await checkStages(world, last, history, actors);
  if (world.violations.length > 0) throw world.violations[0];
}

function checkHistory(world: World, { operations }: Observation): void {
  const there = new Set(operations);
  if (there.size !== operations.length) throw new Violation(`operations are there twice: ${operations}`);
  for (const [number, fate] of world.fates) {
    if (fate === 'answered' && !there.has(number)) throw new Violation(`operation ${number} was answered and is lost`);
    if (fate === 'refused' && there.has(number)) throw new Violation(`operation ${number} was refused and is there`);
  }
}

/**
 * Who follows may see a commit whose outcome was unknown, that the store made later, and that its writer then took
 * back: of such a look nothing is asked.
 */
function sawTakenBack(world: World, { operations }: Observation, history: Observation): boolean {
  const there = new Set(history.operations);
  const isTakenBack = operations.some((number) => !there.has(number) && world.mayBeTakenBack(number));
  if (isTakenBack) world.takenBack++;
  return isTakenBack;
}

function checkWitnessed(world: World, { operations }: Observation): void {
  const there = new Set(operations);
  for (const number of world.witnessed) if (!there.has(number)) throw new Violation(`operation ${number} was seen by a writer and is lost`);
}

function checkPrefix({ who, operations }: Observation, history: Observation): void {
  const expected = history.operations.slice(0, operations.length);
  assertSame(operations.join(), expected.join(), `${who}: the operations that it saw, and those that are there,`);
}

/** One pass of the model over the history, stopping wherever somebody looked. */
function checkStates(world: World, observations: readonly Observation[]): void {
  const model = new Model();
  let done = 0;
  for (const { who, operations, state } of observations.toSorted((a, b) => a.operations.length - b.operations.length)) {
    for (; done < operations.length; done++) model.apply(world.operations[operations[done]! - 1]!);
    assertSame(state, model.text(), `${who}: the content after ${done} operations, and the model's,`);
  }
}

/** Who has followed changes goes on and has the graph then; so has who begins now. */
async function checkChanges(world: World, last: Process, actors: readonly (Reader | Writer)[]): Promise<void> {
  if (world.changeRetentionMs === undefined) return;
  const readers = actors.flatMap((actor) => (actor instanceof Reader ? [actor.changes] : []));
  for (const reader of [...readers, new ChangeReader(world)]) await reader.finish(last);
}

async function checkStages(world: World, last: Process, history: Observation, actors: readonly (Reader | Writer)[]): Promise<void> {
  const check = async (who: Process, when: string): Promise<void> => {
    const { operations, state } = await who.observe('one');
    assertSame(`${operations}\n${state}`, `${history.operations}\n${history.state}`, `${who.who} ${when}, and the history,`);
  };
  const reopened = async (name: string, when: string): Promise<void> => {
    const reader = new Process(world, name);
    await reader.open({ readOnly: true });
    await check(reader, when);
    await reader.engine.close();
  };
  const isReopenedEarly = world.random.chance(0.5);
  await last.engine.flush();
  const ask = (when: string): Promise<number> => new Process(world, when, world.bucket).askArtefacts();
  await ask('artefacts-after-flush');
  if (isReopenedEarly) await reopened('after-flush', 'opened after a flush');
  else await check(last, 'after a flush');
  await last.engine.compact();
  await ask('artefacts-after-merge');
  if (isReopenedEarly) await check(last, 'after a merge');
  else await reopened('after-merge', 'opened after a merge');
  // A reader that was so slow that the next manifest has come and gone lists them now and then.
  await world.time.advance(35_000, settled);
  for (const opened of actors.flatMap((actor) => actor.opened)) {
    if (opened.follows) await check(opened, 'at the end');
    opened.kill();
  }
  await world.time.advance(40 * 60_000, settled);
  await reopened('after-collection', 'opened after a collection');
  await ask('artefacts-after-collection');
  const { problems, orphans } = await inspectNamespace(world.bucket, { verify: true, artefactKinds: ARTEFACT_KINDS });
  if (problems.length > 0) throw new Violation(`the bucket is damaged: ${JSON.stringify(problems)}`);
  const old = orphans.filter(({ lastModifiedMs }) => world.time.now() - lastModifiedMs > 30 * 60_000);
  if (old.length > 0) throw new Violation(`what nobody needs was left: ${JSON.stringify(old)}`);
  await last.engine.close();
}

/** All that goes on without time passing. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 40; turns++) await new Promise((resolve) => setImmediate(resolve));
}
