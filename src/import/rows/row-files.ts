/** Files whose rows name their columns, told by the ending of the name; any other file is CSV. */
import { GraphDBError } from '../../base/index.ts';
import { readNdjson, readParquet } from '../../formats/index.ts';
import { assertStorable, isInteger, type Value } from '../../value/index.ts';
import { type HeaderField, INTERNAL_ID } from '../csv/header.ts';
import { FieldCache, type RowBatch } from './row-batch.ts';

type RowFormat = 'ndjson' | 'parquet';

const NDJSON = /\.(?:ndjson|jsonl)(?:\.gz|\.zst)?$/i;
const PARQUET = /\.parquet$/i;

/** Returns the format of an input; null: CSV. @throws ARGUMENT_ERROR for files of several formats */
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

/** A batch, with the position in the file after it. */
export interface ReadBatch {
  readonly batch: RowBatch;
  /** How many bytes of the file, as it is stored on disk, have been read so far. */
  readonly position: number;
}

/** Reads the batches of a file. */
export async function* readBatches(file: string): AsyncGenerator<ReadBatch> {
  const isNdjson = formatOf(file) === 'ndjson';
  const fields = new FieldCache({ valuesAreJson: isNdjson });
  const batches = isNdjson
    ? readNdjson(file, (key, value) => checkMember(fields.field(key), value))
    : readParquet(file, (name) => fields.field(name).role !== 'IGNORE');
  for await (const { rows, lines, columns, malformed, position } of batches) {
    const withFields = columns.map(({ name, values }) => ({ field: fields.field(name), values }));
    yield { batch: { rows, lines, columns: withFields, malformed }, position };
  }
}

/** Checks that the value of a property can be stored; columns with a role are checked elsewhere. */
function checkMember({ role }: HeaderField, value: Value): void {
  if (role === null) assertStorable(value);
}

/** Returns the columns of the first batch with rows; for Parquet those of the file. Empty: there are no rows. */
export async function firstFields({ files }: { readonly files: readonly string[] }): Promise<HeaderField[]> {
  for (const file of files) {
    for await (const { batch } of readBatches(file)) {
      return batch.columns.map(({ field, values }, column) => ({ ...withIdType(field, values), column }));
    }
  }
  return [];
}

/** Gives a column of ids the type `integer` if all its ids are integers, unless its name gives a type. */
function withIdType(field: HeaderField, values: readonly (Value | undefined)[]): HeaderField {
  const isOpen = field.role === 'ID' && !field.options.has('id-type') && field.name !== INTERNAL_ID;
  if (!isOpen || !values.every((value) => value === undefined || isInteger(value))) return field;
  return { ...field, options: new Map([...field.options, ['id-type', 'integer']]) };
}

/** Runs `work`, and adds file and line to its ARGUMENT_ERROR. */
export function located<T>(file: string, batch: RowBatch, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'ARGUMENT_ERROR') throw error;
    throw new GraphDBError(error.code, `${file}:${batch.lines[0] ?? 1}: ${error.message}`, { cause: error });
  }
}
