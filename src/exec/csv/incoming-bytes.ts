/** A source of bytes that are available at once, as from a file, or arrive later, as from another machine. */

/** A source of bytes that arrive in pieces. */
export interface IncomingBytes {
  /** Copies the next bytes into `target`. Returns their number; 0 at the end; null if none have arrived yet (then await `more`). */
  read(target: Uint8Array): number | null;
  /** Resolves when `read` has something to return; rejects when reading fails. */
  more(signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** Bytes of an async generator of pieces; the next piece is requested once the previous one has been read. */
export class IncomingPieces implements IncomingBytes {
  private readonly pieces: AsyncGenerator<Uint8Array, void, void>;
  private readonly stop: AbortController;
  private piece: Uint8Array | null = null;
  private at = 0;
  private hasEnded = false;

  /** @param open starts reading when bytes are first requested, and stops when its signal is aborted */
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
