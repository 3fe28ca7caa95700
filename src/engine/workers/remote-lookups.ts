/** Look-ups of statements in a worker without a declared index: told, when they end, to the main thread, which decides about indexes. */
import type { LookupMeter, PropertyLookup } from '../../exec/index.ts';

/** The use of a property in a worker, with the work that it took. */
export interface RemoteLookup extends PropertyLookup {
  /** null: it asked an index. */
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
