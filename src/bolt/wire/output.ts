/**
 * Sends messages to the client; they gather and are written together. A client that reads slowly slows only its own
 * results, and memory holds a few pieces of them. A client that takes nothing for a while is disconnected, since others
 * may wait for what it holds.
 */
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { GraphDBError, monotonicMs, nextTurn, onNextTurn, startTimer } from '../../base/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { writeInParts, writeValue } from '../values/write-value.ts';
import type { ValueFormat } from '../versions.ts';
import { MessageWriter } from './message-writer.ts';

const PIECE_BYTES = 64 * 1_024;
const SUCCESS = 0x70;
const RECORD = 0x71;
const IGNORED = 0x7e;
const FAILURE = 0x7f;
const NOOP = Buffer.from([0, 0]);

/** The metadata of a message. */
export type Metadata = ReadonlyMap<string, ResultValue>;

/** The messages on their way to a client. */
export class Output {
  format: ValueFormat = { elementIds: false, utc: false };
  #wroteAt = monotonicMs();
  #flushIsDue = false;
  /** True while the beginning of a message may have left, so that nothing else may come before its end. */
  #isInMessage = false;
  readonly #writer = new MessageWriter();
  readonly #socket: Duplex;
  readonly #stallLimitMs: number;

  constructor(socket: Duplex, stallLimitMs: number) {
    this.#socket = socket;
    this.#stallLimitMs = stallLimitMs;
  }

  get isFull(): boolean {
    return this.#writer.length >= PIECE_BYTES;
  }

  success(metadata: Metadata): void {
    this.#message(SUCCESS, metadata as Map<string, ResultValue>);
  }

  failure({ code, message }: { readonly code: string; readonly message: string }): void {
    const metadata = new Map([
      ['code', code],
      ['message', message],
    ]);
    this.#message(FAILURE, metadata);
  }

  ignored(): void {
    this.#writer.begin(0, IGNORED);
    this.#writer.end();
  }

  record(row: ResultValue[]): void {
    this.#message(RECORD, row);
  }

  /** Sends a record that may be large: it leaves in pieces, as the client takes them, and others have their turn meanwhile. */
  async longRecord(row: ResultValue[]): Promise<void> {
    this.#writer.begin(1, RECORD);
    this.#isInMessage = true;
    try {
      for (const _ of writeInParts(this.#writer.pack, row, this.format)) {
        if (this.isFull) await this.#send(this.#writer.cut());
      }
      this.#writer.end();
    } catch (error) {
      // Half a message cannot be taken back.
      this.#socket.destroy();
      throw error;
    } finally {
      this.#isInMessage = false;
    }
  }

  /**
   * Sends an empty chunk if nothing was written for `silentMs` milliseconds, so that a client that waits knows that the
   * server is there.
   */
  keepAlive(silentMs: number): void {
    if (!this.#isInMessage && monotonicMs() - this.#wroteAt >= silentMs && !this.#socket.writableNeedDrain) this.#write(NOOP);
  }

  /**
   * Writes the messages that have gathered at the next turn of the event loop, unless they are written before: an
   * answer does not wait for a message behind it that takes long.
   */
  flushSoon(): void {
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    onNextTurn(() => {
      this.#flushIsDue = false;
      if (!this.#isInMessage && this.#writer.length > 0) this.#write(this.#writer.take());
    });
  }

  /** Writes the messages that have gathered; resolves when the client can take more and others have had a turn. */
  async flush(): Promise<void> {
    if (this.#writer.length > 0) await this.#send(this.#writer.take());
  }

  async #send(bytes: Buffer): Promise<void> {
    // A socket that takes everything at once has drained within the same turn.
    if (!this.#write(bytes)) await this.#drained();
    await nextTurn();
  }

  #write(bytes: Buffer): boolean {
    this.#wroteAt = monotonicMs();
    return this.#socket.destroyed || this.#socket.write(bytes);
  }

  #message(tag: number, field: ResultValue): void {
    this.#writer.begin(1, tag);
    try {
      writeValue(this.#writer.pack, field, this.format);
    } catch (error) {
      this.#writer.cancel();
      throw error;
    }
    this.#writer.end();
  }

  async #drained(): Promise<void> {
    const limit = new AbortController();
    const cancelLimit = startTimer(this.#stallLimitMs, () => limit.abort());
    const closed = () => limit.abort();
    this.#socket.once('close', closed);
    try {
      if (!this.#socket.destroyed) await once(this.#socket, 'drain', { signal: limit.signal });
    } catch (error) {
      this.#socket.destroy();
      throw new GraphDBError('CANCELLED', `the client took nothing for ${this.#stallLimitMs} ms, or went away`, { cause: error });
    } finally {
      cancelLimit();
      this.#socket.removeListener('close', closed);
    }
  }
}
