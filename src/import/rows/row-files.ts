/** Files whose rows say what they are, by their endings; what none of these endings fits is CSV. */
import { GraphDBError } from '../../base/index.ts';
import type { HeaderField } from '../csv/header.ts';
import { type ReadBatch, readNdjson } from './ndjson-reader.ts';
import { readParquet } from './parquet-reader.ts';
import type { RowBatch } from './row-batch.ts';

type RowFormat = 'ndjson' | 'parquet';

const NDJSON = /\.(?:ndjson|jsonl)(?:\.gz|\.zst)?$/i;
const PARQUET = /\.parquet$/i;

/** Null: CSV. ARGUMENT_ERROR: files of several formats under one option. */
export function rowFormat({ files }: { readonly files: readonly string[] }): RowFormat | null {
  const formats = new Set(files.map(formatOf));
  if (formats.size > 1) {
    throw new GraphDBError('ARGUMENT_ERROR', `the files ${files.join(', ')} have different formats; give each format an option of its own`);
  }
  const [format = null] = formats;
  return format;
}

function formatOf(file: string): RowFormat | null {
  return PARQUET.test(file) ? 'parquet' : NDJSON.test(file) ? 'ndjson' : null;
}

export function readBatches(file: string): AsyncGenerator<ReadBatch> {
  return formatOf(file) === 'parquet' ? readParquet(file) : readNdjson(file);
}

/** The columns of the first batch with rows; of Parquet those of the file. Empty where there are no rows. */
export async function firstFields({ files }: { readonly files: readonly string[] }): Promise<HeaderField[]> {
  for (const file of files) {
    for await (const { batch } of readBatches(file)) {
      return located(file, batch, () => batch.columns.map(({ field }, column) => ({ ...field, column })));
    }
  }
  return [];
}

/** To what `work` finds wrong with the columns the place is added. */
export function located<T>(file: string, batch: RowBatch, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'ARGUMENT_ERROR') throw error;
    throw new GraphDBError(error.code, `${file}:${batch.lines[0] ?? 1}: ${error.message}`, { cause: error });
  }
}
