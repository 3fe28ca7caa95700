/** What every command works with. */
import type { Readable, Writable } from 'node:stream';

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
}

export interface CliContext {
  readonly streams: Streams;
  /** 0, or 1 when the statement or the store failed. */
  exitStatus: number;
}
