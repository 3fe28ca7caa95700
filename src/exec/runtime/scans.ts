/**
 * The context of a scan: which rows belong to this thread if several threads share a scan, and the meter that records
 * look-ups for automatic indexes.
 */
import { assert } from '../../base/index.ts';
import { MORSEL_ROWS } from '../scan/morsel.ts';
import type { StatementGraph } from './statement-graph.ts';

/** A property of the nodes with a label that statements look up. */
export interface PropertyLookup {
  readonly label: string;
  readonly key: string;
}

/** Records look-ups of properties without a declared index. */
export interface LookupMeter {
  /** Records that a statement begins to scan for the property. The scan adds its work, in compared rows, to the result. */
  scanning(property: PropertyLookup): { work: number };
  /** Records that a statement begins to look the property up in an automatic index. */
  seeking(property: PropertyLookup): void;
}

/** Options of scans. */
export interface ScanOptions {
  /**
   * The number of rows handed to threads so far, by node table, then by relationship type. Shared with the other
   * threads that run the same part of the statement; absent if the scan is not shared.
   */
  readonly morsels?: Int32Array | undefined;
  /** Records look-ups that an automatic index answers or could answer; absent if they are not recorded. */
  readonly lookups?: LookupMeter;
}

/** The scans of a statement. */
export class Scans {
  private readonly graph: StatementGraph;
  private readonly morsels: Int32Array | null;
  private readonly lookups: LookupMeter | null;

  constructor(graph: StatementGraph, { morsels, lookups }: ScanOptions) {
    this.graph = graph;
    this.morsels = morsels ?? null;
    this.lookups = lookups ?? null;
  }

  /** Returns the first row of the next morsel of a node table for this thread; -1 when all rows are taken. */
  morsel(table: number, rows: number): number {
    assert(this.morsels !== null, 'a share of a scan that is not shared');
    const first = Atomics.add(this.morsels, table, MORSEL_ROWS);
    return first < rows ? first : -1;
  }

  /** Returns the first row of the next morsel of a relationship type for this thread; -1 when all rows are taken. */
  relationshipMorsel(type: number, rows: number): number {
    return this.morsel(this.graph.view.nodeTables.length + type, rows);
  }

  /** Records that a scan begins to look for the property; the scan adds its work to the result. */
  scanning(property: PropertyLookup): { work: number } {
    return this.lookups?.scanning(property) ?? { work: 0 };
  }

  /** Records that a statement begins to look a property up in an automatic index. */
  seeking({ label, keys }: { readonly label: string; readonly keys: readonly string[] }): void {
    this.lookups?.seeking({ label, key: keys[0]! });
  }
}
