/** Which rows of a table hold, where later files replace or delete rows of the ones that artefacts cover. */
import { hasBit } from '../arrays/bitmap.ts';
import { lastAtMost } from './last-at-most.ts';

/** Values of the rows of later files. */
interface LaterFileRows {
  readonly ordinals: Uint32Array;
  /** Bitmap: whether it is the one that holds of its ordinal. */
  readonly holds: Uint8Array;
}

/** Tells which rows of files hold. */
export class LaterFiles {
  /** The first row that lies in them. */
  readonly firstRow: number;
  readonly #ordinals: Uint32Array;
  readonly #holds: Uint8Array;

  constructor(firstRow: number, { ordinals, holds }: LaterFileRows) {
    this.firstRow = firstRow;
    this.#ordinals = ordinals.slice().sort();
    this.#holds = holds;
  }

  /** Whether a row of files is the one that holds of its ordinal, which is asked for where the row lies in earlier files. */
  isHolding(row: number, ordinalOf: (row: number) => number): boolean {
    if (row >= this.firstRow) return hasBit(this.#holds, row - this.firstRow);
    const ordinal = ordinalOf(row);
    const at = lastAtMost(this.#ordinals, ordinal);
    return at < 0 || this.#ordinals[at] !== ordinal;
  }
}
