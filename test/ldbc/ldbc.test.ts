/** The LDBC suite as a test of `npm test`: the import keeps every line, and SQLite confirms a hundred answers. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { difference } from './compare.ts';
import { datasetFolder } from './dataset.ts';
import { QUERY_PAIRS } from './queries/index.ts';
import { ask, counts, load } from './suite.ts';

const folder = datasetFolder();
const skip = folder === undefined ? 'no LDBC data set (set GRAPHDB_TEST_DATA)' : false;

test('the LDBC data set is imported whole and answers as SQLite does', { skip }, async (t) => {
  const loaded = await load(folder!);
  t.after(() => loaded.close());
  for (const { what, lines, found } of await counts(folder!, loaded.engine))
    assert.equal(found, lines, `${what}: lines of the files and what was found`);
  assert.ok(QUERY_PAIRS.length >= 100);
  const faults: string[] = [];
  for (const pair of QUERY_PAIRS) {
    const { rows, fault } = await ask(loaded, pair);
    assert.ok(rows > 0, `${pair.name} returns nothing and so proves nothing`);
    if (fault !== undefined) faults.push(`${pair.name}: ${fault}`);
  }
  assert.deepEqual(faults, []);
});

test('the comparison sees what differs', () => {
  const answer = (...rows: unknown[][]) => ({ columns: ['a'], rows });
  const unequal: [unknown, unknown][] = [
    [1, 1.5],
    [1, '1'],
    [null, 'null'],
    [
      [1, 2],
      [2, 1],
    ],
    [0.1, 0.1001],
    [true, 0n],
  ];
  for (const [left, right] of unequal) assert.notEqual(difference(answer([left]), answer([right]), { inOrder: true }), undefined);
  assert.equal(difference(answer([true], [[1, 2]]), answer([1n], ['[1,2]']), { inOrder: true }), undefined);
  assert.equal(difference(answer([1], [2]), answer([2], [1]), { inOrder: false }), undefined);
  assert.notEqual(difference(answer([1], [2]), answer([2], [1]), { inOrder: true }), undefined);
  assert.notEqual(difference(answer([1]), answer([1], [1]), { inOrder: false }), undefined);
  assert.notEqual(difference(answer([1]), { columns: ['b'], rows: [[1]] }, { inOrder: false }), undefined);
});
