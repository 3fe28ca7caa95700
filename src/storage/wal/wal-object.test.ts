import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { walKey } from '../keys.ts';
import { assertDamageIsFound } from '../testing/damage.ts';
import { decodeWalObject, encodeWalObject, type WalObject } from './wal-object.ts';
import { WalReplay } from './wal-replay.ts';

const COMMITS: WalObject = {
  kind: 'commits',
  number: 7,
  epoch: 2 ** 40,
  writerId: 'wrîter',
  depth: 0,
  firstSequence: 2 ** 52,
  commits: [
    { sequence: 2 ** 52, changes: Uint8Array.of(1, 2, 3) },
    { sequence: 2 ** 52 + 1, changes: new Uint8Array(0) },
    { sequence: 2 ** 52 + 2, changes: Uint8Array.of(255) },
  ],
};
const START: WalObject = { kind: 'epoch-start', number: 1, epoch: 1, writerId: 'w', depth: 0, firstSequence: 1, commits: [] };
const END: WalObject = { ...START, kind: 'epoch-end', number: 2 };

test('a WAL object is read as it was written', () => {
  for (const object of [COMMITS, START, END]) assert.deepEqual(decodeWalObject(object.number, encodeWalObject(object)), object);
});

test('the end of an epoch says that format 1 does not know it', () => {
  assert.deepEqual([encodeWalObject(START)[4], encodeWalObject(END)[4]], [1, 2]);
});

test('nothing of an epoch comes after its end', () => {
  const replay = new WalReplay(0, []);
  replay.add(START);
  replay.add(END);
  assert.throws(() => replay.add({ ...START, kind: 'seal', number: 3 }), { code: 'CORRUPTION', message: /epoch 1, which object 2 ends/ });
  replay.add({ ...START, number: 3, epoch: 2, writerId: 'x' });
});

test('whatever is changed in a WAL object is found', () => {
  for (const object of [COMMITS, START, END]) {
    assertDamageIsFound(encodeWalObject(object), walKey(object.number), (bytes) => decodeWalObject(object.number, bytes));
  }
});

test('an object under another number, of another format or of another kind is refused', () => {
  const bytes = encodeWalObject(START);
  assert.throws(() => decodeWalObject(2, bytes), { code: 'CORRUPTION', message: /says that it is number 1/ });
  assert.throws(
    () =>
      decodeWalObject(
        1,
        withChecksum(bytes, (view) => view.setUint16(4, 4, true)),
      ),
    { code: 'UNSUPPORTED', message: /format 4/ },
  );
  assert.throws(
    () =>
      decodeWalObject(
        1,
        withChecksum(bytes, (view) => view.setUint8(6, 9)),
      ),
    { code: 'CORRUPTION' },
  );
  assert.throws(
    () =>
      decodeWalObject(
        1,
        withChecksum(bytes, (view) => view.setUint8(6, 1)),
      ),
    { code: 'CORRUPTION' },
  );
  assert.throws(
    () =>
      decodeWalObject(
        1,
        withChecksum(bytes, (view) => view.setUint32(32, 2 ** 32 - 1, true)),
      ),
    { code: 'CORRUPTION' },
  );
  assert.throws(
    () =>
      decodeWalObject(
        1,
        withChecksum(bytes, (view) => view.setUint32(20, 2 ** 31, true)),
      ),
    { code: 'CORRUPTION' },
  );
});

/** A changed object whose checksum is right: what a faulty writer would leave. */
function withChecksum(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  change(view);
  const end = copy.length - 4;
  view.setUint32(end, crc32(copy.subarray(0, end)), true);
  return copy;
}
