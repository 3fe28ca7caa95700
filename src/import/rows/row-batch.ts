/**
 * Some thousand rows of a file whose values have types of their own (NDJSON, Parquet), column by column. The name of a column is a header of neo4j-admin; without a type
 * in it the values say what they are.
 */
import type { MalformedRow } from '../../formats/index.ts';
import type { Value } from '../../value/index.ts';
import { type HeaderField, parseNamedField } from '../csv/header.ts';

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
  readonly malformed: readonly MalformedRow[];
}

/** Header fields by the text of a key, each parsed once. */
export class FieldCache {
  readonly #fields = new Map<string, HeaderField>();
  readonly #valuesAreJson: boolean;

  /** `valuesAreJson`: values have been read from JSON already, so `key:json` says nothing but that the key is `key`. */
  constructor(options: { readonly valuesAreJson: boolean }) {
    this.#valuesAreJson = options.valuesAreJson;
  }

  field(text: string): HeaderField {
    let field = this.#fields.get(text);
    if (field === undefined) {
      field = parseNamedField(text, this.#fields.size);
      if (this.#valuesAreJson && field.role === null && field.type === 'json') field = { ...field, typed: false };
      this.#fields.set(text, field);
    }
    return field;
  }
}
