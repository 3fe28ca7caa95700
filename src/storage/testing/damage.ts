/** Damages an object by changing any byte or cutting it at any length, and checks that every damage is found. */
import assert from 'node:assert/strict';
import { GraphDBError } from '../../base/index.ts';

export function isDamageReport(error: unknown, key: string): boolean {
  return error instanceof GraphDBError && error.code === 'CORRUPTION' && error.message.includes(key);
}

export function* damagedCopies(bytes: Uint8Array, cutStep = 1): Generator<{ readonly how: string; readonly copy: Uint8Array }> {
  for (let at = 0; at < bytes.length; at++) {
    const copy = bytes.slice();
    copy[at]! ^= 1 << (at & 7);
    yield { how: `bit ${at & 7} of byte ${at} flipped`, copy };
  }
  for (let length = 0; length < bytes.length; length += cutStep) yield { how: `cut to ${length} bytes`, copy: bytes.slice(0, length) };
  yield { how: 'one byte more', copy: Uint8Array.of(...bytes, 0) };
}

/** Asserts that `read` fails for every damaged copy, with CORRUPTION that names the object. */
export function assertDamageIsFound(bytes: Uint8Array, key: string, read: (bytes: Uint8Array) => unknown): void {
  for (const { how, copy } of damagedCopies(bytes)) {
    assert.throws(
      () => read(copy),
      (error) => isDamageReport(error, key),
      how,
    );
  }
}
