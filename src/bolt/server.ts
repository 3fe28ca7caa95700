/**
 * The Bolt server: the listener, its connections, and what holds for all of them. It may listen before there is an
 * engine, as the HTTP server does; until `serve` is called, statements are answered with "try again". The same port
 * takes WebSockets.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import {
  GraphDBError,
  type GuessDelays,
  type Identify,
  type Logger,
  monotonicMs,
  openToAll,
  REPORTED_VERSION,
  repeatEvery,
  sleep,
  systemTimeMs,
  VERSION,
} from '../base/index.ts';
import type { Namespaces } from '../namespaces/index.ts';
import { Connection, type ConnectionLimits } from './connection.ts';
import type { Credentials } from './messages.ts';
import type { SessionLimits } from './session.ts';
import { type WebOrigins, WebSockets } from './web-sockets.ts';

/** The most connections at a time; more are closed as they come. */
const MAX_CONNECTIONS = 10_000;
const CHECK_INTERVAL_MS = 1_000;

const DEFAULT_LIMITS = {
  authenticationMs: 20_000,
  messageMs: 300_000,
  stallMs: 60_000,
  idleWriteMs: 60_000,
  idleReadMs: 600_000,
  bookmarkMs: 30_000,
  statementMs: 0,
  memoryBytes: Number.POSITIVE_INFINITY,
};

/** The options of the Bolt server. */
export interface BoltServerOptions {
  readonly logger: Logger;
  readonly maxMessageBytes: number;
  /** Identifies callers; absent: every client is served. */
  readonly identify?: Identify;
  /** Delays answers to wrong credentials; absent: none is delayed. */
  readonly guessDelays?: GuessDelays | undefined;
  /** Called for each client whose credentials are refused. */
  readonly onRefused?: (refused: { readonly requestId: string; readonly address: string }) => void;
  /** Origins of pages whose drivers may connect over WebSockets; absent: those that this machine serves. */
  readonly origins?: WebOrigins | undefined;
  /** The version of Neo4j that drivers are told; absent: `REPORTED_VERSION`. */
  readonly reportedVersion?: string;
  /** The certificate and its key as PEM; if given, the server serves `bolt+s`. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly limits?: Partial<SessionLimits & Omit<ConnectionLimits, 'maxMessageBytes'>>;
}

/** The Bolt server. */
export interface BoltServer {
  /** Begins to listen; resolves with the base URL, which has the actual port. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Serves statements on these namespaces from now on. The server does not own them. */
  serve(namespaces: Namespaces): void;
  /**
   * Stops accepting; running statements have `graceMs` milliseconds to end, then fail with SHUTTING_DOWN. Resolves when
   * all connections are closed.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/** Returns the name of the server for drivers: some refuse a name that does not begin with `Neo4j/`. */
const agentOf = (version: string): string => `Neo4j/${version}-GraphDB-${VERSION}`;

/** Creates the Bolt server, which does not listen yet. */
export function createBoltServer(options: BoltServerOptions): BoltServer {
  const logger = options.logger.module('bolt');
  const limits = { ...DEFAULT_LIMITS, ...options.limits, maxMessageBytes: options.maxMessageBytes };
  const identify = identifyCredentials(options.identify ?? openToAll);
  const { guessDelays, onRefused = () => {} } = options;
  const connections = new Set<Connection>();
  const start = systemTimeMs().toString(36);
  let count = 0;
  let namespaces: Namespaces | undefined;
  let isStopping = false;

  const namespacesNow = (): Namespaces => {
    if (isStopping) throw new GraphDBError('SHUTTING_DOWN', 'the server is shutting down');
    if (namespaces === undefined) throw new GraphDBError('STORE_UNAVAILABLE', 'the server is starting: the store is not open yet');
    return namespaces;
  };
  const connect = (stream: Duplex, socket: Socket, onRequest?: (bytes: Buffer) => void): void => {
    const id = `bolt-${start}-${(++count).toString(36)}`;
    const remoteAddress = socket.remoteAddress ?? '';
    const session = {
      namespaces: namespacesNow,
      identify,
      guessDelays,
      onRefused,
      limits,
      agent: agentOf(options.reportedVersion ?? REPORTED_VERSION),
      logger,
      id,
      address: addressOf(socket),
      remoteAddress,
    };
    logger.debug({ connection: id, remote: remoteAddress }, 'connected');
    const onClosed = (connection: Connection): void => void connections.delete(connection);
    connections.add(new Connection(stream, { limits, session, logger, onClosed, ...(onRequest && { onRequest }) }));
  };
  const { origins = 'local' } = options;
  const webSockets = new WebSockets({ origins, requestMs: limits.authenticationMs, logger, accept: connect });
  const accept = (socket: Socket): void => {
    socket.setNoDelay(true);
    // The network finds a peer that vanished without a word.
    socket.setKeepAlive(true, 60_000);
    connect(socket, socket, (bytes) => webSockets.take(socket, bytes));
  };
  const server = listener(options.tls, limits.authenticationMs, accept);
  server.maxConnections = MAX_CONNECTIONS;
  const stopChecking = repeatEvery(CHECK_INTERVAL_MS, () => checkAll(connections));

  return {
    async listen({ host, port }) {
      server.listen(port, host);
      await once(server, 'listening');
      return urlOf(server.address() as AddressInfo, options.tls !== undefined);
    },
    serve(opened) {
      namespaces = opened;
    },
    async stop({ graceMs }) {
      isStopping = true;
      const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : Promise.resolve();
      const deadline = monotonicMs() + graceMs;
      await settle(connections, deadline);
      for (const connection of connections) connection.stop(new GraphDBError('SHUTTING_DOWN', 'the server is shutting down'));
      await settle(connections, monotonicMs() + (connections.size > 0 ? 1_000 : 0));
      for (const connection of connections) connection.destroy();
      webSockets.close();
      await closed;
      stopChecking();
    },
  };
}

/** Closes connections as they become quiet, until all are closed or the deadline has passed. */
async function settle(connections: ReadonlySet<Connection>, deadline: number): Promise<void> {
  for (;;) {
    for (const connection of connections) if (connection.isQuiet) connection.close();
    if (connections.size === 0 || monotonicMs() >= deadline) return;
    await sleep(10);
  }
}

function checkAll(connections: ReadonlySet<Connection>): void {
  const now = monotonicMs();
  for (const connection of connections) connection.check(now);
}

function listener(tls: BoltServerOptions['tls'], handshakeTimeout: number, accept: (socket: Socket) => void): Server {
  if (tls === undefined) return createServer(accept);
  // A failure before there is a connection is the client's affair.
  return createTlsServer({ ...tls, handshakeTimeout }, accept).on('tlsClientError', (_error, socket) => socket.destroy());
}

/**
 * Identifies clients: `basic` with any user and a token as password, or `bearer` with a token. If no token is required
 * every client is admitted.
 */
function identifyCredentials(identify: Identify): (credentials: Credentials) => ReturnType<Identify> {
  return ({ scheme, credentials }) => identify(scheme === 'basic' || scheme === 'bearer' ? (credentials ?? undefined) : undefined);
}

function addressOf({ localAddress = 'localhost', localPort = 7687 }: Socket): string {
  const host = localAddress.replace(/^::ffff:/, '');
  return host.includes(':') ? `[${host}]:${localPort}` : `${host}:${localPort}`;
}

function urlOf({ address, family, port }: AddressInfo, isTls: boolean): string {
  return `${isTls ? 'bolt+s' : 'bolt'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
