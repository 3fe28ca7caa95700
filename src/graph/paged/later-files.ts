/** Tells which rows of a table are in force when later files replace or delete rows of the files that artefacts cover. */
import { hasBit } from '../arrays/bitmap.ts';
import { lastAtMost } from './last-at-most.ts';

/** The rows of the later files, those that no artefact covers. */
interface LaterFileRows {
  readonly ordinals: Uint32Array;
  /** Bitmap of the rows that are in force: the newest row of their ordinal, and no deletion. */
  readonly holds: Uint8Array;
}

/** Tells which rows of the files of a table are in force. */
export class LaterFiles {
  /** The first row of the later files. */
  readonly firstRow: number;
  readonly #ordinals: Uint32Array;
  readonly #holds: Uint8Array;

  constructor(firstRow: number, { ordinals, holds }: LaterFileRows) {
    this.firstRow = firstRow;
    this.#ordinals = ordinals.slice().sort();
    this.#holds = holds;
  }

  /** Whether a row of the files is in force. `ordinalOf` is called only for a row of the earlier files. */
  isHolding(row: number, ordinalOf: (row: number) => number): boolean {
    if (row >= this.firstRow) return hasBit(this.#holds, row - this.firstRow);
    const ordinal = ordinalOf(row);
    const at = lastAtMost(this.#ordinals, ordinal);
    return at < 0 || this.#ordinals[at] !== ordinal;
  }
}
