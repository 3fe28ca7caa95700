/**
 * Keeps a namespace's artefacts: builds and merges them with the files that they belong to, finds those that are missing, and those that are not wanted any more.
 *
 * Nothing depends on an artefact (B9). So what cannot be made is named in the log and left out, and the files go into the manifest without it; compaction builds it later.
 */
import { GraphDBError, type Logger } from '../../base/index.ts';
import type { Catalog, Manifest, ManifestArtefact, ManifestEdit, SstFile, TableName, UploadedSst } from '../api.ts';
import { runsOf } from '../compaction/plan-compaction.ts';
import { subjectId } from '../manifest/edit-artefacts.ts';
import { tableId } from '../manifest/table-id.ts';
import type { ArtefactKinds, WantedArtefact } from './artefact-kinds.ts';
import { type ArtefactStore, buildArtefacts, type CoveredFiles, mergeArtefacts } from './build-artefacts.ts';

/** Files that lack artefacts. */
export interface ArtefactGap extends CoveredFiles {
  readonly wanted: readonly WantedArtefact[];
}

interface ReleasingStore extends ArtefactStore {
  /** What was created under these keys will not become part of the namespace. */
  release(keys: readonly string[]): void;
}

interface KeeperOptions {
  readonly kinds: ArtefactKinds;
  readonly store: ReleasingStore;
  readonly logger: Logger;
  /** Ends what is under way at its next batch. */
  readonly closing: AbortSignal;
}

export class ArtefactKeeper {
  readonly #options: KeeperOptions;
  /** Ids of artefacts in which a reader has met damage. */
  readonly #damaged = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Notes that the artefact cannot be read: it is dropped and built anew by the next compaction. */
  foundDamaged(id: string): void {
    this.#damaged.add(id);
  }

