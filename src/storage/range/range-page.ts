/**
 * The format of a page of a range index: entries in order, each with the part of its key that differs from the key
 * before (docs/storage-format.md, "Range index"), packed by zstd where that helps. The fence key of a page is a short
 * beginning of its first key, which tells it from all keys of the page before, with a mark where it cannot.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../../base/index.ts';

const PLAIN = 0;
const PACKED = 1;
const HEAD_BYTES = 5;
/** The size from which on a page is full, in bytes before packing. */
export const PAGE_BYTES = 64 * 2 ** 10;
const MOST_UNPACKED_BYTES = 2 * PAGE_BYTES;
const ZSTD_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The most bytes of a fence key. */
const FENCE_BYTES = 48;
const SHARED_MARK = '=';

/** Writes the entries of a page. */
export class PageWriter {
  count = 0;
  readonly #entries = new ByteWriter(PAGE_BYTES);
  #lastRow = 0;

  get isFull(): boolean {
    return this.#entries.length >= PAGE_BYTES;
  }

  /** Adds an entry. `shared` is how many bytes its key shares with the key before; 0 for the first entry of a page. */
  add(key: Uint8Array, { shared, isCut, row }: { readonly shared: number; readonly isCut: boolean; readonly row: number }): void {
    const entries = this.#entries;
    entries.varint(shared);
    entries.varint(2 * (key.length - shared) + (isCut ? 1 : 0));
    entries.raw(key.subarray(shared));
    entries.zigzag(row - this.#lastRow);
    this.#lastRow = row;
    this.count++;
  }

  /** Returns the encoded page, and begins the next one. */
  finish(): Uint8Array {
    const page = encodePage(this.#entries.view());
    this.#entries.reset();
    this.#lastRow = 0;
    this.count = 0;
    return page;
  }
}

function encodePage(entries: Uint8Array): Uint8Array {
  const packed = zstdCompressSync(entries, ZSTD_OPTIONS);
  const isPacked = packed.length < entries.length;
  const body = isPacked ? packed : entries;
  const page = new Uint8Array(HEAD_BYTES + body.length);
  page[0] = isPacked ? PACKED : PLAIN;
  new DataView(page.buffer).setUint32(1, entries.length, true);
  page.set(body, HEAD_BYTES);
  return page;
}

/** Takes an entry of a page; the key is valid during the call only. */
export type TakeEntry = (key: Uint8Array, row: number, isCut: boolean) => void;

/** Decodes a page, and calls `take` for each entry. @throws CORRUPTION, which names the source, when the page is invalid */
export function decodePage(page: Uint8Array, source: string, take: TakeEntry): void {
  const head = new ByteReader(page, source);
  const form = head.byte();
  const length = head.u32();
  if (form > PACKED || length > MOST_UNPACKED_BYTES) throw head.corrupt('a page of a range index has another form');
  const entries = form === PACKED ? unpack(page.subarray(HEAD_BYTES), length, head) : page.subarray(HEAD_BYTES);
  if (entries.length !== length) throw head.corrupt('a page of a range index has another length');
  const reader = new ByteReader(entries, source);
  let key = new Uint8Array(512);
  let [keyLength, row] = [0, 0];
  while (!reader.atEnd) {
    const shared = reader.varint();
    const rest = reader.varint();
    const suffix = reader.raw(rest >>> 1);
    if (shared > keyLength) throw reader.corrupt('an entry has more in common with the one before than that has');
    if (shared + suffix.length > key.length) {
      const larger = new Uint8Array(2 * (shared + suffix.length));
      larger.set(key);
      key = larger;
    }
    key.set(suffix, shared);
    keyLength = shared + suffix.length;
    row += reader.zigzag();
    take(key.subarray(0, keyLength), row, (rest & 1) === 1);
  }
}

function unpack(packed: Uint8Array, length: number, head: ByteReader): Uint8Array {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: Math.max(length, 1) });
  } catch {
    throw head.corrupt('a page of a range index cannot be unpacked');
  }
}

/** A parsed fence key, which bounds the keys of a page from below and those of the page before from above. */
export interface Fence {
  /** A beginning of the first key of the page. */
  readonly key: Uint8Array;
  /** Whether keys of the page before may begin with `key`; if not, all of them are below it. */
  readonly isShared: boolean;
}

/** Returns the fence key of a page from its first key and the key before, which is not greater; null for the first page. */
export function fenceText(first: Uint8Array, before: Uint8Array | null): string {
  if (before === null) return '';
  const shared = commonLength(first, before);
  const isShared = shared >= Math.min(FENCE_BYTES, first.length);
  const key = first.subarray(0, Math.min(shared + 1, FENCE_BYTES));
  return `${isShared ? SHARED_MARK : ''}${Buffer.from(key).toString('base64')}`;
}

/** Parses the text of a fence key. */
export function parseFence(text: string): Fence {
  const isShared = text.startsWith(SHARED_MARK);
  return { key: Buffer.from(isShared ? text.slice(1) : text, 'base64'), isShared };
}

/** Whether the page before the fence may have a key that is not below `wanted`. */
export function reaches({ key, isShared }: Fence, wanted: Uint8Array): boolean {
  if (compareKeys(key, wanted) > 0) return true;
  return isShared && commonLength(key, wanted) === key.length;
}

/** Compares two keys: negative when `a` comes first, 0 when they are equal. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

/** Returns the length of the longest common prefix of two keys, in bytes. */
export function commonLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}
