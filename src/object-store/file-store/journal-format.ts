/**
 * The binary format of a journal, little-endian.
 *
 *   header, 64 bytes: magic 'GDBJRNL3', zeros
 *   record, at a multiple of 8:
 *     u32 magic, u32 crc32 of all that follows up to the body's end, u32 body length, u16 key length, u8 kind (1
 *       content, 2 apart), u8 zero,
 *     f64 time of storing (ms since 1970), u32 offset of this record, u32 bytes of the journal that were durable when
 *       the record was written, key (ASCII), body
 *   zeros
 *
 * A journal ends at the first place without an intact record: a torn record belongs to a put that never returned. When
 * an intact record further on says that this place was durable, the journal has been damaged since.
 */

import { crc32 } from 'node:zlib';
import { GraphDBError } from '../../base/index.ts';
import { openToRead, readFully } from './durable-files.ts';

/** A record of a journal. */
export interface JournalRecord {
  /** `content`: the body is the object; `apart`: the object lies in a file of its own (internal-names.ts). */
  readonly kind: 'content' | 'apart';
  readonly key: string;
  readonly storedAtMs: number;
  readonly body: Uint8Array;
}

/** The place to which a record is written. */
export interface RecordPlace {
  /** The bytes of the journal; zero from the beginning of the record on. */
  readonly into: Buffer;
  /** The offset of the record in the journal. */
  readonly at: number;
  /** How many bytes of the journal were durable before the record was written. */
  readonly durableBytes: number;
}

/** A record of a journal, with its place. */
export interface PlacedRecord extends JournalRecord {
  /** The offset of the body in the file. */
  readonly bodyAt: number;
  /** The offset of the next record. */
  readonly end: number;
}

/** The size of the header in bytes. */
export const HEADER_BYTES = 64;
const HEADER_MAGIC = 'GDBJRNL3';
const RECORD_MAGIC = 0x4a424447;
const MAGIC_BYTES = Buffer.from('GDBJ', 'latin1');
const RECORD_HEADER_BYTES = 32;
const KINDS = { content: 1, apart: 2 } as const;

/** Encodes the header of a journal. */
export function encodeHeader(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(HEADER_MAGIC, 0, 'latin1');
  return header;
}

/** Returns the bytes that a record takes, the padding up to the next record included. */
export function recordBytes(key: string, bodyBytes: number): number {
  return Math.ceil((RECORD_HEADER_BYTES + key.length + bodyBytes) / 8) * 8;
}

/** Writes a record into a journal; returns how many bytes it takes there, padding included. */
export function encodeRecord({ kind, key, storedAtMs, body }: JournalRecord, { into, at, durableBytes }: RecordPlace): number {
  into.writeUInt32LE(RECORD_MAGIC, at);
  into.writeUInt32LE(body.length, at + 8);
  into.writeUInt16LE(key.length, at + 12);
  into[at + 14] = KINDS[kind];
  into.writeDoubleLE(storedAtMs, at + 16);
  into.writeUInt32LE(at, at + 24);
  into.writeUInt32LE(durableBytes, at + 28);
  into.write(key, at + RECORD_HEADER_BYTES, 'latin1');
  const bodyAt = at + RECORD_HEADER_BYTES + key.length;
  into.set(body, bodyAt);
  into.writeUInt32LE(crc32(into.subarray(at + 8, bodyAt + body.length)), at + 4);
  return recordBytes(key, body.length);
}

/**
 * Reads the records from `position`, the start of one, to the end; null when the file does not exist. Cost when there
 * is nothing new: one small read.
 * @throws CORRUPTION when a record that had been durable is damaged
 */
export async function readRecords(path: string, position = HEADER_BYTES): Promise<readonly PlacedRecord[] | null> {
  const handle = await openToRead(path);
  if (handle === null) return null;
  try {
    if (position > HEADER_BYTES) {
      const start = Buffer.alloc(RECORD_HEADER_BYTES);
      if ((await readFully(handle, position, start)) < start.length || start.every((byte) => byte === 0)) return [];
    }
    let suspect: number | null = null;
    for (;;) {
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.max(0, size - position));
      const { records, damagedAt } = decodeRecords(bytes.subarray(0, await readFully(handle, position, bytes)), position);
      if (damagedAt === null) return records;
      // A read beside writes may see a later write without an earlier one; the next read sees both.
      if (damagedAt === suspect) throw damagedJournal(path, damagedAt);
      suspect = damagedAt;
    }
  } finally {
    await handle.close();
  }
}

/** Makes the CORRUPTION error of a journal with a damaged record at byte `at`. */
export function damagedJournal(path: string, at: number): GraphDBError {
  return new GraphDBError('CORRUPTION', `corrupt journal ${path}: the record at byte ${at} is damaged, and it had been durable`);
}

/**
 * Decodes records from bytes that begin at `position` of the file. `damagedAt` is the offset in the file of a damaged
 * record that had been durable, or null.
 */
export function decodeRecords(bytes: Buffer, position: number): { readonly records: PlacedRecord[]; readonly damagedAt: number | null } {
  const records: PlacedRecord[] = [];
  let at = 0;
  for (let record = decodeRecord(bytes, at, position); record !== null; record = decodeRecord(bytes, at, position)) {
    records.push(record);
    at = record.end - position;
  }
  return { records, damagedAt: wasDurable(bytes, at, position) ? position + at : null };
}

/** Whether an intact record behind `end` says that the journal was durable beyond `end`. */
function wasDurable(bytes: Buffer, end: number, position: number): boolean {
  for (let at = bytes.indexOf(MAGIC_BYTES, end); at !== -1; at = bytes.indexOf(MAGIC_BYTES, at + 1)) {
    if (decodeRecord(bytes, at, position) !== null && bytes.readUInt32LE(at + 28) > position + end) return true;
  }
  return false;
}

/** Decodes the record at `at` of `bytes`; null when no intact record begins there. */
function decodeRecord(bytes: Buffer, at: number, position: number): PlacedRecord | null {
  if (at + RECORD_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_MAGIC) return null;
  const bodyAt = at + RECORD_HEADER_BYTES + bytes.readUInt16LE(at + 12);
  const bodyEnd = bodyAt + bytes.readUInt32LE(at + 8);
  if (bodyEnd > bytes.length || crc32(bytes.subarray(at + 8, bodyEnd)) !== bytes.readUInt32LE(at + 4)) return null;
  if (bytes.readUInt32LE(at + 24) !== position + at) return null;
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
