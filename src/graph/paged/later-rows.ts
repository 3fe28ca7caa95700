/** The rows of a table behind those of its files, found by their values. They are in memory, and entered as they come. */
import { equals, hashKeyOf, order, type Value } from '../../value/index.ts';
import type { ValueRange } from '../arrays/sorted-entries.ts';

/** The parts of the table that are read. A row below `published.rowCount` is never changed. */
export interface RowsWithValues {
  readonly published: { readonly rowCount: number };
  get(row: number, key: number): Value;
}

const NONE: readonly number[] = [];

/** Finds rows behind those of files. */
export class LaterRows {
  readonly #table: RowsWithValues;
  readonly #keys: readonly number[];
  /** Rows without a value of some key are in none of these. Ascending. */
  readonly #rows: number[] = [];
  readonly #byValues = new Map<unknown, number[]>();
  /** Rows below this were entered. */
  #entered: number;

  /** `keys`: by which rows are found; `firstRow`: behind the files. */
  constructor(table: RowsWithValues, keys: readonly number[], firstRow: number) {
    this.#table = table;
    this.#keys = keys;
    this.#entered = firstRow;
  }

  #catchUp(): void {
    const { rowCount } = this.#table.published;
    for (; this.#entered < rowCount; this.#entered++) {
      const values = this.#valuesOf(this.#entered);
      if (values.includes(null)) continue;
      this.#rows.push(this.#entered);
      const key = hashKeyOf(values);
      const rows = this.#byValues.get(key);
      if (rows === undefined) this.#byValues.set(key, [this.#entered]);
      else rows.push(this.#entered);
    }
  }

  #valuesOf(row: number): Value[] {
    return this.#keys.map((key) => this.#table.get(row, key));
  }

  /** Rows of which all values are equal to these, whoever sees them. */
  equal(values: readonly Value[]): readonly number[] {
    this.#catchUp();
    const candidates = values.every(isScalar) ? (this.#byValues.get(hashKeyOf(values)) ?? NONE) : this.#rows;
    return candidates.filter((row) => this.#valuesOf(row).every((value, i) => equals(value, values[i]!) === true));
  }

  /** Rows whose value of the one key lies in the range, by `order`; in no particular order. */
  between({ low, lowInclusive, high, highInclusive }: ValueRange): readonly number[] {
    return this.#where((value) => {
      const [fromLow, toHigh] = [low === null ? 1 : order(value, low), high === null ? 1 : order(high, value)];
      return (fromLow > 0 || (fromLow === 0 && lowInclusive)) && (toHigh > 0 || (toHigh === 0 && highInclusive));
    });
  }

  startingWith(prefix: string): readonly number[] {
    return this.#where((value) => typeof value === 'string' && value.startsWith(prefix));
  }

  #where(test: (value: Value) => boolean): readonly number[] {
    this.#catchUp();
    return this.#rows.filter((row) => test(this.#table.get(row, this.#keys[0]!)));
  }
}

/** Equal ones have the same key. */
function isScalar(value: Value): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}
