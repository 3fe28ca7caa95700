/** The benchmark's own CSV files for peers that have no loader: no quotes, numbers where a field looks like one. */
import { readFileSync } from 'node:fs';

export function* readRows(file: string): Generator<(string | number)[]> {
  const text = readFileSync(file, 'latin1');
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end).split(',').map(field);
    start = end + 1;
  }
}

/** The rows as objects, `size` at a time. */
export function* readBatches(file: string, columns: readonly string[], size: number): Generator<Record<string, string | number>[]> {
  let batch: Record<string, string | number>[] = [];
  for (const row of readRows(file)) {
    batch.push(Object.fromEntries(columns.map((column, index) => [column, row[index]!])));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function field(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
