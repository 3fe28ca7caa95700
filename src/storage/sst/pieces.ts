/**
 * Pieces of buffers: what a page of a column is read and checked by. A buffer that is not packed is divided into pieces
 * of 32 KiB, each with a checksum of its own in the layout of the file, beside that of the whole.
 */
import { crc32 } from 'node:zlib';

/** The bytes of a piece. */
export const PIECE_BYTES = 2 ** 15;

/** The checksums of the pieces of a buffer; '' where it is one piece. */
export function checksumsOf(bytes: Uint8Array): string {
  if (bytes.length <= PIECE_BYTES) return '';
  const checksums = Buffer.alloc(4 * Math.ceil(bytes.length / PIECE_BYTES));
  for (let at = 0, piece = 0; at < bytes.length; at += PIECE_BYTES, piece += 4)
    checksums.writeUInt32LE(crc32(bytes.subarray(at, at + PIECE_BYTES)), piece);
  return checksums.toString('base64');
}

/** How long that text is at most for a buffer of so many bytes. */
export function checksumsLength(bytes: number): number {
  return bytes <= PIECE_BYTES ? 0 : 4 * Math.ceil((4 * Math.ceil(bytes / PIECE_BYTES)) / 3);
}

/** The whole pieces around a range of bytes of a buffer that has `length`. */
export function piecesAround(
  from: number,
  to: number,
  length: number,
): { readonly first: number; readonly from: number; readonly to: number } {
  const first = Math.floor(from / PIECE_BYTES);
  return { first, from: first * PIECE_BYTES, to: Math.min(Math.ceil(to / PIECE_BYTES) * PIECE_BYTES, length) };
}

/** Whether the bytes of whole pieces, from the piece `first` on, are those that were written. */
export function arePieces(bytes: Uint8Array, first: number, checksums: string): boolean {
  const expected = Buffer.from(checksums, 'base64');
  for (let at = 0, piece = 4 * first; at < bytes.length; at += PIECE_BYTES, piece += 4)
    if (piece + 4 > expected.length || crc32(bytes.subarray(at, at + PIECE_BYTES)) !== expected.readUInt32LE(piece)) return false;
  return true;
}
