/**
 * One connection: bytes to handshake and messages, and their answers back. Messages are answered one after the other; a RESET among those
 * that wait stops what runs. What waits is bounded (S4): beyond it nothing more is read, and the client's network has to wait.
 */
import type { Duplex } from 'node:stream';
import { GraphDBError, type Logger, monotonicMs, scheduleByTimer } from '../base/index.ts';
import { urgentKind } from './messages.ts';
import { Session, type SessionContext } from './session.ts';
import { isRequest, mayBeRequest } from './web-sockets.ts';
import { chooseVersion, HANDSHAKE_BYTES, handshakeAnswer, mayBeHandshake } from './wire/handshake.ts';
import { MessageReader, MessageTooLarge } from './wire/message-reader.ts';
import { Output } from './wire/output.ts';

/** Enough for any HELLO, and little to hold for a stranger. */
const MAX_BYTES_BEFORE_AUTHENTICATION = 64 * 1_024;
/** A client says HELLO and LOGON, and may send its first statements behind them. */
const MAX_WAITING_BEFORE_AUTHENTICATION = 16;
/** The most messages that wait to be answered. */
const MAX_WAITING_MESSAGES = 1_000;
const MAX_WAITING_BYTES = 1_024 * 1_024;
/** Messages that wait have the thread for so long before others have their turn. */
const SLICE_MS = 4;
const KEEP_ALIVE_MS = 30_000;

/** The limits of a connection. */
export interface ConnectionLimits {
  readonly maxMessageBytes: number;
  /** Longest time until the client has said who it is. */
  readonly authenticationMs: number;
  /** Longest time for a message that has begun to come whole. */
  readonly messageMs: number;
  /** Longest time in which a client takes nothing of what waits for it. */
  readonly stallMs: number;
}

/** The options of a connection. */
export interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  readonly session: SessionContext;
  readonly logger: Logger;
  readonly onClosed: (connection: Connection) => void;
  /** Takes over a connection that begins as an HTTP request; absent: there is no such thing, as within a WebSocket. */
  readonly onRequest?: (bytes: Buffer) => void;
}

/** A Bolt connection. */
export class Connection {
  readonly #socket: Duplex;
  readonly #options: ConnectionOptions;
  readonly #onData = (bytes: Buffer): void => this.#receive(bytes);
  readonly #onError = (): void => void this.#socket.destroy();
  readonly #onClose = (): void => this.#closed();
  readonly #output: Output;
  readonly #waiting: Buffer[] = [];
  /** Bytes that have come and are not parted into messages yet, because enough messages wait. */
  #untaken: Generator<Buffer, void, void> | null = null;
  #waitingBytes = 0;
  #handshake: Buffer | null = Buffer.alloc(0);
  #reader: MessageReader;
  #session: Session | null = null;
  #isWorking = false;
  /** No message is taken any more. */
  #isClosing = false;
  /** Since when it has not been known who the client is; null while it is. */
  #strangerSince: number | null = monotonicMs();
  #messageSince: number | null = null;

