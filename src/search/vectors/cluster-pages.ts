/**
 * The binary form of pages of clusters: little-endian, every array at a multiple of 4 bytes.
 *
 * - A page of *entries* holds vectors of one cluster: their number n, then n positions, n scales, n halves of squares
 *   (|x|²/2), the upper halves of n codes, the lower halves of n codes.
 * - A page of *centroids* holds those of one group: their number n, then n first pages of entries, n numbers of pages, n
 *   numbers of entries, n roots of the mean square of the residuals, n values |c|²/2, n scales, n codes. The *groups* are
 *   written in the same way, as one run of bytes over as many pages as it takes; the first page of a group is the one
 *   that holds its centroids.
 */
import type { CodeShape } from './code-shape.ts';

const HEAD = 4;
const NUMBERS_PER_ENTRY = 3;
const NUMBERS_PER_CENTROID = 6;

/** Returns the bytes of an entry. */
export function entryBytes({ planeBytes }: CodeShape): number {
  return 4 * NUMBERS_PER_ENTRY + 2 * planeBytes;
}

/** Returns the bytes of a page of entries. */
export function entryPageBytes(shape: CodeShape, entries: number): number {
  return HEAD + entries * entryBytes(shape);
}

/** Returns the bytes of a page of centroids. */
export function centroidPageBytes({ centroidBytes }: CodeShape, centroids: number): number {
  return HEAD + centroids * (4 * NUMBERS_PER_CENTROID + centroidBytes);
}

/** Returns how many entries a page of so many bytes holds, at least 1. */
export function entriesIn(shape: CodeShape, bytes: number): number {
  return Math.max(1, Math.floor((bytes - HEAD) / entryBytes(shape)));
}

/** Returns how many centroids a page of so many bytes holds, at least 1. */
export function centroidsIn(shape: CodeShape, bytes: number): number {
  return Math.max(1, Math.floor((bytes - HEAD) / (4 * NUMBERS_PER_CENTROID + shape.centroidBytes)));
}

/** The arrays of a page of entries, over its bytes. */
export interface EntryPage {
  readonly count: number;
  readonly positions: Uint32Array;
  readonly scales: Float32Array;
  readonly halves: Float32Array;
  /** The bytes of the page as a Buffer, which copies shared memory faster than `set` does. */
  readonly bytes: Buffer;
  /** Where the upper halves of the codes begin in `bytes`; `lower` has where the lower halves begin. */
  readonly upper: number;
  readonly lower: number;
}

/** Returns the arrays of a page; null: the page has not the length that its number of entries asks for. */
export function openEntryPage(shape: CodeShape, page: Uint8Array): EntryPage | null {
  if (page.length < HEAD) return null;
  const count = new DataView(page.buffer, page.byteOffset).getUint32(0, true);
  if (page.length !== entryPageBytes(shape, count)) return null;
  const { buffer, byteOffset, byteLength } = aligned(page);
  const from = byteOffset + HEAD;
  const upper = HEAD + 4 * NUMBERS_PER_ENTRY * count;
  return {
    count,
    positions: new Uint32Array(buffer, from, count),
    scales: new Float32Array(buffer, from + 4 * count, count),
    halves: new Float32Array(buffer, from + 8 * count, count),
    bytes: Buffer.from(buffer, byteOffset, byteLength),
    upper,
    lower: upper + count * shape.planeBytes,
  };
}

/** Returns the bytes at an address that is a multiple of 4, copied if they are not. */
function aligned(page: Uint8Array): Uint8Array {
  return page.byteOffset % 4 === 0 ? page : page.slice();
}

/** The centroids of one group, or the centroids of all groups. */
export interface CentroidList {
  readonly count: number;
  readonly firstPages: Uint32Array;
  readonly pageCounts: Uint32Array;
  readonly entries: Uint32Array;
  /** The root of the mean square of each cluster's residuals. */
  readonly radii: Float32Array;
  /** |c|²/2 of each centroid c. */
  readonly halves: Float32Array;
  readonly scales: Float32Array;
  /** The codes, one centroid after the other. */
  readonly codes: Buffer;
}

/** Returns the arrays of a list; null: the list has not the length that its number of centroids asks for. */
export function openCentroidList(shape: CodeShape, bytes: Uint8Array): CentroidList | null {
  if (bytes.length < HEAD) return null;
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (bytes.length !== centroidPageBytes(shape, count)) return null;
  const { buffer, byteOffset } = aligned(bytes);
  const at = (index: number): number => byteOffset + HEAD + 4 * index * count;
  return {
    count,
    firstPages: new Uint32Array(buffer, at(0), count),
    pageCounts: new Uint32Array(buffer, at(1), count),
    entries: new Uint32Array(buffer, at(2), count),
    radii: new Float32Array(buffer, at(3), count),
    halves: new Float32Array(buffer, at(4), count),
    scales: new Float32Array(buffer, at(5), count),
    codes: Buffer.from(buffer, at(NUMBERS_PER_CENTROID), count * shape.centroidBytes),
  };
}

/** Makes an empty list: its bytes, and the arrays over them to fill. */
export function newCentroidList(shape: CodeShape, count: number): { readonly bytes: Uint8Array; readonly list: CentroidList } {
  const bytes = new Uint8Array(centroidPageBytes(shape, count));
  new DataView(bytes.buffer).setUint32(0, count, true);
  return { bytes, list: openCentroidList(shape, bytes)! };
}

/** Makes an empty page: its bytes, and the arrays over them to fill. */
export function newEntryPage(shape: CodeShape, count: number): { readonly bytes: Uint8Array; readonly page: EntryPage } {
  const bytes = new Uint8Array(entryPageBytes(shape, count));
  new DataView(bytes.buffer).setUint32(0, count, true);
  return { bytes, page: openEntryPage(shape, bytes)! };
}
