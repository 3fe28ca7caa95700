import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedAggregates, describedFunctions } from '../src/functions/index.ts';
import { deletionsOf, entriesOf, PAIRS, refused } from './function-facts.ts';

test('the compiler refuses each deletion of a row, of an implementation, or of what a row reads and depends on, and nothing else', () => {
  const deletions = PAIRS.flatMap(deletionsOf);
  const tried = deletions.filter(({ what }) => what !== null);
  const entries = 2 * (describedFunctions.length + describedAggregates.length);
  assert.ok(tried.length > entries + 12, `only ${tried.length} deletions for ${entries} entries`);
  assert.equal(new Set(tried.map(({ what }) => what)).size, tried.length);
  const found = refused(deletions);
  assert.deepEqual(
    deletions.filter(({ what }, i) => (what !== null) !== found.has(i)),
    [],
  );
});

test('entries of a table begin with a name and end before the next', () => {
  const text =
    "const before = 1;\nexport const table: Row = {\n  a: 1,\n  'b.c': {\n    d: 2,\n  },\n  e,\n  f(x) {\n  },\n};\nconst g = { h: 1 };\n";
  const entries = entriesOf(text, 'table');
  assert.deepEqual(
    entries.map(({ name, start, end }) => [name, text.slice(start, end)]),
    [
      ['a', '  a: 1,\n'],
      ['b.c', "  'b.c': {\n    d: 2,\n  },\n"],
      ['e', '  e,\n'],
      ['f', '  f(x) {\n  },\n'],
    ],
  );
  assert.throws(() => entriesOf(text, 'other'), /no table other/);
});
