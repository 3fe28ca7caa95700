/** The rows of a query as Parquet: values that no column type holds stand as JSON text, however they are composed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { type Engine, openEngine } from '../../../engine/index.ts';
import { exportRows, parseExportFormat } from '../../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-parquet-rows-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function parquetOf(engine: Engine, query: string): Promise<Record<string, unknown>[]> {
  const to = join(folder, 'rows.parquet');
  const options = { ...parseExportFormat(to)!, to, output: new PassThrough(), delimiter: ',', arrayDelimiter: ';' };
  await exportRows(await engine.stream(query, new Map()), options);
  const { buffer, byteOffset, length } = readFileSync(to);
  const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer; // as: the bytes of a file are not shared
  return parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
}

test('paths, and lists of any depth, are JSON text', async () => {
  const engine = await openEngine('memory://parquet-rows', {});
  await engine.execute("CREATE (:A {_id: 'a'})-[:R]->(:B {_id: 'b'})", new Map());
  const [row] = await parquetOf(engine, 'MATCH p = ()-[]->() RETURN p, [p] AS list, {k: p} AS map, nodes(p)[0] AS node');
  const path = JSON.parse(String(row!['p']));
  assert.equal(path.$, 'path');
  assert.deepEqual([path.value[0].id, path.value[1].edge_type, path.value[2].id], ['a', 'R', 'b']);
  assert.deepEqual(JSON.parse(String(row!['list'])), [path]);
  assert.deepEqual(JSON.parse(String(row!['map'])), { k: path });
  assert.deepEqual(JSON.parse(String(row!['node'])), path.value[0]);
  const [deep] = await parquetOf(engine, 'RETURN reduce(a = [], x IN range(1, 600) | [a]) AS deep');
  assert.equal(deep!['deep'], `${'['.repeat(601)}${']'.repeat(601)}`);
  await engine.close();
});

test('a column of one type keeps it, and one of several is JSON text, in which a list is no text', async () => {
  const engine = await openEngine('memory://parquet-types', {});
  const rows = await parquetOf(
    engine,
    "UNWIND [[[1, 2], [1], '[1]', date('2020-01-01')], [[], null, [1], ['a']], [null, [2.5], '', {a: 1.0}]] AS row " +
      'RETURN row[0] AS integers, row[1] AS numbers, row[2] AS texts, row[3] AS mixed, vector([1.5]) AS vector',
  );
  assert.deepEqual(
    rows.map((row) => Object.values(row).map((value) => value ?? null)),
    [
      [[1n, 2n], '[1]', '"[1]"', '{"$":"date","value":"2020-01-01"}', [1.5]],
      [[], null, '[1]', '["a"]', [1.5]],
      [null, '[2.5]', '""', '{"a":1.0}', [1.5]],
    ],
  );
  await engine.close();
});
