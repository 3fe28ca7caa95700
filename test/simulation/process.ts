/** A process with one engine in it, which may crash at any request: then nothing of it is heard again, and what it was doing stays open. */
import { GraphDBError, type Logger } from '../../src/base/index.ts';
import { type Engine, type EngineOptions, openEngine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';
import { stateText } from './model.ts';
import type { Observation, World } from './world.ts';

const SETTINGS: EngineOptions = { flushIntervalMs: 5_000, flushBytes: 4_000 };
const NONE: ReadonlyMap<string, Value> = new Map();

export class CrashError extends Error {}

export class Process {
  readonly who: string;
  readonly #world: World;
  readonly #crashed = Promise.withResolvers<never>();
  #alive = true;
  #engine: Engine | null = null;

  constructor(world: World, who: string) {
    this.#world = world;
    this.who = who;
    this.#crashed.promise.catch(() => {}); // Perhaps nobody waits for it.
  }

  /** Is it open, and nothing but a reader (any more)? */
  get follows(): boolean {
    const status = this.#alive ? this.#engine?.status() : undefined;
    return status?.status === 'ok' && status.role === 'reader';
  }

  get engine(): Engine {
    if (this.#engine === null) throw new Error('not open');
    return this.#engine;
  }

  /** Rejects with CrashError as soon as the process has crashed. */
  survive<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#crashed.promise]);
  }

  async open(options: EngineOptions): Promise<void> {
    const world = this.#world;
    const opening = openEngine(`memory://${world.name}`, {
      ...SETTINGS,
      ...options,
      ...world.retention,
      writerId: this.who,
      clock: world.time,
      schedule: (delayMs, work) => world.time.schedule(delayMs, () => this.#alive && work()),
      logger: listening(
        (message) => world.note(`${this.who} logs ${message}`),
        (violation) => world.violations.push(violation),
      ),
      decorateStore: () =>
        world.storeFor(
          this.who,
          () => this.#alive,
          () => this.#crash(),
        ),
    });
    opening.catch(() => {}); // Looked at below, unless the process crashes first.
    this.#engine = await this.survive(opening);
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

  /** One snapshot of everything, looked at in several ways that must agree. */
  async observe(): Promise<Observation> {
    const { random } = this.#world;
    const transaction = await this.engine.begin({ mode: 'read' });
    const rows = async (query: string, params = NONE): Promise<unknown[][]> =>
      (await this.survive(transaction.execute(query, params))).rows as unknown[][];
    try {
      const nodes = await rows('MATCH (n:N) RETURN n.k, n.v, n.t, n:M');
      const outgoing = await rows('MATCH (a:N)-[r:R]->(b) RETURN a.k, b.k, r.w');
      const incoming = await rows('MATCH (b:N)<-[r:R]-(a) RETURN a.k, b.k, r.w');
      const rare = await rows('MATCH (n:Rare) RETURN n.k, n.t');
      const state = stateText([...nodes, ...rare], outgoing);
      assertSame(stateText([...nodes, ...rare], incoming), state, `${this.who}: relationships by target and by source`);
      const marked = await rows('MATCH (n:M) RETURN count(n)');
      assertSame(marked[0]![0], nodes.filter(([, , , isMarked]) => isMarked === true).length, `${this.who}: nodes by label and by scan`);
      const counts = await rows('MATCH ()-[r:R]->() RETURN count(r)');
      assertSame(counts[0]![0], outgoing.length, `${this.who}: counted and listed relationships`);
      for (let i = 0; i < 3 && nodes.length > 0; i++) {
        const [k, v] = random.pick(nodes);
        const found = await rows('MATCH (n:N {k: $k}) RETURN n.v', new Map([['k', k as Value]]));
        assertSame(JSON.stringify(found), JSON.stringify([[v]]), `${this.who}: node ${String(k)} by index and by scan`);
      }
      const operations = await rows('MATCH (o:Op) RETURN o.number, id(o)');
      return { who: this.who, operations: inOrder(operations), state };
    } finally {
      await transaction.rollback();
    }
  }
}

/** By ordinal: identifiers that the engine makes are `n` and the ordinal. */
function inOrder(rows: readonly unknown[][]): number[] {
  const ordinal = (id: unknown): number => Number(String(id).slice(1));
  return rows.toSorted(([, a], [, b]) => ordinal(a) - ordinal(b)).map(([number]) => Number(number));
}

export function assertSame(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  const [found, wanted] = [String(actual).split('\n'), String(expected).split('\n')];
  const differences = [
    ...found.filter((line) => !wanted.includes(line)).map((line) => `+ ${line}`),
    ...wanted.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
  ];
  throw new Violation(`${what} differ:\n${differences.join('\n')}`);
}

/** The database is wrong. */
export class Violation extends Error {}

export function codeOf(error: unknown): string | null {
  return error instanceof GraphDBError ? error.code : null;
}

/** What goes wrong in the background shows in the log only. */
function listening(note: (message: string) => void, onViolation: (violation: Violation) => void): Logger {
  const nothing = (): void => {};
  const log = (fields: unknown, message?: string): void => {
    const { error } = fields as { error?: unknown };
    note(`${message ?? String(fields)} ${codeOf(error) ?? ''}`);
    if (error !== undefined && (codeOf(error) ?? 'INTERNAL') === 'INTERNAL')
      onViolation(new Violation(`in the background: ${message}`, { cause: error }));
  };
  const logger: Logger = { error: log, warn: log, info: nothing, debug: nothing, trace: nothing, module: () => logger };
  return logger;
}
