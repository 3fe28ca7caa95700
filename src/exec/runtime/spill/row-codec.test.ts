import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../base/index.ts';
import { Node, PathValue, Relationship, RelationshipValue, type Value } from '../../../value/index.ts';
import { anyValue } from '../../../value/testing/property.fixture.ts';
import { asValue } from '../../functions/virtual.ts';
import { decodeRows, encodeRows, type Row } from './row-codec.ts';

function again(rows: readonly Row[]): unknown[][] {
  const writer = new ByteWriter();
  encodeRows(rows, writer);
  return decodeRows(writer.toBytes());
}

/** Columns of one kind, and of several. */
const column = (length: number): fc.Arbitrary<unknown[]> => {
  const of = (field: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> => fc.array(field, { minLength: length, maxLength: length });
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'é\udc00', 'x'.repeat(100)));
  return fc.oneof(
    of(fc.integer()),
    of(fc.double()),
    of(fc.oneof(fc.integer(), fc.double(), fc.constant(null))),
    of(text),
    of(fc.oneof(text, fc.constant(null))),
    of(anyValue),
  );
};

test('rows come back as they were: every value, plain numbers with the sign of zero, texts that are not well formed', () => {
  const rows = fc
    .tuple(fc.nat(20), fc.nat(4))
    .chain(([count, width]) =>
      fc
        .tuple(...Array.from({ length: width }, () => column(count)))
        .map((columns) => Array.from({ length: count }, (_, i) => columns.map((each) => each[i]))),
    );
  fc.assert(fc.property(rows, (all) => assert.deepStrictEqual(again(all), all)));
});

test('maps with keys that are not well formed, and nodes and relationships of no graph, come back as they were', () => {
  const properties = new Map<string, Value>([['\udfff', [1, 'a\ud801']]]);
  const ends = { sourceId: '-1', targetId: '-2', sourceOrdinal: -1, targetOrdinal: -2 };
  const values = [
    new Map([['m', properties]]),
    [asValue(new Node('-7', -7, ['A', 'B'], properties))],
    asValue(new Relationship({ id: '-3', ordinal: -3, type: 'R', properties: new Map(), ...ends })),
  ];
  assert.deepStrictEqual(
    again(values.map((value) => [value])),
    values.map((value) => [value]),
  );
});

test('paths come back with the relationships of the graph and those of no graph that they had', () => {
  const ends = { sourceId: '3', targetId: '4', sourceOrdinal: 3, targetOrdinal: 4 };
  const virtual = new Relationship({ id: '-2', ordinal: -2, type: 'PATH_0', properties: new Map([['cost', 0.5]]), ...ends });
  const path = new PathValue([2, 3, 4], [new RelationshipValue(1, 7, 3, 2), virtual as unknown as RelationshipValue]);
  assert.deepStrictEqual(again([[path]]), [[path]]);
});
