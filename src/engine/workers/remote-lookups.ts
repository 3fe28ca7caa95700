/** Look-ups of statements in a worker without a declared index: told, when they end, to the main thread, which decides about indexes. */
import type { LookedUp, LookupMeter } from '../../exec/index.ts';

export interface RemoteLookup extends LookedUp {
  /** null: it asked an index. */
  readonly work: number | null;
}

export class RemoteLookups implements LookupMeter {
  private readonly scans: (LookedUp & { work: number })[] = [];
  private readonly seeks: LookedUp[] = [];

  scanning({ label, key }: LookedUp): { work: number } {
    const scan = { label, key, work: 0 };
    this.scans.push(scan);
    return scan;
  }

  seeking(property: LookedUp): void {
    this.seeks.push(property);
  }

  all(): readonly RemoteLookup[] {
    return [...this.scans, ...this.seeks.map((property) => ({ ...property, work: null }))];
  }
}

export function addLookups(lookups: readonly RemoteLookup[], meter: LookupMeter | undefined): void {
  if (meter === undefined) return;
  for (const { label, key, work } of lookups) {
    if (work === null) meter.seeking({ label, key });
    else meter.scanning({ label, key }).work += work;
  }
}
