/**
 * The binary format of a WAL object (docs/storage-format.md, "WAL"): a group of commits; the start of an epoch; a seal,
 * which takes a number from a commit that failed; or the end of an epoch, after which its writer puts nothing more.
 * Pure: bytes in, bytes out.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { Commit } from '../api.ts';
import { corruption, unknownFormat } from '../faults.ts';
import { walKey } from '../keys.ts';

/** An object of the WAL. */
export interface WalObject {
  readonly kind: keyof typeof KINDS;
  readonly number: number;
  readonly epoch: number;
  readonly writerId: string;
  /**
   * How many of the numbers right before this one were in flight when the object was put, less than `WINDOW`. The
   * object counts only if each of these numbers holds commits of the same writer that count.
   */
  readonly depth: number;
  /** The sequence of the first commit; without commits, the sequence that the next commit will have. */
  readonly firstSequence: number;
  readonly commits: readonly Commit[];
}

const MAGIC = 0x4c41_5747; // 'GWAL', read as a little-endian number
const FORMAT_VERSION = 1;
/** The format version of an epoch end, which format 1 does not have. */
const EPOCH_END_VERSION = 2;
/** The format version of an object that holds its depth; in the others the depth is 0. */
const DEPTH_VERSION = 3;
const LATEST_FORMAT_VERSION = DEPTH_VERSION;
const HEADER_BYTES = 36;
const DEPTH_BYTES = 1;
const CRC_BYTES = 4;

/** How many numbers one writer may have in flight at once. Part of the format: readers and successors rely on it. */
export const WINDOW = 4;

const KINDS = { commits: 1, 'epoch-start': 2, seal: 3, 'epoch-end': 4 } as const;
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[]; // as: its keys are these

/** The most bytes of an object without commits: writer ids have at most 64 bytes (open-namespace.ts). */
export const LONGEST_EMPTY_OBJECT_BYTES = HEADER_BYTES + 64 + DEPTH_BYTES + CRC_BYTES;

/** The most bytes of changes of one commit: their number is written as 32 bits. */
export const MOST_CHANGES_BYTES = 2 ** 32 - 1;

/** Bytes that a commit adds to its object besides its changes. */
export const COMMIT_OVERHEAD_BYTES = 4;

/** Encodes an object of the WAL. */
export function encodeWalObject(object: WalObject): Uint8Array {
  const writerId = Buffer.from(object.writerId, 'utf8');
  assert(writerId.length > 0 && writerId.length < 256, 'a writer id has 1 to 255 bytes');
  assert((object.kind === 'commits') === object.commits.length > 0, 'commits, or none, as the kind has it');
  assert(object.depth < WINDOW && object.depth < object.number, 'the objects in flight have numbers of their own');
  const { commits } = object;
  const format = formatOf(object);
  const headBytes = HEADER_BYTES + writerId.length + depthBytes(format);
  const payloadBytes = commits.reduce((sum, commit) => sum + COMMIT_OVERHEAD_BYTES + commit.changes.length, 0);
  const { buffer, byteOffset, byteLength } = Buffer.allocUnsafe(headBytes + payloadBytes + CRC_BYTES);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const view = new DataView(buffer, byteOffset, byteLength);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, format, true);
  view.setUint8(6, KINDS[object.kind]);
  view.setUint8(7, writerId.length);
  writeUint64(view, 8, object.number);
  writeUint64(view, 16, object.epoch);
  writeUint64(view, 24, object.firstSequence);
  view.setUint32(32, commits.length, true);
  bytes.set(writerId, HEADER_BYTES);
  if (depthBytes(format) > 0) view.setUint8(headBytes - DEPTH_BYTES, object.depth);
  let lengthAt = headBytes;
  let at = lengthAt + COMMIT_OVERHEAD_BYTES * commits.length;
  commits.forEach(({ sequence, changes }, index) => {
    assert(sequence === object.firstSequence + index, 'B2: the sequences of a group are dense');
    view.setUint32(lengthAt, changes.length, true);
    lengthAt += COMMIT_OVERHEAD_BYTES;
    bytes.set(changes, at);
    at += changes.length;
  });
  view.setUint32(at, crc32(bytes.subarray(0, at)), true);
  return bytes;
}

