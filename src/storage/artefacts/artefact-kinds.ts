/** The table of all kinds of artefacts. What is of a kind that is not in it is kept, copied and collected, but neither read nor built. */
import { assert } from '../../base/index.ts';
import type { ArtefactRecord, Catalog, ManifestArtefact, TableName } from '../api.ts';
import type { ArtefactKind } from './artefact-kind.ts';

/** Every kind that this release knows. */
const BUILT_IN_KINDS: readonly ArtefactKind[] = [];

/** An artefact that should be there. */
export interface WantedArtefact {
  readonly kind: ArtefactKind;
  readonly subject: ArtefactRecord;
}

export class ArtefactKinds {
  readonly #kinds: ReadonlyMap<string, ArtefactKind>;

  /** `more`: kinds beside the built-in ones. */
  constructor(more: readonly ArtefactKind[] = []) {
    const all = [...BUILT_IN_KINDS, ...more];
    this.#kinds = new Map(all.map((kind) => [kind.name, kind]));
    assert(this.#kinds.size === all.length, 'kinds of artefacts have names of their own');
  }

  /** Returns the kind that can read the artefact; null: it is unknown, or its format is. */
  reading({ kind, kindVersion }: Pick<ManifestArtefact, 'kind' | 'kindVersion'>): ArtefactKind | null {
    const known = this.#kinds.get(kind);
    return known?.version === kindVersion ? known : null;
  }

  /** Whether artefacts of this name are made by this release, in whatever version. */
  has(name: string): boolean {
    return this.#kinds.has(name);
  }

  wantedFor(table: TableName, catalog: Catalog): WantedArtefact[] {
    return [...this.#kinds.values()].flatMap((kind) => kind.subjects(table, catalog).map((subject) => ({ kind, subject })));
  }
}
