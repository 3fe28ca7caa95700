/**
 * Leases (decision 0024): objects by which readers that hold a manifest version for long, such as jobs of Spark, ask
 * garbage collection to keep the version's objects. A lease is named `lease/<version, 20 digits>-<milliseconds>-<id>`;
 * it ends when it is that many milliseconds old by the store's clock. Its content tells other readers which manifest it
 * belongs to.
 *
 * Clocks decide only how long a lease lasts: an object that is removed too early is an error for its reader, never a
 * wrong answer (B6, B10).
 */
import { isKey, type ObjectInfo, type ObjectStore } from '../../object-store/index.ts';
import { LEASE_PREFIX } from '../keys.ts';

/** The longest duration of a lease, whatever its name says. */
export const LONGEST_LEASE_MS = 7 * 24 * 3_600_000;

/** A lease. */
export interface Lease {
  readonly key: string;
  readonly version: number;
  readonly durationMs: number;
  /** The end of the lease, by the store's clock. */
  readonly endsAtMs: number;
}

/** Parses the lease of an object; null when its name is not that of a lease. */
export function parseLease({ key, lastModifiedMs }: ObjectInfo): Lease | null {
  const match = /^lease\/(\d{20})-(\d{1,12})-[A-Za-z0-9]+$/.exec(key);
  if (match === null) return null;
  const durationMs = Math.min(Number(match[2]), LONGEST_LEASE_MS);
  return { key, version: Number(match[1]), durationMs, endsAtMs: lastModifiedMs + durationMs };
}

/** The leases of a namespace at some time. */
export interface ListedLeases {
  /** Versions with a lease that has not ended. */
  readonly versions: ReadonlySet<number>;
  /** Leases that have ended, and objects that are no leases and older than any lease can be. */
  readonly ended: readonly ObjectInfo[];
}

/**
 * Lists the leases; `nowMs` is the time by the store's clock, or infinity to end them all. Must be called after the
 * manifests were listed: then a lease that was stored while its version was the newest is either listed here, or its
 * version was listed as the newest there. One list.
 */
export async function listLeases(store: ObjectStore, nowMs: number): Promise<ListedLeases> {
  const versions = new Set<number>();
  const ended: ObjectInfo[] = [];
  for (const object of await store.list(LEASE_PREFIX)) {
    if (!isKey(object.key)) continue; // Of somebody else.
    const lease = parseLease(object);
    if (nowMs >= (lease?.endsAtMs ?? object.lastModifiedMs + LONGEST_LEASE_MS)) ended.push(object);
    else if (lease !== null) versions.add(lease.version);
  }
  return { versions, ended };
}
