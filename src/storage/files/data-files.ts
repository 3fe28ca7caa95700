/**
 * The files of a writer, of tables and of artefacts, and children of manifests: new ones under fresh names, and which
 * of them may still become part of a manifest. Cost: one put per file.
 */
import { artefactKey, childKey, dataKey } from '../keys.ts';
import type { NamespaceContext } from '../namespace-context.ts';
import { putUnique } from '../settled-put.ts';
import type { FileAccess } from './file-access.ts';

/** The files of a writer. */
export class DataFiles implements FileAccess {
  readonly #context: NamespaceContext;
  readonly #pending = new Set<string>();
  #created = 0;

  constructor(context: NamespaceContext) {
    this.#context = context;
  }

  /** Keys that have been given out and may still become part of a manifest: no garbage. */
  get pending(): ReadonlySet<string> {
    return this.#pending;
  }

  /** The requests of other stores may outlive their answers: one that was given up may still be on its way when it is tried again. */
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

  /** Stores a file of an artefact under a fresh name, and answers with its key. */
  async createArtefactFile(bytes: Uint8Array): Promise<string> {
    return this.#create(artefactKey(this.freshId()), bytes);
  }

  /** Stores a child of a manifest under a fresh name, and answers with its key. */
  async createChild(bytes: Uint8Array): Promise<string> {
    return this.#create(childKey(this.freshId()), bytes);
  }

  /** A name that nobody else ever has. */
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

  /** These files are in a manifest, or never will be. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.#pending.delete(key);
  }
}
