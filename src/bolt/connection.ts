/**
 * One Bolt connection: takes a handshake and messages out of its bytes, and sends the answers. Messages are answered
 * one after the other; a RESET among those that wait stops what runs. The messages that wait are bounded (S4): beyond
 * the bound nothing more is read, and the client has to wait.
 */
import type { Duplex } from 'node:stream';
import { GraphDBError, type Logger, monotonicMs, scheduleByTimer } from '../base/index.ts';
import { urgentKind } from './messages.ts';
import { Session, type SessionContext } from './session.ts';
import { isRequest, mayBeRequest } from './web-sockets.ts';
import { chooseVersion, HANDSHAKE_BYTES, handshakeAnswer, mayBeHandshake } from './wire/handshake.ts';
import { MessageReader, MessageTooLarge } from './wire/message-reader.ts';
import { Output } from './wire/output.ts';

/** The longest message before authentication: enough for any HELLO, and little to hold for an unknown client. */
const MAX_BYTES_BEFORE_AUTHENTICATION = 64 * 1_024;
/** The most messages that wait before authentication: a client says HELLO and LOGON, and may send its first statements after them. */
const MAX_WAITING_BEFORE_AUTHENTICATION = 16;
/** The most messages that wait to be answered. */
const MAX_WAITING_MESSAGES = 1_000;
const MAX_WAITING_BYTES = 1_024 * 1_024;
/** Milliseconds for which messages that wait have the thread before others have their turn. */
const SLICE_MS = 4;
const KEEP_ALIVE_MS = 30_000;

/** The limits of a connection. */
export interface ConnectionLimits {
  readonly maxMessageBytes: number;
  /** The longest time in milliseconds until the client has authenticated. */
  readonly authenticationMs: number;
  /** The longest time in milliseconds from the beginning of a message to its end. */
  readonly messageMs: number;
  /** The longest time in milliseconds in which a client takes nothing of what waits for it. */
  readonly stallMs: number;
}

/** The options of a connection. */
export interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  readonly session: SessionContext;
  readonly logger: Logger;
  readonly onClosed: (connection: Connection) => void;
  /** Takes over a connection that begins as an HTTP request; absent: such a connection is closed, as within a WebSocket. */
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
  /** The messages still in the received bytes, untaken because enough messages wait; null if there are none. */
  #untaken: Generator<Buffer, void, void> | null = null;
  #waitingBytes = 0;
  #handshake: Buffer | null = Buffer.alloc(0);
  #reader: MessageReader;
  #session: Session | null = null;
  #isWorking = false;
  /** True once no further message is taken. */
  #isClosing = false;
  /** The time since which the client has not been authenticated; null while it is. */
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

  /** True if no message is at work or waits, and the client has nothing open. */
  get isQuiet(): boolean {
    return !this.#isWorking && this.#waiting.length === 0 && this.#session?.isHolding !== true;
  }

  /** To be called now and then: ends what takes too long, and sends a keep-alive to a client that waits. */
  check(now: number): void {
    const { authenticationMs, messageMs } = this.#options.limits;
    const isLate = (since: number | null, limitMs: number): boolean => since !== null && now - since > limitMs;
    if (this.#session?.isWelcome === false) return this.#expel();
    if (isLate(this.#strangerSince, authenticationMs) || isLate(this.#messageSince, messageMs)) this.#socket.destroy();
    else if (this.#isWorking && this.#session !== null) this.#output.keepAlive(KEEP_ALIVE_MS);
  }

  /** Stops the running statement of a client that is no longer admitted; an idle connection is closed without an answer. */
  #expel(): void {
    this.stop(new GraphDBError('UNAUTHORIZED', 'the token has been revoked, or has expired'));
    if (!this.#isWorking) this.destroy();
  }

  /** Stops the running statement, with this reason. */
  stop(reason: GraphDBError): void {
    this.#session?.stop(reason);
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#socket.end();
    // A client that does not close its side is not waited for.
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

  /** Takes received bytes. Nothing is read while messages are untaken, so the bytes always follow a piece that was taken to its end. */
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

  /** Ends the connection after GOODBYE: the running statement is stopped, since nobody waits for answers any more. */
  #farewell(): void {
    this.stop(new GraphDBError('CANCELLED', 'the client said goodbye'));
    this.close();
    if (!this.#isWorking) void this.#session?.end();
  }

  #isCrowded(): boolean {
    const maxMessages = this.#strangerSince === null ? MAX_WAITING_MESSAGES : MAX_WAITING_BEFORE_AUTHENTICATION;
    return this.#waiting.length >= maxMessages || this.#waitingBytes >= MAX_WAITING_BYTES;
  }

  /** Refuses a message that is too large. Its rest is not read, so nothing behind it can be read either, and the connection closes. */
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
