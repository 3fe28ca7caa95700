/** Both kinds of id index against a Map. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadRows } from '../csv/bad-rows.ts';
import { allRows, scanColumn } from '../testing/scan-text.ts';
import type { IdIndex } from './id-index.ts';
import { IntegerIds } from './integer-ids.ts';
import { NO_NODE } from './no-node.ts';
import { StringIds } from './string-ids.ts';

function insert(index: IdIndex, ids: readonly string[], firstNode: number): { count: number; bad: number[] } {
  const block = scanColumn(ids);
  const bad = new BadRows();
  const count = index.insert(block, 0, allRows(block), firstNode, bad);
  return { count, bad: bad.entries().map(([row]) => row) };
}

function resolve(index: IdIndex, ids: readonly string[]): number[] {
  const block = scanColumn(ids);
  const nodes = new Uint32Array(block.rows);
  index.resolve(block, 0, allRows(block), nodes, new BadRows());
  return [...nodes];
}

const small = fc.integer({ min: 0, max: 50 });
const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const cases = [
  { name: 'integers in an array', create: () => new IntegerIds(), id: small.map(String) },
  { name: 'integers in a table', create: () => new IntegerIds(), id: fc.oneof(small.map(BigInt), wide).map(String) },
  { name: 'integers of 32 bits in a table', create: () => new IntegerIds(), id: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String) },
  {
    name: 'integers of 32 bits, then wider ones',
    create: () => new IntegerIds(),
    id: fc.oneof(fc.integer({ min: 2 ** 31, max: 2 ** 32 - 1 }), fc.integer({ min: 2 ** 32 - 2, max: 2 ** 32 + 2 })).map(String),
  },
  { name: 'short strings', create: () => new StringIds(), id: fc.stringMatching(/^[a-zß]{1,3}$/) },
  {
    name: 'long and short strings',
    create: () => new StringIds(),
    id: fc.string({ unit: fc.constantFrom('a', 'é', '\0', '1'), minLength: 1, maxLength: 16 }),
  },
];

for (const { name, create, id } of cases) {
  test(`${name}: what is inserted is found, twice is refused, numbers can change`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(id, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        fc.array(id),
        (blocks, others) => {
          const index = create();
          const model = new Map<string, number>();
          for (const ids of blocks) {
            const expectedBad: number[] = [];
            const before = model.size;
            ids.forEach((text, row) => {
              if (model.has(text)) expectedBad.push(row);
              else model.set(text, model.size);
            });
            assert.deepEqual(insert(index, ids, before), { count: model.size - before, bad: expectedBad });
          }
          assert.equal(index.size, model.size);
          const asked = [...model.keys(), ...others];
          if (asked.length === 0) return;
          assert.deepEqual(
            resolve(index, asked),
            asked.map((text) => model.get(text) ?? NO_NODE),
          );
          index.renumber(Uint32Array.from({ length: model.size }, (_, node) => 1000 - node));
          assert.deepEqual(
            resolve(index, asked),
            asked.map((text) => (model.has(text) ? 1000 - model.get(text)! : NO_NODE)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
}

test('a row without an id is bad; integers are compared as numbers', () => {
  assert.deepEqual(insert(new StringIds(), ['a', '', '""', 'b'], 0), { count: 2, bad: [1, 2] });
  const index = new IntegerIds();
  assert.deepEqual(insert(index, ['1', '', '01', 'x', '2'], 0), { count: 2, bad: [1, 2, 3] });
  assert.deepEqual(resolve(index, ['+2', '-2', '']), [1, NO_NODE, NO_NODE]);
});

test('ids that grow sparse move to the table', () => {
  const index = new IntegerIds();
  insert(index, ['3', '5'], 0);
  insert(index, ['4000000000000', '-1'], 2);
  assert.deepEqual(resolve(index, ['5', '3', '-1', '4000000000000', '4']), [1, 0, 3, 2, NO_NODE]);
});
