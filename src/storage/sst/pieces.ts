/**
 * Pieces of buffers, by which parts of a column are read and checked. A buffer that is not packed is divided into
 * pieces of 32 KiB, each with a checksum in the layout of the file, besides the checksum of the whole buffer.
 */
import { crc32 } from 'node:zlib';

/** The size of a piece in bytes. */
export const PIECE_BYTES = 2 ** 15;

/** Returns the checksums of the pieces of a buffer, in base64; '' for a buffer of one piece. */
export function checksumsOf(bytes: Uint8Array): string {
  if (bytes.length <= PIECE_BYTES) return '';
  const checksums = Buffer.alloc(4 * Math.ceil(bytes.length / PIECE_BYTES));
  for (let at = 0, piece = 0; at < bytes.length; at += PIECE_BYTES, piece += 4)
    checksums.writeUInt32LE(crc32(bytes.subarray(at, at + PIECE_BYTES)), piece);
  return checksums.toString('base64');
}

/** Returns the most characters of the checksums of a buffer of `bytes` bytes. */
export function checksumsLength(bytes: number): number {
  return bytes <= PIECE_BYTES ? 0 : 4 * Math.ceil((4 * Math.ceil(bytes / PIECE_BYTES)) / 3);
}

/** Returns the whole pieces around a range of a buffer of `length` bytes: the number of the first one, and their bytes. */
export function piecesAround(
  from: number,
  to: number,
  length: number,
): { readonly first: number; readonly from: number; readonly to: number } {
  const first = Math.floor(from / PIECE_BYTES);
  return { first, from: first * PIECE_BYTES, to: Math.min(Math.ceil(to / PIECE_BYTES) * PIECE_BYTES, length) };
}

/** Whether the bytes of whole pieces, from piece `first` on, match their checksums. */
export function arePieces(bytes: Uint8Array, first: number, checksums: string): boolean {
  const expected = Buffer.from(checksums, 'base64');
  for (let at = 0, piece = 4 * first; at < bytes.length; at += PIECE_BYTES, piece += 4)
    if (piece + 4 > expected.length || crc32(bytes.subarray(at, at + PIECE_BYTES)) !== expected.readUInt32LE(piece)) return false;
  return true;
}
