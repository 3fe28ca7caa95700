/** The environment of scans beside the rows: which rows are theirs where threads share a scan, and whom to tell what they look for. */
import { assert } from '../../base/index.ts';
import { MORSEL_ROWS } from '../scan/morsel.ts';
import type { StatementGraph } from './statement-graph.ts';

/** A property of the nodes with a label, which statements look up. */
export interface PropertyLookup {
  readonly label: string;
  readonly key: string;
}

/** Knows what statements look up without a declared index. */
export interface LookupMeter {
  /** A statement begins that scans for it. It adds its work, in rows that are compared with a value. */
  scanning(property: PropertyLookup): { work: number };
  /** A statement begins that asks the index. */
  seeking(property: PropertyLookup): void;
}

/** The options of scans. */
export interface ScanOptions {
  /**
   * The number of rows given to threads so far, by node table, then by relationship type, shared with the others that
   * run the same part; absent: there are none.
   */
  readonly morsels?: Int32Array | undefined;
  /** Told of look-ups that an index answers that nobody declared, or would have answered; absent: nobody wants to know. */
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

  /** The first of the next rows of a node table that are this thread's to scan; -1: all are given. */
  morsel(table: number, rows: number): number {
    assert(this.morsels !== null, 'a share of a scan that is not shared');
    const first = Atomics.add(this.morsels, table, MORSEL_ROWS);
    return first < rows ? first : -1;
  }

  /** The first of the next rows of the table of a relationship type that are this thread's to scan; -1: all are given. */
  relationshipMorsel(type: number, rows: number): number {
    return this.morsel(this.graph.view.nodeTables.length + type, rows);
  }

  /** A scan begins that looks for the property; it adds its work to what comes back. */
  scanning(property: PropertyLookup): { work: number } {
    return this.lookups?.scanning(property) ?? { work: 0 };
  }

  /** A statement begins that asks the index that nobody declared. */
  seeking({ label, keys }: { readonly label: string; readonly keys: readonly string[] }): void {
    this.lookups?.seeking({ label, key: keys[0]! });
  }
}
