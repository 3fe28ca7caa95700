/** Values as text: literals, cells, Floats. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { CypherDate, displayText, floatText, literalText, makeFloat, Node, Path, Relationship, symbolText, type Value } from './index.ts';

test('a Float reads back as itself, and never looks like an Integer', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (x) => {
      const text = floatText(x);
      assert.ok(Object.is(Number(text), x), text);
      assert.ok(!/^-?\d+$/.test(text), text);
    }),
    { numRuns: 1000 },
  );
  assert.deepEqual([1, -0, 1.5, 1e7, 1e-4, 123456789.25, Number.NaN, -Infinity].map(floatText), [
    '1.0',
    '-0.0',
    '1.5',
    '1.0E7',
    '1.0E-4',
    '1.2345678925E8',
    'NaN',
    '-Infinity',
  ]);
});

test('literals', () => {
  const cases: [Value, string][] = [
    [null, 'null'],
    [true, 'true'],
    [2n ** 60n, '1152921504606846976'],
    [makeFloat(1), '1.0'],
    ["it's\n\\", "'it\\'s\\n\\\\'"],
    [[1, 'a', [null]], "[1, 'a', [null]]"],
    [
      new Map<string, Value>([
        ['a', 1],
        ['b c', 2],
        ['`', 3],
      ]),
      '{a: 1, `b c`: 2, ````: 3}',
    ],
    [new CypherDate(0), "'1970-01-01'"],
    [Float32Array.of(1, 0.5), 'vector([1.0, 0.5])'],
  ];
  for (const [value, text] of cases) assert.equal(literalText(value), text);
  assert.equal(displayText("it's"), "it's");
  assert.equal(displayText(new CypherDate(0)), '1970-01-01');
  assert.equal(displayText(["it's"]), "['it\\'s']");
});

test('nodes, relationships and paths, each relationship in the direction walked', () => {
  const a = new Node('1', 1, ['A', 'my label'], new Map<string, Value>([['x', 1]]));
  const b = new Node('2', 2, [], new Map());
  const r = new Relationship({
    id: '3',
    ordinal: 0,
    type: 'T',
    sourceId: '1',
    targetId: '2',
    sourceOrdinal: 1,
    targetOrdinal: 2,
    properties: new Map([['w', 1.5]]),
  });
  assert.equal(literalText(a), '(:A:`my label` {x: 1})');
  assert.equal(literalText(r), '[:T {w: 1.5}]');
  assert.equal(
    literalText(new Path([a, b, a], [r, r])),
    '<(:A:`my label` {x: 1})-[:T {w: 1.5}]->()<-[:T {w: 1.5}]-(:A:`my label` {x: 1})>',
  );
});

test('names need backticks unless they are identifiers', () => {
  assert.deepEqual(['name', 'Größe', '_x1', '1x', 'a b', ''].map(symbolText), ['name', 'Größe', '_x1', '`1x`', '`a b`', '``']);
});

test('a text of many pieces is quoted as a short one is, also where a piece ends within a character', () => {
  for (const before of [0, 1, 2]) {
    const text = `${'x'.repeat(before)}${"😀'\n".repeat(20_000)}`;
    assert.equal(literalText(text), `'${text.replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`);
  }
});
