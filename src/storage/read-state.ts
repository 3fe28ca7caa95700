/** The manifest and the WAL behind it as they stand in the bucket (B8). */
import { GraphDBError } from '../base/index.ts';
import type { Manifest } from './api.ts';
import { readCurrentManifest } from './manifest/manifest-store.ts';
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

/** NOT_FOUND when the namespace does not exist. Two lists, one get, and one get per WAL object. */
export async function readState({ store, name, clock }: Pick<NamespaceContext, 'store' | 'name' | 'clock'>): Promise<ReadState> {
  let previous: Manifest | null = null;
  for (;;) {
    const listedAtMs = clock.now();
    const manifest = await readCurrentManifest(store);
    if (manifest === null) throw new GraphDBError('NOT_FOUND', `namespace "${name}" does not exist in ${store.location}`);
    try {
      return { manifest, listedAtMs, tail: await WalTail.read(store, manifest.sequence, manifest.walFloor) };
    } catch (error) {
      const isMissing = error instanceof WalObjectMissing;
      if (!isMissing && !(error instanceof GraphDBError && error.code === 'CORRUPTION')) throw error;
      // Collected while we read it, or put again by a writer that slept, under a number that was free by then: in both cases there is a newer manifest.
      if (manifest.version === previous?.version) throw isMissing ? error.asCorruption() : error;
      previous = manifest;
    }
  }
}
