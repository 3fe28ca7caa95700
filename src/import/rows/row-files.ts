/** Files whose rows say what they are, by their endings; what none of these endings fits is CSV. */
import { GraphDBError } from '../../base/index.ts';
import { readNdjson, readParquet } from '../../formats/index.ts';
import { assertStorable, isInteger, type Value } from '../../value/index.ts';
import { type HeaderField, INTERNAL_ID } from '../csv/header.ts';
import { FieldCache, type RowBatch } from './row-batch.ts';

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

/** A batch and the position in the file behind it. */
export interface ReadBatch {
  readonly batch: RowBatch;
  /** The position in the file, as it lies on disk, so far. */
  readonly position: number;
}

/** Reads the batches of a file. */
export async function* readBatches(file: string): AsyncGenerator<ReadBatch> {
  const isNdjson = formatOf(file) === 'ndjson';
  const fields = new FieldCache({ valuesAreJson: isNdjson });
  const batches = isNdjson ? readNdjson(file, (key, value) => checkMember(fields.field(key), value)) : readParquet(file);
  for await (const { rows, lines, columns, malformed, position } of batches) {
    const withFields = columns.map(({ name, values }) => ({ field: fields.field(name), values }));
    yield { batch: { rows, lines, columns: withFields, malformed }, position };
  }
}

/** Checks the value of a property; fields that have a role are checked elsewhere. */
function checkMember({ role }: HeaderField, value: Value): void {
  if (role === null) assertStorable(value);
}

/** The columns of the first batch with rows; of Parquet those of the file. Empty where there are no rows. */
export async function firstFields({ files }: { readonly files: readonly string[] }): Promise<HeaderField[]> {
  for (const file of files) {
    for await (const { batch } of readBatches(file)) {
      return batch.columns.map(({ field, values }, column) => ({ ...withIdType(field, values), column }));
    }
  }
  return [];
}

/** Ids that are integers in the file are integers, unless the column's name says otherwise. */
function withIdType(field: HeaderField, values: readonly (Value | undefined)[]): HeaderField {
  const isOpen = field.role === 'ID' && !field.options.has('id-type') && field.name !== INTERNAL_ID;
  if (!isOpen || !values.every((value) => value === undefined || isInteger(value))) return field;
  return { ...field, options: new Map([...field.options, ['id-type', 'integer']]) };
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
