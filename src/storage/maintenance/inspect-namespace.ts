/**
 * Describes a namespace without changing it: manifests, tables and their files, WAL, and objects that nothing needs.
 * With `verify` it reads and checks every object. Damage does not end the inspection: it is reported in `problems`.
 * Cost: one list, one get per manifest, child and WAL object; with `verify` the bytes of all files.
 */
import { GraphDBError } from '../../base/index.ts';
import type { ObjectInfo, ObjectStore } from '../../object-store/index.ts';
import type {
  ArtefactFile,
  ArtefactReader,
  ChildManifest,
  ChildPlace,
  Manifest,
  ManifestArtefact,
  SstColumnInfo,
  SstFile,
  TableName,
} from '../api.ts';
import type { ArtefactKind } from '../artefacts/artefact-kind.ts';
import { ArtefactKinds } from '../artefacts/artefact-kinds.ts';
import { PagedReader } from '../artefacts/paged-reader.ts';
import { BUILT_IN_KINDS } from '../built-in-kinds.ts';
import { mapConcurrently } from '../concurrency.ts';
import { pageCount } from '../files/page-table.ts';
import { manifestKey, parseManifestKey, parseWalKey, walKey } from '../keys.ts';
import { placeOf } from '../manifest/child-manifests.ts';
import { assembleManifest, decodeChild, decodeRoot } from '../manifest/manifest-codec.ts';
import type { ManifestRoot } from '../manifest/manifest-shape.ts';
import { tableName } from '../sst/encode-sst.ts';
import { openSstReader } from '../sst/sst-reader.ts';
import { decodeWalObject, type WalObject } from '../wal/wal-object.ts';
import { WalReplay } from '../wal/wal-replay.ts';
import { isBeside } from '../wal/wal-tail.ts';
import { checksumOfObject } from './checksum-file.ts';
import { removableWal } from './lasting-objects.ts';
import { type Lease, parseLease } from './leases.ts';

/** The options of a description. */
export interface InspectOptions {
  /** Reads and checks the files too. */
  readonly verify?: boolean;
  /** The kinds of artefacts whose content is checked and described; the built-in ones when left out. */
  readonly artefactKinds?: readonly ArtefactKind[];
}

/** The description of a namespace. */
export interface NamespaceDescription {
  readonly location: string;
  readonly manifestVersions: readonly number[];
  /** The current manifest; null when none can be read. */
  readonly manifest: Omit<Manifest, 'tables' | 'artefacts' | 'children'> | null;
  /** The children of the current manifest, oldest first. */
  readonly children: readonly ChildPlace[];
  readonly tables: readonly TableDescription[];
  readonly artefacts: readonly ArtefactDescription[];
  readonly wal: readonly WalDescription[];
  /** The sequence of the last stored commit. */
  readonly lastSequence: number;
  readonly totals: { readonly objects: number; readonly bytes: number; readonly rows: number };
  /** All leases, with those that have ended and are not removed yet. */
  readonly leases: readonly Lease[];
  /** Objects that no manifest names and no replay needs. */
  readonly orphans: readonly ObjectInfo[];
  /** The number of objects whose bytes were checked. */
  readonly verified: number;
  readonly problems: readonly { readonly object: string; readonly message: string }[];
}

/** The description of a table. */
export interface TableDescription extends TableName {
  readonly liveRows: number;
  readonly files: readonly FileDescription[];
}

/** The description of a file. */
export interface FileDescription extends Omit<SstFile, 'layout' | 'blockCount' | 'columns'> {
  readonly blocks: number;
  readonly columns: readonly Omit<SstColumnInfo, 'dictionarySize'>[];
}

/** The description of an artefact. */
export interface ArtefactDescription extends Omit<ManifestArtefact, 'files'> {
  readonly files: readonly (Omit<ArtefactFile, 'pages'> & { readonly pages: number })[];
  /** One line from the artefact's kind; null when the kind, or its version, is unknown. */
  readonly content: string | null;
}

/** The description of a WAL object. */
export interface WalDescription extends Omit<WalObject, 'commits'> {
  readonly bytes: number;
  readonly commits: number;
}

