/** The manifest and the WAL behind it as they stand in the bucket (B8). */
import { GraphDBError } from '../base/index.ts';
import type { Manifest } from './api.ts';
import { readCurrentManifest, readNewerManifest } from './manifest/manifest-store.ts';
import type { NamespaceContext } from './namespace-context.ts';
import { WalObjectMissing, WalTail } from './wal/wal-tail.ts';

export interface BucketState {
  readonly manifest: Manifest;
  readonly tail: WalTail;
}

export interface ReadState extends BucketState {
  /** When the manifests were listed. */
  readonly listedAtMs: number;
}

/**
 * So long after a look at the manifests the numbers that were in use are still taken to be: who has slept for longer may find one that a collector has freed, and that a put which came late has
 * used again. What stands there was never committed, however well it fits, so the manifests are looked at once more.
 */
export const TRUSTED_MS = 1_000;

/** NOT_FOUND when the namespace does not exist. Two lists, one get, and one get per WAL object; one more list where that took longer than `TRUSTED_MS`. */
export async function readState({ store, name, clock }: Pick<NamespaceContext, 'store' | 'name' | 'clock'>): Promise<ReadState> {
  let previous: Manifest | null = null;
  for (;;) {
    const listedAtMs = clock.now();
    const manifest = await readCurrentManifest(store);
    if (manifest === null) throw new GraphDBError('NOT_FOUND', `namespace "${name}" does not exist in ${store.location}`);
    try {
      const tail = await WalTail.read(store, manifest.sequence, manifest.walFloor);
      const newer = clock.now() - listedAtMs < TRUSTED_MS ? null : await readNewerManifest(store, manifest.version);
      if (newer === null || newer.walFloor === manifest.walFloor) return { manifest, listedAtMs, tail };
    } catch (error) {
      const isMissing = error instanceof WalObjectMissing;
      if (!isMissing && !(error instanceof GraphDBError && error.code === 'CORRUPTION')) throw error;
      // Collected while we read it, or put again by a writer that slept, under a number that was free by then: in both cases there is a newer manifest.
      if (manifest.version === previous?.version) throw isMissing ? error.asCorruption() : error;
      previous = manifest;
    }
  }
}
