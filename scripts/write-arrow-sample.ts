/**
 * Writes SSTs with every kind of column, and what they hold, into a folder, for `scripts/check-arrow.py`:
 *   node scripts/write-arrow-sample.ts <folder> && python scripts/check-arrow.py <folder>
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeSst } from '../src/storage/sst/encode-sst.ts';
import { SAMPLE_COLUMNS, sampleTable } from '../src/storage/testing/sample-table.ts';

const ROWS = 150_000;

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node scripts/write-arrow-sample.ts <folder>');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const table = sampleTable(ROWS);
for (const compression of [undefined, 'zstd'] as const) {
  const name = compression === undefined ? 'sample' : `sample-${compression}`;
  const { bytes } = await encodeSst(table, { compression });
  writeFileSync(join(folder, `${name}.arrow`), bytes);
}
const rows = Array.from({ length: ROWS }, (_, row) =>
  JSON.stringify(Object.fromEntries(SAMPLE_COLUMNS.map(({ name, value }) => [name, value(row)]))),
);
writeFileSync(join(folder, 'expected.ndjson'), `${rows.join('\n')}\n`);
