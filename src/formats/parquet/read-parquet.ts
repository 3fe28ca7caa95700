/** The door to the Parquet reader: loaded at its first use, since few who import load Parquet. */
import type { ValueBatch } from '../value-batch.ts';

/**
 * The rows of a Parquet file in batches (see parquet-reader.ts). ARGUMENT_ERROR: it is no Parquet file, or has
 * something that no property can hold.
 */
export async function* readParquet(file: string): AsyncGenerator<ValueBatch> {
  const reader = await import('./parquet-reader.ts');
  yield* reader.readParquet(file);
}
