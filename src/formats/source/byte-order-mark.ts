/** The byte order mark at the beginning of a text. */
import { GraphDBError } from '../../base/index.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * Returns the position after the byte order mark of UTF-8, or `from` if there is none there. @throws ARGUMENT_ERROR for
 * the mark of UTF-16
 */
export function textStart(name: string, bytes: Buffer, from: number, to: number): number {
  const start = bytes.subarray(from, Math.min(to, from + BYTE_ORDER_MARK.length));
  if (UTF16_MARKS.some((mark) => start.subarray(0, mark.length).equals(mark))) {
    throw new GraphDBError('ARGUMENT_ERROR', `${name}: the text is UTF-16; convert it to UTF-8`);
  }
  return start.equals(BYTE_ORDER_MARK) ? from + start.length : from;
}
