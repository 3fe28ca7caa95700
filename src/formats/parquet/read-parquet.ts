/** The entry to the Parquet reader, which is loaded at its first use, since few imports need it. */
import type { ValueBatch } from '../value-batch.ts';

/**
 * Yields the rows of a Parquet file in batches (see parquet-reader.ts). @throws ARGUMENT_ERROR if it is no Parquet
 * file, or has a column that no property can hold
 */
export async function* readParquet(file: string): AsyncGenerator<ValueBatch> {
  const reader = await import('./parquet-reader.ts');
  yield* reader.readParquet(file);
}
