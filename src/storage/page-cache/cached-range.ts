/**
 * The format of a range of a bucket's file on a local disk: the identity of the range, and its bytes, with a checksum
 * over both. A file that is not exactly that (a torn write, flipped bits, the bytes of another range) is rejected.
 *
 * Layout: `GDBPAGE1`, 32 bytes of identity, length and CRC-32 of all the rest as 32-bit little-endian integers, the
 * bytes.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SstFile } from '../api.ts';

/**
 * The identity of a file within its store: its key, and size and checksum from the manifest, since a namespace that was
 * dropped and created again may use a key again.
 */
export type FileIdentity = Pick<SstFile, 'key' | 'bytes' | 'crc32'>;

/** A range of a file. */
export interface FileRange {
  readonly file: FileIdentity;
  readonly offset: number;
  readonly length: number;
}

const MAGIC = Buffer.from('GDBPAGE1');
const IDENTITY_BYTES = 32;
const LENGTH_AT = MAGIC.length + IDENTITY_BYTES;
const CHECKSUM_AT = LENGTH_AT + 4;

/** The size of the header before a range, in bytes. */
export const HEADER_BYTES = CHECKSUM_AT + 4;

/** Returns the identity of a range: a hash over the store's location, the file and the range. */
export function identityOf(location: string, { file, offset, length }: FileRange): Buffer {
  const parts = [location, file.key, file.bytes, file.crc32, offset, length];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** Encodes a range with its header. */
export function encodeCachedRange(identity: Uint8Array, bytes: Uint8Array): Buffer {
  const image = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  MAGIC.copy(image);
  image.set(identity, MAGIC.length);
  image.writeUInt32LE(bytes.length, LENGTH_AT);
  image.set(bytes, HEADER_BYTES);
  image.writeUInt32LE(checksumOf(image), CHECKSUM_AT);
  return image;
}

/** Returns the bytes of the range; null when the image is damaged or that of another range. */
export function decodeCachedRange(image: Buffer, identity: Uint8Array, length: number): Uint8Array | null {
  if (image.length !== HEADER_BYTES + length || !image.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (!image.subarray(MAGIC.length, LENGTH_AT).equals(identity) || image.readUInt32LE(LENGTH_AT) !== length) return null;
  return image.readUInt32LE(CHECKSUM_AT) === checksumOf(image) ? image.subarray(HEADER_BYTES) : null;
}

function checksumOf(image: Buffer): number {
  return crc32(image.subarray(HEADER_BYTES), crc32(image.subarray(0, CHECKSUM_AT)));
}
