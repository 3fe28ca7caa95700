/**
 * Identifiers of changes: opaque to clients, who give them back to read on from there.
 *
 * One says which capture it is of (another one after capture was turned off and on, and in every other namespace), the
 * commit, the change in it, and where that commit stands in the log, so that reading begins at one object. The checksum
 * tells a commit from another that took its place because its writer had never answered it.
 */
import type { LogPosition } from '../../storage/index.ts';

/** The place of a change in the log. */
export interface ChangePlace extends LogPosition {
  /** `Capture.id` */
  readonly captureId: string;
  /** The last change of the commit that is known; `WHOLE_COMMIT`: all of them. */
  readonly index: number;
}

/** The index behind all changes of a commit. */
export const WHOLE_COMMIT = 2 ** 32 - 1;

const RADIX = 36;
const ID = /^([0-9a-f]{8,32})((?:\.[0-9a-z]{1,11}){5})$/;

/** Formats the identifier of a change. */
export function formatChangeId({ captureId, sequence, index, walNumber, epoch, crc32 }: ChangePlace): string {
  return [captureId, ...[sequence, index, walNumber, epoch, crc32].map((part) => part.toString(RADIX))].join('.');
}

/** null: it is none. */
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
