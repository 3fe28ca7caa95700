/** The entry to the Parquet reader, which is loaded at its first use, since few imports need it. */
import type { ValueBatch } from '../value-batch.ts';

/**
 * Yields the rows of a Parquet file in batches (see parquet-reader.ts), with the columns whose names `isWanted` accepts.
 * @throws ARGUMENT_ERROR if it is no Parquet file, or has a wanted column that no property can hold
 */
export async function* readParquet(file: string, isWanted: (name: string) => boolean): AsyncGenerator<ValueBatch> {
  const reader = await import('./parquet-reader.ts');
  yield* reader.readParquet(file, isWanted);
}
