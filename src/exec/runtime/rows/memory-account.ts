/** The memory of a statement: estimated bytes of what it keeps, against its limit. */
import { GraphDBError } from '../../../base/index.ts';
import { bytesBeside, isShort } from './value-bytes.ts';

/** What a field of a kept row costs: a slot and, on average, half a boxed value. */
const BYTES_PER_FIELD = 24;
const BYTES_PER_ROW = 40;
/** A batch of rows leaves when its long values take so much. */
const BATCH_BYTES = 4 * 2 ** 20;
/** Of values that many rows share (a list that each of its elements stands beside), so many are known again. */
const REMEMBERED_VALUES = 8;

export class MemoryAccount {
  /** Estimated bytes of the rows that are kept now. */
  used = 0;
  private readonly limit: number;
  private batchBytes = 0;
  /** Some row that left had a long value. */
  private hasLongRows = false;
  private remembered: unknown[] | null = null;
  private oldest = 0;

  /** @param limit bytes of intermediate and result rows, estimated */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** `rows` more rows of `fields` fields are kept. */
  charge(rows: number, fields: number): void {
    this.chargeBytes(rows * (BYTES_PER_ROW + BYTES_PER_FIELD * fields));
  }

  /** A row is kept whose place and fields are charged elsewhere: what its values take beside them. */
  chargeValues(row: readonly unknown[]): void {
    for (let i = 0; i < row.length; i++) {
      const value = row[i];
      if (isShort(value)) continue;
      const bytes = bytesBeside(value);
      if (bytes > 0 && this.isNew(value)) this.chargeBytes(bytes);
    }
  }

  /** Rows that this statement gave are kept, as they left together. */
  chargeBatch(rows: readonly (readonly unknown[])[]): void {
    if (this.hasLongRows) this.chargeRows(rows);
    else this.charge(rows.length, rows[0]?.length ?? 0);
  }

  /** Rows that are kept, of one width. */
  chargeRows(rows: readonly (readonly unknown[])[]): void {
    this.charge(rows.length, rows[0]?.length ?? 0);
    for (const row of rows) this.chargeValues(row);
  }

  private isNew(value: unknown): boolean {
    this.remembered ??= [];
    if (this.remembered.includes(value)) return false;
    this.remembered[this.oldest] = value;
    this.oldest = (this.oldest + 1) % REMEMBERED_VALUES;
    return true;
  }

  /** Asked of each row that has a long value: true when the rows that are to leave together, this one the last of them, should leave now. */
  fillsBatch(row: readonly unknown[]): boolean {
    for (let i = 0; i < row.length; i++) {
      if (isShort(row[i])) continue;
      this.hasLongRows = true;
      this.batchBytes += bytesBeside(row[i]);
    }
    if (this.batchBytes < BATCH_BYTES) return false;
    this.batchBytes = 0;
    return true;
  }

  /** A value that grows, and is not kept yet. */
  assertRoomFor(value: unknown): void {
    if (typeof value === 'number' || this.used + bytesBeside(value) <= this.limit) return;
    this.chargeBytes(bytesBeside(value));
  }

  /** Bytes that are kept; negative: that are free again. */
  chargeBytes(bytes: number): void {
    this.used += bytes;
    if (this.used > this.limit) {
      throw new GraphDBError(
        'MEMORY_LIMIT',
        `the statement needs more than its memory limit of ${this.limit} bytes; add a LIMIT, or allow it more memory`,
      );
    }
  }
}
