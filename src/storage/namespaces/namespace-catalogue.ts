/**
 * Lists the namespaces of a place, and drops one.
 *
 * A namespace exists when it has a manifest. A dropped one keeps the objects that fence its former writers
 * (drop-namespace.ts), so a *drop mark* says that it does not exist: an object `~dropped/<name>=<20 digits>`, whose
 * number is the version of its last manifest. A later manifest creates the namespace again, so the mark is void. No
 * namespace can be called `~dropped`.
 *
 * Cost of a list: one request per 1,000 names and one for the marks; the first time that a name is seen, one more for
 * each. Of a list among given names: two requests for each of them, however many others there are.
 */
import { type Clock, GraphDBError, isNameOfNamespace, type Logger, systemClock } from '../../base/index.ts';
import { listNamespaces, namespaceIn, type ObjectStore, openObjectStore, type StorageBase } from '../../object-store/index.ts';
import { mapConcurrently } from '../concurrency.ts';
import { MANIFEST_PREFIX, manifestKey } from '../keys.ts';
import { emptyNamespace } from '../maintenance/drop-namespace.ts';

const MARKS = '~dropped';
const MARK = /^(.+)=(\d{20})$/;
const CONCURRENT_LOOKS = 16;
/** How long `list` takes a name for a namespace without checking it again. */
const KNOWN_MS = 60_000;

/** The options of a catalogue. */
export interface CatalogueOptions {
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Wraps each store that the catalogue opens. */
  readonly decorateStore?: ((store: ObjectStore) => ObjectStore) | undefined;
}

/** The namespaces of a place. */
export class NamespaceCatalogue {
  readonly #base: StorageBase;
  readonly #options: CatalogueOptions;
  readonly #clock: Clock;
  /** The time at which each name was last found to be a namespace, in milliseconds of the clock. */
  readonly #known = new Map<string, number>();

  constructor(base: StorageBase, options: CatalogueOptions = {}) {
    this.#base = base;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Returns the names of all namespaces, sorted. @throws STORE_UNAVAILABLE */
  async list(): Promise<string[]> {
    const [names, marks] = await Promise.all([listNamespaces(this.#base), this.#withStore(MARKS, (store) => marksIn(store, ''))]);
    const nowMs = this.#clock.now();
    const isKnown = (name: string): boolean => !marks.has(name) && nowMs - (this.#known.get(name) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS;
    const looks = await mapConcurrently(names, CONCURRENT_LOOKS, async (name) => {
      if (!isKnown(name) && !(await this.#isThere(name, marks.get(name) ?? 0))) return null;
      if (!isKnown(name)) this.#known.set(name, nowMs);
      return name;
    });
    return looks.filter((name) => name !== null);
  }

  /**
   * Returns those of the names that are namespaces, sorted. Requests depend on these names alone, so their number and
   * their time say nothing of others. @throws STORE_UNAVAILABLE
   */
  async listAmong(names: Iterable<string>): Promise<string[]> {
    const asked = [...new Set(names)].sort();
    const areThere = await mapConcurrently(asked, CONCURRENT_LOOKS, (name) => this.has(name));
    return asked.filter((_, index) => areThere[index]);
  }

  /** Returns whether a namespace of that name exists: two requests. @throws STORE_UNAVAILABLE */
  async has(name: string): Promise<boolean> {
    if (!isNameOfNamespace(name)) return false;
    const marks = await this.#withStore(MARKS, (store) => marksIn(store, `${name}=`));
    return this.#isThere(name, marks.get(name) ?? 0);
  }

  /**
   * Removes a namespace with all its content. The caller must have closed it.
   * @throws NOT_FOUND, STORE_UNAVAILABLE when it may still exist, perhaps empty
   */
  async drop(name: string): Promise<void> {
    if (!(await this.has(name))) throw new GraphDBError('NOT_FOUND', `there is no namespace "${name}"`);
    const { clock, logger } = this.#options;
    this.#known.delete(name);
    const version = await this.#withStore(name, (store) => emptyNamespace(store, { name, clock, logger }));
    await this.#withStore(MARKS, async (store) => {
      await store.putIfAbsent(markKey(name, version), new Uint8Array(0));
      for (const { key } of await store.list(`${name}=`)) if (key < markKey(name, version)) await store.delete(key);
    });
  }

  async #isThere(name: string, droppedVersion: number): Promise<boolean> {
    const startAfter = droppedVersion === 0 ? undefined : manifestKey(droppedVersion);
    return this.#withStore(name, async (store) => (await store.list(MANIFEST_PREFIX, { startAfter, limit: 1 })).length > 0);
  }

  async #withStore<T>(name: string, work: (store: ObjectStore) => Promise<T>): Promise<T> {
    const uri = name === MARKS ? { ...this.#base, namespace: MARKS } : namespaceIn(this.#base, name);
    const opened = await openObjectStore(uri);
    const store = this.#options.decorateStore?.(opened) ?? opened;
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
}

function markKey(name: string, version: number): string {
  return `${name}=${String(version).padStart(20, '0')}`;
}

/** Returns the version of the last manifest of each dropped namespace, by name. */
async function marksIn(store: ObjectStore, prefix: string): Promise<ReadonlyMap<string, number>> {
  const marks = new Map<string, number>();
  for (const { key } of await store.list(prefix)) {
    const [, name, digits] = MARK.exec(key) ?? [];
    if (name !== undefined) marks.set(name, Math.max(marks.get(name) ?? 0, Number(digits)));
  }
  return marks;
}
