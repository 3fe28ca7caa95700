/**
 * The bytes of a journal. Little-endian.
 *
 *   header, 64 bytes: magic 'GDBJRNL2', zeros
 *   record, at a multiple of 8:
 *     u32 magic, u32 crc32 of all that follows up to the body's end, u32 body length, u16 key length, u8 kind (1 content, 2 apart), u8 zero,
 *     f64 when it was stored (ms since 1970), key (ASCII), body
 *   zeros
 *
 * The first place without an intact record is the end: a torn record was never answered.
 */

import { crc32 } from 'node:zlib';
import { openToRead, readFully } from './durable-files.ts';

export interface JournalRecord {
  /** `content`: the body is the object; `apart`: the object lies in a file of its own (internal-names.ts). */
  readonly kind: 'content' | 'apart';
  readonly key: string;
  readonly storedAtMs: number;
  readonly body: Uint8Array;
}

export interface PlacedRecord extends JournalRecord {
  /** Of the body, in the file. */
  readonly bodyAt: number;
  /** Where the next record begins. */
  readonly end: number;
}

export const HEADER_BYTES = 64;
const HEADER_MAGIC = 'GDBJRNL2';
const RECORD_MAGIC = 0x4a424447;
const RECORD_HEADER_BYTES = 24;
const KINDS = { content: 1, apart: 2 } as const;

export function encodeHeader(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(HEADER_MAGIC, 0, 'latin1');
  return header;
}

/** With the padding up to the next record. */
export function recordBytes(key: string, bodyBytes: number): number {
  return Math.ceil((RECORD_HEADER_BYTES + key.length + bodyBytes) / 8) * 8;
}

export function encodeRecord({ kind, key, storedAtMs, body }: JournalRecord): Buffer {
  const record = Buffer.alloc(recordBytes(key, body.length));
  record.writeUInt32LE(RECORD_MAGIC, 0);
  record.writeUInt32LE(body.length, 8);
  record.writeUInt16LE(key.length, 12);
  record[14] = KINDS[kind];
  record.writeDoubleLE(storedAtMs, 16);
  record.write(key, RECORD_HEADER_BYTES, 'latin1');
  const bodyAt = RECORD_HEADER_BYTES + key.length;
  record.set(body, bodyAt);
  record.writeUInt32LE(crc32(record.subarray(8, bodyAt + body.length)), 4);
  return record;
}

/** The records from `position` (the start of one) to the end; null: no such file. Cost where there is nothing new: one small read. */
export async function readRecords(path: string, position = HEADER_BYTES): Promise<readonly PlacedRecord[] | null> {
  const handle = await openToRead(path);
  if (handle === null) return null;
  try {
    const start = Buffer.alloc(RECORD_HEADER_BYTES);
    if ((await readFully(handle, position, start)) < start.length || start.readUInt32LE(0) !== RECORD_MAGIC) return [];
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(size - position);
    return decodeRecords(bytes.subarray(0, await readFully(handle, position, bytes)), position);
  } finally {
    await handle.close();
  }
}

/** `bytes` begin at `position` of the file. */
export function decodeRecords(bytes: Buffer, position: number): PlacedRecord[] {
  const records: PlacedRecord[] = [];
  for (let at = 0; ; at = records.at(-1)!.end - position) {
    const record = decodeRecord(bytes, at, position);
    if (record === null) return records;
    records.push(record);
  }
}

function decodeRecord(bytes: Buffer, at: number, position: number): PlacedRecord | null {
  if (at + RECORD_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_MAGIC) return null;
  const bodyAt = at + RECORD_HEADER_BYTES + bytes.readUInt16LE(at + 12);
  const bodyEnd = bodyAt + bytes.readUInt32LE(at + 8);
  if (bodyEnd > bytes.length || crc32(bytes.subarray(at + 8, bodyEnd)) !== bytes.readUInt32LE(at + 4)) return null;
  const key = bytes.toString('latin1', at + RECORD_HEADER_BYTES, bodyAt);
  return {
    kind: bytes[at + 14] === KINDS.content ? 'content' : 'apart',
    key,
    storedAtMs: bytes.readDoubleLE(at + 16),
    body: bytes.subarray(bodyAt, bodyEnd),
    bodyAt: position + bodyAt,
    end: position + at + recordBytes(key, bodyEnd - bodyAt),
  };
}
