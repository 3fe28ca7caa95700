/** The environment that every command runs in. */
import type { Readable, Writable } from 'node:stream';

/** The standard streams of a command. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
}

/** The environment of a command. */
export interface CliContext {
  readonly streams: Streams;
  /** The exit status: 0, or 1 when the statement or the store has failed. */
  exitStatus: number;
}
