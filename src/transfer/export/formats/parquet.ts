/** Writes a table of the graph as a Parquet file. Column names are headers of neo4j-admin, as `graphdb import` reads them. */
import { TextBuffer } from '../../../formats/index.ts';
import { columnValue, type SstColumn } from '../../../storage/index.ts';
import type { ExportedTable } from '../exported-table.ts';
import type { NodeIds } from '../node-ids.ts';
import type { OutputFile } from '../output-file.ts';
import type { StoredTable } from '../stored-graph.ts';
import { hasValue, type TableBatch } from '../table-batch.ts';
import type { TableFile } from '../table-file.ts';
import { ParquetFile } from './parquet-file.ts';
import { type ColumnPage, columnPage, completePage, constantListPage, putBytes, valuesPage } from './parquet-page.ts';
import { listSchema, type ParquetProperty, parquetProperty, text } from './parquet-types.ts';

/** A table as Parquet. */
export class ParquetTable implements TableFile {
  readonly #file: ParquetFile;
  readonly #ids: NodeIds;
  readonly #properties: readonly ParquetProperty[];

  constructor(output: OutputFile, table: ExportedTable, ids: NodeIds) {
    this.#ids = ids;
    this.#properties = Array.from(table.properties, ([key, shape]) => parquetProperty(key, shape));
    const roles =
      table.kind === 'nodes'
        ? [
            { name: '_id:ID', schema: [text('_id:ID')] },
            { name: ':LABEL', schema: listSchema(':LABEL', text('element')) },
          ]
        : [':START_ID', ':END_ID', ':TYPE'].map((name) => ({ name, schema: [text(name)] }));
    this.#file = new ParquetFile(output, [...roles, ...this.#properties]);
  }

  async write(table: StoredTable, { rows, columns, ordinals, sources, targets }: TableBatch): Promise<void> {
    const roles =
      table.kind === 'nodes'
        ? [this.#idPage(ordinals), constantListPage(rows, table.labels)]
        : [this.#idPage(sources), this.#idPage(targets), constantPage(rows, table.type)];
    await this.#file.write(rows, [
      ...roles,
      ...this.#properties.map((property) => propertyPage(property, columns.get(property.key), rows)),
    ]);
  }

  #idPage(ordinals: Uint32Array): ColumnPage {
    const ids = this.#ids;
    const out = new TextBuffer();
    for (let row = 0; row < ordinals.length; row++) {
      if (ids.find(ordinals[row]!)) {
        putBytes(out, ids.heap, ids.from, ids.to);
        continue;
      }
      out.reserve(4);
      const start = out.length;
      out.length = start + 4;
      out.byte(110); // n
      out.integer(ordinals[row]!);
      out.bytes.writeUInt32LE(out.length - start - 4, start);
    }
    return completePage(ordinals.length, out.take());
  }

  finish(): Promise<void> {
    return this.#file.finish();
  }
}

function constantPage(rows: number, value: string): ColumnPage {
  const bytes = Buffer.from(value);
  const out = new TextBuffer();
  for (let row = 0; row < rows; row++) putBytes(out, bytes, 0, bytes.length);
  return completePage(rows, out.take());
}

function propertyPage({ schema, convert, isPlain }: ParquetProperty, column: SstColumn | undefined, rows: number): ColumnPage {
  if (column === undefined) return valuesPage(new Array<null>(rows).fill(null), schema);
  const page = isPlain(column.kind) ? columnPage(column, rows) : null;
  if (page !== null) return page;
  const values = Array.from({ length: rows }, (_, row) => (hasValue(column, row) ? convert(columnValue(column, row)) : null));
  return valuesPage(values, schema);
}
