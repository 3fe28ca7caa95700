/** Finds rows by their values that an index artefact does not cover. These rows are in memory; each is entered before a look-up. */
import { equals, hashKeyOf, order, type Value } from '../../value/index.ts';
import type { ValueRange } from '../arrays/sorted-entries.ts';

/** The part of a table that is read here. Rows below `published.rowCount` never change. */
export interface RowsWithValues {
  readonly published: { readonly rowCount: number };
  get(row: number, key: number): Value;
}

const NONE: readonly number[] = [];

/** Finds the rows after those that an index artefact covers. */
export class LaterRows {
  readonly #table: RowsWithValues;
  readonly #keys: readonly number[];
  /** The entered rows that have a value for every key, ascending; `#byValues` has the same rows. */
  readonly #rows: number[] = [];
  readonly #byValues = new Map<unknown, number[]>();
  /** Rows from the first one to below this are entered. */
  #entered: number;

  /** @param keys those of the index @param firstRow the first row that the index does not cover */
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

  /** Returns the rows whose values are all equal to these, ascending, whether or not a reader sees them. */
  equal(values: readonly Value[]): readonly number[] {
    this.#catchUp();
    const candidates = values.every(isScalar) ? (this.#byValues.get(hashKeyOf(values)) ?? NONE) : this.#rows;
    return candidates.filter((row) => this.#valuesOf(row).every((value, i) => equals(value, values[i]!) === true));
  }

  /** Returns the rows whose value of the first key lies in the range by `order`, ascending by row. */
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

/** Tells whether equality of values of this type implies equal hash keys. */
function isScalar(value: Value): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}
