/** Loads property columns of a block into the columns of a table, with one loop over the rows for each column. */

import { assert } from '../base/index.ts';
import { type FieldBlock, reasonOf, type Selection } from '../formats/index.ts';
import { AnyColumn } from './columns/any-column.ts';
import type { Storage } from './columns/column-builder.ts';
import { storageOf } from './columns/create-column.ts';
import { FixedColumn } from './columns/fixed-column.ts';
import { IntegerColumn } from './columns/integer-column.ts';
import { StringColumn } from './columns/string-column.ts';
import { BadRows } from './csv/bad-rows.ts';
import type { PropertyColumn } from './csv/header.ts';
import { NumberVector } from './csv/number-vector.ts';
import { parseBooleans } from './csv/parse-booleans.ts';
import { parseDates } from './csv/parse-dates.ts';
import { parseFloats } from './csv/parse-floats.ts';
import { parseIntegers } from './csv/parse-integers.ts';
import { type ParseValue, valueParser } from './csv/parse-values.ts';
import type { PropertyColumns, PropertyShape } from './tables/property-columns.ts';

interface LoadedProperty extends PropertyShape {
  readonly column: number;
  /** The name of the column in the header, for messages. */
  readonly name: string;
  /** Parses values of a column with storage `any`. */
  readonly parse: ParseValue;
}

const PARSE_NUMBERS: Partial<Record<Storage, typeof parseIntegers>> = {
  integer: parseIntegers,
  float: parseFloats,
  boolean: parseBooleans,
  date: parseDates,
};

/** Loads properties into the columns of a table. */
export class PropertyLoader {
  readonly #properties: readonly LoadedProperty[];
  readonly #vector = new NumberVector();

  /** @param options `distinctColumn`: a column whose values differ from row to row */
  constructor(
    properties: readonly PropertyColumn[],
    options: { names: readonly string[]; arrayDelimiter: number; distinctColumn?: number },
  ) {
    this.#properties = properties.map(({ column, key, type }) => ({
      column,
      key,
      name: options.names[column]!,
      storage: storageOf(type),
      distinct: column === options.distinctColumn,
      parse: valueParser(type, options.arrayDelimiter),
    }));
  }

  /** Tells whether rows with this header can go into the same file as the rows in `columns`. */
  fits(columns: PropertyColumns): boolean {
    return this.#properties.every((property) => columns.accepts(property));
  }

  /** Appends rows to columns. @param rowsBefore how many rows the table has; columns with fewer are padded first */
  append(block: FieldBlock, rows: Selection, columns: PropertyColumns, rowsBefore: number, bad: BadRows): void {
    for (const property of this.#properties) this.#appendColumn(property, block, rows, { columns, rowsBefore, bad });
  }

  #appendColumn(
    property: LoadedProperty,
    block: FieldBlock,
    rows: Selection,
    { columns, rowsBefore, bad }: { columns: PropertyColumns; rowsBefore: number; bad: BadRows },
  ): void {
    const column = columns.column(property, rowsBefore);
    if (column instanceof StringColumn) return column.append(block, property.column, rows);
    const found = new BadRows();
    if (column instanceof AnyColumn) appendValues(property, column, block, rows, found);
    else {
      const parseNumbers = PARSE_NUMBERS[property.storage];
      assert(parseNumbers !== undefined, 'numbers have a parser');
      parseNumbers(block, property.column, rows, this.#vector, found);
      if (column instanceof IntegerColumn) column.append(this.#vector);
      else if (column instanceof FixedColumn) column.append(this.#vector);
    }
    for (const [row, reason] of found.entries()) bad.add(row, `column ${property.name}: ${reason}`);
  }
}

function appendValues({ column, parse }: LoadedProperty, target: AnyColumn, block: FieldBlock, rows: Selection, bad: BadRows): void {
  for (let i = 0; i < rows.length; i++) {
    try {
      target.append(parse(block, rows[i]!, column));
    } catch (error) {
      bad.add(rows[i]!, reasonOf(error));
      target.append(null);
    }
  }
}
