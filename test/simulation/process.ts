/** A process with one engine in it, which may crash at any request: then nothing of it is heard again, and what it was doing stays open. */
import { GraphDBError, type Logger } from '../../src/base/index.ts';
import { type Engine, type EngineOptions, type EngineTransaction, openEngine } from '../../src/engine/index.ts';
import type { ObjectStore } from '../../src/object-store/index.ts';
import { type CopyOutcome, copyNamespace, openNamespace, SstCache } from '../../src/storage/index.ts';
import type { Value } from '../../src/value/index.ts';
import { ARTEFACT_KINDS, checkArtefacts } from './artefacts.ts';
import { type Ask, CHECKS, type Content, contentOf, OUTGOING } from './content.ts';
import { stateText } from './model.ts';
import type { ProcessClock } from './process-clock.ts';
import { Violation } from './violation.ts';
import type { Observation, World } from './world.ts';

const SETTINGS: EngineOptions = { flushIntervalMs: 5_000, flushBytes: 4_000 };
const NONE: ReadonlyMap<string, Value> = new Map();

/** For each world the rows from which on files are covered by artefacts: every file, or only those of some rows. */
const ARTEFACTS_FROM_ROWS = [0, 0, 4];

/**
 * For each world the bytes of a manifest: so little that nearly every flush makes a child, or merges some, and so much
 * that hardly one does.
 */
const MANIFEST_OWN_BYTES = [0, 256, 2_048, 8_192];

type Ways = 'all' | 'two' | 'one';

export class CrashError extends Error {}

export class Process {
  readonly who: string;
  readonly clock: ProcessClock;
  readonly #world: World;
  /** The store that it opens instead of the bucket. */
  readonly #other: ObjectStore | null;
  readonly #crashed = Promise.withResolvers<never>();
  #alive = true;
  /** At one version for ever. */
  #isFixed = false;
  #engine: Engine | null = null;

  constructor(world: World, who: string, other: ObjectStore | null = null) {
    this.#world = world;
    this.who = who;
    this.clock = world.makeClock();
    this.#other = other;
    this.#crashed.promise.catch(() => {}); // Perhaps nobody waits for it.
  }

