/**
 * Bounds what one connection may have asked for and not taken yet (S4). Node parses whatever it has read, up to 64 KiB, into requests and begins them all: some 3,000 of a client that sends one
 * behind the other. Here the bytes go to Node's parser in pieces of a few requests; beyond MAX_REQUESTS_IN_FLIGHT requests that are not answered, nothing more is parsed or read from that
 * connection. A request is answered when its response has left for the network, so a client that does not read soon has nothing done for it.
 *
 * What a connection holds at most: 64 KiB of requests that are not parsed, MAX_REQUESTS_IN_FLIGHT + REQUESTS_OF_PIECE responses, and what the system buffers.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { assert, monotonicMs, onNextTurn, repeatEvery } from '../base/index.ts';

/** Beyond it a connection is not read. */
export const MAX_REQUESTS_IN_FLIGHT = 8;
/** A piece ends with the first end of headers behind so many bytes: short requests go together, a body goes in few pieces. */
const PIECE_BYTES = 256;
/** The shortest request has 18 bytes. */
export const REQUESTS_OF_PIECE = Math.ceil((2 * PIECE_BYTES) / 18);

const HEADERS_END = Buffer.from('\r\n\r\n');

/** How often the clients are looked at that take nothing. */
const CHECK_INTERVAL_MS = 1_000;

export interface GateOptions {
  /** The server speaks https. */
  readonly isTls: boolean;
  /** A client that takes nothing of what waits for it for so long is cut off, and one that asks nothing. */
  readonly stallLimitMs: number;
}

/** Puts a gate before the parser of each connection. */
export function boundPipelining(server: Server, { isTls, stallLimitMs }: GateOptions): void {
  const gates = new Map<Socket, RequestGate>();
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    gates.set(socket, new RequestGate(socket));
    socket.once('close', () => gates.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => gates.get(socket)?.began(response));
  server.setTimeout(stallLimitMs, (socket) => {
    // Whoever waits for an answer is not idle.
    if ((gates.get(socket)?.inFlight ?? 0) === 0) socket.destroy();
  });
  const stopChecking = repeatEvery(Math.min(CHECK_INTERVAL_MS, stallLimitMs), () => {
    const now = monotonicMs();
    for (const gate of gates.values()) gate.check(now, stallLimitMs);
  });
  server.once('close', stopChecking);
}

class RequestGate {
  inFlight = 0;
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  /** Bytes that came and are not parsed. */
  #held: Buffer | null = null;
  /** The gate has paused the socket; Node and the bodies of requests do so too. */
  #hasPaused = false;
  #isDue = false;
  /** Bytes that had left when that last changed, and when it did. */
  #leftBytes = 0;
  #leftAtMs = 0;

  constructor(socket: Socket) {
    const [parse, ...others] = socket.listeners('data');
    assert(parse !== undefined && others.length === 0, 'a connection of HTTP has one reader, the parser');
    this.#socket = socket;
    this.#parse = parse.bind(socket) as (bytes: Buffer) => void;
    socket.removeAllListeners('data');
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('resume', () => this.#parseHeld());
  }

  began(response: ServerResponse): void {
    this.inFlight++;
    // It closes once, and `once` would make a function for each request.
    response.on('close', this.#answered);
  }

  /** To be called now and then: ends a connection whose client takes nothing of what waits for it. */
  check(now: number, stallLimitMs: number): void {
    const { bytesWritten, writableLength } = this.#socket;
    const leftBytes = bytesWritten - writableLength;
    if (writableLength === 0 || leftBytes !== this.#leftBytes || this.#leftAtMs === 0) {
      this.#leftBytes = leftBytes;
      this.#leftAtMs = now;
    } else if (now - this.#leftAtMs >= stallLimitMs) this.#socket.destroy();
  }

  readonly #answered = (): void => {
    this.inFlight--;
    if (this.#isDue || this.#held === null) return;
    this.#isDue = true;
    onNextTurn(this.#goOn);
  };

  /** Others have had their turn. */
  readonly #goOn = (): void => {
    this.#isDue = false;
    if (this.#hasPaused && this.inFlight < MAX_REQUESTS_IN_FLIGHT) {
      this.#hasPaused = false;
      this.#socket.resume();
    }
  };

  #receive(bytes: Buffer): void {
    // One short request, as nearly all are: nothing of it is held.
    if (this.#held === null && bytes.length < 2 * PIECE_BYTES && this.inFlight === 0 && isParsed(this.#socket)) {
      this.#hasPaused = false;
      this.#parse(bytes);
      return;
    }
    this.#held = this.#held === null ? bytes : Buffer.concat([this.#held, bytes]);
    this.#parseHeld();
  }

  #parseHeld(): void {
    const socket = this.#socket;
    for (let held = this.#held; held !== null; held = this.#held) {
      if (!isParsed(socket)) {
        this.#held = null;
        return;
      }
      if (socket.isPaused()) return;
      if (this.inFlight >= MAX_REQUESTS_IN_FLIGHT) {
        this.#hasPaused = true;
        socket.pause();
        return;
      }
      this.#hasPaused = false;
      const end = held.indexOf(HEADERS_END, PIECE_BYTES);
      const isWhole = end === -1 || end + HEADERS_END.length === held.length;
      this.#held = isWhole ? null : held.subarray(end + HEADERS_END.length);
      this.#parse(isWhole ? held : held.subarray(0, end + HEADERS_END.length));
    }
  }
}

/** Whether Node still parses what comes: not after CONNECT, nor when the connection ends. */
function isParsed(socket: Socket & { readonly parser?: unknown }): boolean {
  return socket.parser !== null && !socket.destroyed && !socket.writableEnded;
}
