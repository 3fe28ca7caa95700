/** The first of several rows with one id becomes a node, wherever chunks end and whoever reads them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { importFiles } from './import-files.ts';
import { contents } from './testing/contents.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-taken-ids-'));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

function file(lines: readonly string[]): string {
  const path = join(folder, `${++count}.csv`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const LABELS = ['X', 'Y', 'Z;X', ''];
/** A row of some 25 bytes: 9,000 are four chunks of 64 KiB. */
const ROWS = 9_000;

interface Row {
  readonly id: string;
  readonly labels: string;
  readonly line: number;
}

/** Rows whose ids come up to three times: close to each other, and far apart. */
function rowsOf(): readonly Row[] {
  return Array.from({ length: ROWS }, (_, line) => {
    const id = line % 3 === 0 ? line + 1 : line % 3 === 1 ? line : (line * 7919) % ROWS;
    return { id: String(id), labels: LABELS[(line * 31 + (line >> 3)) % LABELS.length]!, line };
  });
}

/** Returns the lines that become nodes, by their ids. */
function firstOf(rows: readonly Row[]): Map<string, Row> {
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(row.id)) first.set(row.id, row);
  return first;
}

const csvOf = ({ id, labels, line }: Row): string => `${id},${line},${labels},${'x'.repeat(15)}`;
const endOf = (value: unknown): number => Number(value);

for (const idType of ['string', 'integer'] as const) {
  for (const threads of [0, 3]) {
    for (const parts of [1, 7]) {
      test(`ids under several label sets: ${idType}, ${threads} threads, ${parts} files`, async () => {
        const rows = rowsOf();
        const first = firstOf(rows);
        const size = Math.ceil(ROWS / parts);
        const files = Array.from({ length: parts }, (_, part) => {
          const lines = rows.slice(part * size, (part + 1) * size).map(csvOf);
          return file(part === 0 ? [':ID,line:int,:LABEL,text', ...lines] : lines);
        });
        const ends = file([':START_ID,:END_ID,line:int', ...Array.from(first.values(), ({ id, line }) => `${id},${id},${line}`)]);
        const store = `memory://taken-ids-${++count}`;
        const relationships = [{ type: 'R', files: [ends] }];
        const options = { store, idType, threads, skipBadRows: true, nodes: [{ labels: ['N'], files }], relationships };
        const summary = await importFiles(options);
        assert.deepEqual([summary.nodes, summary.badRows, summary.relationships], [first.size, ROWS - first.size, first.size]);
        const { tables } = await contents(store);
        const lineOf = new Map<number, number>();
        for (const [table, each] of tables) {
          if (table === 'R') continue;
          for (const { ordinal, line } of each) lineOf.set(endOf(ordinal), endOf(line));
        }
        const lines = Array.from(first.values(), ({ line }) => line).sort((a, b) => a - b);
        const loaded = [...lineOf.values()].sort((a, b) => a - b);
        assert.ok(
          loaded.every((line, i) => line === lines[i]),
          'the first row of each id is the one that is loaded',
        );
        const led = tables.get('R')!.filter(({ line, _source, _target }) => {
          return lineOf.get(endOf(_source)) === endOf(line) && lineOf.get(endOf(_target)) === endOf(line);
        });
        assert.equal(led.length, first.size, 'ids lead to the nodes of their rows');
      });
    }
  }
}

test('a row that one of its two identifiers keeps out does not take the other', async () => {
  const lines = [':ID,_id,v:int', '1,u,1', '1,w,2', '2,w,3', '3,w,4', '3,x,5', '4,u,6', '4,,7'];
  const store = `memory://taken-ids-${++count}`;
  await importFiles({ store, skipBadRows: true, nodes: [{ labels: ['N'], files: [file(lines)] }], relationships: [] });
  const { tables } = await contents(store);
  assert.deepEqual(
    tables.get('N')!.map(({ v, _id }) => [v, _id ?? null]),
    [
      [1, 'u'],
      [3, 'w'],
      [5, 'x'],
      [7, null],
    ],
  );
});
