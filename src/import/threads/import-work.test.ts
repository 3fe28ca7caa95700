/** Threads read and sort as one thread would: same rows, same order, same errors. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ImportOptions } from '../api.ts';
import { importFiles } from '../import-files.ts';
import { contents } from '../testing/contents.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-import-threads-'));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

const NODES = 500;
const ROWS = 12_000;

function file(text: string): string {
  const path = join(folder, `${++count}.csv`);
  writeFileSync(path, text);
  return path;
}

/** Some 900 kB: chunks have 64 KiB or more. Some fields hold line ends, delimiters and quotes. */
function relationships(change: (row: number) => string | null = () => null): string {
  const lines = [':START_ID,:END_ID,:TYPE,n:int,mixed:long,city,text,at:date,tags:string[],f:double,b:boolean'];
  for (let row = 0; row < ROWS; row++) {
    const [source, target] = [(row * 7919) % NODES, (row * 104_729) % 37];
    const wide = row < ROWS / 2 ? row : row < ROWS * 0.75 ? row * 2 ** 32 : `${row}${'0'.repeat(14)}`;
    const text = row % 3 === 0 ? '' : `"text ""${row}"",\nof ${'x'.repeat(row % 40)}"`;
    const type = row % 11 === 0 ? 'RARE' : 'R';
    lines.push(
      change(row) ??
        `${source},${target},${type},${row % 5 === 0 ? '' : row},${wide},city ` +
          `${row % 20},${text},2024-02-0${1 + (row % 9)},a;${row},${row / 3},${row % 2 === 0}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function options(text: string, more: Partial<ImportOptions>): ImportOptions {
  const ids = Array.from({ length: NODES }, (_, id) => id).join('\n');
  return {
    store: `memory://import-threads-${++count}`,
    nodes: [{ labels: ['N'], files: [file(`:ID\n${ids}\n`)] }],
    relationships: [{ files: [file(text)] }],
    ...more,
  };
}

for (const [name, more] of Object.entries({
  'ids as text, one file of each type': {},
  'ids as integers, tables that are written before all is read': { idType: 'integer', bufferBytes: 2 ** 18 },
} satisfies Record<string, Partial<ImportOptions>>)) {
  test(`threads load what one thread does: ${name}`, async () => {
    const text = relationships();
    const [alone, together] = [options(text, { ...more, threads: 0 }), options(text, { ...more, threads: 3 })];
    for (const each of [alone, together]) assert.equal((await importFiles(each)).relationships, ROWS);
    const [expected, found] = [await contents(alone.store), await contents(together.store)];
    const sorted = ({ tables }: typeof found) =>
      Object.fromEntries(
        Array.from(tables, ([table, rows]) => [table, rows.map(({ ordinal, ...row }) => JSON.stringify(row, asNumber)).sort()]),
      );
    assert.deepEqual(sorted(found), sorted(expected));
    // Chunks differ where the number of threads does, and with them where a table was full; without that the files are the same.
    if (!('bufferBytes' in more)) {
      assert.deepEqual(found.tables, expected.tables);
      assert.deepEqual(found.kinds, expected.kinds);
    }
  });
}

test('the first bad row of the file ends the import, whoever has read it, with its line', async () => {
  const text = relationships((row) => (row === 9000 || row === 9001 || row === 11_000 ? '1,nobody,R,,,,,,,,' : null));
  const line = text.slice(0, text.indexOf('nobody')).split('\n').length;
  for (const threads of [0, 3]) {
    await assert.rejects(importFiles(options(text, { threads })), {
      code: 'ARGUMENT_ERROR',
      message: new RegExp(`\\.csv:${line}: column :END_ID: no node has the id "nobody"`),
    });
  }
});

test('bad rows are left out and counted, with their lines; a quote that is not closed too', async () => {
  const text = `${relationships((row) => (row % 1000 === 999 ? `1,2,R,bad ${row},,,,,,,` : null))}1,2,R,"never closed`;
  const lines = [...text.matchAll(/bad \d/g)].map(({ index }) => text.slice(0, index).split('\n').length);
  const summaries = [];
  for (const threads of [0, 3]) summaries.push(await importFiles(options(text, { threads, skipBadRows: true })));
  for (const { relationships: loaded, badRows, badRowSamples } of summaries) {
    assert.deepEqual([loaded, badRows], [ROWS - 12, 13]);
    assert.deepEqual(
      badRowSamples.map(({ line }) => line),
      [...lines, text.split('\n').length],
    );
  }
});

test('a stopped import leaves nothing, and its threads end', async () => {
  const stopping = new AbortController();
  const onProgress = ({ phase, relationships: loaded }: { phase: string; relationships: number }): void => {
    if (phase === 'relationships' && loaded > 0) stopping.abort();
  };
  const stopped = options(relationships(), { threads: 2, signal: stopping.signal, onProgress });
  await assert.rejects(importFiles(stopped), { code: 'CANCELLED' });
  await assert.rejects(contents(stopped.store), { code: 'NOT_FOUND' });
});

/** Some 900 kB of nodes: several label sets, text that differs and text that does not, integers that get wider, quotes and line ends. */
function nodes(change: (row: number) => string | null = () => null): string {
  const lines = ['id:ID,:LABEL,n:int,mixed:long,city,text,born:date,tags:string[],f:double'];
  for (let row = 0; row < ROWS; row++) {
    const wide = row < ROWS / 2 ? row : row < ROWS * 0.75 ? row * 2 ** 32 : `${row}${'0'.repeat(14)}`;
    const text = row % 3 === 0 ? '' : `"text ""${row}"",\nof ${'x'.repeat(row % 40)}"`;
    const labels = row % 11 === 0 ? 'Rare;Other' : row % 2 === 0 ? 'Post' : '';
    lines.push(
      change(row) ??
        `k${row},${labels},${row % 5 === 0 ? '' : row},${wide},city ${row % 20},${text},2024-02-0${1 + (row % 9)},a;${row},${row / 3}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function nodeOptions(texts: readonly string[], more: Partial<ImportOptions>): ImportOptions {
  const rows = Array.from({ length: ROWS / 3 }, (_, row) => `k${3 * row + 1},k${(row * 7919) % ROWS},R`);
  const relationships = `:START_ID,:END_ID,:TYPE\n${rows.join('\n')}\n`;
  return {
    store: `memory://import-threads-${++count}`,
    nodes: texts.map((text) => ({ labels: ['N'], files: [file(text)] })),
    relationships: [{ files: [file(relationships)] }],
    ...more,
  };
}

for (const [name, more] of Object.entries({
  'one file of each label set': {},
  'tables that are written before all is read': { bufferBytes: 2 ** 18 },
} satisfies Record<string, Partial<ImportOptions>>)) {
  test(`nodes that threads have read: ${name}`, async () => {
    const text = nodes();
    // A second input whose keys have other types, and one that has rows of the first one's labels again.
    const texts = [text, 'id:ID,n:string\nz1,one\nz2,two\n', 'id:ID,n:int,city\nz3,3,city 1\nz4,4,\n'];
    const [alone, together] = [nodeOptions(texts, { ...more, threads: 0 }), nodeOptions(texts, { ...more, threads: 3 })];
    for (const each of [alone, together]) assert.equal((await importFiles(each)).nodes, ROWS + 4);
    const [expected, found] = [await contents(alone.store), await contents(together.store)];
    if (!('bufferBytes' in more)) {
      assert.deepEqual(found.tables, expected.tables);
      assert.deepEqual(found.kinds, expected.kinds);
      return;
    }
    const sorted = ({ tables }: typeof found) =>
      Object.fromEntries(
        Array.from(tables, ([table, rows]) => [
          table,
          rows.map(({ ordinal: _, _source, _target, ...row }) => JSON.stringify(row, asNumber)).sort(),
        ]),
      );
    assert.deepEqual(sorted(found), sorted(expected));
  });
}

test('relationships find the nodes that threads have read, by their ids', async () => {
  const options = nodeOptions([nodes()], { threads: 3, bufferBytes: 2 ** 18 });
  await importFiles(options);
  const { tables } = await contents(options.store);
  const idOf = new Map<unknown, unknown>();
  for (const [table, rows] of tables) if (table !== 'R') for (const { ordinal, id } of rows) idOf.set(ordinal, id);
  assert.equal(idOf.size, ROWS);
  assert.deepEqual(
    tables
      .get('R')!
      .map(({ _source, _target }) => `${idOf.get(_source)} ${idOf.get(_target)}`)
      .sort(),
    Array.from({ length: ROWS / 3 }, (_, row) => `k${3 * row + 1} k${(row * 7919) % ROWS}`).sort(),
  );
});

test('ids of nodes that are taken are named by file and line, or left out, also where threads have read them', async () => {
  const text = nodes((row) => (row === 7000 || row === 7013 ? 'k5,,,,,,,,' : row === 11_000 ? 'k11000,,no number,,,,,,' : null));
  const lineOf = (part: string): number => text.slice(0, text.lastIndexOf(part)).split('\n').length;
  const first = text.slice(0, text.indexOf('k5,,,,')).split('\n').length;
  for (const threads of [0, 3]) {
    await assert.rejects(importFiles(nodeOptions([text], { threads })), {
      code: 'ARGUMENT_ERROR',
      message: new RegExp(`\\.csv:${first}: the id "k5" is taken by another node`),
    });
    const summary = await importFiles({ ...nodeOptions([text], { threads, skipBadRows: true }), relationships: [] });
    assert.deepEqual([summary.nodes, summary.badRows], [ROWS - 3, 3]);
    assert.deepEqual(
      summary.badRowSamples.map(({ line }) => line),
      [first, lineOf('k5,,,,'), lineOf('k11000,,no')],
    );
  }
});

/** Whether a column has 64 bits is a question of what else is in its file. */
function asNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
