/**
 * Identifiers of changes: opaque to clients, which send one back to read on from there.
 *
 * An identifier names the capture (another one in every namespace, each time capture is turned on, and with new content
 * that no commit describes), the commit, the change in it, and the position of the commit in the log, so that reading
 * begins at one object. Its checksum tells the commit from another that took its place because the first was never
 * acknowledged by its writer.
 */
import type { LogPosition } from '../../storage/index.ts';

/** The place of a change in the log. */
export interface ChangePlace extends LogPosition {
  /** The identifier of the capture, `Capture.id`. */
  readonly captureId: string;
  /** The index of the last known change of the commit; `WHOLE_COMMIT` if all of them are known. */
  readonly index: number;
}

/** The index that stands for all changes of a commit. */
export const WHOLE_COMMIT = 2 ** 32 - 1;

const RADIX = 36;
const ID = /^([0-9a-f]{8,32})((?:\.[0-9a-z]{1,11}){5})$/;

/** Formats the identifier of a change. */
export function formatChangeId({ captureId, sequence, index, walNumber, epoch, crc32 }: ChangePlace): string {
  return [captureId, ...[sequence, index, walNumber, epoch, crc32].map((part) => part.toString(RADIX))].join('.');
}

/** Parses the identifier of a change; null if the text is not one. */
export function parseChangeId(id: string): ChangePlace | null {
  const [, captureId, rest] = ID.exec(id) ?? [];
  if (captureId === undefined || rest === undefined) return null;
  const [sequence, index, walNumber, epoch, crc32] = rest
    .slice(1)
    .split('.')
    .map((part) => Number.parseInt(part, RADIX)) as [number, number, number, number, number]; // as: there are five
  if (![sequence, index, walNumber, epoch, crc32].every(Number.isSafeInteger) || walNumber < 1) return null;
  return { captureId, sequence, index, walNumber, epoch, crc32 };
}
