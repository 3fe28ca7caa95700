/**
 * Some thousand rows of a file whose values have types of their own (NDJSON, Parquet), column by column. The name of a column is a header of neo4j-admin; without a type
 * in it the values say what they are.
 */
import type { Value } from '../../value/index.ts';
import { type HeaderField, parseHeaderField, parseNamedField } from '../csv/header.ts';

export interface RowColumn {
  readonly field: HeaderField;
  /** By row; undefined and null: no value. */
  readonly values: readonly (Value | undefined)[];
}

export interface RowBatch {
  readonly rows: number;
  /** By row: its line or its number in the file, from 1. */
  readonly lines: Float64Array;
  readonly columns: readonly RowColumn[];
  /** Rows that are not to be looked at, ascending. */
  readonly malformed: readonly { readonly row: number; readonly reason: string }[];
}

/** Header fields by the text of a key, each parsed once. */
export class FieldCache {
  readonly #fields = new Map<string, HeaderField>();
  readonly #strict: boolean;

  /** `strict`: a colon must be followed by a type; else such a name is a property key as it is. */
  constructor(strict: boolean) {
    this.#strict = strict;
  }

  field(text: string): HeaderField {
    let field = this.#fields.get(text);
    if (field === undefined) {
      field = this.#strict ? parseHeaderField(text, this.#fields.size) : parseNamedField(text, this.#fields.size);
      this.#fields.set(text, field);
    }
    return field;
  }
}
