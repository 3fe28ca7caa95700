/** The primitive encodings: what ByteWriter writes, ByteReader reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ByteReader, ByteWriter } from './index.ts';

test('numbers of every width come back', () => {
  const safe = fc.oneof(
    fc.maxSafeInteger(),
    fc.constantFrom(0, 63, 64, -64, -65, 2 ** 31, -(2 ** 31), 2 ** 52, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  );
  fc.assert(
    fc.property(
      safe,
      fc.double(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.nat(0xffffffff),
      (integer, double, long, word) => {
        const writer = new ByteWriter(1);
        writer.varint(Math.abs(integer));
        writer.zigzag(integer);
        writer.f64(double);
        writer.i64(long);
        writer.u32(word);
        const reader = new ByteReader(writer.toBytes());
        assert.deepEqual(
          [reader.varint(), reader.zigzag(), reader.f64(), reader.i64(), reader.u32()],
          [Math.abs(integer), integer, double, long, word],
        );
        assert.ok(reader.atEnd);
      },
    ),
    { numRuns: 1000 },
  );
});

test('text and bytes come back, of any length', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    fc.constantFrom('x'.repeat(1000), 'é'.repeat(48)),
  );
  fc.assert(
    fc.property(text, fc.uint8Array(), (string, bytes) => {
      const writer = new ByteWriter(1);
      writer.utf8(string);
      writer.bytes(bytes);
      const reader = new ByteReader(writer.toBytes());
      assert.equal(reader.utf8(), string);
      assert.deepEqual([...reader.bytes()], [...bytes]);
    }),
  );
});

test('a varint has the length that it should', () => {
  const lengthOf = (write: (writer: ByteWriter) => void): number => {
    const writer = new ByteWriter();
    write(writer);
    return writer.length;
  };
  assert.equal(
    lengthOf((writer) => writer.varint(127)),
    1,
  );
  assert.equal(
    lengthOf((writer) => writer.varint(128)),
    2,
  );
  assert.equal(
    lengthOf((writer) => writer.varint(Number.MAX_SAFE_INTEGER)),
    8,
  );
  assert.equal(
    lengthOf((writer) => writer.zigzag(-64)),
    1,
  );
  assert.equal(
    lengthOf((writer) => writer.zigzag(64)),
    2,
  );
});

test('what was written can be patched, cut and begun anew', () => {
  const writer = new ByteWriter();
  writer.u32(0);
  writer.byte(7);
  writer.setU32(0, writer.length);
  writer.byte(8);
  writer.truncate(5);
  assert.deepEqual([...writer.view()], [5, 0, 0, 0, 7]);
  writer.reset();
  assert.equal(writer.length, 0);
});

test('reads past the end and malformed input are reported with place and source', () => {
  const corrupt = { code: 'CORRUPTION', message: /^sst 3 is damaged: .* \(at byte \d+\)$/ };
  assert.throws(() => new ByteReader(new Uint8Array(3), 'sst 3').u32(), corrupt);
  assert.throws(() => new ByteReader(new Uint8Array(0), 'sst 3').byte(), corrupt);
  assert.throws(() => new ByteReader(new Uint8Array(9).fill(0xff), 'sst 3').varint(), corrupt);
  assert.throws(() => new ByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), 'sst 3').varint(), corrupt);
  assert.throws(() => new ByteReader(Uint8Array.of(2, 0xc3, 0x28), 'sst 3').utf8(), corrupt);
  assert.throws(() => new ByteReader(Uint8Array.of(200, 1, 0x28), 'sst 3').utf8(), corrupt);
  assert.throws(() => new ByteReader(new Uint8Array(3), 'sst 3', 2, 1), corrupt);
});
