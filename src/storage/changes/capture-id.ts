/** Identifiers of change captures, by which positions in a log are told from those of another log, or of former content. */
import { randomHex } from '../../base/index.ts';

const ID_BYTES = 8;

/** Returns an identifier for `Capture.id` that no other capture has. */
export function freshCaptureId(): string {
  return randomHex(ID_BYTES);
}
