/** Who acts in a simulation: rival writers, readers, and time. Each takes one step after the other; all of them run beside each other. */
import { GraphDBError } from '../../src/base/index.ts';
import type { EngineOptions, EngineTransaction } from '../../src/engine/index.ts';
import type { ObjectStore } from '../../src/object-store/index.ts';
import { parseManifestKey } from '../../src/storage/keys.ts';
import { isMissingFile } from './artefacts.ts';
import { ChangeReader } from './changes.ts';
import { type Operation, randomOperation, statementOf } from './model.ts';
import { CrashError, codeOf, Process } from './process.ts';
import { assertSame, Violation } from './violation.ts';
import type { Fate, Observation, World } from './world.ts';

/**
 * Errors that a person may meet who asks a database that is fenced, shut down, cannot reach its store, or has removed
 * the version that he reads.
 */
const EXPECTED: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'WRITER_FENCED', 'OVERLOADED', 'SHUTTING_DOWN', 'NOT_FOUND']);
/** The version that an error says is not there (any more). */
const VERSION_IN_ERROR = /manifest version (\d+)/;
/** Long enough for others to take over, and to remove what tells of it. */
const LONGEST_SLEEP_MS = 15 * 60_000;
const LONGEST_PAUSE_MS = 3_000;
/** Who does not know whether his write is done waits before he writes again: it may be made meanwhile, and be seen by others. */
const LONGEST_DOUBT_MS = 10_000;

/** A read transaction that goes on while others write. */
interface Held {
  readonly opened: Process;
  readonly transaction: EngineTransaction;
  readonly seen: Observation;
}

function answeredIn(fates: World['fates']): readonly number[] {
  return [...fates].flatMap(([number, fate]) => (fate === 'answered' ? [number] : []));
}

abstract class Actor {
  protected readonly world: World;
  protected readonly name: string;
  /** All that were opened, those with which nobody speaks any more among them. */
  readonly opened: Process[] = [];
  protected process: Process | null = null;
  #held: Held | null = null;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
  }

  async step(): Promise<void> {
    const { world } = this;
    await world.wander();
    try {
      if (this.process === null) {
        if (world.random.chance(0.4)) await this.open();
      } else {
        world.disturb(this.process.clock);
        await this.#lookAgain(this.process);
        await this.act(this.process);
      }
    } catch (error) {
      if (error instanceof CrashError) this.process = null;
      else if (!EXPECTED.has(codeOf(error) ?? '')) throw error;
      else this.#checkVersion(error);
    }
  }

  /** Who is told that a version is no longer kept is told so rightly. */
  #checkVersion(error: unknown): void {
    const { message, cause } = error as Error; // as: what has a code
    if (codeOf(error) !== 'NOT_FOUND' && !(codeOf(error) === 'STORE_UNAVAILABLE' && codeOf(cause) === 'CORRUPTION')) return;
    const version = VERSION_IN_ERROR.exec(message)?.[1];
    if (version === undefined) throw error;
    if (this.world.audit.isKept(Number(version)))
      throw new Violation(`${this.name} is told that version ${version} is not kept`, { cause: error });
    this.world.expired++;
  }

  protected async open(options: EngineOptions = {}): Promise<void> {
    const opening = new Process(this.world, `${this.name}-${this.opened.length + 1}`);
    this.opened.push(opening);
    await opening.open(options);
    this.process = opening;
  }

  /** Checks that a transaction sees until it ends what it saw (M2). */
  async #lookAgain(opened: Process): Promise<void> {
    const { random } = this.world;
    const held = this.#held;
    if (held !== null && (held.opened !== opened || random.chance(0.3))) {
      this.#held = null;
      if (held.opened !== opened) return; // Its process has ended.
      const { operations, state } = await opened.observeIn(held.transaction);
      await held.transaction.rollback();
      assertSame(`${operations}\n${state}`, `${held.seen.operations}\n${held.seen.state}`, `${opened.who}: two looks of one transaction`);
    } else if (held === null && random.chance(0.1)) {
      const transaction = await opened.survive(opened.engine.begin({ mode: 'read' }));
      const seen = await opened.observeIn(transaction);
      this.world.observations.push(seen);
      this.#held = { opened, transaction, seen };
    }
  }

  protected abstract act(opened: Process): Promise<void>;

  protected async observe(opened: Process): Promise<void> {
    const known = this.mustSee();
    const observation = await opened.observe();
    const seen = new Set(observation.operations);
    for (const number of known) {
      if (!seen.has(number)) throw new Violation(`${opened.who} does not see operation ${number}, which was answered`);
    }
    this.world.observations.push(observation);
  }

  protected mustSee(): readonly number[] {
    return [];
  }

  /** Half of the time it ends as it should, and must not fail. */
  protected async leave(opened: Process): Promise<void> {
    this.process = null;
    if (this.world.random.chance(0.5)) await opened.survive(opened.engine.close());
    else opened.kill();
  }
}

