/** Rows that come one by one, some at a time: code that reads pages goes back to a row among those that it has at hand. */
const ROWS_PER_CHUNK = 256;

/** Yields chunks of the first `most` rows, and what offers to be interrupted where the rows do. */
export function* rowChunks<Row extends object>(
  rows: Generator<Row | null | symbol, void, void>,
  most: number,
): Generator<Row[] | null | symbol, void, void> {
  let chunk: Row[] = [];
  let left = most;
  if (left > 0) {
    for (const row of rows) {
      if (row === null || typeof row === 'symbol') {
        yield row;
        continue;
      }
      chunk.push(row);
      if (--left <= 0) break;
      if (chunk.length < ROWS_PER_CHUNK) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
