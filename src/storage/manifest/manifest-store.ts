/** Manifests in the bucket: finding, reading and creating versions (B1, B2). The highest version present is the current one and is never removed. */
import type { ObjectInfo, ObjectStore } from '../../object-store/index.ts';
import type { Manifest } from '../api.ts';
import { corruption } from '../faults.ts';
import { MANIFEST_PREFIX, manifestKey, parseManifestKey } from '../keys.ts';
import { putSettled, type SettledPutOptions } from '../settled-put.ts';
import { decodeManifest, decodeOutline, encodeManifest } from './manifest-codec.ts';
import type { ManifestOutline } from './manifest-outline.ts';

/** Versions present above `after`, ascending. One list. */
export async function listManifestVersions(store: ObjectStore, after = 0): Promise<number[]> {
  const listed = await store.list(MANIFEST_PREFIX, after === 0 ? {} : { startAfter: manifestKey(after) });
  return listed.map(({ key }) => parseManifestKey(key)).filter((version) => version !== null);
}

/** Null: there is no such version (any more). One get. */
export async function readManifest(store: ObjectStore, version: number): Promise<Manifest | null> {
  const bytes = await store.get(manifestKey(version));
  return bytes === null ? null : decodeManifest(version, bytes);
}

/** What collecting garbage must know of a version; null: there is no such version (any more). One get. */
export async function readOutline(store: ObjectStore, version: number): Promise<ManifestOutline | null> {
  const bytes = await store.get(manifestKey(version));
  return bytes === null ? null : decodeOutline(version, bytes);
}

/** Between two puts, by what a store says was their time: whole seconds, and clocks of several machines. */
const STORE_CLOCKS_DIFFER_MS = 5_000;

/**
 * A writer that slept for long may put a manifest whose number has been removed: it was never in force, and what it names may be gone. It shows by what came after it (B2): the next version is
 * not there, or was put clearly earlier: a version stays for the grace time once the next one is there, and the clocks of one store differ by less than that, unless there is hardly any.
 * @param next the one above it in a list; undefined: there is none
 */
export function cameLate(manifest: ObjectInfo, next: ObjectInfo | undefined): boolean {
  if (next === undefined) return false;
  return (
    parseManifestKey(next.key) !== parseManifestKey(manifest.key)! + 1 ||
    manifest.lastModifiedMs - next.lastModifiedMs > STORE_CLOCKS_DIFFER_MS
  );
}

/** Is the version there, and has been since it was made? One list; one more request where the list has a gap. */
export async function isRetainedVersion(store: ObjectStore, version: number): Promise<boolean> {
  const [found, next] = await store.list(MANIFEST_PREFIX, { startAfter: manifestKey(version - 1), limit: 2 });
  if (found?.key !== manifestKey(version)) return false;
  // A listing beside puts may leave out an object and show a later one.
  const isGap = next !== undefined && next.key !== manifestKey(version + 1);
  return isGap ? (await store.size(manifestKey(version + 1))) !== null : !cameLate(found, next);
}

/** The current manifest; null: the namespace does not exist. One list, one get. */
export async function readCurrentManifest(store: ObjectStore): Promise<Manifest | null> {
  for (let before = 0; ; ) {
    const version = (await listManifestVersions(store)).at(-1);
    if (version === undefined) return null;
    const manifest = await readManifest(store, version);
    if (manifest !== null) return manifest;
    // Removed between the two requests, so a higher one has come.
    if (version <= before) throw corruption(manifestKey(version), 'it is listed but cannot be read');
    before = version;
  }
}

/** The current manifest if it is newer than `version`, else null. One list, and one get when there is a newer one. */
export async function readNewerManifest(store: ObjectStore, version: number): Promise<Manifest | null> {
  const newest = (await listManifestVersions(store, version)).at(-1);
  if (newest === undefined) return null;
  return (await readManifest(store, newest)) ?? readCurrentManifest(store);
}

export type ManifestCreation =
  | { readonly kind: 'created' }
  /** The version exists already; `existing` is null when it has been removed again. */
  | { readonly kind: 'taken'; readonly existing: Manifest | null };

/** Creates `manifest.version`: the compare-and-swap on which everything rests. One put. */
export async function createManifest(store: ObjectStore, manifest: Manifest, options: SettledPutOptions): Promise<ManifestCreation> {
  const outcome = await putSettled(store, manifestKey(manifest.version), encodeManifest(manifest), options);
  switch (outcome.kind) {
    case 'created':
      return outcome;
    case 'taken':
      return { kind: 'taken', existing: decodeManifest(manifest.version, outcome.existing) };
    case 'vanished':
      return { kind: 'taken', existing: null };
  }
}