  /**
   * Artefacts for the files that a flush or a merge adds, to be published with them: merged from those over the files that are removed where these have all of them, else built from the rows. An edit that
   * brings new content carries none, since what it removes has nothing to do with what it adds.
   */
  async carriedBy(edit: ManifestEdit, added: readonly UploadedSst[], manifest: Manifest): Promise<ManifestArtefact[]> {
    if (edit.newContent === true) return [];
    const carried: ManifestArtefact[] = [];
    for (const covered of byTable(added)) {
      const wanted = this.#wantedFor(covered.table, edit.catalog ?? manifest.catalog);
      if (wanted.length > 0) carried.push(...(await this.#carry(wanted, covered, { manifest, remove: edit.remove })));
    }
    return carried;
  }

  /** Files of the manifest that lack artefacts, by run of files: a merge takes whole runs, and then finds whole artefacts. */
  gaps(manifest: Manifest): ArtefactGap[] {
    const current = new Set(
      manifest.artefacts
        .filter((artefact) => this.#isSound(artefact))
        .flatMap((artefact) => artefact.covers.files.map((key) => `${key} ${subjectId(artefact)}`)),
    );
    return manifest.tables.flatMap((table) => {
      const wanted = this.#wantedFor(table, manifest.catalog);
      return runsOf(table).flatMap((run) => {
        const isCovered = (file: SstFile, each: WantedArtefact): boolean => current.has(`${file.key} ${wantedId(each, table)}`);
        const lacking = wanted.filter((each) => run.some((file) => !isCovered(file, each)));
        return lacking.length === 0 ? [] : [{ table, files: run, wanted: lacking }];
      });
    });
  }

  /** Ids of artefacts that are damaged, or of a known kind that does not want them (any more). */
  unwanted(manifest: Manifest): string[] {
    const tables = new Map(manifest.tables.map((table) => [tableId(table), this.#wantedFor(table, manifest.catalog)]));
    const isWanted = ({ kind, subject, covers: { table } }: ManifestArtefact): boolean =>
      (tables.get(tableId(table)) ?? []).some(
        (each) => each.kind.name === kind && JSON.stringify(each.subject) === JSON.stringify(subject),
      );
    return manifest.artefacts
      .filter((artefact) => this.#options.kinds.has(artefact.kind) && (this.#damaged.has(artefact.id) || !isWanted(artefact)))
      .map(({ id }) => id);
  }

  /** Empty, and told in the log, when it fails. */
  async fill({ wanted, ...covered }: ArtefactGap, signal: AbortSignal): Promise<ManifestArtefact[]> {
    return this.#trying(wanted, (store) => buildArtefacts(wanted, covered, { store, signal }));
  }

  async #carry(
    wanted: readonly WantedArtefact[],
    covered: CoveredFiles,
    { manifest, remove }: { readonly manifest: Manifest; readonly remove: readonly string[] },
  ): Promise<ManifestArtefact[]> {
    const { files = [] } = manifest.tables.find((table) => tableId(table) === tableId(covered.table)) ?? {};
    const replaced = files.filter(({ key }) => remove.includes(key));
    const merged: ManifestArtefact[] = [];
    const left: WantedArtefact[] = [];
    for (const each of wanted) {
      const artefact = await this.#merge(each, { replaced, covered, manifest });
      if (artefact === null) left.push(each);
      else merged.push(artefact);
    }
    if (left.length === 0) return merged;
    return [...merged, ...(await this.fill({ ...covered, wanted: left }, this.#options.closing))];
  }

  /** Null: there are none over all of the files, or they cannot be read. */
  async #merge(
    wanted: WantedArtefact,
    { replaced, covered, manifest }: { readonly replaced: readonly SstFile[]; readonly covered: CoveredFiles; readonly manifest: Manifest },
  ): Promise<ManifestArtefact | null> {
    const keys = new Set(replaced.map(({ key }) => key));
    const id = wantedId(wanted, covered.table);
    const former = manifest.artefacts.filter(
      (artefact) => subjectId(artefact) === id && this.#isSound(artefact) && artefact.covers.files.every((key) => keys.has(key)),
    );
    const isComplete = former.reduce((sum, { covers }) => sum + covers.files.length, 0) === replaced.length;
    if (replaced.length === 0 || !isComplete) return null;
    const [merged = null] = await this.#trying([wanted], async (store) => [
      await mergeArtefacts(wanted, former, { replaced, covered, store }),
    ]);
    return merged;
  }

  #isSound(artefact: ManifestArtefact): boolean {
    return this.#options.kinds.reading(artefact) !== null && !this.#damaged.has(artefact.id);
  }

  #wantedFor(table: TableName, catalog: Catalog): WantedArtefact[] {
    return this.#options.kinds.wantedFor(table, catalog);
  }

  /** What was uploaded before a failure is left to garbage collection. */
  async #trying(
    wanted: readonly WantedArtefact[],
    work: (store: ArtefactStore) => Promise<ManifestArtefact[]>,
  ): Promise<ManifestArtefact[]> {
    const uploads = new Uploads(this.#options.store);
    try {
      return await work(uploads);
    } catch (error) {
      this.#options.store.release(uploads.keys);
      const kinds = [...new Set(wanted.map(({ kind }) => kind.name))].join(', ');
      const why = error instanceof GraphDBError ? error.message : String(error);
      this.#options.logger.warn({ error, kinds }, `artefacts were not made, and are left out: ${why}`);
      return [];
    }
  }
}

/** Remembers what is created. */
class Uploads implements ArtefactStore {
  readonly keys: string[] = [];
  readonly #store: ArtefactStore;

  constructor(store: ArtefactStore) {
    this.#store = store;
  }

  get: ArtefactStore['get'] = (key, options) => this.#store.get(key, options);

  readInto: ArtefactStore['readInto'] = (key, offset, target, options) => this.#store.readInto(key, offset, target, options);

  async createArtefactFile(bytes: Uint8Array): Promise<string> {
    const key = await this.#store.createArtefactFile(bytes);
    this.keys.push(key);
    return key;
  }

  freshId(): string {
    return this.#store.freshId();
  }
}

/** The subject as `subjectId` tells it of the artefact once it is there. */
function wantedId({ kind, subject }: WantedArtefact, table: TableName): string {
  return subjectId({ kind: kind.name, subject, covers: { table, files: [], sequence: 0 } });
}

function byTable(added: readonly UploadedSst[]): CoveredFiles[] {
  const groups = Map.groupBy(added, ({ table }) => tableId(table));
  return [...groups.values()].map((group) => ({ table: group[0]!.table, files: group.map(({ file }) => file) }));
}
