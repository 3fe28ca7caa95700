/**
 * Finds, reads and creates versions of manifests in the bucket (B1, B2). The highest version present is the current
 * one, and is never removed. A manifest consists of its own object, the root, and of children, which are stored before
 * the root and removed after it.
 */
import type { ObjectStore } from '../../object-store/index.ts';
import type { ChildManifest, ChildPlace, Manifest } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption, MissingFileError } from '../faults.ts';
import { MANIFEST_PREFIX, manifestKey, parseManifestKey } from '../keys.ts';
import { putSettled, type SettledPutOptions } from '../settled-put.ts';
import { assembleManifest, decodeChild, decodeRoot, encodeManifest } from './manifest-codec.ts';
import { continues } from './manifest-edit.ts';
import { type ManifestOutline, outlineOf } from './manifest-outline.ts';
import type { ManifestRoot } from './manifest-shape.ts';

const CONCURRENT_READS = 8;
/** How many of the newest versions a listing beside puts may miss; where more are missing, they have been removed. */
const MOST_UNLISTED = 16;

/** Lists the versions that exist above `after`, ascending. One list. */
export async function listManifestVersions(store: ObjectStore, after = 0): Promise<number[]> {
  const listed = await store.list(MANIFEST_PREFIX, after === 0 ? {} : { startAfter: manifestKey(after) });
  return listed.map(({ key }) => parseManifestKey(key)).filter((version) => version !== null);
}

/**
 * A child of a manifest is missing: it is damage, or the manifest and then its children were removed meanwhile. The
 * caller finds out which.
 */
export class ChildMissing extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`${key} is missing`);
    this.key = key;
  }

  asCorruption(): Error {
    return new MissingFileError(this.key);
  }
}

/** Manifests in memory, whose children need not be read again. */
export type KnownChildren = readonly Pick<Manifest, 'children'>[];

/** Reads the root of a version; null when the version does not exist (any more). One get. */
export async function readRoot(store: ObjectStore, version: number): Promise<ManifestRoot | null> {
  const bytes = await store.get(manifestKey(version));
  return bytes === null ? null : decodeRoot(version, bytes);
}

/** Completes a manifest with its children. One get for each child that is not known, all at once. @throws ChildMissing */
export async function completeManifest(store: ObjectStore, root: ManifestRoot, known: KnownChildren = []): Promise<Manifest> {
  const lists = known.map(({ children }) => children);
  const isThis = (list: readonly ChildManifest[]): boolean =>
    list.length === root.children.length && list.every((child, index) => isSame(child, root.children[index]!));
  // One list for as long as it does not change: what its children say together is known by it (child-manifests.ts).
  const same = lists.find(isThis);
  if (same !== undefined) return assembleManifest(root, same);
  const children = await mapConcurrently(root.children, CONCURRENT_READS, async (place) => {
    const found = lists.flat().find((child) => isSame(child, place)) ?? (await readChild(store, place));
    if (found === null) throw new ChildMissing(place.key);
    return found;
  });
  return assembleManifest(root, children);
}

function isSame(child: ChildPlace, { key, bytes, crc32 }: ChildPlace): boolean {
  return child.key === key && child.bytes === bytes && child.crc32 === crc32;
}

async function readChild(store: ObjectStore, place: ChildPlace): Promise<ChildManifest | null> {
  const bytes = await store.get(place.key);
  return bytes === null ? null : decodeChild(place, bytes);
}

/** Reads a whole manifest; null when the version does not exist (any more). One get, and one round trip for children. */
async function readManifest(store: ObjectStore, version: number, known: KnownChildren): Promise<Manifest | null> {
  const root = await readRoot(store, version);
  return root === null ? null : completeIfThere(store, root, known);
}

/** Completes a manifest; null when a child is gone, and the manifest with it. */
async function completeIfThere(store: ObjectStore, root: ManifestRoot, known: KnownChildren): Promise<Manifest | null> {
  try {
    return await completeManifest(store, root, known);
  } catch (error) {
    if (error instanceof ChildMissing) return null;
    throw error;
  }
}

/**
 * Reads the outline of a version for garbage collection; null when the version does not exist (any more). One get, and
 * one for each child. Children of a manifest that was put late may be gone: it was never in force, nobody can read it,
 * and the outline has only the objects that are known.
 */
export async function readOutline(store: ObjectStore, version: number): Promise<ManifestOutline | null> {
  const root = await readRoot(store, version);
  if (root === null) return null;
  const children = await mapConcurrently(root.children, CONCURRENT_READS, (place) => readChild(store, place));
  const found = children.filter((child) => child !== null);
  if (found.length === children.length) return outlineOf(assembleManifest(root, found));
  const { epoch, generation, walFloor } = root;
  const added = [root.changes, ...found.map(({ changes }) => changes)].flatMap(({ tables, addArtefacts }) => [
    ...tables.flatMap(({ add }) => add.flatMap(({ files }) => files)),
    ...addArtefacts.flatMap(({ files }) => files),
  ]);
  return { version, epoch, generation, walFloor, objectKeys: [...root.children, ...added].map(({ key }) => key) };
}

