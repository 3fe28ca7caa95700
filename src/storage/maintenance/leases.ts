/**
 * Leases (decision 0024): objects by which readers that hold a manifest version for long, such as jobs of Spark, ask
 * whoever collects to keep what it names. One is named `lease/<version, 20 digits>-<milliseconds>-<id>` and ends when
 * it is so old by the store's clock. Its content tells other readers which manifest it is of.
 *
 * Clocks decide only how long a lease lasts: what is gone too early is an error for who reads it, never a wrong answer (B6, B10).
 */
import type { ObjectInfo, ObjectStore } from '../../object-store/index.ts';
import { LEASE_PREFIX } from '../keys.ts';

/** No lease lasts longer, whatever its name says. */
export const LONGEST_LEASE_MS = 7 * 24 * 3_600_000;

/** A lease. */
export interface Lease {
  readonly key: string;
  readonly version: number;
  readonly durationMs: number;
  /** The end of the lease, by the store's clock. */
  readonly endsAtMs: number;
}

/** A lease that `object` is; null: its name is none. */
export function parseLease({ key, lastModifiedMs }: ObjectInfo): Lease | null {
  const match = /^lease\/(\d{20})-(\d{1,12})-[A-Za-z0-9]+$/.exec(key);
  if (match === null) return null;
  const durationMs = Math.min(Number(match[2]), LONGEST_LEASE_MS);
  return { key, version: Number(match[1]), durationMs, endsAtMs: lastModifiedMs + durationMs };
}

/** The leases that are listed. */
export interface ListedLeases {
  /** Versions with a lease that has not ended. */
  readonly versions: ReadonlySet<number>;
  /** Leases that have ended, and what is no lease and older than any. */
  readonly ended: readonly ObjectInfo[];
}

/**
 * Leases at a time of the store's clock. To be called after the manifests were listed: who stored a lease while its
 * version was the newest is then either seen here, or its version was seen as the newest there. One list.
 */
export async function listLeases(store: ObjectStore, nowMs: number): Promise<ListedLeases> {
  const versions = new Set<number>();
  const ended: ObjectInfo[] = [];
  for (const object of await store.list(LEASE_PREFIX)) {
    const lease = parseLease(object);
    if (nowMs >= (lease?.endsAtMs ?? object.lastModifiedMs + LONGEST_LEASE_MS)) ended.push(object);
    else if (lease !== null) versions.add(lease.version);
  }
  return { versions, ended };
}