const CONCURRENT_READS = 8;
const FILES_AT_ONCE = 2;
/** The number of pages of an artefact that are read at once. */
const PAGES_AT_ONCE = 64;

/** Describes the namespace of a store. @throws NOT_FOUND when the store has no objects */
export async function inspectNamespace(store: ObjectStore, options: InspectOptions = {}): Promise<NamespaceDescription> {
  const listed = await store.list('');
  if (listed.length === 0) throw new GraphDBError('NOT_FOUND', `there is no namespace in ${store.location}`);
  return new Inspection(store, listed, options).run();
}

/** Lists orphans: objects that no manifest names, WAL objects below every floor that fence nobody, and unknown objects. */
export async function listOrphans(store: ObjectStore): Promise<readonly ObjectInfo[]> {
  const { manifest, orphans, problems } = await inspectNamespace(store);
  if (manifest === null)
    throw new GraphDBError('CORRUPTION', `without its manifest nothing is known to be an orphan: ${problems[0]?.message}`);
  return orphans;
}

class Inspection {
  readonly #store: ObjectStore;
  readonly #listed: readonly ObjectInfo[];
  readonly #verify: boolean;
  readonly #kinds: ArtefactKinds;
  readonly #problems: { object: string; message: string }[] = [];
  #verified = 0;

  constructor(store: ObjectStore, listed: readonly ObjectInfo[], { verify = false, artefactKinds = BUILT_IN_KINDS }: InspectOptions) {
    this.#store = store;
    this.#listed = listed;
    this.#verify = verify;
    this.#kinds = new ArtefactKinds(artefactKinds, 0);
  }

