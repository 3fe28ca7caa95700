/** The manifest and the WAL behind it as they stand in the bucket (B8). */
import { GraphDBError } from '../base/index.ts';
import type { Manifest } from './api.ts';
import { corruption } from './faults.ts';
import { walKey } from './keys.ts';
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
 * NOT_FOUND when the namespace does not exist. Three lists, one get, and one get per WAL object.
 *
 * The manifests are listed once more after the WAL was read: between the two looks a collector may have freed a number, and a put that came late may have used it again. What stands there then
 * was never committed, however well it fits. No clock tells how long this process stood still in between (B10).
 */
export async function readState({ store, name, clock }: Pick<NamespaceContext, 'store' | 'name' | 'clock'>): Promise<ReadState> {
  let previous: Manifest | null = null;
  for (;;) {
    const listedAtMs = clock.now();
    const manifest = await readCurrentManifest(store);
    if (manifest === null) throw new GraphDBError('NOT_FOUND', `namespace "${name}" does not exist in ${store.location}`);
    try {
      const tail = await WalTail.read(store, manifest);
      const newer = await readNewerManifest(store, manifest.version);
      if (newer === null || newer.walFloor === manifest.walFloor) {
        checkEpochs(tail, newer ?? manifest);
        return { manifest, listedAtMs, tail };
      }
    } catch (error) {
      const isMissing = error instanceof WalObjectMissing;
      if (!isMissing && !(error instanceof GraphDBError && error.code === 'CORRUPTION')) throw error;
      // Collected while we read it, or put again by a writer that slept, under a number that was free by then: in both cases there is a newer manifest.
      if (manifest.version === previous?.version) throw isMissing ? error.asCorruption() : error;
      previous = manifest;
    }
  }
}

/** CORRUPTION: the WAL holds objects that no writer of the namespace can have put. To be called with a manifest that was read after the WAL: an epoch appears in a manifest first. */
export function checkEpochs({ replay, nextNumber }: WalTail, newest: Manifest): void {
  if (replay.epoch > newest.epoch)
    throw corruption(
      walKey(nextNumber - 1),
      `the WAL is at epoch ${replay.epoch}, which no manifest knows: it is of another namespace, or manifests are missing`,
    );
  replay.checkWriters(newest.writers);
}
