/** Bytes that end a line, and the longest row that is read from a text file. */
import { GraphDBError } from '../../base/index.ts';

/** The byte that ends a line. */
export const LINE_FEED = 10;

/** The byte that may stand before the end of a line. */
export const CARRIAGE_RETURN = 13;
/** A longer row ends reading: mostly a quote is not closed, and rows lie in memory whole. */
export const LONGEST_ROW_BYTES = 64 * 2 ** 20;

/** @param name of the file */
export function tooLongRow(name: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', `${name}: a row of more than ${LONGEST_ROW_BYTES >> 20} MiB; is a quote not closed?`);
}
