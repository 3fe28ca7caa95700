/**
 * The namespaces of a server that serves all of a place. Each namespace is opened when it is first used
 * (open-namespaces.ts). The default namespace always exists: unless the server is read-only, its first use creates it.
 * Others are created by CREATE DATABASE, or by another process that writes to the same place.
 *
 * Any namespace takes commands about databases, and so does `system`, a separate graph in memory that stays empty.
 */
import {
  abortAfter,
  type Caller,
  type Clock,
  GraphDBError,
  isNameOfNamespace,
  type Logger,
  LRUCache,
  Mutex,
  maySee,
  type NamespaceScope,
  requireRight,
  type Schedule,
} from '../base/index.ts';
import { type Databases, type Engine, type EngineStatus, engineFor, unsupportedAdministration } from '../engine/index.ts';
import type { NamespaceCatalogue } from '../storage/index.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { noNamespace, notForCaller, SYSTEM_DATABASE, USUAL_DATABASE } from './names.ts';
import type { HeldNamespace, Namespaces, Wanted } from './namespaces.ts';
import { OpenNamespaces } from './open-namespaces.ts';
import { systemEngine } from './refusing-engines.ts';

/** The options of a server of all namespaces in a place. */
export interface ManyNamespacesOptions {
  readonly catalogue: Pick<NamespaceCatalogue, 'list' | 'listAmong' | 'has' | 'drop'>;
  readonly defaultNamespace: string;
  readonly readOnly: boolean;
  /** How long a namespace that nobody holds stays open, in milliseconds. */
  readonly idleMs: number;
  readonly memory: MemoryBudget;
  /** Opens the engine of a namespace. A missing namespace is created, unless `readOnly`. */
  readonly open: (name: string, options: { readonly readOnly: boolean; readonly databases: Databases }) => Promise<Engine>;
  /** Opens the engine of `system`. */
  readonly openSystem: (databases: Databases) => Promise<Engine>;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly logger: Logger;
}

/** Names that clients use for the default database and for `system`; CREATE DATABASE refuses them. */
const RESERVED: ReadonlySet<string> = new Set([USUAL_DATABASE, SYSTEM_DATABASE]);
/** How long the answer whether a namespace exists is reused, in milliseconds: to resolve names and for status, never to open one. */
const KNOWN_MS = 10_000;
/** Most names for which that answer is kept. */
const KNOWN_NAMES = 1_000;
/** Longest wait for another command about databases, in milliseconds; `OVERLOADED` beyond it. */
const COMMAND_WAIT_MS = 5_000;

interface FoundName {
  readonly isThere: boolean;
  readonly atMs: number;
}

/** The namespaces of a place. */
export class ManyNamespaces {
  readonly #options: ManyNamespacesOptions;
  readonly #open: OpenNamespaces;
  readonly #known = new LRUCache<string, FoundName>(KNOWN_NAMES);
  readonly #commands = new Mutex();
  #system: Promise<Engine> | null = null;

  constructor(options: ManyNamespacesOptions) {
    this.#options = options;
    this.#open = new OpenNamespaces({
      ...options,
      open: (name, { readOnly }) => options.open(name, { readOnly, databases: this.#databasesFrom(name) }),
    });
  }

  /** Returns names and engines of the open namespaces, without `system`, in no particular order. */
  engines(): Iterable<readonly [string, Engine]> {
    return this.#open.engines();
  }

  /** Returns the engine of a namespace; null if the namespace is not open. */
  engineOf(name: string): Engine | null {
    return this.#open.engineOf(name);
  }

  /** Returns the namespaces with their engines wrapped by `face`, for instance to measure them. `face` is called once per engine. */
  view(face: (engine: Engine, namespace: string) => Engine = (engine) => engine): Namespaces {
    const faces = new WeakMap<Engine, Engine>();
    const faceOf = (engine: Engine, name: string): Engine => {
      let made = faces.get(engine);
      if (made === undefined) {
        made = face(engine, name);
        faces.set(engine, made);
      }
      return made;
    };
    return {
      hold: (wanted, caller) => this.#hold(wanted, caller, faceOf),
      statusOf: (wanted, caller) => this.#statusOf(wanted, caller),
    };
  }

