/** Computes the checksum of an object of any size in pieces; while one piece is processed, the next one is read. */
import { crc32 } from 'node:zlib';
import type { ObjectStore } from '../../object-store/index.ts';

const PIECE_BYTES = 8 * 2 ** 20;

/** Returns the CRC-32 of the first `length` bytes; null when the object does not exist (any more), or is shorter. */
export async function checksumOfObject(store: Pick<ObjectStore, 'readInto'>, key: string, length: number): Promise<number | null> {
  const buffers = [0, 1].map(() => new Uint8Array(Math.min(PIECE_BYTES, length)));
  const read = async (at: number): Promise<Uint8Array | null> => {
    const target = buffers[(at / PIECE_BYTES) % 2]!.subarray(0, Math.min(PIECE_BYTES, length - at));
    return (await store.readInto(key, at, target)) === target.length ? target : null;
  };
  let checksum = 0;
  let coming = read(0);
  for (let at = 0; at < length; at += PIECE_BYTES) {
    const piece = await coming;
    if (piece === null) return null;
    if (at + PIECE_BYTES < length) {
      coming = read(at + PIECE_BYTES);
      coming.catch(() => {}); // Thrown where it is awaited.
    }
    checksum = crc32(piece, checksum);
  }
  return checksum;
}
