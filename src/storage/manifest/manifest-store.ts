/** Manifests in the bucket: finding, reading and creating versions (B1, B2). The highest version present is the current one and is never removed. */
import type { ObjectStore } from '../../object-store/index.ts';
import type { Manifest } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { MANIFEST_PREFIX, manifestKey, parseManifestKey } from '../keys.ts';
import { putSettled, type SettledPutOptions } from '../settled-put.ts';
import { decodeManifest, decodeOutline, encodeManifest } from './manifest-codec.ts';
import { continues } from './manifest-edit.ts';
import type { ManifestOutline } from './manifest-outline.ts';

const CONCURRENT_READS = 8;
/** So many of the newest may be missing in a listing that was made while they were put; where more are missing they have been removed. */
const MOST_UNLISTED = 16;

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

/**
 * A version that is there, and has been since it was made; null: there is none (any more). A writer that slept for long may put a manifest whose number has been removed: it was never in
 * force, and what it names may be gone. It may even put the next one, which takes back its own; but the newest does not continue that. So all from this version on must be there, and each
 * continue the one before. One list, and one get for this version and each later one.
 */
export async function readRetainedManifest(store: ObjectStore, version: number): Promise<Manifest | null> {
  const [found, ...later] = await listManifestVersions(store, version - 1);
  if (found !== version) return null;
  // Asked for by name, whatever is listed: a listing beside puts may leave out an object and show a later one.
  const versions = Array.from({ length: (later.at(-1) ?? version) - version + 1 }, (_, i) => version + i);
  if (versions.length > later.length + 1 + MOST_UNLISTED) return null;
  const manifests = await mapConcurrently(versions, CONCURRENT_READS, (each) => readManifest(store, each));
  const isInForce = manifests.every((manifest, i) => {
    const before = manifests[i - 1];
    return manifest !== null && (before === undefined || before === null || continues(before, manifest));
  });
  return isInForce ? (manifests[0] ?? null) : null;
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
