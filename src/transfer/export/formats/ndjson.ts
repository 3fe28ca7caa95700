/**
 * Newline-delimited JSON: one object per node or relationship. Keys that start with a colon have the meaning of
 * neo4j-admin's columns, the others are properties; values stand in typed JSON, which loses nothing.
 *
 *   {"_id:ID":"n0",":LABEL":["Person"],"name":"Ada","born":{"$":"date","value":"1815-12-10"}}
 *   {":START_ID":"n0",":END_ID":"n1",":TYPE":"KNOWS","since":1842}
 */
import { TextBuffer, writeJsonString } from '../../../formats/index.ts';
import { columnValue, type SstColumn } from '../../../storage/index.ts';
import { type ResultValue, writeJson } from '../../../value/index.ts';
import type { NodeIds } from '../node-ids.ts';
import type { OutputFile } from '../output-file.ts';
import type { StoredTable } from '../stored-graph.ts';
import { hasValue, type TableBatch } from '../table-batch.ts';
import type { TableFile } from '../table-file.ts';
import { headerField } from './csv.ts';

const QUOTE = 34;
const END = Buffer.from('}\n');

/** A table as NDJSON. */
export class NdjsonTable implements TableFile {
  readonly #output: OutputFile;
  readonly #ids: NodeIds;
  readonly #out = new TextBuffer();

  constructor(output: OutputFile, ids: NodeIds) {
    this.#output = output;
    this.#ids = ids;
  }

  async write(table: StoredTable, { rows, columns, ordinals, sources, targets }: TableBatch): Promise<void> {
    const out = this.#out;
    const isNodes = table.kind === 'nodes';
    // Where no identifier is set, the text around the number of an identifier is the same in each row.
    const computed = this.#ids.isEmpty;
    const [open, close] = computed ? ['"n', '"'] : ['', ''];
    const first = Buffer.from(`${isNodes ? '{"_id:ID":' : '{":START_ID":'}${open}`);
    const second = Buffer.from(`${close},":END_ID":${open}`);
    const constant = isNodes ? `,":LABEL":${JSON.stringify(table.labels)}` : `,":TYPE":${JSON.stringify(table.type)}`;
    const third = Buffer.from(`${close}${constant}`);
    const members = Array.from(columns, ([key, column]) => ({
      column,
      key: Buffer.from(`,${keyText(key)}:`),
      write: memberWriter(column),
    }));
    const writeId = computed ? (ordinal: number) => out.integer(ordinal) : (ordinal: number) => this.#id(ordinal);
    for (let row = 0; row < rows; row++) {
      out.raw(first);
      writeId(isNodes ? ordinals[row]! : sources[row]!);
      if (!isNodes) {
        out.raw(second);
        writeId(targets[row]!);
      }
      out.raw(third);
      for (const { column, key, write } of members) {
        if (!hasValue(column, row)) continue;
        out.raw(key);
        write(out, row);
      }
      out.raw(END);
      if (out.isFull) await this.#output.bytes(out.take());
    }
    this.#output.rows += rows;
    await this.#output.bytes(out.take());
  }

  async finish(): Promise<void> {}

  #id(ordinal: number): void {
    const ids = this.#ids;
    const out = this.#out;
    if (ids.find(ordinal)) return writeJsonString(out, ids.heap, ids.from, ids.to);
    out.byte(QUOTE);
    out.byte(110); // n
    out.integer(ordinal);
    out.byte(QUOTE);
  }
}

function keyText(key: string): string {
  return JSON.stringify(key.includes(':') ? headerField(key, 'json') : key);
}

/** Writes the value of a row that has one. */
function memberWriter(column: SstColumn): (out: TextBuffer, row: number) => void {
  const values = column.values as Int32Array;
  switch (column.kind) {
    case 'int32':
    case 'integer':
      return (out, row) => out.integer(values[row]!);
    case 'boolean':
      return (out, row) => out.text(values[row] === 1 ? 'true' : 'false');
    case 'string': {
      const heap = column.heap!; // A column of text has one.
      return (out, row) => writeJsonString(out, heap, values[row]!, values[row + 1]!);
    }
    case 'dictionary': {
      const { offsets, heap } = column.dictionary!; // A column of codes has one.
      return (out, row) => writeJsonString(out, heap, offsets[values[row]!]!, offsets[values[row]! + 1]!);
    }
    default:
      return (out, row) => out.text(writeJson(columnValue(column, row) as ResultValue, 'typed')); // A property is never a reference.
  }
}
