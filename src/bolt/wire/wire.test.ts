/** Handshake and chunks, however the network cuts them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseVersion, handshakeAnswer, mayBeHandshake } from './handshake.ts';
import { MessageReader, MessageTooLarge } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';

function offered(...proposals: string[]): string {
  const text = `6060b017${proposals.join('').padEnd(32, '0')}`;
  return handshakeAnswer(chooseVersion(Buffer.from(text, 'hex'))).toString('hex');
}

test('the highest version that both speak is chosen, in the order of the proposals', () => {
  assert.equal(offered('000001ff', '00080805', '00020404', '00000003'), '00000405', 'drivers of today');
  assert.equal(offered('00040405', '00020404'), '00000405');
  assert.equal(offered('00000005', '00000405'), '00000005');
  assert.equal(offered('00020205'), '00000005', 'a range reaches down');
  assert.equal(offered('00010205'), '00000000', 'and not beyond its end');
  assert.equal(offered('00000404'), '00000404');
  assert.equal(offered('00020504'), '00000404');
  assert.equal(offered('00000304', '00000003'), '00000000');
  assert.equal(offered(), '00000000');
  assert.equal(offered('01000405'), '00000000', 'a reserved byte makes it something else');
});

test('another protocol is known by its first bytes', () => {
  assert.equal(mayBeHandshake(Buffer.from('60', 'hex')), true);
  assert.equal(mayBeHandshake(Buffer.from('GET / HTTP/1.1')), false);
});

function message(size: number): Buffer {
  const writer = new MessageWriter();
  writer.begin(1, 0x70);
  writer.pack.bytes(new Uint8Array(size).map((_, i) => i % 251));
  writer.end();
  return writer.take();
}

test('messages of every length survive every cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(40), fc.nat(200_000), fc.constantFrom(65_529, 65_530, 65_531, 131_068)), { maxLength: 5 }),
      fc.array(fc.nat(100_000), { maxLength: 20 }),
      (sizes, cuts) => {
        const bytes = Buffer.concat(sizes.flatMap((size) => [Buffer.alloc(2), message(size)]));
        const reader = new MessageReader(1_000_000);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const got = places.slice(1).flatMap((end, i) => [...reader.take(bytes.subarray(places[i]!, end))].map((each) => Buffer.from(each)));
        assert.deepEqual(
          got.map((each) => each.length),
          sizes.map((size) => size + 2 + (size < 256 ? 2 : size < 65_536 ? 3 : 5)),
        );
        for (const [i, each] of got.entries())
          assert.ok(each.subarray(-sizes[i]! || each.length).every((byte, j) => sizes[i] === 0 || byte === j % 251));
        assert.equal(reader.isInside, false);
      },
    ),
    { numRuns: 50 },
  );
});

test('a message byte by byte, in chunks of one byte', () => {
  const reader = new MessageReader(1_000);
  const bytes = Buffer.from([...Buffer.from('chunked')].flatMap((byte) => [0, 1, byte]).concat([0, 0]));
  const got = [...bytes].flatMap((byte) => [...reader.take(Buffer.from([byte]))]);
  assert.deepEqual(got.map(String), ['chunked']);
});

test('a message beyond the limit is refused before it has come', () => {
  const reader = new MessageReader(100);
  assert.deepEqual([...reader.take(Buffer.concat([Buffer.from([0, 100]), Buffer.alloc(100, 1), Buffer.alloc(2)]))].length, 1);
  assert.throws(() => [...reader.take(Buffer.from([0, 101]))], MessageTooLarge);
  const parts = new MessageReader(100);
  assert.deepEqual([...parts.take(Buffer.concat([Buffer.from([0, 60]), Buffer.alloc(60, 1)]))], []);
  assert.throws(() => [...parts.take(Buffer.from([0, 60]))], MessageTooLarge);
});
