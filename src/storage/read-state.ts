/** Reads the manifest and the WAL behind it from the bucket (B8). */
import { GraphDBError } from '../base/index.ts';
import type { Manifest } from './api.ts';
import { corruption } from './faults.ts';
import { walKey } from './keys.ts';
import { ChildMissing, completeManifest, type KnownChildren, readCurrentRoot, readNewerRoot } from './manifest/manifest-store.ts';
import type { NamespaceContext } from './namespace-context.ts';
import { WalObjectMissing, WalTail } from './wal/wal-tail.ts';

/** The manifest and the WAL in the bucket. */
export interface BucketState {
  readonly manifest: Manifest;
  readonly tail: WalTail;
}

/** The state that a reader begins with. */
export interface ReadState extends BucketState {
  /** When the manifests were listed. */
  readonly listedAtMs: number;
}

/**
 * Reads the current manifest and the WAL behind it. Three lists, one get, and one get per WAL object and per child of
 * the manifest that is not `known`; children are read concurrently with the WAL.
 *
 * The manifests are listed once more after the WAL was read: between the two looks a collector may have freed a number,
 * and a late put may have used it again. The object that stands there then was never committed, however well it fits.
 * No clock tells how long this process stood still in between (B10).
 * @throws NOT_FOUND when the namespace does not exist
 */
export async function readState(
  { store, name, clock }: Pick<NamespaceContext, 'store' | 'name' | 'clock'>,
  known: KnownChildren = [],
): Promise<ReadState> {
  let previousVersion = 0;
  for (;;) {
    const listedAtMs = clock.now();
    const root = await readCurrentRoot(store);
    if (root === null) throw new GraphDBError('NOT_FOUND', `namespace "${name}" does not exist in ${store.location}`);
    try {
      const [manifest, tail] = await bothOf(completeManifest(store, root, known), WalTail.read(store, root));
      const newer = await readNewerRoot(store, root.version);
      if (newer === null || newer.walFloor === root.walFloor) {
        checkEpochs(tail, newer ?? root);
        return { manifest, listedAtMs, tail };
      }
    } catch (error) {
      const isMissing = error instanceof WalObjectMissing || error instanceof ChildMissing;
      if (!isMissing && !(error instanceof GraphDBError && error.code === 'CORRUPTION')) throw error;
      // Collected while we read it, or put again by a writer that slept, under a number that was free by then: in both
      // cases there is a newer manifest.
      if (root.version === previousVersion) throw isMissing ? error.asCorruption() : error;
      previousVersion = root.version;
    }
  }
}

/** Waits until both promises are settled; returns both results, or throws the error of `a` or else of `b`. */
async function bothOf<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/**
 * Checks that all objects of the WAL can be from writers of the namespace. Must be called with a manifest that was read
 * after the WAL, since an epoch appears in a manifest first. @throws CORRUPTION
 */
export function checkEpochs({ replay, nextNumber }: WalTail, newest: Pick<Manifest, 'epoch' | 'writers'>): void {
  if (replay.epoch > newest.epoch)
    throw corruption(
      walKey(nextNumber - 1),
      `the WAL is at epoch ${replay.epoch}, which no manifest knows: it is of another namespace, or manifests are missing`,
    );
  replay.checkWriters(newest.writers);
}
