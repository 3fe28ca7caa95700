/**
 * Stores new files of tables and artefacts, and children of manifests, under fresh keys, and knows which of them may
 * still become part of a manifest. Cost: one put per file.
 */
import { artefactKey, childKey, dataKey } from '../keys.ts';
import type { NamespaceContext } from '../namespace-context.ts';
import { putUnique } from '../settled-put.ts';
import type { FileAccess } from './file-access.ts';

/** The new files of a writer. */
export class DataFiles implements FileAccess {
  readonly #context: NamespaceContext;
  readonly #pending = new Set<string>();
  #created = 0;

  constructor(context: NamespaceContext) {
    this.#context = context;
  }

  /** The keys of files that may still become part of a manifest, so are no garbage. */
  get pending(): ReadonlySet<string> {
    return this.#pending;
  }

  /** Only for `file:`: a request to another store that was given up may still be on its way when it is repeated. */
  get reusesImages(): boolean {
    return this.#context.store.location.startsWith('file:');
  }

  image(length: number): Uint8Array {
    return new Uint8Array(length);
  }

  get: FileAccess['get'] = (key, options) => this.#context.store.get(key, options);

  readInto: FileAccess['readInto'] = (key, offset, target, options) => this.#context.store.readInto(key, offset, target, options);

  create(bytes: Uint8Array): Promise<string> {
    return this.#create(dataKey(this.freshId()), bytes);
  }

  /** Stores a file of an artefact under a fresh key, which is returned. */
  async createArtefactFile(bytes: Uint8Array): Promise<string> {
    return this.#create(artefactKey(this.freshId()), bytes);
  }

  /** Stores a child of a manifest under a fresh key, which is returned. */
  async createChild(bytes: Uint8Array): Promise<string> {
    return this.#create(childKey(this.freshId()), bytes);
  }

  /** Returns an id that nothing else in the namespace ever has. */
  freshId(): string {
    return `${this.#context.writerId}-${++this.#created}`;
  }

  async #create(key: string, bytes: Uint8Array): Promise<string> {
    const { store, clock, closing } = this.#context;
    this.#pending.add(key);
    try {
      await putUnique(store, key, bytes, { clock, signal: closing.signal });
    } catch (error) {
      this.#pending.delete(key);
      throw error;
    }
    return key;
  }

  /** Removes keys from `pending`: their files are in a manifest, or never will be. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.#pending.delete(key);
  }
}
