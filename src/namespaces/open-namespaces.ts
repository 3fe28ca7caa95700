/**
 * The open namespaces. Each is opened once, when it is first held, stays open while somebody holds it, and is closed
 * after `idleMs` without a holder, or sooner if the memory budget of the process is nearly full: the one that has gone longest
 * without a holder is closed first. A closed namespace makes no requests and keeps only its last state in memory.
 *
 * A namespace that another process has taken over is only read from then on, even after it was closed and opened again:
 * a fenced writer never takes the epoch again by itself (docs/operations.md).
 */
import { type Clock, GraphDBError, KnownGarbage, type Logger, LRUCache, type Schedule } from '../base/index.ts';
import type { Engine, EngineStatus } from '../engine/index.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { fencedEngine } from './refusing-engines.ts';

/** The options of open namespaces. */
export interface OpenNamespacesOptions {
  readonly open: (name: string, options: { readonly readOnly: boolean }) => Promise<Engine>;
  readonly readOnly: boolean;
  readonly idleMs: number;
  readonly memory: MemoryBudget;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly logger: Logger;
}

interface Slot {
  readonly name: string;
  /** The opening, which is shared by all who ask for the namespace meanwhile. */
  readonly opening: Promise<Engine>;
  /** Null while the namespace is being opened. */
  engine: Engine | null;
  holders: number;
  lastHeldMs: number;
}

/** Interval at which idle namespaces are looked for, in milliseconds; `idleMs` if that is less. */
const LOOK_MS = 15_000;
/** The interval while the memory budget is nearly full. One or two namespaces are closed each time, since memory is given back late. */
const PRESSED_LOOK_MS = 1_000;
/** Most closed namespaces whose last state is remembered. */
const REMEMBERED = 10_000;

/** The namespaces that are open. */
export class OpenNamespaces {
  readonly #options: OpenNamespacesOptions;
  readonly #slots = new Map<string, Slot>();
  /** The namespaces that are being closed; opening one again waits for its promise. */
  readonly #closing = new Map<string, Promise<void>>();
  /** The last states of closed namespaces. */
  readonly #last = new LRUCache<string, EngineStatus>(REMEMBERED);
  /** Names of the namespaces that another process has taken over. */
  readonly #lost = new Set<string>();
  /** The memory of the graphs of closed namespaces, until it is collected. */
  readonly #garbage = new KnownGarbage();
  #cancelLook: (() => void) | null = null;
  #isClosed = false;

  constructor(options: OpenNamespacesOptions) {
    this.#options = options;
  }

