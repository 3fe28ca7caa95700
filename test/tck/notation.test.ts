/** The reader of the TCK's notation: every form, what is not one, and that canonical text reads back as the same value. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { NotationError, parseNotation } from './notation.ts';
import { canonicalText, type TckValue } from './values.ts';

const integer = (value: number | bigint): TckValue => ({ kind: 'integer', value: BigInt(value) });
const string = (value: string): TckValue => ({ kind: 'string', value });
const float = (value: number): TckValue => ({ kind: 'float', value });

const FORMS: readonly [string, TckValue][] = [
  ['null', { kind: 'null' }],
  ['true', { kind: 'boolean', value: true }],
  ['false', { kind: 'boolean', value: false }],
  ['0', integer(0)],
  ['-17', integer(-17)],
  ['9223372036854775807', integer(9223372036854775807n)],
  ['1.0', float(1)],
  ['-0.0', float(-0)],
  ['.5', float(0.5)],
  ['1e-305', float(1e-305)],
  ['-1.2635418652381264e305', float(-1.2635418652381264e305)],
  ['NaN', float(Number.NaN)],
  ["''", string('')],
  ["'a | b'", string('a | b')],
  [String.raw`'\'\\'`, string(String.raw`'\ `.trim())],
  ['[]', { kind: 'list', items: [] }],
  [" [1, 'a', [null]] ", { kind: 'list', items: [integer(1), string('a'), { kind: 'list', items: [{ kind: 'null' }] }] }],
  ['{}', { kind: 'map', entries: new Map() }],
  [
    '{a: 1, `b c`: {}}',
    {
      kind: 'map',
      entries: new Map<string, TckValue>([
        ['a', integer(1)],
        ['b c', { kind: 'map', entries: new Map() }],
      ]),
    },
  ],
  ['()', { kind: 'node', labels: [], properties: new Map() }],
  ['(:A:B {p: 1})', { kind: 'node', labels: ['A', 'B'], properties: new Map([['p', integer(1)]]) }],
  ['({p: 1})', { kind: 'node', labels: [], properties: new Map([['p', integer(1)]]) }],
  ['[:T]', { kind: 'relationship', type: 'T', properties: new Map() }],
  ['[:T {p: 1}]', { kind: 'relationship', type: 'T', properties: new Map([['p', integer(1)]]) }],
  ['<()>', { kind: 'path', start: { kind: 'node', labels: [], properties: new Map() }, steps: [] }],
];

for (const [text, value] of FORMS) {
  test(`reads ${text}`, () => assert.deepEqual(parseNotation(text), value));
}

test('reads the direction of each relationship of a path', () => {
  const path = parseNotation('<(:A)-[:T]->()<-[:U {p: 1}]-(:B)>');
  assert.equal(path.kind, 'path');
  assert.deepEqual(path.kind === 'path' && path.steps.map((step) => [step.direction, step.relationship.type]), [
    ['outgoing', 'T'],
    ['incoming', 'U'],
  ]);
});

for (const text of [
  '',
  'nul',
  '1x',
  '1.2.3',
  "'open",
  "'\\n'",
  '[1',
  '[1,]',
  '{a 1}',
  '{a: 1, a: 2}',
  '(A)',
  '[:T',
  '<()-[:T]-()>',
  '1 2',
]) {
  test(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseNotation(text), NotationError));
}

const scalars: fc.Arbitrary<TckValue> = fc.oneof(
  fc.constant<TckValue>({ kind: 'null' }),
  fc.boolean().map((value): TckValue => ({ kind: 'boolean', value })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(integer),
  fc.double({ noDefaultInfinity: true }).map(float),
  fc.string({ unit: 'binary' }).map(string),
);
const anyValue = fc.letrec<{ value: TckValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('value')).map((items): TckValue => ({ kind: 'list', items })),
    fc.array(fc.tuple(fc.string({ minLength: 1 }), tie('value'))).map((entries): TckValue => ({ kind: 'map', entries: new Map(entries) })),
  ),
})).value;

test('canonical text reads back as the same value', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = canonicalText(value);
      assert.equal(canonicalText(parseNotation(text)), text);
    }),
  );
});
