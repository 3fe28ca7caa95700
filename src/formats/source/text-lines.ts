/** Line ends, and the limit of the length of a row that is read from a text file. */
import { GraphDBError } from '../../base/index.ts';

/** The byte that ends a line. */
export const LINE_FEED = 10;

/** The byte that may come before LINE_FEED at the end of a line, or end a line by itself. */
export const CARRIAGE_RETURN = 13;
/** The longest row, 64 MiB. A longer one ends reading: rows are in memory as a whole, and mostly a quote is not closed. */
export const LONGEST_ROW_BYTES = 64 * 2 ** 20;

/** Makes the ARGUMENT_ERROR for a row beyond the limit. @param name the name of the file */
export function tooLongRow(name: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', `${name}: a row of more than ${LONGEST_ROW_BYTES >> 20} MiB; is a quote not closed?`);
}
