/**
 * Tracks the memory of a statement, in estimated bytes, against its limit. The total is the sum of two numbers.
 *
 * `used` is the memory kept: rows of breakers, groups, keys, results, changes of the graph, the stack of a walk. Code
 * that keeps something charges it beforehand, and releases it when it is no longer needed. A value is charged with
 * everything inside it; a value that many rows of a breaker share is charged once, because the last few values are
 * remembered.
 *
 * `held` is the memory of values that the current row has made and nothing keeps yet. Large lists, texts and maps are
 * held before they are made. Each generated loop whose body makes such values resets `held`, after each iteration and
 * at its end, to what it was before the loop: a value lives no longer than the iteration that made it, unless it is
 * kept, and then it is charged. So values made one after another by 100,000 steps of reduce() are never added up, while
 * values that are alive together always are. A value that is both held and kept counts twice.
 */
import { collectIfGrown, GraphDBError } from '../../../base/index.ts';
import type { Limits } from '../limits.ts';
import { BYTES_PER_ELEMENT, bytesBeside, bytesInside, isShort, knowBytes, LARGE } from './value-bytes.ts';

/** Bytes for a field of a kept row: a slot and, on average, half a boxed value. */
export const BYTES_PER_FIELD = 24;

/** Bytes for a kept row, beside its fields. */
export const BYTES_PER_ROW = 40;
/** A batch of rows leaves when its long values take this many bytes. */
const BATCH_BYTES = 4 * 2 ** 20;
/** How many values are remembered as charged, such as a list that appears in the row of each of its elements. */
const REMEMBERED_VALUES = 8;
/** Binary logarithm of the bytes whose keeping costs one extra step. */
const BYTES_PER_STEP = 6;
/** The share of the limit beyond which operators that can spill write their rows to files. */
const SPILL_SHARE = 0.5;
/** Growing lists are charged in pieces of this many bytes. */
const PIECE_BYTES = 65_536;
/** After large values of this many bytes have been made, the heap is collected if it has grown by as much. */
const MADE_BYTES = 64 * 2 ** 20;

/** The memory of a statement, charged against its limit. */
export class MemoryAccount {
  /** Estimated bytes that are kept. */
  used: number;
  /** Estimated bytes of large values that the current row has made. */
  held = 0;
  /** Bytes of large values made since the heap was last checked. */
  private made = 0;
  readonly limits: Pick<Limits, 'count' | 'lookSoon'>;
  /** The limit of `used` and `held` together, in bytes. */
  readonly limit: number;
  /** The bytes beyond which operators that can spill write their rows to files. */
  private share: number;
  /** The part of `used` that the rows of the result take. */
  private given = 0;
  private batchBytes = 0;
  /** Whether a row of the result had a long value. */
  private hasLongRows = false;
  private remembered: unknown[] | null = null;
  /** For each remembered value, `used` right before it was charged. */
  private readonly marks: number[] = [];
  private oldest = 0;

  /** @param limit the memory limit in estimated bytes @param used bytes that are charged from the start */
  constructor(limit: number, limits: Pick<Limits, 'count' | 'lookSoon'>, used = 0) {
    this.limit = limit;
    this.used = used;
    this.share = limit * SPILL_SHARE;
    this.limits = limits;
  }

  /** Whether operators that can spill should write their rows to files. */
  get isPressed(): boolean {
    return this.used + this.held > this.share;
  }

  /**
   * Releases all memory but that of the result, because the statement runs again from its beginning, and lowers the
   * threshold of spilling to half of the memory that it could get.
   */
  beginAgain(): void {
    this.share = Math.min(this.limit, this.used) * SPILL_SHARE;
    this.release(this.used - this.given);
    this.held = 0;
  }

  /** Charges `rows` rows of `fields` fields. @throws MEMORY_LIMIT */
  charge(rows: number, fields: number): void {
    this.chargeBytes(rows * (BYTES_PER_ROW + BYTES_PER_FIELD * fields));
  }

  /** Charges the long values of a row whose place and fields are charged elsewhere. @throws MEMORY_LIMIT */
  chargeValues(row: readonly unknown[]): void {
    for (let i = 0; i < row.length; i++) {
      const value = row[i];
      if (!isShort(value)) this.chargeValue(value);
    }
  }

  /** Charges a value whose place is charged elsewhere, unless it is remembered. @throws MEMORY_LIMIT */
  chargeValue(value: unknown): void {
    const bytes = bytesBeside(value, this.limits);
    if (bytes === 0 || !this.isNew(value)) return;
    this.limits.count(bytes >> BYTES_PER_STEP);
    this.chargeBytes(bytes);
  }

  /** Charges a value that is appended to a growing list. @throws MEMORY_LIMIT */
  chargeElement(value: unknown): void {
    this.chargeBytes(2 * BYTES_PER_ELEMENT + (isShort(value) ? bytesInside(value, this.limits) : 0));
    if (!isShort(value)) this.chargeValue(value);
  }

