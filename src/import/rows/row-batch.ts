/** Batches of a file whose columns are named by headers of neo4j-admin. Without a type in the name, values keep their own type. */
import type { ColumnBatch, ColumnValues } from '../../formats/index.ts';
import { type HeaderField, parseNamedField } from '../csv/header.ts';

/** A column of a batch, with its header. */
export interface RowColumn extends ColumnValues {
  readonly field: HeaderField;
}

/** A batch of rows with headers. */
export type RowBatch = ColumnBatch<RowColumn>;

/** Header fields by the text of a key, each parsed once. */
export class FieldCache {
  readonly #fields = new Map<string, HeaderField>();
  readonly #valuesAreJson: boolean;

  /** @param options `valuesAreJson`: values were read from JSON, so the type in `key:json` adds nothing */
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
