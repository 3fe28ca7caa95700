/**
 * A file to which lines are appended, and that outlives faults of its disk. Lines that cannot be written are lost, which
 * the log tells, and hold nothing up; each later piece is tried anew, and begins a line of its own.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Logger } from '../../base/index.ts';

const LINE_END = 10;

interface Piece {
  readonly chunk: Buffer;
}

/** A stream into a file, which never fails. */
export class AppendedFile extends Writable {
  readonly #path: string;
  readonly #logger: Logger;
  /** Null before the first piece, and after a failure. */
  #file: FileHandle | null = null;
  /** The number of lines that were lost since the file could last be written. */
  #lostLines = 0;

  constructor(path: string, logger: Logger) {
    super({ emitClose: false });
    this.#path = path;
    this.#logger = logger;
    this.write('');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    void this.#append(chunk).then(done);
  }

  override _writev(pieces: readonly Piece[], done: () => void): void {
    void this.#append(Buffer.concat(pieces.map(({ chunk }) => chunk))).then(done);
  }

  override _final(done: () => void): void {
    void this.#close().then(done);
  }

  async #append(lines: Buffer): Promise<void> {
    try {
      if (this.#file === null) await this.#open();
      await this.#file?.appendFile(lines);
      if (this.#lostLines > 0) this.#logger.warn({ path: this.#path, lostLines: this.#lostLines }, 'the audit log is written again');
      this.#lostLines = 0;
    } catch (error) {
      if (this.#lostLines === 0) this.#logger.error({ error, path: this.#path }, 'the audit log cannot be written');
      this.#lostLines += Math.max(1, linesIn(lines));
      await this.#close();
    }
  }

  async #open(): Promise<void> {
    this.#file = await open(this.#path, 'a', 0o600);
    if (this.#lostLines > 0 && (await endsWithinLine(this.#path))) await this.#file.appendFile('\n');
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => undefined);
  }
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) count++;
  return count;
}

/** Tells whether the last line of a file has no end: a full disk takes a part of a piece. */
async function endsWithinLine(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const stat = await file.stat();
  if (!stat.isFile() || stat.size === 0) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: stat.size - 1 });
  return buffer[0] !== LINE_END;
}