export class Writer extends Actor {
  /** Answered by the present process. */
  #answered: number[] = [];

  protected async act(opened: Process): Promise<void> {
    const { random, workload } = this.world;
    const roll = random.between(0, 99);
    const compactionsFrom = 92 - workload.compactions;
    const flushesFrom = compactionsFrom - workload.flushes;
    if (roll < flushesFrom - 38) await this.#write(opened);
    else if (roll < flushesFrom - 10) await this.#writeTogether(opened);
    else if (roll < flushesFrom - 2) await this.observe(opened);
    else if (roll < flushesFrom) await this.#witness(opened);
    else if (roll < compactionsFrom) this.#checkPublished(opened, await opened.survive(opened.engine.flush()));
    else if (roll < 92) this.#checkPublished(opened, await opened.survive(opened.engine.compact()));
    else if (roll < 95) await this.leave(opened);
    else if (roll < 96) await this.world.clock.sleep(random.between(10_000, LONGEST_SLEEP_MS));
    else if (roll < 97) await this.world.pause(opened);
    else await this.open();
    if (this.process?.engine.status().role === 'reader' && random.chance(0.3)) await this.leave(opened);
  }

  /** Checks that objects said to be part of the namespace are part of a manifest that was in force. */
  #checkPublished(
    { who }: Process,
    { sstsWritten, manifestVersion }: { readonly sstsWritten: number; readonly manifestVersion: number },
  ): void {
    if (sstsWritten === 0 || !this.world.audit.isLate(manifestVersion)) return;
    throw new Violation(`${who} says that it has published version ${manifestVersion}, which came too late`);
  }

  protected override async open(): Promise<void> {
    await super.open();
    this.#answered = [];
    for (const index of ['INDEX n_k IF NOT EXISTS FOR (n:N) ON (n.k)', 'VECTOR INDEX n_e IF NOT EXISTS FOR (n:N) ON (n.e)'])
      await this.process?.survive(this.process.engine.execute(`CREATE ${index}`, new Map()));
  }

  protected override mustSee(): readonly number[] {
    return this.#answered.slice();
  }

  /** Several at once share a group commit, or several puts that are in flight together. */
  async #writeTogether(opened: Process): Promise<void> {
    const { random } = this.world;
    const isSpread = random.chance(0.7);
    const writes = Array.from({ length: random.between(2, isSpread ? 9 : 5) }, async (_, before) => {
      if (isSpread) await this.world.turns(before * 2 + random.between(0, 2));
      await this.#write(opened);
    });
    if (random.chance(0.5)) writes.push(this.#witness(opened));
    const outcomes = await Promise.allSettled(writes);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /**
   * A statement that writes and changes nothing: whatever it saw is there for ever, answered or not; and it saw all
   * that anybody had been answered when it was sent.
   */
  async #witness(opened: Process): Promise<void> {
    const { fates, witnessed } = this.world;
    const answered = answeredIn(fates);
    const query = 'MATCH (o:Op) SET o.absent = null RETURN o.number';
    const { rows } = await opened.survive(opened.engine.execute(query, new Map()));
    const seen = new Set(rows.map(([number]) => Number(number)));
    for (const number of seen) witnessed.add(number);
    for (const number of answered)
      if (!seen.has(number)) throw new Violation(`${opened.who} answers a write without operation ${number}, which was answered before`);
  }

  async #write(opened: Process): Promise<void> {
    const { world } = this;
    const operation = randomOperation(world.random, world.operations.length + 1, world.workload.bulkRate);
    world.operations.push(operation);
    const { number } = operation;
    const settle = (fate: Fate): void => {
      world.note(`${opened.who} ${operation.kind} ${number}: ${fate}`);
      world.fates.set(number, fate);
    };
    settle('running');
    const putsBefore = world.walPutsOf(opened.who);
    try {
      await opened.survive(this.#execute(opened, operation));
    } catch (error) {
      const isOpen =
        error instanceof CrashError || codeOf(error) === 'SHUTTING_DOWN' || (error instanceof GraphDBError && error.outcomeUnknown);
      settle(isOpen ? 'unknown' : 'refused');
      if (isOpen) world.inDoubt(number, opened.who, putsBefore);
      if (isOpen && !(error instanceof CrashError) && world.random.chance(0.7))
        await world.clock.sleep(world.random.between(1, LONGEST_DOUBT_MS));
      throw error;
    }
    settle('answered');
    if (this.process !== opened) return;
    this.#answered.push(number);
  }

  async #execute(opened: Process, operation: Operation): Promise<void> {
    const { query, params } = statementOf(operation);
    if (this.world.random.chance(0.8)) {
      await opened.engine.execute(query, params);
      return;
    }
    this.world.transactional.add(operation.number);
    const transaction = await opened.engine.begin({ mode: 'write' });
    await transaction.execute(query, params);
    await transaction.execute('MATCH (o:Op {number: $number}) SET o.seen = true', params);
    await transaction.commit();
  }
}

