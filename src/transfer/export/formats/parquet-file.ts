/**
 * A Parquet file that is written as rows come: they gather by column to a row group, which is encoded and packed (zstd) at once, so that memory holds one row group.
 */
import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { OutputFile } from '../output-file.ts';

const GROUP_ROWS = 64 * 1024;
/** Rows with long values make smaller groups: about this many bytes of text. */
const GROUP_BYTES = 32 * 2 ** 20;

export interface ParquetColumn {
  readonly name: string;
  /** What stands below the root for it, in preorder; the first has the name. */
  readonly schema: readonly SchemaElement[];
}

export class ParquetFile {
  readonly #output: OutputFile;
  readonly #columns: readonly ParquetColumn[];
  readonly #writer: ParquetWriter;
  readonly #bytes: ByteWriter & { index: number };
  #data: unknown[][];
  #rows = 0;
  #weight = 0;

  constructor(output: OutputFile, columns: readonly ParquetColumn[]) {
    this.#output = output;
    this.#columns = columns;
    this.#bytes = new ByteWriter() as ByteWriter & { index: number };
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(({ schema }) => schema)],
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => zstdCompressSync(input) },
      createdBy: 'graphdb',
    });
    this.#data = columns.map(() => []);
  }

  /** One value per column, null for none. `weight`: about how many bytes they take. */
  async row(values: readonly unknown[], weight: number): Promise<void> {
    for (let column = 0; column < values.length; column++) this.#data[column]!.push(values[column]);
    this.#rows++;
    this.#weight += weight;
    if (this.#rows === GROUP_ROWS || this.#weight > GROUP_BYTES) await this.#writeGroup();
  }

  async #writeGroup(): Promise<void> {
    if (this.#rows === 0) return;
    await this.#writer.write({
      columnData: this.#columns.map(({ name }, index) => ({ name, data: this.#data[index]! })),
      rowGroupSize: this.#rows,
    });
    this.#output.rows += this.#rows;
    this.#rows = 0;
    this.#weight = 0;
    this.#data = this.#columns.map(() => []);
    await this.#drain();
  }

  /** Hands over what is encoded; the offsets in the file go on. */
  async #drain(): Promise<void> {
    const encoded = new Uint8Array(this.#bytes.buffer, 0, this.#bytes.index).slice();
    this.#bytes.index = 0;
    if (encoded.length > 0) await this.#output.bytes(encoded);
  }

  async finish(): Promise<void> {
    await this.#writeGroup();
    await this.#writer.finish();
    await this.#drain();
  }
}
