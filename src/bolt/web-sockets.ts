/**
 * Bolt in WebSockets, as drivers in browsers speak it: an HTTP request on the Bolt port asks for the upgrade, and from
 * then on the bytes of Bolt travel in binary messages, cut anywhere. A page is let in by its origin, because a browser
 * sends whatever any page asks it to send.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { type CancelTimer, type Logger, startTimer } from '../base/index.ts';

/** The most bytes of a message: drivers write a chunk of Bolt (64 KiB at most) at a time, or less. */
const MOST_MESSAGE_BYTES = 256 * 1_024;
/** The most fragments of a message: drivers send a message in one frame, and each fragment is kept until the last has come. */
const MOST_FRAGMENTS = 256;
/** The most bytes of messages that are not read yet; messages of one byte each take a hundred times as much memory. */
const MOST_BYTES_AHEAD = 8 * 1_024;
const HEADERS_END = Buffer.from('\r\n\r\n');
/** The most bytes of headers; Node's parser refuses longer ones. */
const MOST_HEADER_BYTES = 16_384;
const REQUEST = Buffer.from('GET ');
const REFUSED = 'This port speaks Bolt, plain or in WebSockets. Statements over HTTP go to the HTTP port.\n';

/** Origins of pages that may connect: as browsers name them, `*` for all; `local`: pages that this machine serves. */
export type WebOrigins = readonly string[] | 'local';

/** Returns whether the first bytes of a connection are, or may become, an HTTP request. */
export function mayBeRequest(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, REQUEST.length);
  return bytes.subarray(0, length).equals(REQUEST.subarray(0, length));
}

/** Returns whether the first bytes of a connection are an HTTP request for certain. */
export function isRequest(bytes: Buffer): boolean {
  return bytes.length >= REQUEST.length && mayBeRequest(bytes);
}

/** The options of Bolt in WebSockets. */
export interface WebSocketOptions {
  readonly origins: WebOrigins;
  /** The longest time in milliseconds until a request is complete. */
  readonly requestMs: number;
  readonly logger: Logger;
  /** Takes a connection whose upgrade is done; `socket` is the connection that carries `stream`. */
  readonly accept: (stream: Duplex, socket: Socket) => void;
}

/** Upgrades connections to WebSockets. */
export class WebSockets {
  readonly #options: WebSocketOptions;
  /** A server that does not listen: it is given connections that have begun. */
  readonly #http: Server;
  readonly #upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    maxFragments: MOST_FRAGMENTS,
    perMessageDeflate: false,
    clientTracking: false,
  });
  /** Connections whose request is not complete yet, each with the timer that ends it. */
  readonly #waiting = new Map<Socket, CancelTimer>();
  /** Bytes that came after the headers of a request. */
  readonly #rests = new WeakMap<Socket, Buffer>();

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#http = createServer(({ socket }, response) => {
      response.writeHead(426, { connection: 'close', 'content-type': 'text/plain', upgrade: 'websocket' });
      response.end(REFUSED, () => socket.destroy());
    });
    // as: the connection that was given
    this.#http.on('upgrade', (request, stream, head) => this.#upgrade(request, stream as Socket, head));
  }

  /** Takes over a connection whose first bytes are an HTTP request. */
  take(socket: Socket, bytes: Buffer): void {
    const leave = (): void => {
      this.#waiting.get(socket)?.();
      this.#waiting.delete(socket);
    };
    this.#waiting.set(
      socket,
      startTimer(this.#options.requestMs, () => socket.destroy()),
    );
    socket.once('close', leave);
    this.#collect(socket, bytes);
  }

  /** Gives the parser the headers of one request and nothing else, since it would begin thousands of requests that come together. */
  #collect(socket: Socket, first: Buffer): void {
    let [head, from] = [first, 0];
    const receive = (bytes: Buffer): void => {
      head = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
      look();
    };
    const look = (): void => {
      const end = head.indexOf(HEADERS_END, from);
      if (end < 0 && head.length <= MOST_HEADER_BYTES) {
        from = Math.max(0, head.length - HEADERS_END.length + 1);
        return;
      }
      socket.off('data', receive);
      socket.pause();
      const length = end < 0 ? head.length : end + HEADERS_END.length;
      this.#rests.set(socket, head.subarray(length));
      this.#http.emit('connection', socket);
      socket.emit('data', head.subarray(0, length));
    };
    socket.on('data', receive);
    look();
  }

  close(): void {
    for (const socket of this.#waiting.keys()) socket.destroy();
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { accept, logger } = this.#options;
    const { origin } = request.headers;
    if (origin !== undefined && !this.#letsIn(origin)) {
      logger.info({ origin, remote: socket.remoteAddress ?? '' }, 'a page was refused: its origin is not among --bolt-origins');
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const begun = Buffer.concat([head, this.#rests.get(socket) ?? head.subarray(0, 0)]);
    this.#upgrades.handleUpgrade(request, socket, begun, (webSocket) => {
      this.#waiting.get(socket)?.();
      this.#waiting.delete(socket);
      accept(createWebSocketStream(webSocket, { readableHighWaterMark: MOST_BYTES_AHEAD }), socket);
      socket.resume();
    });
  }

  #letsIn(origin: string): boolean {
    const { origins } = this.#options;
    return origins === 'local' ? isLocal(origin) : origins.includes('*') || origins.includes(origin);
  }
}

function isLocal(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