  /** Charges a batch of rows of the result that leave the statement together. @throws MEMORY_LIMIT */
  chargeBatch(rows: readonly (readonly unknown[])[]): void {
    if (this.hasLongRows) {
      this.chargeRows(rows);
      return;
    }
    const before = this.used;
    this.charge(rows.length, rows[0]?.length ?? 0);
    this.given += this.used - before;
  }

  /**
   * Charges rows of a result, all of one width. A value that several rows share is charged for each, because it is
   * copied for each on its way to another thread, and serialized as often.
   *
   * @throws MEMORY_LIMIT
   */
  chargeRows(rows: readonly (readonly unknown[])[]): void {
    const before = this.used;
    this.charge(rows.length, rows[0]?.length ?? 0);
    for (const row of rows) {
      for (let i = 0; i < row.length; i++) if (!isShort(row[i])) this.chargeBytes(bytesBeside(row[i], this.limits));
    }
    this.given += this.used - before;
  }

  private isNew(value: unknown): boolean {
    this.remembered ??= [];
    if (this.remembered.includes(value)) return false;
    this.remembered[this.oldest] = value;
    this.marks[this.oldest] = this.used;
    this.oldest = (this.oldest + 1) % REMEMBERED_VALUES;
    return true;
  }

  /** Counts a row that has a long value. Returns true when the rows collected so far, including this one, should leave as a batch. */
  fillsBatch(row: readonly unknown[]): boolean {
    for (let i = 0; i < row.length; i++) {
      if (isShort(row[i])) continue;
      this.hasLongRows = true;
      this.batchBytes += bytesBeside(row[i], this.limits);
    }
    if (this.batchBytes < BATCH_BYTES) return false;
    this.batchBytes = 0;
    this.limits.lookSoon();
    return true;
  }

  /** Returns the bytes of a value, beside its place in a list. */
  bytesInside(value: unknown): number {
    return bytesInside(value, this.limits);
  }

  /** Returns the bytes of a value, beside the local variable that holds it. */
  bytesBeside(value: unknown): number {
    return bytesBeside(value, this.limits);
  }

  /**
   * Returns the bytes of a value that is about to be traversed as a tree by an operation that nothing interrupts. A list
   * of references to one large value takes little memory, but as a tree it may have no end: beyond the limit of the
   * statement it is refused.
   *
   * @throws MEMORY_LIMIT
   */
  bytesTraversed(value: unknown): number {
    const bytes = bytesBeside(value, this.limits);
    if (bytes > this.limit) this.refuse();
    return bytes;
  }

  /** Whether these bytes can still be charged. */
  hasRoomFor(bytes: number): boolean {
    return this.used + this.held + bytes <= this.limit;
  }

  /** Charges bytes that are kept. @throws MEMORY_LIMIT */
  chargeBytes(bytes: number): void {
    this.used += bytes;
    if (this.used + this.held > this.limit) this.refuse();
  }

  /** Holds the bytes of a large value that is about to be made. @throws MEMORY_LIMIT */
  hold(bytes: number): void {
    this.held += bytes;
    if (this.used + this.held > this.limit) this.refuse();
    this.made += bytes;
    if (this.made > MADE_BYTES) this.collect();
  }

  /** Collects garbage left by large values of earlier rows, which V8 would let grow to a multiple of the live memory. */
  private collect(): void {
    this.made = 0;
    collectIfGrown(MADE_BYTES);
  }

  /** Holds a list or map made from existing values, if it is large; values inside it count as often as they appear. @throws MEMORY_LIMIT */
  holdMade(value: object): void {
    const bytes = bytesBeside(value, this.limits);
    if (bytes > LARGE) this.hold(bytes);
  }

  /** Charges a growing list that has outgrown the bytes it was charged for. Returns the bytes charged for it from then on. */
  grow(room: number, bytes: number): number {
    this.chargeBytes(bytes + PIECE_BYTES - room);
    return bytes + PIECE_BYTES;
  }

  /** Moves the charge of a list that has stopped growing to the memory held. */
  settle(list: object, charged: number, bytes: number): void {
    if (charged > 0) this.release(charged);
    knowBytes(list, bytes);
    this.hold(bytes);
  }

  /** Releases bytes that are no longer kept, and forgets remembered values that were charged with them. */
  release(bytes: number): void {
    this.used -= bytes;
    if (this.remembered === null || bytes <= 0) return;
    for (let i = 0; i < this.remembered.length; i++) if (this.marks[i]! >= this.used) this.remembered[i] = this;
  }

  private refuse(): never {
    throw new GraphDBError(
      'MEMORY_LIMIT',
      `the statement needs more than its memory limit of ${this.limit} bytes; add a LIMIT, or allow it more memory`,
    );
  }
}
