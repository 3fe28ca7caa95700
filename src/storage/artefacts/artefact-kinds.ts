/**
 * The kinds of artefacts by name, and the artefacts that they want. An artefact of another kind is kept, copied and
 * collected, but neither read nor built.
 */
import { assert } from '../../base/index.ts';
import type { ArtefactRecord, Catalog, ManifestArtefact } from '../api.ts';
import type { ArtefactKind } from './artefact-kind.ts';
import { type CoveredFiles, rowsIn } from './covered-rows.ts';

/** An artefact that should exist. */
export interface WantedArtefact {
  readonly kind: ArtefactKind;
  readonly subject: ArtefactRecord;
}

/** Kinds of artefacts by name. */
export class ArtefactKinds {
  readonly #kinds: ReadonlyMap<string, ArtefactKind>;
  readonly #fromRows: number;

  /** `fromRows`: no artefact covers files with fewer rows in total, which are read whole as fast. */
  constructor(kinds: readonly ArtefactKind[], fromRows: number) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#fromRows = fromRows;
    assert(this.#kinds.size === kinds.length, 'kinds of artefacts have names of their own');
  }

  /** Returns the kind that can read the artefact; null when the kind or the version of its format is unknown. */
  reading({ kind, kindVersion }: Pick<ManifestArtefact, 'kind' | 'kindVersion'>): ArtefactKind | null {
    const known = this.#kinds.get(kind);
    return known?.version === kindVersion ? known : null;
  }

  /** Whether the kind of this name is known, in whatever version. */
  has(name: string): boolean {
    return this.#kinds.has(name);
  }

  /** Returns the artefacts that should cover the files. */
  wantedFor(covered: CoveredFiles, catalog: Catalog): WantedArtefact[] {
    const rows = rowsIn(covered.files);
    const paying = [...this.#kinds.values()].filter(({ rowsFactor = 1 }) => rows >= rowsFactor * this.#fromRows);
    return paying.flatMap((kind) => kind.subjects(covered, catalog).map((subject) => ({ kind, subject })));
  }
}
