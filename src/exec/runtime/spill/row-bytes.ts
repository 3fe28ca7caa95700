/** Computes the memory of a row, as `MemoryAccount` charges it. */
import { BYTES_PER_FIELD, BYTES_PER_ROW } from '../rows/memory-account.ts';
import { bytesBeside, isShort, type Work } from '../rows/value-bytes.ts';
import type { Row } from './row-codec.ts';

/** Returns the estimated memory of a row, in bytes. */
export function bytesOfRow(row: Row, work: Work): number {
  let bytes = BYTES_PER_ROW + BYTES_PER_FIELD * row.length;
  for (let i = 0; i < row.length; i++) if (!isShort(row[i])) bytes += bytesBeside(row[i], work);
  return bytes;
}
