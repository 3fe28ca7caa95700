/**
 * Collects the look-ups of statements in a worker that have no declared index. They are reported when the statement
 * ends to the main thread, which decides about automatic indexes.
 */
import type { LookupMeter, PropertyLookup } from '../../exec/index.ts';

/** The use of a property in a worker, with the work that it took. */
export interface RemoteLookup extends PropertyLookup {
  /** The rows that a scan has compared; null if the look-up asked an automatic index. */
  readonly work: number | null;
}

/** Collects look-ups in a worker. */
export class RemoteLookups implements LookupMeter {
  private readonly scans: (PropertyLookup & { work: number })[] = [];
  private readonly seeks: PropertyLookup[] = [];

  scanning({ label, key }: PropertyLookup): { work: number } {
    const scan = { label, key, work: 0 };
    this.scans.push(scan);
    return scan;
  }

  seeking(property: PropertyLookup): void {
    this.seeks.push(property);
  }

  all(): readonly RemoteLookup[] {
    return [...this.scans, ...this.seeks.map((property) => ({ ...property, work: null }))];
  }
}

/** Adds look-ups of a worker to a meter. */
export function addLookups(lookups: readonly RemoteLookup[], meter: LookupMeter | undefined): void {
  if (meter === undefined) return;
  for (const { label, key, work } of lookups) {
    if (work === null) meter.seeking({ label, key });
    else meter.scanning({ label, key }).work += work;
  }
}
