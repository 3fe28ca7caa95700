/**
 * Kinds of artefacts by name, and which artefacts they want. What is of a kind that is not among them is kept, copied
 * and collected, but neither read nor built.
 */
import { assert } from '../../base/index.ts';
import type { ArtefactRecord, Catalog, ManifestArtefact } from '../api.ts';
import type { ArtefactKind } from './artefact-kind.ts';
import { type CoveredFiles, rowsIn } from './covered-rows.ts';

/** An artefact that should be there. */
export interface WantedArtefact {
  readonly kind: ArtefactKind;
  readonly subject: ArtefactRecord;
}

/** Kinds of artefacts by name. */
export class ArtefactKinds {
  readonly #kinds: ReadonlyMap<string, ArtefactKind>;
  readonly #fromRows: number;

  /** `fromRows`: files with fewer rows, which are read whole as fast, are covered by no artefact. */
  constructor(kinds: readonly ArtefactKind[], fromRows: number) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#fromRows = fromRows;
    assert(this.#kinds.size === kinds.length, 'kinds of artefacts have names of their own');
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

  /** Returns the artefacts that should cover the files. */
  wantedFor(covered: CoveredFiles, catalog: Catalog): WantedArtefact[] {
    const rows = rowsIn(covered.files);
    const paying = [...this.#kinds.values()].filter(({ rowsFactor = 1 }) => rows >= rowsFactor * this.#fromRows);
    return paying.flatMap((kind) => kind.subjects(covered, catalog).map((subject) => ({ kind, subject })));
  }
}
