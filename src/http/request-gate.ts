/**
 * Bounds what one connection may have asked for and not taken yet, and what one turn of the event loop does for it
 * (S4). Node parses whatever it has read, up to 64 KiB, into requests and begins them all: some 3,000 of a client that
 * sends one behind the other. Here the bytes of whoever sends more than one short request go to Node's parser in
 * pieces, and connections take turns with their pieces: others are served between any two. Beyond
 * MAX_REQUESTS_IN_FLIGHT requests that are not answered, nothing more is parsed or read from that connection. A request
 * is answered when its response has left for the network, so a client that does not read soon has nothing done for it.
 *
 * What a connection holds at most: 128 KiB of requests that are not parsed, MAX_REQUESTS_IN_FLIGHT + REQUESTS_OF_PIECE
 * responses, and what the system buffers.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { assert, FairTurns, monotonicMs, repeatEvery } from '../base/index.ts';

/** Beyond it a connection is not read. */
export const MAX_REQUESTS_IN_FLIGHT = 8;
/** A piece ends with the first end of headers behind so many bytes: short requests go together. */
const PIECE_BYTES = 256;
/** It has no more bytes than this: a body may be chunks of one byte, of which each is work. */
const LONGEST_PIECE_BYTES = 16 * 1_024;
/** How long the pieces of one connection are parsed in its turn. */
const SLICE_MS = 2;
/** The shortest request has 18 bytes. */
export const REQUESTS_OF_PIECE = Math.ceil((2 * PIECE_BYTES) / 18);

const HEADERS_END = Buffer.from('\r\n\r\n');

/** How often the clients are looked at that take nothing. */
const CHECK_INTERVAL_MS = 1_000;

/** The options of the gate. */
export interface GateOptions {
  /** The server speaks https. */
  readonly isTls: boolean;
  /** A client that takes nothing of what waits for it for so long is cut off, and one that asks nothing. */
  readonly stallLimitMs: number;
}

/** Puts a gate before the parser of each connection. */
export function boundPipelining(server: Server, { isTls, stallLimitMs }: GateOptions): void {
  const gates = new Map<Socket, RequestGate>();
  const turns = new FairTurns<RequestGate>();
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    gates.set(socket, new RequestGate(socket, turns));
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

/** The members of Node's HTTP sockets that are used here beside their public ones. */
interface HttpSocket extends Socket {
  /** Reads the connection; null: no longer, as after CONNECT. */
  readonly parser?: unknown;
  /** Node has paused it, since answers wait to leave; it resumes it once they have left. */
  readonly _paused?: boolean;
}

class RequestGate {
  inFlight = 0;
  readonly #socket: HttpSocket;
  readonly #turns: FairTurns<RequestGate>;
  readonly #parse: (bytes: Buffer) => void;
  /** Bytes that came and are not parsed; nothing more is read while there are. */
  #held: Buffer | null = null;
  /** Its turn will come. */
  #isWaiting = false;
  /** Bytes that had left when that last changed, and when it did. */
  #leftBytes = 0;
  #leftAtMs = 0;

  constructor(socket: Socket, turns: FairTurns<RequestGate>) {
    const [parse, ...others] = socket.listeners('data');
    assert(parse !== undefined && others.length === 0, 'a connection of HTTP has one reader, the parser');
    this.#socket = socket;
    this.#turns = turns;
    this.#parse = parse.bind(socket) as (bytes: Buffer) => void;
    socket.removeAllListeners('data');
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('resume', () => this.#holdOn());
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
    if (this.#held !== null) this.#await();
  };

  #receive(bytes: Buffer): void {
    if (!isParsed(this.#socket)) return;
    // One short request, as nearly all are: nothing of it is held.
    if (this.#held === null && bytes.length < 2 * PIECE_BYTES && this.inFlight === 0) {
      this.#parse(bytes);
      return;
    }
    this.#held = this.#held === null ? bytes : Buffer.concat([this.#held, bytes]);
    this.#holdOn();
  }

  /**
   * Reads nothing more as long as something is held, and has it parsed in turn. Node resumes its sockets by itself when
   * answers have left.
   */
  #holdOn(): void {
    if (this.#held === null) return;
    this.#socket.pause();
    this.#await();
  }

  #await(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#turns.next(this).then(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#isWaiting = false;
    const socket = this.#socket;
    const end = monotonicMs() + SLICE_MS;
    for (let held = this.#held; held !== null; held = this.#held) {
      if (!isParsed(socket)) this.#held = null;
      // The next answer that leaves, or Node, goes on.
      else if (this.inFlight >= MAX_REQUESTS_IN_FLIGHT || socket._paused === true) return;
      else if (monotonicMs() >= end) return this.#await();
      else {
        const piece = pieceOf(held);
        this.#held = piece.length === held.length ? null : held.subarray(piece.length);
        this.#parse(piece);
      }
    }
    if (socket._paused !== true) socket.resume();
  };
}

/** The bytes that are parsed together, from the first on. */
function pieceOf(held: Buffer): Buffer {
  const end = held.subarray(0, LONGEST_PIECE_BYTES).indexOf(HEADERS_END, PIECE_BYTES);
  return held.subarray(0, end === -1 ? LONGEST_PIECE_BYTES : end + HEADERS_END.length);
}

/** Whether Node still parses what comes: not after CONNECT, nor when the connection ends. */
function isParsed(socket: HttpSocket): boolean {
  return socket.parser !== null && !socket.destroyed && !socket.writableEnded;
}
