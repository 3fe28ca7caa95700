/**
 * A Parquet file that is written row group by row group: each column of a group is one data page (version 2, plain
 * encoding, zstd), so that memory holds one group. The library writes headers and the footer; the pages are made here,
 * from arrays.
 */
import { constants, zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { OutputFile } from '../output-file.ts';
import type { ColumnPage } from './parquet-page.ts';

const MAGIC = Buffer.from('PAR1');
/** This level takes two thirds of the time of the default level for a few hundredths more bytes. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  /** The elements of the schema below the root, in preorder. The first has the column's name, the last is that of the values. */
  readonly schema: readonly SchemaElement[];
}

/** A Parquet file. */
export class ParquetFile {
  readonly #output: OutputFile;
  readonly #columns: readonly ParquetColumn[];
  readonly #groups: RowGroup[] = [];
  #rows = 0;
  /** How many bytes of the file have been written. */
  #position = 0;

  constructor(output: OutputFile, columns: readonly ParquetColumn[]) {
    this.#output = output;
    this.#columns = columns;
  }

  /** Writes a row group. @param pages one page per column */
  async write(rows: number, pages: readonly ColumnPage[]): Promise<void> {
    if (rows === 0) return;
    if (this.#position === 0) await this.#put(MAGIC);
    const groupStart = this.#position;
    const columns: ColumnChunk[] = [];
    for (const [index, page] of pages.entries()) columns.push(await this.#writeChunk(this.#columns[index]!, page, rows));
    this.#groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
      num_rows: BigInt(rows),
      file_offset: BigInt(groupStart),
      total_compressed_size: BigInt(this.#position - groupStart),
    });
    this.#rows += rows;
    this.#output.rows += rows;
  }

  async #writeChunk({ schema }: ParquetColumn, page: ColumnPage, rows: number): Promise<ColumnChunk> {
    const leaf = schema.at(-1)!; // A column has a schema.
    const packed = page.values.length === 0 ? page.values : zstdCompressSync(page.values, ZSTD);
    const levels = page.repetition.length + page.definition.length;
    const header = new ByteWriter();
    writePageHeader(header, {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levels + page.values.length,
      compressed_page_size: levels + packed.length,
      data_page_header_v2: {
        num_values: page.count,
        num_nulls: page.nulls,
        num_rows: rows,
        encoding: 'PLAIN',
        definition_levels_byte_length: page.definition.length,
        repetition_levels_byte_length: page.repetition.length,
        is_compressed: packed !== page.values,
      },
    });
    const start = this.#position;
    const bytes = Buffer.concat([header.getBytes(), page.repetition, page.definition, packed]);
    await this.#put(bytes);
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: leaf.type!,
        encodings: ['PLAIN', 'RLE'],
        path_in_schema: schema.map(({ name }) => name),
        codec: 'ZSTD',
        num_values: BigInt(page.count),
        total_uncompressed_size: BigInt(header.index + levels + page.values.length),
        total_compressed_size: BigInt(bytes.length),
        data_page_offset: BigInt(start),
        ...(page.bounds === null
          ? {}
          : { statistics: { null_count: BigInt(page.nulls), min_value: page.bounds.min, max_value: page.bounds.max } }),
      },
    };
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#position += bytes.length;
    await this.#output.bytes(bytes);
  }

  async finish(): Promise<void> {
    if (this.#position === 0) await this.#put(MAGIC);
    const footer = new ByteWriter();
    writeMetadata(footer, {
      version: 2,
      schema: [{ name: 'root', num_children: this.#columns.length }, ...this.#columns.flatMap(({ schema }) => schema)],
      num_rows: BigInt(this.#rows),
      row_groups: this.#groups,
      created_by: 'graphdb',
      metadata_length: 0,
    });
    await this.#put(footer.getBytes());
    await this.#put(MAGIC);
  }
}