/**
 * Reads a version that has existed since it was made; null when there is none (any more). A writer that slept for long
 * may put a manifest whose number has been removed: it was never in force, and its files may be gone. The writer may
 * even put the next one, which takes back its own; but the newest does not continue that. So all from this version on
 * must exist, and each must continue the one before. One list, one get for this version and each later one, and one for
 * each of their children.
 */
export async function readRetainedManifest(store: ObjectStore, version: number): Promise<Manifest | null> {
  const [found, ...later] = await listManifestVersions(store, version - 1);
  if (found !== version) return null;
  // Versions are read by name, whatever is listed: a listing beside puts may miss an object and show a later one.
  const versions = Array.from({ length: (later.at(-1) ?? version) - version + 1 }, (_, i) => version + i);
  if (versions.length > later.length + 1 + MOST_UNLISTED) return null;
  const read: Manifest[] = [];
  const manifests = await mapConcurrently(versions, CONCURRENT_READS, async (each) => {
    const manifest = await readManifest(store, each, read);
    if (manifest !== null) read.push(manifest);
    return manifest;
  });
  const isInForce = manifests.every((manifest, i) => {
    const before = manifests[i - 1];
    return manifest !== null && (before === undefined || before === null || continues(before, manifest));
  });
  return isInForce ? (manifests[0] ?? null) : null;
}

/** Reads the root of the current manifest; null when the namespace does not exist. One list, one get. */
export async function readCurrentRoot(store: ObjectStore): Promise<ManifestRoot | null> {
  for (let before = 0; ; ) {
    const version = (await listManifestVersions(store)).at(-1);
    if (version === undefined) return null;
    const root = await readRoot(store, version);
    if (root !== null) return root;
    // Removed between the two requests, so a higher one has come.
    if (version <= before) throw corruption(manifestKey(version), 'it is listed but cannot be read');
    before = version;
  }
}

/** Reads the current manifest; null when the namespace does not exist. One list, one get, one round trip for children. */
export async function readCurrentManifest(store: ObjectStore, known: KnownChildren = []): Promise<Manifest | null> {
  for (let before = 0; ; ) {
    const root = await readCurrentRoot(store);
    if (root === null) return null;
    try {
      return await completeManifest(store, root, known);
    } catch (error) {
      if (!(error instanceof ChildMissing)) throw error;
      // Removed between the requests, so a higher manifest has come.
      if (root.version <= before) throw error.asCorruption();
      before = root.version;
    }
  }
}

/** Reads the root of the current manifest if it is newer than `version`, else null. One list, and one get if it is newer. */
export async function readNewerRoot(store: ObjectStore, version: number): Promise<ManifestRoot | null> {
  const newest = (await listManifestVersions(store, version)).at(-1);
  if (newest === undefined) return null;
  return (await readRoot(store, newest)) ?? readCurrentRoot(store);
}

/**
 * Reads the current manifest if it is newer than `former`, else null. One list; if it is newer, one get, and one for
 * each child that `former` does not have.
 */
export async function readNewerManifest(store: ObjectStore, former: Manifest): Promise<Manifest | null> {
  const newest = (await listManifestVersions(store, former.version)).at(-1);
  if (newest === undefined) return null;
  return (await readManifest(store, newest, [former])) ?? readCurrentManifest(store, [former]);
}

/** Reads the newest manifest if the version after `former` exists; null if that version does not exist. */
export async function readNextManifest(store: ObjectStore, former: Manifest): Promise<Manifest | null> {
  const next = await readRoot(store, former.version + 1);
  if (next === null) return null;
  const newest = (await listManifestVersions(store, next.version)).at(-1);
  const manifest = newest === undefined ? await completeIfThere(store, next, [former]) : await readManifest(store, newest, [former]);
  return manifest ?? readCurrentManifest(store, [former]);
}

/** The outcome of creating a manifest. */
export type ManifestCreation =
  | { readonly kind: 'created' }
  /** The version exists already; `existing` is its root, null when it has been removed again. */
  | { readonly kind: 'taken'; readonly existing: ManifestRoot | null };

/** Creates `manifest.version`, by the compare-and-swap on which all writes rest. Its children must be stored. One put. */
export async function createManifest(store: ObjectStore, manifest: Manifest, options: SettledPutOptions): Promise<ManifestCreation> {
  const outcome = await putSettled(store, manifestKey(manifest.version), encodeManifest(manifest), options);
  switch (outcome.kind) {
    case 'created':
      return outcome;
    case 'taken':
      return { kind: 'taken', existing: decodeRoot(manifest.version, outcome.existing) };
    case 'vanished':
      return { kind: 'taken', existing: null };
  }
}