  /** Is it open, and nothing but a reader of what is newest (any more)? */
  get follows(): boolean {
    if (this.#isFixed) return false;
    const status = this.#alive ? this.#engine?.status() : undefined;
    return status?.status === 'ok' && status.role === 'reader';
  }

  get engine(): Engine {
    if (this.#engine === null) throw new Error('not open');
    return this.#engine;
  }

  /** Rejects with CrashError as soon as the process has crashed. */
  async survive<T>(work: Promise<T>): Promise<T> {
    const result = await Promise.race([work, this.#crashed.promise]);
    // Nothing is heard of a process while it is paused.
    await this.clock.running();
    return result;
  }

  async open(options: EngineOptions): Promise<void> {
    const world = this.#world;
    this.#isFixed = options.version !== undefined;
    const opening = openEngine(
      `memory://${world.name}`,
      // The first of all tells the namespace; now and then somebody says it again.
      {
        ...SETTINGS,
        ...options,
        ...world.retention,
        ...(this.who === 'first' || world.random.chance(0.3) ? { changeRetentionMs: world.changeRetentionMs } : {}),
      },
      {
        writerId: this.who,
        // Statements of one seed take turns in one way on every machine.
        sliceMs: Number.POSITIVE_INFINITY,
        // No thread for files: what it does takes time that is not ours.
        threadFromBytes: Number.POSITIVE_INFINITY,
        logWindow: world.logWindow(),
        manifestOwnBytes: MANIFEST_OWN_BYTES[world.seed % MANIFEST_OWN_BYTES.length]!,
        // That of a process of its own; too small for everything, and in every other world none.
        sstCache: world.seed % 2 === 0 ? null : new SstCache(8_192),
        clock: this.clock,
        ...(world.workers === null ? {} : { workers: world.workers }),
        // Now and then one of the writers is of a release that does not know them.
        artefactKinds: world.seed % 3 === 0 && this.who.startsWith('b') ? [] : ARTEFACT_KINDS,
        artefactsFromRows: ARTEFACTS_FROM_ROWS[world.seed % ARTEFACTS_FROM_ROWS.length]!,
        schedule: (delayMs, work) => this.clock.schedule(delayMs, () => this.#alive && work()),
        logger: listening(
          (message) => world.note(`${this.who} logs ${message}`),
          (violation) => world.violations.push(violation),
        ),
        decorateStore: () => this.#other ?? this.#bucket(),
      },
    );
    opening.catch(() => {}); // Looked at below, unless the process crashes first.
    this.#engine = await this.survive(opening);
  }

  #bucket(): ObjectStore {
    const { who, clock } = this;
    return this.#world.storeFor({ who, clock, isAlive: () => this.#alive, onCrash: () => this.#crash() });
  }

  /** Copies the namespace, over the content of the target; nothing is opened for it. */
  async copyTo(target: ObjectStore): Promise<CopyOutcome> {
    const { name } = this.#world;
    const { clock } = this;
    return this.survive(copyNamespace({ source: { store: this.#bucket(), name }, target: { store: target, name }, replace: true, clock }));
  }

  /**
   * Asks the artefacts of the namespace as it is now, and holds them against the rows (artefacts.ts); nothing is opened
   * for it. Returns how many there are.
   */
  async askArtefacts(): Promise<number> {
    const { name, random } = this.#world;
    const store = this.#other ?? this.#bucket();
    const namespace = await this.survive(openNamespace(store, { name, readOnly: true, clock: this.clock }));
    this.#world.artefacts += await this.survive(checkArtefacts(this.who, namespace, random));
    await namespace.close();
    return namespace.manifest.artefacts.length;
  }

  /** Ends it at once, whatever it is doing. */
  kill(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#world.note(`${this.who} is killed`);
  }

  #crash(): void {
    if (!this.#alive) return;
    this.#world.crashes++;
    this.kill();
    this.#crashed.reject(new CrashError(`${this.who} has crashed`));
  }

  /** One snapshot of everything, looked at in several ways that must agree: in all of them, or in some picked at random. */
  async observe(ways: Ways = 'two'): Promise<Observation> {
    const transaction = await this.survive(this.engine.begin({ mode: 'read' }));
    try {
      return await this.observeIn(transaction, ways);
    } finally {
      await transaction.rollback();
    }
  }

  /** Observes the database in a transaction that goes on. */
  async observeIn(transaction: EngineTransaction, ways: Ways = 'two'): Promise<Observation> {
    const ask: Ask = async (query, params = NONE) => (await this.survive(transaction.execute(query, params))).rows as unknown[][];
    const { random } = this.#world;
    const content = contentOf(await ask('MATCH (n) RETURN labels(n), n.k, n.v, n.t, n.number, n.seen, id(n)'), await ask(OUTGOING));
    this.#checkAtomicity(content);
    const checks = [...CHECKS];
    while (ways !== 'all' && checks.length > (ways === 'two' ? 2 : 1)) checks.splice(random.between(0, checks.length - 1), 1);
    for (const check of checks) await check({ who: this.who, content, ask, random });
    return { who: this.who, operations: content.operations, state: stateText([...content.nodes, ...content.rare], content.relationships) };
  }

  /** The second statement of a transaction marked the operation that the first one made. */
  #checkAtomicity({ operations, seen }: Content): void {
    for (const number of operations) {
      if (seen.has(number) !== this.#world.transactional.has(number)) throw new Violation(`${this.who} sees operation ${number} by half`);
    }
  }
}

export function codeOf(error: unknown): string | null {
  return error instanceof GraphDBError ? error.code : null;
}

/** Makes a logger that notes faults of the background, which show in the log only. */
function listening(note: (message: string) => void, onViolation: (violation: Violation) => void): Logger {
  const nothing = (): void => {};
  const log = (fields: unknown, message?: string): void => {
    const { error } = fields as { error?: unknown };
    note(`${message ?? String(fields)} ${codeOf(error) ?? ''}`);
    if (error !== undefined && (codeOf(error) ?? 'INTERNAL') === 'INTERNAL')
      onViolation(new Violation(`in the background: ${message}`, { cause: error }));
  };
  const logger: Logger = { error: log, warn: log, info: nothing, debug: nothing, trace: nothing, logsDebug: false, module: () => logger };
  return logger;
}
