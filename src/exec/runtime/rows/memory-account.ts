/**
 * The memory of a statement: estimated bytes of what it has, against its limit. Two sums make it up.
 *
 * `used`: what is kept. Rows of breakers, groups, keys, results, changes of the graph, the stack of a walk. Whoever
 * keeps it charges it before, and releases it when nobody reads it any more. A value is charged with all that is in it;
 * one that many rows of a breaker share is charged once (the last few are known again).
 *
 * `held`: what the present row has made and nobody keeps yet. Lists, texts and maps that are large are held before they
 * are made. Each loop of generated code whose body makes such values sets `held` back, on each turn and at its end, to
 * what it was before it: a value lives as long as the turn that made it, unless somebody keeps it, who charges it. So
 * what 100,000 steps of reduce() make one after the other is never counted together, and what lives at one time always
 * is. While a value is both held and kept it counts twice.
 */
import { collectIfGrown, GraphDBError } from '../../../base/index.ts';
import type { Limits } from '../limits.ts';
import { BYTES_PER_ELEMENT, bytesBeside, bytesInside, isShort, knowBytes, LARGE } from './value-bytes.ts';

/** Memory of a field of a kept row: a slot and, on average, half a boxed value. */
export const BYTES_PER_FIELD = 24;

/** Memory of a kept row beside its fields. */
export const BYTES_PER_ROW = 40;
/** A batch of rows leaves when its long values take so much. */
const BATCH_BYTES = 4 * 2 ** 20;
/** So many values that rows share are known again, such as a list that each of its elements stands beside. */
const REMEMBERED_VALUES = 8;
/** To keep so many bytes takes a step beside: a shift. */
const BYTES_PER_STEP = 6;
/** The part of the limit beyond which operators write what they hold to files, where the statement is run so. */
const SPILL_SHARE = 0.5;
/** Growing values are charged in pieces of so many bytes. */
const PIECE_BYTES = 65_536;
/** The heap is looked at each time large values of so many bytes have been made, and collected if it has grown as much. */
const MADE_BYTES = 64 * 2 ** 20;

/** The memory of a statement, charged against its limit. */
export class MemoryAccount {
  /** Estimated bytes of what is kept now. */
  used: number;
  /** Estimated bytes of large values that the present row has made. */
  held = 0;
  /** Bytes of large values that were made since the heap was last collected for them. */
  private made = 0;
  readonly limits: Pick<Limits, 'count' | 'lookSoon'>;
  /** Bytes that it may have. */
  readonly limit: number;
  /** The memory that it may have before operators that can write what they hold to files do so. */
  private share: number;
  /** Bytes of the result, of those that are kept. */
  private given = 0;
  private batchBytes = 0;
  /** Some row that left had a long value. */
  private hasLongRows = false;
  private remembered: unknown[] | null = null;
  /** The memory that was used before each of them was charged. */
  private readonly marks: number[] = [];
  private oldest = 0;

  /**
   * @param limit bytes of intermediate and result rows, estimated
   * @param used of them already
   */
  constructor(limit: number, limits: Pick<Limits, 'count' | 'lookSoon'>, used = 0) {
    this.limit = limit;
    this.used = used;
    this.share = limit * SPILL_SHARE;
    this.limits = limits;
  }

  /** Operators that can are to write what they hold. */
  get isPressed(): boolean {
    return this.used + this.held > this.share;
  }

  /** The statement begins anew, because no more memory was to be had than it used; its result so far is kept. */
  beginAgain(): void {
    this.share = Math.min(this.limit, this.used) * SPILL_SHARE;
    this.release(this.used - this.given);
    this.held = 0;
  }

  /** `rows` more rows of `fields` fields are kept. */
  charge(rows: number, fields: number): void {
    this.chargeBytes(rows * (BYTES_PER_ROW + BYTES_PER_FIELD * fields));
  }

  /** A row is kept whose place and fields are charged elsewhere: what its values take beside them. */
  chargeValues(row: readonly unknown[]): void {
    for (let i = 0; i < row.length; i++) {
      const value = row[i];
      if (!isShort(value)) this.chargeValue(value);
    }
  }

  /** A value is kept whose place is charged elsewhere. */
  chargeValue(value: unknown): void {
    const bytes = bytesBeside(value, this.limits);
    if (bytes === 0 || !this.isNew(value)) return;
    this.limits.count(bytes >> BYTES_PER_STEP);
    this.chargeBytes(bytes);
  }

  /** A value is kept in a list that grows. */
  chargeElement(value: unknown): void {
    this.chargeBytes(2 * BYTES_PER_ELEMENT + (isShort(value) ? bytesInside(value, this.limits) : 0));
    if (!isShort(value)) this.chargeValue(value);
  }

  /** Rows that this statement gave are kept, as they left together. */
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
   * Rows of an answer, of one width. A value that several of them share counts with each: on its way to another thread
   * it is copied for each, and it is written as often.
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

  /**
   * Asked of each row that has a long value: true when the rows that are to leave together, this one the last of them,
   * should leave now.
   */
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

  /** Bytes of a value beside its place in a list. */
  bytesInside(value: unknown): number {
    return bytesInside(value, this.limits);
  }

  /** Bytes of a value beside a local. */
  bytesBeside(value: unknown): number {
    return bytesBeside(value, this.limits);
  }

  /** Bytes that are kept. @throws MEMORY_LIMIT */
  chargeBytes(bytes: number): void {
    this.used += bytes;
    if (this.used + this.held > this.limit) this.refuse();
  }

  /** A value of so many bytes is about to be made. @throws MEMORY_LIMIT */
  hold(bytes: number): void {
    this.held += bytes;
    if (this.used + this.held > this.limit) this.refuse();
    this.made += bytes;
    if (this.made > MADE_BYTES) this.collect();
  }

  /** Rows that make large values leave those of rows before them as garbage; V8 would let it grow to a multiple of what lives. */
  private collect(): void {
    this.made = 0;
    collectIfGrown(MADE_BYTES);
  }

  /** A list or map was made of values that are there; it is held as a tree where that is large. @throws MEMORY_LIMIT */
  holdMade(value: object): void {
    const bytes = bytesBeside(value, this.limits);
    if (bytes > LARGE) this.hold(bytes);
  }

  /** A list grows element by element, and has outgrown the room that it was charged for. Answers how much room it has then. */
  grow(room: number, bytes: number): number {
    this.chargeBytes(bytes + PIECE_BYTES - room);
    return bytes + PIECE_BYTES;
  }

  /** A list that grew is complete: what was charged for it is held from here on. */
  settle(list: object, charged: number, bytes: number): void {
    if (charged > 0) this.release(charged);
    knowBytes(list, bytes);
    this.hold(bytes);
  }

  /** Bytes that are kept no longer. Of values that were charged with them, none is known again. */
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
