/** Groups single rows into arrays, because code that reads by page can only restart at a row that it still holds. */
const ROWS_PER_CHUNK = 256;

/** Yields the first `most` rows in arrays; passes on null and symbols of the input, which offer to be interrupted. */
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