  async close(): Promise<void> {
    await this.#open.close();
    await (await this.#system)?.close();
  }

  #hold(wanted: Wanted, caller: Caller, faceOf: (engine: Engine, name: string) => Engine): HeldNamespace | Promise<HeldNamespace> {
    const named = this.#nameOf(wanted, caller);
    if (named instanceof Promise) return named.then((name) => this.#holdNamed(name, caller, faceOf));
    return this.#holdNamed(named, caller, faceOf);
  }

  #holdNamed(
    name: string | null,
    caller: Caller,
    faceOf: (engine: Engine, name: string) => Engine,
  ): HeldNamespace | Promise<HeldNamespace> {
    if (name === null) return this.#holdSystem(caller, faceOf);
    if (!maySee(caller, name)) throw notForCaller(name);
    const held = (engine: Engine): HeldNamespace => {
      let isReleased = false;
      return {
        engine: engineFor(faceOf(engine, name), caller),
        database: name,
        isOneOfMany: true,
        release: () => {
          if (!isReleased) this.#open.release(name, engine);
          isReleased = true;
        },
      };
    };
    const engine = this.#open.holdOpen(name);
    return engine === null ? this.#open.hold(name, () => this.#requireThere(name)).then(held) : held(engine);
  }

  async #holdSystem(caller: Caller, faceOf: (engine: Engine, name: string) => Engine): Promise<HeldNamespace> {
    this.#system ??= this.#options.openSystem(this.#databasesFrom(null)).catch((error: unknown) => {
      this.#system = null;
      throw error;
    });
    const engine = engineFor(faceOf(await this.#system, SYSTEM_DATABASE), caller);
    return { engine: systemEngine(engine), database: SYSTEM_DATABASE, isOneOfMany: true, release: () => {} };
  }

  /** Resolves the name of a namespace; null for `system`. */
  #nameOf(wanted: Wanted, caller: Caller): string | null | Promise<string> {
    const { defaultNamespace } = this.#options;
    if (wanted === null) return defaultNamespace;
    if ('namespace' in wanted) return wanted.namespace;
    const { database } = wanted;
    const lower = database.toLowerCase();
    if (lower === SYSTEM_DATABASE) return null;
    if (database === '') return defaultNamespace;
    if (lower !== USUAL_DATABASE || database === defaultNamespace) return database;
    // A namespace of that name goes before the usual name of the default one.
    if (!maySee(caller, database)) return defaultNamespace;
    if (this.#open.engineOf(database) !== null) return database;
    return this.#seemsThere(database).then((isThere) => (isThere ? database : defaultNamespace));
  }

  async #seemsThere(name: string): Promise<boolean> {
    const nowMs = this.#options.clock.now();
    const known = this.#known.get(name);
    if (known !== undefined && nowMs - known.atMs < KNOWN_MS) return known.isThere;
    const isThere = await this.#options.catalogue.has(name);
    this.#known.set(name, { isThere, atMs: nowMs });
    return isThere;
  }

  /** @throws NOT_FOUND if the namespace does not exist. */
  async #requireThere(name: string): Promise<void> {
    const { defaultNamespace, readOnly: isReadOnly, catalogue } = this.#options;
    if (name === defaultNamespace && !isReadOnly) return;
    if (!(await catalogue.has(name))) throw noNamespace(name);
  }

  async #statusOf(wanted: Wanted, caller: Caller): Promise<EngineStatus> {
    const { defaultNamespace } = this.#options;
    const name = (await this.#nameOf(wanted, caller)) ?? SYSTEM_DATABASE;
    if (!maySee(caller, name)) throw notForCaller(name);
    const engine = this.#open.engineOf(name);
    if (engine !== null) return engine.freshStatus();
    const role = this.#open.isWriter(name) ? 'writer' : 'reader';
    const last = this.#open.lastStatus(name);
    if (last !== null) return { ...last, status: 'ok', role };
    if (name !== defaultNamespace && !(await this.#seemsThere(name))) throw noNamespace(name);
    return { status: 'ok', namespace: name, manifestVersion: 0, epoch: 0, role, sequence: 0 };
  }

  /** Returns the databases as the statements of a namespace see them. `asker`: that namespace; null for `system`. */
  #databasesFrom(asker: string | null): Databases {
    return {
      list: async (caller) => {
        const { defaultNamespace } = this.#options;
        const seen = await this.#namesFor(caller?.namespaces ?? '*');
        return seen.map((name) => ({
          name,
          aliases: name === defaultNamespace && !seen.includes(USUAL_DATABASE) ? [USUAL_DATABASE] : [],
          isWriter: this.#open.isWriter(name),
          isDefault: name === defaultNamespace,
        }));
      },
      create: (name, { ifNotExists, caller }) => this.#command(name, caller, () => this.#create(name, ifNotExists)),
      drop: (name, { ifExists, caller }) => this.#command(name, caller, () => this.#drop(name, { ifExists, asker })),
    };
  }

  /** Returns the names of the namespaces in a scope, sorted. Others are not looked up, so the time of the answer does not tell of them. */
  async #namesFor(scope: NamespaceScope): Promise<string[]> {
    const { catalogue, defaultNamespace } = this.#options;
    const names = new Set(scope === '*' ? await catalogue.list() : await catalogue.listAmong(scope));
    if (scope === '*' || scope.has(defaultNamespace)) names.add(defaultNamespace);
    return [...names].sort();
  }

  /** Runs commands about databases one after the other. @throws FORBIDDEN, READ_ONLY, or OVERLOADED after COMMAND_WAIT_MS. */
  async #command(name: string, caller: Caller | undefined, work: () => Promise<void>): Promise<void> {
    if (caller !== undefined) requireRight(caller, 'govern');
    if (caller !== undefined && !maySee(caller, name)) throw notForCaller(name);
    if (this.#options.readOnly) throw new GraphDBError('READ_ONLY', 'this server was started read-only: it creates and drops nothing');
    try {
      await this.#commands.acquire(abortAfter(COMMAND_WAIT_MS));
    } catch (error) {
      throw new GraphDBError('OVERLOADED', 'another database is being created or dropped; try again', { cause: error });
    }
    try {
      await work();
    } finally {
      this.#known.delete(name);
      this.#commands.release();
    }
  }

  async #create(name: string, ifNotExists: boolean): Promise<void> {
    const { catalogue, defaultNamespace } = this.#options;
    const isThere = name === defaultNamespace || (await catalogue.has(name));
    if (isThere && ifNotExists) return;
    if (isThere)
      throw new GraphDBError('CONSTRAINT_VIOLATION', `there is a namespace "${name}" already`, {
        neo4jCode: 'Neo.ClientError.Database.ExistingDatabaseFound',
      });
    if (!isNameOfNamespace(name) || RESERVED.has(name.toLowerCase()))
      throw new GraphDBError(
        'ARGUMENT_ERROR',
        RESERVED.has(name.toLowerCase())
          ? `"${name}" is what clients call ` +
              `${name.toLowerCase() === USUAL_DATABASE ? 'the default database' : 'the database of commands'}; choose another name`
          : `"${name}" is no name of a namespace: it must be 1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot`,
      );
    await this.#open.create(name);
  }

  async #drop(name: string, { ifExists, asker }: { readonly ifExists: boolean; readonly asker: string | null }): Promise<void> {
    const { catalogue, defaultNamespace } = this.#options;
    if (name === defaultNamespace) throw unsupportedAdministration(`"${name}" is the default namespace, which is always there`);
    if (name === asker)
      throw new GraphDBError('SEMANTIC_ERROR', `the statement was sent to "${name}" itself; send it to another database, such as system`);
    if (!(await catalogue.has(name))) {
      if (ifExists) return;
      throw noNamespace(name);
    }
    await this.#open.closeNow(name, () => catalogue.drop(name));
  }
}