  async run(): Promise<NamespaceDescription> {
    const versions = this.#listed.map(({ key }) => parseManifestKey(key)).filter((version) => version !== null);
    const { manifests, children } = await this.#readManifests(versions);
    const current = manifests.find((manifest) => manifest.version === versions.at(-1)) ?? null;
    const floor = Math.min(...manifests.map((manifest) => manifest.walFloor), Number.MAX_SAFE_INTEGER);
    const { objects, lastSequence } = await this.#readWal(current, floor);
    const files = new Map(
      manifests.flatMap(({ tables, artefacts }) =>
        [...tables, ...artefacts].flatMap((owner) => owner.files.map((file) => [file.key, file] as const)),
      ),
    );
    await this.#checkFiles([...files.values()]);
    const known = new Set([...files.keys(), ...children]);
    if (this.#verify) await this.#checkArtefacts(manifests);
    return {
      location: this.#store.location,
      manifestVersions: versions,
      manifest: current === null ? null : withoutTables(current),
      children: current === null ? [] : current.children.map(placeOf),
      tables: current === null ? [] : describeTables(current),
      artefacts: current === null ? [] : current.artefacts.map((artefact) => this.#describe(artefact)),
      wal: objects,
      lastSequence,
      totals: {
        objects: this.#listed.length,
        bytes: this.#listed.reduce((sum, { size }) => sum + size, 0),
        rows: current === null ? 0 : current.tables.reduce((sum, table) => sum + table.liveRows, 0),
      },
      leases: this.#listed.map(parseLease).filter((lease) => lease !== null),
      // Where changes are captured, the log below the floor is kept for their readers.
      orphans: await this.#orphans(current?.capture == null ? floor : 0, known),
      verified: this.#verified,
      problems: this.#problems,
    };
  }

  async #orphans(floor: number, known: ReadonlySet<string>): Promise<ObjectInfo[]> {
    const listed = this.#listed.filter(({ key }) => parseWalKey(key) !== null);
    const candidates = listed.filter(({ key }) => parseWalKey(key)! < floor);
    const options = { listed, candidates, epochStart: Number.POSITIVE_INFINITY, seals: new Set<number>(), kinds: new Map() };
    const removable = new Set((await removableWal(this.#store, options)).flat());
    const isKnown = (object: ObjectInfo): boolean =>
      parseManifestKey(object.key) !== null || parseWalKey(object.key) !== null || parseLease(object) !== null || known.has(object.key);
    return this.#listed.filter((object) => removable.has(object) || !isKnown(object));
  }

  /** Reads all manifests that can be read, and returns them with the keys of all children that any of them names. */
  async #readManifests(versions: readonly number[]): Promise<{ manifests: Manifest[]; children: Set<string> }> {
    const listed = this.#listed.filter(({ key }) => parseManifestKey(key) !== null);
    if (versions.length === 0) this.#report('manifest/', 'there is no manifest');
    const found = await mapConcurrently(listed, CONCURRENT_READS, ({ key }) =>
      this.#read(key, (bytes) => decodeRoot(parseManifestKey(key)!, bytes)),
    );
    const roots = found.filter((root) => root !== null);
    const places = new Map(roots.flatMap((root) => root.children.map((place) => [place.key, place] as const)));
    const children = await this.#readChildren([...places.values()]);
    const manifests = roots.map((root) => this.#assemble(root, children)).filter((manifest) => manifest !== null);
    return { manifests, children: new Set(places.keys()) };
  }

  async #readChildren(places: readonly ChildPlace[]): Promise<ReadonlyMap<string, ChildManifest>> {
    const present = new Set(this.#listed.map(({ key }) => key));
    const read = await mapConcurrently(places, CONCURRENT_READS, async (place) => {
      if (present.has(place.key)) return this.#read(place.key, (bytes) => decodeChild(place, bytes));
      this.#report(place.key, 'a manifest names it, but it is missing');
      return null;
    });
    return new Map(read.filter((child) => child !== null).map((child) => [child.key, child]));
  }

  /** Assembles a manifest; null when its objects do not fit together, or a child cannot be read. */
  #assemble(root: ManifestRoot, read: ReadonlyMap<string, ChildManifest>): Manifest | null {
    const children = root.children.map(({ key }) => read.get(key) ?? null).filter((child) => child !== null);
    if (children.length < root.children.length) return null;
    try {
      return assembleManifest(root, children);
    } catch (error) {
      this.#reportError(manifestKey(root.version), error);
      return null;
    }
  }

  async #readWal(current: Manifest | null, floor: number): Promise<{ objects: WalDescription[]; lastSequence: number }> {
    const listed = this.#listed.filter(({ key }) => (parseWalKey(key) ?? 0) >= floor);
    const read = await mapConcurrently(listed, CONCURRENT_READS, ({ key }) =>
      this.#read(key, (bytes) => decodeWalObject(parseWalKey(key)!, bytes)),
    );
    const objects = read.filter((object) => object !== null);
    const sizes = new Map(listed.map(({ key, size }) => [parseWalKey(key), size]));
    return {
      objects: objects.map(({ commits, ...object }) => ({ ...object, commits: commits.length, bytes: sizes.get(object.number) ?? 0 })),
      lastSequence: current === null ? 0 : this.#replay(current, objects),
    };
  }

  /**
   * Checks that numbers and sequences are dense from the current floor (B2), up to the first number that was in flight
   * when all behind it were put. Returns the last sequence.
   */
  #replay(current: Manifest, objects: readonly WalObject[]): number {
    let replay = new WalReplay(current.sequence, current.writers);
    let expected = current.walFloor;
    const needed = objects.filter(({ number }) => number >= current.walFloor);
    for (const [index, object] of needed.entries()) {
      if (object.number !== expected) {
        const missing = expected;
        if (needed.slice(index).every((each) => isBeside(each, missing))) break;
        this.#report(walKey(expected), 'it is missing or damaged, though later ones exist');
        // The objects after a gap are checked by themselves.
        replay = new WalReplay(Math.max(current.sequence, object.firstSequence - 1), current.writers);
      }
      expected = object.number + 1;
      try {
        replay.add(object);
      } catch (error) {
        this.#reportError(walKey(object.number), error);
        return replay.lastSequence;
      }
    }
    return replay.lastSequence;
  }

  async #checkFiles(files: readonly (SstFile | ArtefactFile)[]): Promise<void> {
    const sizes = new Map(this.#listed.map(({ key, size }) => [key, size]));
    const whole = files.filter((file) => {
      const size = sizes.get(file.key);
      if (size === undefined) this.#report(file.key, 'a manifest names it, but it is missing');
      else if (size !== file.bytes) this.#report(file.key, `it has ${size} bytes, the manifest says ${file.bytes}`);
      return size === file.bytes;
    });
    if (this.#verify) await mapConcurrently(whole, FILES_AT_ONCE, (file) => this.#verifyFile(file));
  }

  /** Checks the bytes of a file, and the layout of a file of a table. */
  async #verifyFile(file: SstFile | ArtefactFile): Promise<void> {
    const checksum = await checksumOfObject(this.#store, file.key, file.bytes);
    if (checksum === null) return; // Removed since it was listed.
    if (checksum !== file.crc32) {
      this.#report(file.key, `corrupt object ${file.key}: the checksum of the file does not match`);
      return;
    }
    this.#verified++;
    if (!('layout' in file)) return;
    try {
      await openSstReader(this.#store, file).readLayout();
    } catch (error) {
      this.#reportError(file.key, error);
    }
  }

  /** Checks artefacts beyond the checksums of whole files: the checksums of their pages, and the content by their kind. */
  async #checkArtefacts(manifests: readonly Manifest[]): Promise<void> {
    const damaged = new Set(this.#problems.map(({ object }) => object));
    const byId = new Map(manifests.flatMap(({ artefacts }) => artefacts.map((artefact) => [artefact.id, artefact] as const)));
    for (const artefact of byId.values()) if (!artefact.files.some(({ key }) => damaged.has(key))) await this.#checkArtefact(artefact);
  }

  async #checkArtefact(artefact: ManifestArtefact): Promise<void> {
    const reader = new PagedReader(this.#store, artefact);
    const kind = this.#kinds.reading(artefact);
    try {
      // A kind that is known reads all pages itself.
      if (kind !== null) await kind.verify(reader);
      else await readAllPages(reader);
    } catch (error) {
      this.#reportError(artefact.files[0]?.key ?? artefact.id, error);
    }
  }

  #describe({ files, ...artefact }: ManifestArtefact): ArtefactDescription {
    const described = files.map(({ pages, ...file }) => ({ ...file, pages: pageCount({ pages }) }));
    return { ...artefact, files: described, content: this.#kinds.reading(artefact)?.describe({ ...artefact, files }) ?? null };
  }

  /** Reads and decodes an object; null when it is missing, or damaged, which is reported. */
  async #read<T>(key: string, decode: (bytes: Uint8Array) => T): Promise<T | null> {
    const bytes = await this.#store.get(key);
    if (bytes === null) return null; // Removed since it was listed.
    try {
      const result = decode(bytes);
      this.#verified++;
      return result;
    } catch (error) {
      this.#reportError(key, error);
      return null;
    }
  }

  #reportError(object: string, error: unknown): void {
    if (!(error instanceof GraphDBError)) throw error;
    this.#report(object, error.message);
  }

  #report(object: string, message: string): void {
    this.#problems.push({ object, message });
  }
}

async function readAllPages(reader: ArtefactReader): Promise<void> {
  for (let page = 0; page < reader.pageCount; page += PAGES_AT_ONCE)
    await reader.readPages(page, Math.min(PAGES_AT_ONCE, reader.pageCount - page));
}

function withoutTables({
  tables: _tables,
  artefacts: _artefacts,
  children: _children,
  ...head
}: Manifest): NonNullable<NamespaceDescription['manifest']> {
  return head;
}

function describeTables({ tables }: Manifest): TableDescription[] {
  return tables.map((table) => ({ ...tableName(table), liveRows: table.liveRows, files: table.files.map(describeFile) }));
}

function describeFile({ layout: _layout, blockCount: blocks, columns, ...file }: SstFile): FileDescription {
  return { ...file, blocks, columns: columns.map(({ dictionarySize: _size, ...column }) => column) };
}