  /** Yields names and engines of the open namespaces, in no particular order. */
  *engines(): Generator<readonly [string, Engine], void, void> {
    for (const { name, engine } of this.#slots.values()) if (engine !== null) yield [name, engine];
  }

  /** Returns the engine of a namespace without holding it; null if the namespace is not open. */
  engineOf(name: string): Engine | null {
    return this.#slots.get(name)?.engine ?? null;
  }

  /** Returns the state in which a namespace was last closed; null if it was never open or is forgotten. */
  lastStatus(name: string): EngineStatus | null {
    return this.#last.get(name) ?? null;
  }

  /** Tells whether this process is the writer of a namespace, or would be if it opened the namespace. */
  isWriter(name: string): boolean {
    const engine = this.engineOf(name);
    return engine === null ? !this.#options.readOnly && !this.#lost.has(name) : engine.status().role === 'writer';
  }

  /** Holds a namespace that is open; null if it is not. Each successful call needs one call of `release`. */
  holdOpen(name: string): Engine | null {
    const slot = this.#slots.get(name);
    if (slot === undefined || slot.engine === null) return null;
    slot.holders++;
    return slot.engine;
  }

  /** Holds a namespace, and opens it if needed. `check` is called before opening, and throws if the namespace does not exist. */
  async hold(name: string, check: () => Promise<void>): Promise<Engine> {
    for (let closing = this.#closing.get(name); closing !== undefined; closing = this.#closing.get(name)) await closing;
    if (this.#isClosed) throw new GraphDBError('SHUTTING_DOWN', 'the server is shutting down');
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = { name, opening: this.#open(name, check), engine: null, holders: 0, lastHeldMs: this.#options.clock.now() };
      this.#slots.set(name, slot);
    }
    slot.holders++;
    try {
      slot.engine = await slot.opening;
      this.#lookLater();
      return slot.engine;
    } catch (error) {
      if (this.#slots.get(name) === slot) this.#slots.delete(name);
      throw error;
    }
  }

  /** Opens a namespace that does not exist, which creates it. What is remembered of one that had its name is forgotten. */
  async create(name: string): Promise<void> {
    // Whoever asks for the namespace before it is there shares an opening that fails.
    for (let before = this.#underWay(name); before !== undefined; before = this.#underWay(name)) await before.catch(() => undefined);
    this.#last.delete(name);
    this.#lost.delete(name);
    this.release(name, await this.hold(name, async () => {}));
  }

  /** Returns the closing or the opening of a namespace that has not ended; undefined if there is none. */
  #underWay(name: string): Promise<unknown> | undefined {
    const slot = this.#slots.get(name);
    return this.#closing.get(name) ?? (slot?.engine === null ? slot.opening : undefined);
  }

  release(name: string, engine: Engine): void {
    const slot = this.#slots.get(name);
    // The namespace may have been dropped and created again meanwhile.
    if (slot === undefined || slot.engine !== engine) return;
    slot.holders--;
    slot.lastHeldMs = this.#options.clock.now();
  }

  /** Closes a namespace even if it is held: running work fails with SHUTTING_DOWN. It can be opened again once `during` is done. */
  async closeNow(name: string, during: () => Promise<void>): Promise<void> {
    const slot = this.#slots.get(name);
    await this.#whileClosed(name, async () => {
      const engine = await slot?.opening.catch(() => null);
      await engine?.close();
      this.#last.delete(name);
      this.#lost.delete(name);
      await during();
    });
  }

  /** Closes all namespaces concurrently. Throws the first failure after all have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook?.();
    const closed = await Promise.allSettled([...this.#slots.values()].map((slot) => this.#closeSlot(slot)));
    await Promise.allSettled(this.#closing.values());
    const failed = closed.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #open(name: string, check: () => Promise<void>): Promise<Engine> {
    await check();
    await this.#makeRoom();
    const isLost = this.#lost.has(name);
    const engine = await this.#options.open(name, { readOnly: this.#options.readOnly || isLost });
    return isLost ? fencedEngine(engine) : engine;
  }

  #lookLater(): void {
    if (this.#isClosed || this.#cancelLook !== null || this.#slots.size === 0) return;
    const { idleMs, schedule } = this.#options;
    const delayMs = this.#wantedClosings() > 0 ? PRESSED_LOOK_MS : Math.min(LOOK_MS, idleMs);
    this.#cancelLook = schedule(delayMs, () => {
      this.#cancelLook = null;
      void this.#look().finally(() => this.#lookLater());
    });
  }

  async #look(): Promise<void> {
    const { idleMs, clock } = this.#options;
    const idle = [...this.#slots.values()].filter(({ holders, lastHeldMs }) => holders === 0 && clock.now() - lastHeldMs >= idleMs);
    await Promise.allSettled(idle.map((slot) => this.#closeSlot(slot)));
    await this.#makeRoom();
  }

  /** Closes as many idle namespaces as the memory budget asks for. */
  async #makeRoom(): Promise<void> {
    for (let left = this.#wantedClosings(); left > 0; left--) await this.#closeOldest();
  }

  #wantedClosings(): number {
    return this.#options.memory.closings(() => {
      return [...this.#slots.values()].reduce((sum, { engine }) => sum + (engine === null ? 0 : heldBytes(engine)), 0);
    });
  }

  async #closeOldest(): Promise<void> {
    const idle = [...this.#slots.values()].filter(({ holders, engine }) => holders === 0 && engine !== null);
    if (idle.length === 0) return;
    await this.#closeSlot(idle.reduce((oldest, slot) => (slot.lastHeldMs < oldest.lastHeldMs ? slot : oldest))).catch(() => undefined);
  }

  #closeSlot({ name, opening }: Slot): Promise<void> {
    return this.#whileClosed(name, async () => {
      const engine = await opening.catch(() => null);
      if (engine === null) return;
      const { readOnly, logger } = this.#options;
      const status = engine.status();
      const bytes = heldBytes(engine);
      if (!readOnly && status.role === 'reader') this.#lost.add(name);
      try {
        await engine.close();
        this.#last.set(name, engine.status());
        // V8 does not count the arrays of a graph, and would keep those of many closed graphs.
        this.#garbage.add(bytes);
        this.#garbage.collectIfMuch();
        logger.info({ namespace: name }, 'namespace closed');
      } catch (error) {
        logger.error({ error, namespace: name }, 'a namespace could not be closed cleanly; nothing that was answered is lost');
        throw error;
      }
    });
  }

  #whileClosed(name: string, work: () => Promise<void>): Promise<void> {
    this.#slots.delete(name);
    const former = this.#closing.get(name) ?? Promise.resolve();
    const closing = former
      .catch(() => undefined)
      .then(work)
      .finally(() => {
        if (this.#closing.get(name) === settled) this.#closing.delete(name);
      });
    const settled = closing.catch(() => undefined);
    this.#closing.set(name, settled);
    return closing;
  }
}

/** Returns the bytes that the graph of an engine holds, and would give back if it were closed. */
function heldBytes(engine: Engine): number {
  const { graphBytes, pageBytes, automaticIndexBytes } = engine.statistics();
  return graphBytes + pageBytes + automaticIndexBytes;
}
