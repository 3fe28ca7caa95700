import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ByteReader, ByteWriter, GraphDBError } from '../base/index.ts';
import { assertStorable, decodeValue, encodeValue, NodeValue, type Value } from './index.ts';
import { scalar, storedValue } from './testing/arbitraries.ts';

function encoded(value: Value): Uint8Array {
  const writer = new ByteWriter(16);
  encodeValue(value, writer);
  return writer.toBytes();
}

test('every value comes back as it was', () => {
  fc.assert(
    fc.property(storedValue, (value) => {
      const reader = new ByteReader(encoded(value));
      assert.deepEqual(decodeValue(reader), value);
      assert.ok(reader.atEnd);
    }),
    { numRuns: 2000 },
  );
});

test('values stand one after another in one buffer', () => {
  fc.assert(
    fc.property(fc.array(storedValue), (values) => {
      const writer = new ByteWriter(1);
      for (const value of values) encodeValue(value, writer);
      const reader = new ByteReader(writer.view());
      assert.deepEqual(
        values.map(() => decodeValue(reader)),
        values,
      );
    }),
  );
});

test('any prefix of an encoding is reported as damaged', () => {
  fc.assert(
    fc.property(storedValue, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (value, fraction) => {
      const bytes = encoded(value);
      const reader = new ByteReader(bytes, 'wal/7', 0, Math.floor(bytes.length * fraction));
      assert.throws(
        () => decodeValue(reader),
        (error) => error instanceof GraphDBError && error.code === 'CORRUPTION' && error.message.startsWith('wal/7 '),
      );
    }),
  );
});

test('arbitrary bytes are read as a value or reported as damaged', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.tuple(fc.integer({ min: 0, max: 0x20 }), fc.uint8Array({ maxLength: 40 })).map(([tag, rest]) => Uint8Array.of(tag, ...rest)),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      try {
        decodeValue(new ByteReader(input));
      } catch (error) {
        assert.ok(error instanceof GraphDBError && error.code === 'CORRUPTION', String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

test('a count that cannot be true allocates nothing', () => {
  assert.throws(() => decodeValue(new ByteReader(Uint8Array.of(0x09, 0xff, 0xff, 0xff, 0xff, 0x0f))), { code: 'CORRUPTION' });
  assert.throws(() => decodeValue(new ByteReader(new Uint8Array(5000).fill(0x09).map((_, i) => (i % 2 === 0 ? 0x09 : 0x01)))), {
    code: 'CORRUPTION',
  });
});

test('small values are small', () => {
  assert.equal(encoded(42).length, 1);
  assert.equal(encoded('Alice').length, 6);
  assert.equal(encoded(1_000_000).length, 4);
  assert.equal(encoded([0.5, 0.25, 0.125]).length, 26);
});

test('scalars and lists of them are storable, other values are not', () => {
  fc.assert(fc.property(scalar, (value) => assertStorable(value)));
  assertStorable([1, 2.5, 'mixed', true]);
  for (const value of [new Map(), new NodeValue(1), [null], [[1]], [new Map()], [new Uint8Array(1)]] as Value[]) {
    assert.throws(
      () => assertStorable(value),
      (error) => error instanceof GraphDBError && error.code === 'TYPE_ERROR' && error.tck?.detail === 'InvalidPropertyType',
    );
  }
  assert.throws(() => assertStorable('\ud800'), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => assertStorable(['\udc00']), { code: 'ARGUMENT_ERROR' });
});
