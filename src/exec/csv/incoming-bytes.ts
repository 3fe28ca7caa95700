/** Bytes as they come: at once from a file, or later from elsewhere. */

/** Bytes that come in pieces. */
export interface IncomingBytes {
  /** Puts the next bytes into `target`, and returns how many; 0: there are no more; null: none have come yet, `more` brings some. */
  read(target: Uint8Array): number | null;
  /** Resolves when there is something to read. Errors say why there is not. */
  more(signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** Pieces that come one after the other; the next is asked for when the one before was read. */
export class IncomingPieces implements IncomingBytes {
  private readonly pieces: AsyncGenerator<Uint8Array, void, void>;
  private readonly stop: AbortController;
  private piece: Uint8Array | null = null;
  private at = 0;
  private hasEnded = false;

  /** @param open begins when something is asked for first, and ends when its signal is aborted */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<Uint8Array, void, void>) {
    this.stop = new AbortController();
    this.pieces = open(this.stop.signal);
  }

  read(target: Uint8Array): number | null {
    if (this.piece === null) return this.hasEnded ? 0 : null;
    const taken = this.piece.subarray(this.at, this.at + target.length);
    target.set(taken);
    this.at += taken.length;
    if (this.at === this.piece.length) this.piece = null;
    return taken.length;
  }

  async more(signal: AbortSignal | undefined): Promise<void> {
    const giveUp = (): void => this.stop.abort(signal?.reason);
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      while (this.piece === null && !this.hasEnded) {
        const { done, value } = await this.pieces.next();
        this.hasEnded = done === true;
        if (value !== undefined && value.length > 0) this.piece = value;
        this.at = 0;
      }
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  close(): void {
    this.stop.abort();
    void this.pieces.return().catch(() => undefined);
  }
}
