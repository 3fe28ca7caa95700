/**
 * Bounds the requests of one connection that are not answered, and the work that one turn of the event loop does for it
 * (S4). Node parses whatever it has read, up to 64 KiB, into requests and begins them all: some 3,000 of a client that
 * pipelines. Here the bytes of a client that sends more than one short request go to Node's parser in pieces, and
 * connections take turns with their pieces, so that others are served between any two. Beyond MAX_REQUESTS_IN_FLIGHT
 * requests that are not answered, nothing more is parsed or read from that connection. A request is answered when its
 * response has left for the network, so a client that does not read soon has nothing done for it.
 *
 * A connection holds at most 128 KiB of requests that are not parsed, MAX_REQUESTS_IN_FLIGHT + REQUESTS_OF_PIECE
 * responses, and what the system buffers.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { assert, FairTurns, monotonicMs, repeatEvery } from '../base/index.ts';

/** The most requests of a connection that are not answered; beyond them the connection is not read. */
export const MAX_REQUESTS_IN_FLIGHT = 8;
/** A piece ends with the first end of headers after this many bytes, so that short requests go together. */
const PIECE_BYTES = 256;
/** The most bytes of a piece: a body may consist of chunks of one byte, each of which is work. */
const LONGEST_PIECE_BYTES = 16 * 1_024;
/** Milliseconds for which the pieces of one connection are parsed in its turn. */
const SLICE_MS = 2;
/** The most requests in one piece: the shortest request has 18 bytes. */
export const REQUESTS_OF_PIECE = Math.ceil((2 * PIECE_BYTES) / 18);

const HEADERS_END = Buffer.from('\r\n\r\n');

/** Milliseconds between checks for clients that read or send nothing. */
const CHECK_INTERVAL_MS = 1_000;

/** The options of the gate. */
export interface GateOptions {
  /** True if the server speaks https. */
  readonly isTls: boolean;
  /** Milliseconds after which a client is disconnected that reads nothing of a waiting answer. */
  readonly stallLimitMs: number;
  /** Milliseconds after which a client is disconnected that waits for no answer and sends nothing. */
  readonly idleLimitMs: number;
}

/** Puts a gate before the parser of each connection. */
export function boundPipelining(server: Server, { isTls, stallLimitMs, idleLimitMs }: GateOptions): void {
  const gates = new Map<Socket, RequestGate>();
  const turns = new FairTurns<RequestGate>();
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    gates.set(socket, new RequestGate(socket, turns));
    socket.once('close', () => gates.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => gates.get(socket)?.began(response));
  const stopChecking = repeatEvery(Math.min(CHECK_INTERVAL_MS, stallLimitMs), () => {
    const now = monotonicMs();
    for (const gate of gates.values()) gate.check(now, { stallLimitMs, idleLimitMs });
  });
  server.once('close', stopChecking);
}

/** The members of Node's HTTP sockets that are used here beside their public ones. */
interface HttpSocket extends Socket {
  /** The parser that reads the connection; null once it does not, as after CONNECT. */
  readonly parser?: unknown;
  /** True while Node has paused the socket because answers wait to leave; Node resumes it once they have left. */
  readonly _paused?: boolean;
}

class RequestGate {
  inFlight = 0;
  readonly #socket: HttpSocket;
  readonly #turns: FairTurns<RequestGate>;
  readonly #parse: (bytes: Buffer) => void;
  /** Bytes that have come and are not parsed; nothing more is read while there are any. */
  #held: Buffer | null = null;
  /** True while the connection waits for its turn. */
  #isWaiting = false;
  /** The bytes that had left for the network when that number last changed, and the time of that change. */
  #leftBytes = 0;
  #leftAtMs = 0;
  /** The bytes that had come when that number last changed or an answer was awaited, and the time of that. */
  #cameBytes = -1;
  #cameAtMs = 0;

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
    // A response closes once; `once` would make a function for each request.
    response.on('close', this.#answered);
  }

  /**
   * To be called now and then: closes the connection of a client that has read nothing of a waiting answer, or asked
   * nothing, for too long. Node's own limits would set a timer anew with each read and write.
   */
  check(now: number, { stallLimitMs, idleLimitMs }: Pick<GateOptions, 'stallLimitMs' | 'idleLimitMs'>): void {
    const { bytesRead, bytesWritten, writableLength } = this.#socket;
    if (this.inFlight > 0 || bytesRead !== this.#cameBytes) {
      this.#cameBytes = bytesRead;
      this.#cameAtMs = now;
    } else if (now - this.#cameAtMs >= idleLimitMs) this.#socket.destroy();
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
    // A single short request, as nearly all are, is parsed at once.
    if (this.#held === null && bytes.length < 2 * PIECE_BYTES && this.inFlight === 0) {
      this.#parse(bytes);
      return;
    }
    this.#held = this.#held === null ? bytes : Buffer.concat([this.#held, bytes]);
    this.#holdOn();
  }

  /**
   * Stops reading while bytes are held, and has them parsed in turn. It is repeated when Node resumes the socket by
   * itself, after answers have left.
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
      // Parsing goes on when the next answer has left, or when Node resumes the socket.
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

/** Returns the first piece of the held bytes, which is parsed in one go. */
function pieceOf(held: Buffer): Buffer {
  const end = held.subarray(0, LONGEST_PIECE_BYTES).indexOf(HEADERS_END, PIECE_BYTES);
  return held.subarray(0, end === -1 ? LONGEST_PIECE_BYTES : end + HEADERS_END.length);
}

/** Returns whether Node still parses received bytes: not after CONNECT, nor once the connection ends. */
function isParsed(socket: HttpSocket): boolean {
  return socket.parser !== null && !socket.destroyed && !socket.writableEnded;
}
