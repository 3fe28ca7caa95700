/**
 * Namespaces that are open: each is opened once when it is first held, stays open while somebody holds it, and is
 * closed when nobody has for `idleMs`, or sooner where the memory of the process is over its budget: the one that was
 * longest not held goes first. What is closed makes no request and holds no memory but its last state.
 *
 * A namespace that another process has taken over is only read from then on, also after it was closed: who was fenced
 * never tries again by itself (docs/operations.md).
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
  /** Everyone who asks meanwhile waits for the same opening. */
  readonly opening: Promise<Engine>;
  /** null: it is being opened. */
  engine: Engine | null;
  holders: number;
  lastHeldMs: number;
}

/** How often idle ones are looked for at most. */
const LOOK_MS = 15_000;
/** Over its budget the process closes one namespace at a time: memory is given back some time later. */
const PRESSED_LOOK_MS = 1_000;
const REMEMBERED = 10_000;

/** The namespaces that are open. */
export class OpenNamespaces {
  readonly #options: OpenNamespacesOptions;
  readonly #slots = new Map<string, Slot>();
  /** The namespaces that are being closed: opening one again waits for that. */
  readonly #closing = new Map<string, Promise<void>>();
  /** The last states of those that are closed. */
  readonly #last = new LRUCache<string, EngineStatus>(REMEMBERED);
  readonly #lost = new Set<string>();
  /** The graphs of those that are closed. */
  readonly #garbage = new KnownGarbage();
  #cancelLook: (() => void) | null = null;
  #isClosed = false;

  constructor(options: OpenNamespacesOptions) {
    this.#options = options;
  }

  /** Names and engines of those that are open, in no order. */
  *engines(): Generator<readonly [string, Engine], void, void> {
    for (const { name, engine } of this.#slots.values()) if (engine !== null) yield [name, engine];
  }

  /** The engine of a namespace that is open; null: it is not. Nobody holds it thereby. */
  engineOf(name: string): Engine | null {
    return this.#slots.get(name)?.engine ?? null;
  }

  /** The state in which it was closed last; null: it was never open, or is forgotten. */
  lastStatus(name: string): EngineStatus | null {
    return this.#last.get(name) ?? null;
  }

  /** Whether this process would write to it. */
  isWriter(name: string): boolean {
    const engine = this.engineOf(name);
    return engine === null ? !this.#options.readOnly && !this.#lost.has(name) : engine.status().role === 'writer';
  }

  /** Holds one that is open; null: it is not. `release` is to be called for each time. */
  holdOpen(name: string): Engine | null {
    const slot = this.#slots.get(name);
    if (slot === undefined || slot.engine === null) return null;
    slot.holders++;
    return slot.engine;
  }

  /** Opens one where that is needed, and holds it. `check` is asked before it is opened, and throws where there is none. */
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

  release(name: string, engine: Engine): void {
    const slot = this.#slots.get(name);
    // It may have been dropped meanwhile, and made again.
    if (slot === undefined || slot.engine !== engine) return;
    slot.holders--;
    slot.lastHeldMs = this.#options.clock.now();
  }

  /** Closes it whoever holds it: what runs there fails with SHUTTING_DOWN. `during` is done before it can be opened again. */
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

  /** Closes all, at once. */
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
    if (this.#isTooLarge()) await this.#closeOldest();
    const isLost = this.#lost.has(name);
    const engine = await this.#options.open(name, { readOnly: this.#options.readOnly || isLost });
    return isLost ? fencedEngine(engine) : engine;
  }

  #lookLater(): void {
    if (this.#isClosed || this.#cancelLook !== null || this.#slots.size === 0) return;
    const { idleMs, schedule } = this.#options;
    const delayMs = this.#isTooLarge() ? PRESSED_LOOK_MS : Math.min(LOOK_MS, idleMs);
    this.#cancelLook = schedule(delayMs, () => {
      this.#cancelLook = null;
      void this.#look().finally(() => this.#lookLater());
    });
  }

  async #look(): Promise<void> {
    const { idleMs, clock } = this.#options;
    const idle = [...this.#slots.values()].filter(({ holders, lastHeldMs }) => holders === 0 && clock.now() - lastHeldMs >= idleMs);
    await Promise.allSettled(idle.map((slot) => this.#closeSlot(slot)));
    if (this.#isTooLarge()) await this.#closeOldest();
  }

  #isTooLarge(): boolean {
    return this.#options.memory.isExceeded(() => {
      return [...this.#slots.values()].reduce((sum, { engine }) => sum + (engine?.statistics().graphBytes ?? 0), 0);
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
      const { graphBytes } = engine.statistics();
      if (!readOnly && status.role === 'reader') this.#lost.add(name);
      try {
        await engine.close();
        this.#last.set(name, engine.status());
        // V8 does not count the arrays of a graph, and would let those of many closed ones stand.
        this.#garbage.add(graphBytes);
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
