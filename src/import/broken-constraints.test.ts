/**
 * A constraint that an import breaks is told by the file and line of the row that breaks it, however rows are spread
 * over files, tables and SSTs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { GraphDBError } from '../base/index.ts';
import type { ImportOptions } from './api.ts';
import { importFiles } from './import-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-broken-constraints-'));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

function file(content: string, ending = 'csv'): string {
  const path = join(folder, `${++count}.${ending}`);
  writeFileSync(path, content);
  return path;
}

/** The message of the violation that ends the import, with the names of files only. */
async function violation(options: Omit<ImportOptions, 'store'>): Promise<string> {
  const error = await importFiles({ store: `memory://broken-constraints-${++count}`, ...options }).then(
    () => assert.fail('the import should fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GraphDBError && error.code === 'CONSTRAINT_VIOLATION', String(error));
  return error.message.replaceAll(`${folder}/`, '');
}

const UNIQUE = 'CREATE CONSTRAINT c FOR (n:N) REQUIRE n.k IS UNIQUE';
const NODES = { labels: ['N'] };

test('each kind of constraint, on nodes and relationships', async () => {
  const ids = file(':ID,k:int\n1,1\n2,\n');
  const named = basename(ids);
  const nodes = [{ ...NODES, files: [ids] }];
  const cases: [string, RegExp][] = [
    [
      'CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS NOT NULL',
      new RegExp(`^${named}:3: .* must have the property k .*; nothing was imported: CREATE`),
    ],
    ['CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS NODE KEY', new RegExp(`^${named}:3: .* must have the property k `)],
    ['CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS :: STRING', new RegExp(`^${named}:2: the property k of .* must be STRING`)],
  ];
  for (const [statement, message] of cases) {
    for (const dryRun of [true, false]) assert.match(await violation({ nodes, relationships: [], schema: [statement], dryRun }), message);
  }
  const text =
    '{":START_ID": "1", ":END_ID": "2", "k": 1}\n\n{":START_ID": "1", ":END_ID": "2", "k": 1.5}\n{":START_ID": "2", ":END_ID": ' +
    '"1", "k": 1}\n{":START_ID": "1", ":END_ID": "1"}\n';
  const relationships = [{ type: 'R', files: [file(text, 'ndjson')] }];
  const lines = basename(relationships[0]!.files[0]!);
  const checks: [string, string][] = [
    ['k IS UNIQUE', `${lines}:4: two relationships of the type R have the same k (constraint c); the other is ${lines}:1; nothing`],
    ['k IS NOT NULL', `${lines}:5: a relationship of the type R must have the property k (constraint c); nothing`],
    ['k IS :: INTEGER', `${lines}:3: the property k of a relationship of the type R must be INTEGER`],
  ];
  for (const [rule, message] of checks) {
    const told = await violation({ nodes, relationships, schema: [`CREATE CONSTRAINT c FOR ()-[r:R]-() REQUIRE r.${rule}`] });
    assert.ok(told.startsWith(message), told);
  }
});

interface Row {
  readonly key: number | null;
  readonly labels: string;
  readonly bad: boolean;
}

const row: fc.Arbitrary<Row> = fc.record({
  key: fc.option(fc.nat({ max: 300 }), { nil: null }),
  labels: fc.constantFrom('', 'N', 'M', 'N;M', 'M;N'),
  bad: fc.boolean(),
});

/** Where each line of files stands, in the order in which they are read. */
function placed<T>(
  files: readonly string[],
  rowsByFile: readonly (readonly T[])[],
): Map<string, { readonly row: T; readonly position: number }> {
  const places = new Map<string, { readonly row: T; readonly position: number }>();
  for (const [index, path] of files.entries()) {
    // The header stands in the first file.
    for (const [line, each] of rowsByFile[index]!.entries()) {
      places.set(`${basename(path)}:${line + (index === 0 ? 2 : 1)}`, { row: each, position: places.size });
    }
  }
  return places;
}

/** The two rows of which the message speaks: the later one first. */
function twoPlaces(message: string): [string, string] {
  const match = /^(\S+:\d+): two .*; the other is (\S+:\d+); nothing was imported/.exec(message);
  assert.ok(match, message);
  return [match[1]!, match[2]!];
}

test('of random nodes the two that are named are two that share their key', async () => {
  let broken = 0;
  const input = fc.array(fc.array(row, { maxLength: 200, size: 'max' }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(input, fc.constantFrom(200, 3000, 2 ** 20), async (rowsByFile, bufferBytes) => {
      const files = rowsByFile.map((rows, index) =>
        file(
          (index === 0 ? 'k:int,b:int,:LABEL\n' : '') +
            rows.map(({ key, labels, bad }) => `${key ?? ''},${bad ? 'x' : 1},${labels}\n`).join(''),
        ),
      );
      const places = placed(files, rowsByFile);
      const keys = [...places.values()]
        .filter(({ row: { bad, labels, key } }) => !bad && labels.includes('N') && key !== null)
        .map((place) => place.row.key);
      if (new Set(keys).size === keys.length) return;
      const nodes = [{ labels: [], files }];
      const [later, earlier] = twoPlaces(
        await violation({ nodes, relationships: [], schema: [UNIQUE], skipBadRows: true, bufferBytes }),
      ).map((place) => places.get(place)!);
      broken++;
      assert.ok(later!.position > earlier!.position);
      assert.equal(later!.row.key, earlier!.row.key);
      for (const { row: one } of [later!, earlier!]) assert.ok(!one.bad && one.labels.includes('N') && one.key !== null);
    }),
    { numRuns: 40 },
  );
  assert.ok(broken > 5);
});

test('of random relationships the two that are named are two that share their key', async () => {
  const relationship = fc.record({
    key: fc.nat({ max: 200 }),
    ends: fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 3 })),
    type: fc.constantFrom('R', 'S'),
  });
  let broken = 0;
  const input = fc.array(fc.array(relationship, { maxLength: 150, size: 'max' }), { minLength: 1, maxLength: 3 });
  const nodes = [{ labels: [], files: [file(':ID\n0\n1\n2\n')] }];
  await fc.assert(
    fc.asyncProperty(input, fc.constantFrom(200, 3000, 2 ** 20), async (rowsByFile, bufferBytes) => {
      const files = rowsByFile.map((rows, index) =>
        file(
          (index === 0 ? ':START_ID,:END_ID,:TYPE,k:int\n' : '') +
            rows.map(({ key, ends, type }) => `${ends[0]},${ends[1]},${type},${key}\n`).join(''),
        ),
      );
      const places = placed(files, rowsByFile);
      const loaded = [...places.values()].filter(({ row: { ends, type } }) => ends[1] < 3 && type === 'R');
      if (new Set(loaded.map((place) => place.row.key)).size === loaded.length) return;
      const schema = ['CREATE CONSTRAINT FOR ()-[r:R]-() REQUIRE r.k IS UNIQUE'];
      const told = await violation({ nodes, relationships: [{ files }], schema, skipBadRows: true, bufferBytes });
      const [later, earlier] = twoPlaces(told).map((place) => places.get(place)!);
      broken++;
      assert.ok(later!.position > earlier!.position);
      assert.equal(later!.row.key, earlier!.row.key);
      for (const { row: one } of [later!, earlier!]) assert.ok(one.ends[1] < 3 && one.type === 'R');
    }),
    { numRuns: 40 },
  );
  assert.ok(broken > 5);
});
