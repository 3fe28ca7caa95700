/**
 * The bytes of a redo journal. Little-endian.
 *
 *   header, 64 bytes: magic 'GDBJRNL1', boot id (36 bytes of ASCII), zeros
 *   record, at a multiple of 8:
 *     u32 magic, u32 crc32 of all that follows up to the body's end, u32 body length, u16 key length, u8 kind (1 created, 2 forgotten), u8 zero,
 *     f64 inode of the object's file, key (ASCII), body
 *   zeros
 *
 * The first place without an intact record is the end: a torn record was never answered.
 */

import { crc32 } from 'node:zlib';
import { openToRead, readFully } from './durable-files.ts';

export interface JournalRecord {
  /** `forgotten`: the object of that key and inode was replaced or deleted, and must not come back. */
  readonly kind: 'created' | 'forgotten';
  readonly key: string;
  readonly inode: number;
  readonly body: Uint8Array;
}

export interface JournalContent {
  readonly bootId: string;
  readonly records: readonly JournalRecord[];
}

export const HEADER_BYTES = 64;
const HEADER_MAGIC = 'GDBJRNL1';
const BOOT_ID_BYTES = 36;
const RECORD_MAGIC = 0x4a424447;
const RECORD_HEADER_BYTES = 24;
const KIND_CREATED = 1;
const KIND_FORGOTTEN = 2;

export function encodeHeader(bootId: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(HEADER_MAGIC, 0, 'latin1');
  header.write(bootId, HEADER_MAGIC.length, BOOT_ID_BYTES, 'latin1');
  return header;
}

/** With the padding up to the next record. */
export function recordBytes(key: string, bodyBytes: number): number {
  return Math.ceil((RECORD_HEADER_BYTES + key.length + bodyBytes) / 8) * 8;
}

export function encodeRecord({ kind, key, inode, body }: JournalRecord): Buffer {
  const record = Buffer.alloc(recordBytes(key, body.length));
  record.writeUInt32LE(RECORD_MAGIC, 0);
  record.writeUInt32LE(body.length, 8);
  record.writeUInt16LE(key.length, 12);
  record[14] = kind === 'created' ? KIND_CREATED : KIND_FORGOTTEN;
  record.writeDoubleLE(inode, 16);
  record.write(key, RECORD_HEADER_BYTES, 'latin1');
  const bodyAt = RECORD_HEADER_BYTES + key.length;
  record.set(body, bodyAt);
  record.writeUInt32LE(crc32(record.subarray(8, bodyAt + body.length)), 4);
  return record;
}

/** Null: no journal, or one whose creation was cut off. */
export async function readBootIdOfJournal(path: string): Promise<string | null> {
  const handle = await openToRead(path);
  if (handle === null) return null;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return (await readFully(handle, 0, header)) < HEADER_BYTES ? null : decodeBootId(header);
  } finally {
    await handle.close();
  }
}

/** Null: as above. */
export function decodeJournal(bytes: Buffer): JournalContent | null {
  const bootId = bytes.length < HEADER_BYTES ? null : decodeBootId(bytes);
  if (bootId === null) return null;
  const records: JournalRecord[] = [];
  for (let at = HEADER_BYTES; ; ) {
    const record = decodeRecord(bytes, at);
    if (record === null) return { bootId, records };
    records.push(record);
    at += recordBytes(record.key, record.body.length);
  }
}

function decodeBootId(header: Buffer): string | null {
  if (header.toString('latin1', 0, HEADER_MAGIC.length) !== HEADER_MAGIC) return null;
  return header.toString('latin1', HEADER_MAGIC.length, HEADER_MAGIC.length + BOOT_ID_BYTES).replace(/\0+$/, '');
}

function decodeRecord(bytes: Buffer, at: number): JournalRecord | null {
  if (at + RECORD_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_MAGIC) return null;
  const bodyAt = at + RECORD_HEADER_BYTES + bytes.readUInt16LE(at + 12);
  const end = bodyAt + bytes.readUInt32LE(at + 8);
  if (end > bytes.length || crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) return null;
  const kind = bytes[at + 14] === KIND_CREATED ? 'created' : 'forgotten';
  const key = bytes.toString('latin1', at + RECORD_HEADER_BYTES, bodyAt);
  return { kind, key, inode: bytes.readDoubleLE(at + 16), body: bytes.subarray(bodyAt, end) };
}