export class Reader extends Actor {
  readonly changes: ChangeReader;
  #copies = 0;
  #questions = 0;
  /** The commits that had been answered to anybody when the present process began to open. */
  #answered: readonly number[] = [];
  #target: ObjectStore | null = null;

  constructor(world: World, name: string) {
    super(world, name);
    this.changes = new ChangeReader(world);
  }

  /** It has less to do than a writer, and goes on as long as one writes. */
  override async step(): Promise<void> {
    await this.world.clock.sleep(this.world.random.between(1, LONGEST_PAUSE_MS));
    await super.step();
  }

  protected async act(opened: Process): Promise<void> {
    const roll = this.world.random.between(0, 9);
    if (roll < 1) await this.leave(opened);
    else if (roll < 4) await this.observe(opened);
    else if (roll < 6 && opened.follows) await this.changes.follow(opened);
    else if (this.world.random.chance(0.05)) await this.#copy();
    else if (this.world.random.chance(0.3)) await this.#askArtefacts();
    else await opened.survive(opened.engine.execute('MATCH (n:Rare) RETURN count(n)', new Map()));
  }

  /** A copy of the namespace into a bucket that never fails holds what somebody could have seen, and all that was answered before. */
  async #copy(): Promise<void> {
    const { world } = this;
    const answered = answeredIn(world.fates);
    const name = `${this.name}-copy-${++this.#copies}`;
    // Now and then over the copy before.
    if (this.#target === null || world.random.chance(0.5)) this.#target = world.otherBucket(name);
    const target = this.#target;
    const { sourceVersion } = await new Process(world, name).copyTo(target);
    // Those whose files were removed while they were copied are left out.
    const isWhole = world.audit.isKept(sourceVersion);
    const artefacts = await new Process(world, `${name}-look`, target).askArtefacts();
    const expected = world.audit.artefactsOf(sourceVersion);
    if (isWhole ? artefacts !== expected : artefacts > expected)
      throw new Violation(`${name} has ${artefacts} artefacts, version ${sourceVersion} has ${expected}`);
    const opened = new Process(world, `${name}-read`, target);
    await opened.open({ readOnly: true });
    const observation = await opened.observe();
    opened.kill();
    const seen = new Set(observation.operations);
    for (const number of answered) if (!seen.has(number)) throw new Violation(`${name} leaves out operation ${number}, which was answered`);
    world.observations.push(observation);
    world.copies++;
  }

  /** Who is so slow that the files of the manifest are removed meanwhile learns nothing. */
  async #askArtefacts(): Promise<void> {
    const { world } = this;
    try {
      await new Process(world, `${this.name}-asks-${++this.#questions}`).askArtefacts();
    } catch (error) {
      if (error instanceof CrashError || isMissingFile(error)) return;
      throw error;
    }
  }

  /** Whoever begins to follow begins with all that was answered before. */
  protected override mustSee(): readonly number[] {
    return this.#answered;
  }

  /** Mostly one that follows; now and then at a version that is there, perhaps one that came too late. */
  protected override async open(): Promise<void> {
    const { random, bucket, audit, fates } = this.world;
    if (random.chance(0.85)) {
      this.#answered = answeredIn(fates);
      return super.open({ readOnly: true });
    }
    this.#answered = [];
    const versions = (await bucket.list('manifest/')).map(({ key }) => parseManifestKey(key)!);
    const version = random.pick(versions.filter((each) => audit.isKept(each) || audit.isLate(each)));
    const isLate = audit.isLate(version);
    await super.open({ version });
    if (isLate) throw new Violation(`${this.name} has opened version ${version}, which came too late`);
  }
}

/**
 * Lets time pass: mostly little, sometimes so much that others have been forgotten. Once most have ended, in leaps:
 * then others only sleep.
 */
export class Time {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async step(isBusy: boolean): Promise<void> {
    const { random, time, leapRate } = this.#world;
    await this.#world.wander();
    if (this.#world.waitingForTurns > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (random.chance(0.8)) return;
    }
    // Threads need time that is not ours.
    if (this.#world.workers !== null) await new Promise((resolve) => setTimeout(resolve, 1));
    if (random.chance(leapRate)) time.leap(random.between(60_000, 700_000));
    else if (isBusy) await time.advance(random.between(1, 3_000), () => this.#world.wander());
    else time.leap(random.between(1, 20_000));
  }
}
