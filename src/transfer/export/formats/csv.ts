/**
 * CSV with the headers of neo4j-admin, as `graphdb import` reads it: one file per table. Fields are written from
 * columns, without a string or an object for each value.
 */
import { GraphDBError } from '../../../base/index.ts';
import { csvField, TextBuffer, writeCsvField } from '../../../formats/index.ts';
import { columnValue, type SstColumn } from '../../../storage/index.ts';
import { displayText, Point, pointMapText, type ResultValue, type Value, writeJson } from '../../../value/index.ts';
import type { ExportedTable } from '../exported-table.ts';
import type { NodeIds } from '../node-ids.ts';
import type { OutputFile } from '../output-file.ts';
import { type ColumnType, typeWord } from '../property-shape.ts';
import type { StoredTable } from '../stored-graph.ts';
import { hasValue, type TableBatch } from '../table-batch.ts';
import type { TableFile } from '../table-file.ts';

/** The options of CSV. */
export interface CsvOptions {
  readonly delimiter: string;
  readonly arrayDelimiter: string;
}

/** Writes the value of a row that has one. */
type WriteField = (out: TextBuffer, row: number) => void;

const LINE_FEED = 10;

/** A table as CSV. */
export class CsvTable implements TableFile {
  readonly #output: OutputFile;
  readonly #options: CsvOptions;
  readonly #delimiter: number;
  readonly #columns: readonly { readonly key: string; readonly type: ColumnType }[];
  readonly #ids: NodeIds;
  readonly #out = new TextBuffer();

  constructor(output: OutputFile, table: ExportedTable, ids: NodeIds, options: CsvOptions) {
    this.#output = output;
    this.#options = options;
    this.#ids = ids;
    this.#delimiter = options.delimiter.charCodeAt(0);
    this.#columns = Array.from(table.properties, ([key, shape]) => ({ key, type: shape.csvType }));
    const roles = table.kind === 'nodes' ? ['_id:ID', ':LABEL'] : [':START_ID', ':END_ID', ':TYPE'];
    const fields = [...roles, ...this.#columns.map(({ key, type }) => headerField(key, type))];
    output.text(`${fields.map((field) => csvField(field, options.delimiter)).join(options.delimiter)}\n`);
  }

  async write(table: StoredTable, batch: TableBatch): Promise<void> {
    const { rows, columns, ordinals, sources, targets } = batch;
    const out = this.#out;
    const delimiter = this.#delimiter;
    const isNodes = table.kind === 'nodes';
    const constant = Buffer.from(isNodes ? this.#labels(table.labels) : typeField(table.type, this.#options));
    const fields = this.#columns.map(({ key, type }) => {
      const column = columns.get(key);
      return column === undefined ? null : { column, write: this.#writer(column, type) };
    });
    for (let row = 0; row < rows; row++) {
      if (isNodes) this.#id(ordinals[row]!);
      else {
        this.#id(sources[row]!);
        out.byte(delimiter);
        this.#id(targets[row]!);
      }
      out.byte(delimiter);
      out.raw(constant);
      for (const field of fields) {
        out.byte(delimiter);
        if (field !== null && hasValue(field.column, row)) field.write(out, row);
      }
      out.byte(LINE_FEED);
      if (out.isFull) await this.#output.bytes(out.take());
    }
    this.#output.rows += rows;
    await this.#output.bytes(out.take());
  }

  async finish(): Promise<void> {}

  #id(ordinal: number): void {
    const ids = this.#ids;
    if (ids.find(ordinal)) return writeCsvField(this.#out, this.#delimiter, ids.heap, ids.from, ids.to);
    this.#out.byte(110); // n
    this.#out.integer(ordinal);
  }

  #labels(labels: readonly string[]): string {
    for (const label of labels) {
      if (label === '' || label.includes(this.#options.arrayDelimiter)) {
        throw cannotCarry(`the label ${JSON.stringify(label)} (labels stand between "${this.#options.arrayDelimiter}")`);
      }
    }
    return labels.length === 0 ? '' : csvField(labels.join(this.#options.arrayDelimiter), this.#options.delimiter);
  }

  #writer(column: SstColumn, type: ColumnType): WriteField {
    const delimiter = this.#delimiter;
    const { kind } = column;
    const values = column.values as Int32Array;
    if (type === 'integer' && (kind === 'int32' || kind === 'integer')) return (out, row) => out.integer(values[row]!);
    if (type === 'boolean' && kind === 'boolean') return (out, row) => out.text(values[row] === 1 ? 'true' : 'false');
    if (type === 'string' && kind === 'string') {
      const heap = column.heap!; // A column of text has one.
      return (out, row) => writeCsvField(out, delimiter, heap, values[row]!, values[row + 1]!);
    }
    if (type === 'string' && kind === 'dictionary') {
      const { offsets, heap } = column.dictionary!; // A column of codes has one.
      return (out, row) => writeCsvField(out, delimiter, heap, offsets[values[row]!]!, offsets[values[row]! + 1]!);
    }
    return (out, row) => out.text(csvField(this.#text(columnValue(column, row), type), this.#options.delimiter));
  }

  #text(value: Value, type: ColumnType): string {
    if (type === 'json') return writeJson(value as ResultValue, 'typed'); // A property is never a reference.
    if (Array.isArray(value)) return value.map(scalarText).join(this.#options.arrayDelimiter);
    if (value instanceof Float32Array) return Array.from(value, componentText).join(this.#options.arrayDelimiter);
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
    return scalarText(value);
  }
}

function typeField(type: string, { delimiter }: CsvOptions): string {
  if (type === '') throw cannotCarry('a relationship type without a character');
  return csvField(type, delimiter);
}

function componentText(component: number): string {
  return Object.is(component, -0) ? '-0.0' : String(component);
}

function scalarText(value: Value): string {
  if (value instanceof Point) return pointMapText(value);
  return displayText(value);
}

/** Returns the header of a column with its type, written so that no key can be taken for anything else. */
export function headerField(key: string, type: ColumnType): string {
  if (/^:(?:ID|START_ID|END_ID|LABEL|TYPE|IGNORE)/.test(key)) throw cannotCarry(`the property key ${JSON.stringify(key)}`);
  return `${key}:${typeWord(type)}`;
}

function cannotCarry(what: string): GraphDBError {
  return new GraphDBError('UNSUPPORTED', `${what} has no place in files with neo4j-admin headers; export to cypher instead`);
}