  constructor(socket: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#output = new Output(socket, options.limits.stallMs);
    this.#reader = new MessageReader(Math.min(MAX_BYTES_BEFORE_AUTHENTICATION, options.limits.maxMessageBytes));
    socket.on('data', this.#onData);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Nothing is at work and nothing is held. */
  get isQuiet(): boolean {
    return !this.#isWorking && this.#waiting.length === 0 && this.#session?.isHolding !== true;
  }

  /** To be called now and then: ends what takes too long, and tells a client that waits that the server is there. */
  check(now: number): void {
    const { authenticationMs, messageMs } = this.#options.limits;
    const isLate = (since: number | null, limitMs: number): boolean => since !== null && now - since > limitMs;
    if (this.#session?.isWelcome === false) return this.#expel();
    if (isLate(this.#strangerSince, authenticationMs) || isLate(this.#messageSince, messageMs)) this.#socket.destroy();
    else if (this.#isWorking && this.#session !== null) this.#output.keepAlive(KEEP_ALIVE_MS);
  }

  /** Ends the statement that runs; a connection that waits for nothing is told nothing. */
  #expel(): void {
    this.stop(new GraphDBError('UNAUTHORIZED', 'the token has been revoked, or has expired'));
    if (!this.#isWorking) this.destroy();
  }

  /** Stops what runs, with this reason. */
  stop(reason: GraphDBError): void {
    this.#session?.stop(reason);
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#socket.end();
    // Whoever does not close his side is not waited for.
    scheduleByTimer(1_000, () => this.#socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    if (this.#isClosing) return;
    if (this.#handshake !== null) this.#shakeHands(Buffer.concat([this.#handshake, bytes]));
    else this.#take(bytes);
  }

  #shakeHands(bytes: Buffer): void {
    this.#handshake = bytes;
    if (!mayBeHandshake(bytes)) return this.#takeRequest(bytes);
    if (bytes.length < HANDSHAKE_BYTES) return;
    const version = chooseVersion(bytes);
    this.#handshake = null;
    this.#socket.write(handshakeAnswer(version));
    if (version === null) return this.close();
    this.#session = new Session(version, this.#output, this.#options.session);
    if (bytes.length > HANDSHAKE_BYTES) this.#take(bytes.subarray(HANDSHAKE_BYTES));
  }

  #takeRequest(bytes: Buffer): void {
    const { onRequest, onClosed } = this.#options;
    if (onRequest === undefined || !mayBeRequest(bytes)) return this.destroy();
    if (!isRequest(bytes)) return;
    this.#isClosing = true;
    this.#socket.off('data', this.#onData).off('error', this.#onError).off('close', this.#onClose);
    onClosed(this);
    onRequest(bytes);
  }

  /** While messages are untaken nothing is read, so `bytes` always follow what was taken to its end. */
  #take(bytes: Buffer): void {
    this.#untaken = this.#reader.take(bytes);
    this.#takeMore();
    if (!this.#isWorking && this.#waiting.length > 0) void this.#work();
  }

  #takeMore(): void {
    const messages = this.#untaken;
    if (messages === null) return;
    try {
      while (!this.#isCrowded()) {
        const { done, value: message } = messages.next();
        if (done === true) {
          this.#untaken = null;
          this.#messageSince = this.#reader.isInside ? (this.#messageSince ?? monotonicMs()) : null;
          if (this.#socket.isPaused()) this.#socket.resume();
          return;
        }
        this.#messageSince = null;
        const urgent = urgentKind(message);
        if (urgent === 'reset') this.#session?.interrupt();
        if (urgent === 'goodbye') return this.#farewell();
        this.#waiting.push(message);
        this.#waitingBytes += message.length;
      }
      this.#socket.pause();
    } catch (error) {
      this.#untaken = null;
      if (!(error instanceof MessageTooLarge)) throw error;
      this.#refuse(error);
    }
  }

  /** Nobody waits for answers any more. */
  #farewell(): void {
    this.stop(new GraphDBError('CANCELLED', 'the client said goodbye'));
    this.close();
    if (!this.#isWorking) void this.#session?.end();
  }

  #isCrowded(): boolean {
    const maxMessages = this.#strangerSince === null ? MAX_WAITING_MESSAGES : MAX_WAITING_BEFORE_AUTHENTICATION;
    return this.#waiting.length >= maxMessages || this.#waitingBytes >= MAX_WAITING_BYTES;
  }

  /** The rest of a message that is too large is not read, so nothing behind it can be. */
  #refuse(error: Error): void {
    if (!this.#isWorking) {
      this.#output.failure({ code: 'Neo.ClientError.Request.Invalid', message: error.message });
      void this.#output.flush().catch(() => undefined);
    }
    this.close();
  }

  async #work(): Promise<void> {
    const session = this.#session!;
    this.#isWorking = true;
    try {
      let sliceEnd = monotonicMs() + SLICE_MS;
      for (let message = this.#next(); message !== undefined; message = this.#next()) {
        const outcome = await session.receive(message);
        this.#known(session.isAuthenticated);
        if (outcome === 'close') {
          await this.#output.flush();
          return this.close();
        }
        if (this.#waiting.length === 0 || this.#output.isFull || monotonicMs() >= sliceEnd) {
          await this.#output.flush();
          sliceEnd = monotonicMs() + SLICE_MS;
        } else this.#output.flushSoon();
      }
    } catch (error) {
      if (!(error instanceof GraphDBError)) this.#options.logger.error({ error }, 'a connection failed');
      this.destroy();
    } finally {
      this.#isWorking = false;
      if (this.#socket.destroyed || this.#isClosing) await session.end();
    }
  }

  #next(): Buffer | undefined {
    this.#takeMore();
    const message = this.#isClosing || this.#socket.destroyed ? undefined : this.#waiting.shift();
    if (message !== undefined) this.#waitingBytes -= message.length;
    return message;
  }

  #known(isAuthenticated: boolean): void {
    if (isAuthenticated === (this.#strangerSince === null)) return;
    this.#strangerSince = isAuthenticated ? null : monotonicMs();
    const { maxMessageBytes } = this.#options.limits;
    this.#reader.maxBytes = isAuthenticated ? maxMessageBytes : Math.min(MAX_BYTES_BEFORE_AUTHENTICATION, maxMessageBytes);
  }

  #closed(): void {
    this.#waiting.length = 0;
    this.#untaken = null;
    this.#session?.stop(new GraphDBError('CANCELLED', 'the client went away'));
    if (!this.#isWorking) void this.#session?.end();
    this.#options.onClosed(this);
  }
}