function formatOf({ depth, kind }: WalObject): number {
  if (depth > 0) return DEPTH_VERSION;
  return kind === 'epoch-end' ? EPOCH_END_VERSION : FORMAT_VERSION;
}

function depthBytes(format: number): number {
  return format === DEPTH_VERSION ? DEPTH_BYTES : 0;
}

/** Decodes an object of the WAL. The changes of its commits are views of `bytes`. @throws CORRUPTION, UNSUPPORTED for an unknown format */
export function decodeWalObject(number: number, bytes: Uint8Array): WalObject {
  const key = walKey(number);
  const end = bytes.length - CRC_BYTES;
  if (end < HEADER_BYTES) throw corruption(key, `${bytes.length} bytes are too few`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw corruption(key, 'it does not begin as a WAL object');
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end))) throw corruption(key, 'the checksum does not match');
  const format = view.getUint16(4, true);
  if (format < FORMAT_VERSION || format > LATEST_FORMAT_VERSION) throw unknownFormat(key, format);
  const kind = KIND_NAMES.find((name) => KINDS[name] === view.getUint8(6));
  if (kind === undefined) throw corruption(key, `unknown kind ${view.getUint8(6)}`);
  const said = readUint64(view, 8, key);
  if (said !== number) throw corruption(key, `it says that it is number ${said}`);
  const firstSequence = readUint64(view, 24, key);
  const count = view.getUint32(32, true);
  const lengthsAt = HEADER_BYTES + view.getUint8(7) + depthBytes(format);
  const payloadsAt = lengthsAt + COMMIT_OVERHEAD_BYTES * count;
  if (payloadsAt > end || (kind === 'commits') !== count > 0) throw corruption(key, `${count} commits do not fit its kind and length`);
  const depth = depthBytes(format) === 0 ? 0 : view.getUint8(lengthsAt - DEPTH_BYTES);
  if (depth >= WINDOW || depth >= number) throw corruption(key, `${depth} numbers before it cannot have been in flight`);
  return {
    kind,
    number,
    epoch: readUint64(view, 16, key),
    writerId: Buffer.from(bytes.buffer, bytes.byteOffset + HEADER_BYTES, view.getUint8(7)).toString('utf8'),
    depth,
    firstSequence,
    commits: decodeCommits({ key, bytes, view, count, firstSequence, lengthsAt, payloadsAt, end }),
  };
}

interface CommitArea {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly count: number;
  readonly firstSequence: number;
  readonly lengthsAt: number;
  readonly payloadsAt: number;
  readonly end: number;
}

function decodeCommits(area: CommitArea): Commit[] {
  const commits: Commit[] = [];
  let at = area.payloadsAt;
  for (let index = 0; index < area.count; index++) {
    const length = area.view.getUint32(area.lengthsAt + COMMIT_OVERHEAD_BYTES * index, true);
    if (at + length > area.end) throw corruption(area.key, `commit ${index} ends beyond the object`);
    commits.push({ sequence: area.firstSequence + index, changes: area.bytes.subarray(at, at + length) });
    at += length;
  }
  if (at !== area.end) throw corruption(area.key, `${area.end - at} bytes too many`);
  return commits;
}

function writeUint64(view: DataView, offset: number, value: number): void {
  assert(Number.isSafeInteger(value) && value >= 0, `not a counter: ${value}`);
  view.setUint32(offset, value % 2 ** 32, true);
  view.setUint32(offset + 4, Math.floor(value / 2 ** 32), true);
}

function readUint64(view: DataView, offset: number, key: string): number {
  const value = view.getUint32(offset, true) + view.getUint32(offset + 4, true) * 2 ** 32;
  if (!Number.isSafeInteger(value)) throw corruption(key, `the field at ${offset} is out of range`);
  return value;
}
