/**
 * Keeps a namespace's artefacts: builds them with the files that they belong to, finds missing ones, and finds those
 * that are not wanted any more.
 *
 * Nothing depends on an artefact (B9). So one that cannot be built is logged and left out, and the files go into the
 * manifest without it; compaction builds it later.
 */
import { GraphDBError, type Logger } from '../../base/index.ts';
import type { Catalog, Manifest, ManifestArtefact, ManifestEdit, ManifestTable, TableName, UploadedSst } from '../api.ts';
import { subjectId } from '../manifest/edit-artefacts.ts';
import { tableId } from '../manifest/table-id.ts';
import { tableName } from '../sst/encode-sst.ts';
import type { ArtefactKinds, WantedArtefact } from './artefact-kinds.ts';
import type { ArtefactPlan, BuiltArtefact } from './build-artefact.ts';
import { stretchesOf } from './coverage.ts';
import type { CoveredFiles } from './covered-rows.ts';

/** Files that lack an artefact, and the artefact that is wanted over them. */
export interface ArtefactGap extends CoveredFiles {
  readonly wanted: WantedArtefact;
}

interface KeeperOptions {
  readonly kinds: ArtefactKinds;
  /** Builds an artefact, in this thread or in the file thread. */
  readonly build: (plan: ArtefactPlan, signal: AbortSignal) => Promise<BuiltArtefact>;
  /** Returns an id that nothing else in the namespace ever has. */
  readonly freshId: () => string;
  readonly logger: Logger;
  /** Ends builds under way at their next batch. */
  readonly closing: AbortSignal;
}

/** Keeps the artefacts of a namespace. */
export class ArtefactKeeper {
  readonly #options: KeeperOptions;
  /** Ids of artefacts in which a reader has met damage. */
  readonly #damaged = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Notes that an artefact is damaged, so that the next compaction drops it and builds it anew. */
  foundDamaged(id: string): void {
    this.#damaged.add(id);
  }

  /**
   * Builds artefacts for the files that an edit adds, to be published with them. An edit with artefacts of its own,
   * such as a copy, gets no others.
   */
  async carriedBy(edit: ManifestEdit, added: readonly UploadedSst[], manifest: Manifest): Promise<ManifestArtefact[]> {
    if (edit.addArtefacts !== undefined) return [];
    const carried: ManifestArtefact[] = [];
    for (const { table, files } of byTable(added)) {
      for (const stretch of stretchesOf(files)) {
        const covered = { table, files: stretch };
        for (const wanted of this.#wantedFor(covered, edit.catalog ?? manifest.catalog)) {
          carried.push(...(await this.fill({ ...covered, wanted }, this.#options.closing)));
        }
      }
    }
    return carried;
  }

  /** Returns the files of the manifest that lack artefacts. */
  gaps(manifest: Manifest): ArtefactGap[] {
    const covered = new Set(
      manifest.artefacts
        .filter((artefact) => this.#isSound(artefact))
        .flatMap((artefact) => artefact.covers.files.map((key) => `${key} ${subjectId(artefact)}`)),
    );
    return manifest.tables.flatMap((table) => this.#gapsOf(table, manifest.catalog, covered));
  }

  /** Returns the gaps of one table. `covered` holds texts of a file's key and a subject's id. */
  #gapsOf(table: ManifestTable, catalog: Catalog, covered: ReadonlySet<string>): ArtefactGap[] {
    const stretches = stretchesOf(table.files).map((files) => ({ table: tableName(table), files }));
    const subjects = new Map(
      stretches.flatMap((stretch) => this.#wantedFor(stretch, catalog)).map((each) => [wantedId(each, table), each]),
    );
    return [...subjects].flatMap(([id, wanted]) =>
      stretchesOf(table.files, ({ key }) => covered.has(`${key} ${id}`))
        .map((files) => ({ table: tableName(table), files }))
        .filter((stretch) => this.#wantedFor(stretch, catalog).some((each) => wantedId(each, table) === id))
        .map((stretch) => ({ ...stretch, wanted })),
    );
  }

  /** Returns the ids of artefacts that are damaged, or that their kind, if known, does not want (any more). */
  unwanted({ artefacts, tables, catalog }: Manifest): string[] {
    const isWanted = (artefact: ManifestArtefact): boolean => {
      const { table, files: keys } = artefact.covers;
      const files = tables.find((each) => tableId(each) === tableId(table))?.files ?? [];
      const covered = { table, files: files.filter(({ key }) => keys.includes(key)) };
      return this.#wantedFor(covered, catalog).some((each) => wantedId(each, table) === subjectId(artefact));
    };
    return artefacts
      .filter((artefact) => this.#options.kinds.has(artefact.kind) && (this.#damaged.has(artefact.id) || !isWanted(artefact)))
      .map(({ id }) => id);
  }

  /** Builds the artefact of a gap. A failure is logged, and the result is empty; uploads are left to garbage collection. */
  async fill({ wanted, ...covered }: ArtefactGap, signal: AbortSignal): Promise<ManifestArtefact[]> {
    const { kind, subject } = wanted;
    const { build, freshId, logger } = this.#options;
    try {
      const built = await build({ kind, subject, covered }, signal);
      const head = { id: freshId(), kind: kind.name, kindVersion: kind.version, subject };
      return [{ ...head, covers: coverageOf(covered), ...built }];
    } catch (error) {
      const why = error instanceof GraphDBError ? error.message : String(error);
      logger.warn({ error, kind: kind.name }, `an artefact was not made, and is left out: ${why}`);
      return [];
    }
  }

  #isSound(artefact: ManifestArtefact): boolean {
    return this.#options.kinds.reading(artefact) !== null && !this.#damaged.has(artefact.id);
  }

  #wantedFor(covered: CoveredFiles, catalog: Catalog): WantedArtefact[] {
    return this.#options.kinds.wantedFor(covered, catalog);
  }
}

function coverageOf({ table, files }: CoveredFiles): ManifestArtefact['covers'] {
  const sequence = files.reduce((highest, { maxSequence }) => Math.max(highest, maxSequence), 0);
  return { table: tableName(table), files: files.map(({ key }) => key), sequence };
}

/** Returns the `subjectId` that the artefact will have once it is built. */
function wantedId({ kind, subject }: WantedArtefact, table: TableName): string {
  return subjectId({ kind: kind.name, subject, covers: { table, files: [], sequence: 0 } });
}

function byTable(added: readonly UploadedSst[]): CoveredFiles[] {
  const groups = Map.groupBy(added, ({ table }) => tableId(table));
  return [...groups.values()].map((group) => ({ table: group[0]!.table, files: group.map(({ file }) => file) }));
}
