/** Makes the row filters of a scan, one for each table, from the comparisons and the kind of the column. */
import { unreachable } from '../../base/index.ts';
import type { ColumnView, NodeTableView } from '../../graph/index.ts';
import { CypherDate, CypherFloat, type Value } from '../../value/index.ts';
import { BeginningWith, Containing, EVERY_ROW, NO_ROW, OfDictionary, type RowFilter, WithinBounds } from './row-filter.ts';
import { zonesOf } from './zones.ts';

/** A comparison that a row filter can make. */
export type RowTest = '=' | '<' | '<=' | '>' | '>=' | 'startsWith' | 'contains';

/**
 * The comparisons of one property that a row must satisfy. An undefined value is one whose evaluation has failed; then
 * no row is left out, so that the error is thrown when a row is compared with it.
 */
export class RowFilters {
  private readonly key: number;
  private readonly tests: readonly RowTest[];
  private readonly values: readonly (Value | undefined)[];
  private readonly isSnapshot: boolean;
  private readonly made: (RowFilter | undefined)[] = [];

  /** @param isSnapshot whether the rows of the tables cannot change during the scan */
  constructor(key: number, tests: readonly RowTest[], values: readonly (Value | undefined)[], isSnapshot: boolean) {
    this.isSnapshot = isSnapshot;
    this.key = key;
    this.tests = tests;
    this.values = values;
  }

  of(table: Pick<NodeTableView, 'index' | 'column'>): RowFilter {
    this.made[table.index] ??= this.make(table.column(this.key));
    return this.made[table.index]!;
  }

  private make(column: ColumnView | null): RowFilter {
    if (this.values.includes(undefined)) return EVERY_ROW;
    if (column === null || this.values.includes(null)) return NO_ROW;
    switch (column.kind) {
      case 'int32':
      case 'integer':
      case 'float':
      case 'date':
        return this.withinBounds(column);
      case 'dictionary':
      case 'string':
        return this.values.length === 1 ? this.ofText(column, this.tests[0]!, this.values[0]!) : EVERY_ROW;
      case 'int64':
      case 'boolean':
      case 'vector':
      case 'any':
        return EVERY_ROW;
      default:
        return unreachable(column.kind, 'kind of column');
    }
  }

  private withinBounds(column: ColumnView): RowFilter {
    const { kind } = column;
    const zones = this.isSnapshot ? zonesOf(column) : null;
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.tests.length; i++) {
      const bound = kind === 'date' ? dayOf(this.values[i]!) : numberOf(this.values[i]!);
      if (bound === null) return EVERY_ROW;
      const test = this.tests[i]!;
      if (test === '=' || test === '>=') low = Math.max(low, bound);
      if (test === '=' || test === '<=') high = Math.min(high, bound);
      if (test === '>') low = Math.max(low, above(bound));
      if (test === '<') high = Math.min(high, -above(-bound));
    }
    if (column.values instanceof Float64Array) return new WithinBounds(column, zones, low, high);
    // Bounds of integers are rounded to integers.
    const [least, most] = [Math.max(Math.ceil(low), -(2 ** 31)), Math.min(Math.floor(high), 2 ** 31 - 1)];
    return least <= most ? new WithinBounds(column, zones, least, most) : NO_ROW;
  }

  private ofText(column: ColumnView, test: RowTest, wanted: Value): RowFilter {
    if (typeof wanted !== 'string') return EVERY_ROW;
    const { dictionary, heap } = column;
    if (dictionary === null) return ofBytes(column, heap ?? new Uint8Array(0), test, wanted);
    if (test === 'contains') return new OfDictionary(column, dictionary, (text) => text.includes(wanted));
    if (test === 'startsWith') return new OfDictionary(column, dictionary, (text) => text.startsWith(wanted));
    if (test !== '=') return EVERY_ROW;
    const code = dictionary.find(wanted);
    return code < 0 ? NO_ROW : new WithinBounds(column, this.isSnapshot ? zonesOf(column) : null, code, code);
  }
}

/** Returns the number that a double represents; null for a bigint, NaN or any other value. */
function numberOf(value: Value): number | null {
  const number = value instanceof CypherFloat ? value.value : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : null;
}

function dayOf(value: Value): number | null {
  return value instanceof CypherDate ? value.epochDay : null;
}

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** Returns the least double above a number; NaN for Infinity. */
function above(number: number): number {
  if (number === Number.POSITIVE_INFINITY) return Number.NaN;
  double[0] = number === 0 ? 0 : number;
  bits[0]! += bits[0]! >= 0n ? 1n : -1n;
  return double[0];
}

function ofBytes(column: ColumnView, heap: Uint8Array, test: RowTest, wanted: string): RowFilter {
  // No stored string is ill-formed, but the UTF-8 form of an ill-formed one could equal that of a stored string.
  if (test === '=' && !wanted.isWellFormed()) return NO_ROW;
  const bytes = Buffer.from(wanted, 'utf8');
  if (test === 'contains') return new Containing(column, heap, bytes);
  return test === '=' || test === 'startsWith' ? new BeginningWith(column, heap, bytes, test === '=') : EVERY_ROW;
}
