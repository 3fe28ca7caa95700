/**
 * A running server: store, namespaces and listeners in the order that keeps a mistake harmless. The port is taken
 * first, since opening a store for writing fences whoever writes to it now, and a server that cannot listen should not
 * do that; requests are answered 503 until the store is open. Stopping goes the other way round: no new requests, what
 * runs finishes within the grace, then the store is left clean.
 */

import { CallerLimits, GraphDBError, GuessDelays, type Identify, type Logger, systemClock, systemTimeMs, VERSION } from '../base/index.ts';
import { type BoltServer, createBoltServer } from '../bolt/index.ts';
import { sharedPageCaches } from '../engine/index.ts';
import { BOLT_ADDRESS } from '../exec/index.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../http/index.ts';
import { advertised, type Configuration } from './configuration.ts';
import { type Access, createAccess } from './identity/access.ts';
import { type AuditLog, openAuditLog } from './identity/audit-log.ts';
import { OpenIdSignIn } from './identity/open-id-sign-in.ts';
import { watchNamespaces } from './identity/watched-namespaces.ts';
import { createMetrics, type Protocol } from './metrics.ts';
import { type ServedNamespaces, serveNamespaces } from './namespaces.ts';
import type { ListenAddress } from './settings.ts';
import { memoryOfMachine } from './settings.ts';
import { startTelemetry } from './telemetry/telemetry.ts';
import { OngoingTransactions } from './transactions/ongoing-transactions.ts';
import { startWatchdog, type Watchdog } from './watchdog/watchdog.ts';

const STOP_GRACE_MS = 10_000;

/** A running server. */
export interface RunningServer {
  /** Where HTTP is served, with the actual port. */
  readonly url: string;
  /** The address of Bolt; absent if Bolt is not served. */
  readonly boltUrl?: string | undefined;
  /** Reads the tokens file again. */
  reload(): void;
  stop(): Promise<void>;
}

/** Starts a server; resolves when requests are served. If that fails, whatever was opened is closed again. */
export async function startServer(configuration: Configuration, rootLogger: Logger): Promise<RunningServer> {
  const logger = rootLogger.module('server');
  const opened: OpenedParts = {};
  try {
    const addresses = await openAndServe(configuration, rootLogger, opened);
    return {
      ...addresses,
      reload: () => opened.access?.reload(),
      async stop() {
        await closeAll(opened, STOP_GRACE_MS);
        logger.info('stopped');
      },
    };
  } catch (error) {
    try {
      await closeAll(opened, 0);
    } catch (fault) {
      logger.warn({ error: fault }, 'what was opened for a server that failed to start could not all be closed');
    }
    throw error;
  }
}

/** The parts that a server has opened so far. */
interface OpenedParts {
  access?: Access;
  audit?: AuditLog | null;
  watchdog?: Watchdog | null;
  http?: HttpServer;
  bolt?: BoltServer | undefined;
  namespaces?: ServedNamespaces;
}

/**
 * Closes what a server has opened: first the listeners, whose requests use the namespaces, then these, and last what
 * they report to. A part that fails to close keeps none of the others from being closed. Throws the failures.
 */
async function closeAll({ access, audit, watchdog, http, bolt, namespaces }: OpenedParts, graceMs: number): Promise<void> {
  await using parts = new AsyncDisposableStack();
  // The last one that is named here is the first one that is closed.
  parts.defer(() => watchdog?.stop());
  parts.defer(() => access?.close());
  parts.defer(() => audit?.close());
  parts.defer(async () => void (await Promise.all(Array.from(sharedPageCaches(), (cache) => cache.written()))));
  parts.defer(() => namespaces?.close());
  parts.defer(async () => void (await Promise.all([http?.stop({ graceMs }), bolt?.stop({ graceMs })])));
}

/** Opens everything and begins to serve; `opened` gets each part once it is there. Returns the addresses. */
async function openAndServe(
  configuration: Configuration,
  rootLogger: Logger,
  opened: OpenedParts,
): Promise<Pick<RunningServer, 'url' | 'boltUrl'>> {
  const logger = rootLogger.module('server');
  const access = (opened.access = createAccess(configuration, { clock: systemClock, logger }));
  const { auditLog } = configuration;
  const audit = (opened.audit = auditLog === undefined ? null : openAuditLog(auditLog, { now: systemTimeMs, logger }));
  const limits = new CallerLimits(configuration.callerLimits);
  if (access.isOpen) warnOpen(configuration, logger);
  const metrics = createMetrics();
  const transactions = new OngoingTransactions(systemClock);
  const { watchdogMs, logFilter, openId, boltListen } = configuration;
  const watchdog = (opened.watchdog = watchdogMs === 0 ? null : startWatchdog({ stuckMs: watchdogMs, logFilter }));
  const door = { identify: access.identify, guessDelays: access.isOpen ? undefined : new GuessDelays(systemClock, logger) };
  const refusing = (protocol: Protocol): Door => ({
    ...door,
    onRefused: ({ requestId, address }) =>
      audit?.refused({ requestId, protocol, who: null, namespace: null, address, result: 'UNAUTHORIZED' }),
  });
  const onAnswered = (status: number): void => metrics.countResponse(status);
  const signIn = openId === undefined ? null : new OpenIdSignIn(openId, { identify: access.identify, clock: systemClock, logger });
  const http = (opened.http = await createHttp(configuration, refusing('http'), rootLogger, { metrics, transactions, signIn, onAnswered }));
  const bolt = boltListen === undefined ? undefined : createBolt(configuration, refusing('bolt'), rootLogger, access.isOpen);
  opened.bolt = bolt;
  const url = await listen(http, configuration.listen, '--listen');
  const boltUrl = bolt && (await listen(bolt, boltListen!, '--bolt-listen'));
  const parts = { logger: rootLogger, metrics, watchdog, transactions };
  const namespaces = (opened.namespaces = await serveNamespaces(withBoltAddress(configuration, boltUrl), parts));
  await startTelemetry(metrics, logger);
  const watched = (protocol: Protocol) =>
    watchNamespaces(transactions.track(namespaces.view(protocol), protocol), { protocol, limits, audit });
  http.serve(watched('http'));
  bolt?.serve(watched('bolt'));
  const memory = { memoryBytes: configuration.memoryBytes, machineBytes: memoryOfMachine() };
  logger.info({ url, boltUrl, ...memory, ...namespaces.facts }, `listening on ${url}${boltUrl ? ` and ${boltUrl}` : ''}`);
  return { url, boltUrl };
}

/** Returns the configuration with the address of Bolt among the shown settings: the system may have chosen the port. */
function withBoltAddress(configuration: Configuration, boltUrl: string | undefined): Configuration {
  if (boltUrl === undefined) return configuration;
  const url = new URL(boltUrl);
  const isAnywhere = ['0.0.0.0', '[::]'].includes(url.hostname);
  const address = `${isAnywhere ? 'localhost' : url.hostname}:${url.port}`;
  return { ...configuration, shown: [...configuration.shown, advertised(BOLT_ADDRESS, address)] };
}

/** The admission of callers for one protocol. */
interface Door {
  readonly identify: Identify;
  readonly guessDelays: GuessDelays | undefined;
  readonly onRefused: (refused: { readonly requestId: string; readonly address: string }) => void;
}

function createHttp(
  configuration: Configuration,
  door: Door,
  logger: Logger,
  told: Pick<HttpServerOptions, 'metrics' | 'transactions' | 'signIn' | 'onAnswered'>,
): Promise<HttpServer> {
  const { maxRequestBytes, queryTimeoutMs, queryMemoryBytes, tls, mcpWrite: agentsMayWrite } = configuration;
  const requestLimits = { timeoutMs: queryTimeoutMs, memoryBytes: queryMemoryBytes };
  return createHttpServer({ version: VERSION, logger, maxRequestBytes, requestLimits, ...door, tls, agentsMayWrite, ...told });
}

function createBolt(configuration: Configuration, door: Door, logger: Logger, isOpen: boolean): BoltServer {
  const { maxRequestBytes, queryTimeoutMs, queryMemoryBytes, tls, boltOrigins, reportedVersion } = configuration;
  // Without a token any page that a user of this machine visits could ask whatever it likes.
  const origins = boltOrigins ?? (isOpen ? 'local' : ['*']);
  const limits = { statementMs: queryTimeoutMs, memoryBytes: queryMemoryBytes };
  return createBoltServer({ logger, maxMessageBytes: maxRequestBytes, ...door, origins, tls, limits, reportedVersion });
}

function warnOpen(configuration: Configuration, logger: Logger): void {
  const { host, port } = configuration.listen;
  logger.warn(
    `NO AUTH TOKEN IS SET: whoever reaches ${host}:${port} can read, change and delete everything. ` +
      'Set GRAPHDB_AUTH_TOKEN (or --auth-token) unless this machine is yours alone.',
  );
}

async function listen(server: HttpServer | BoltServer, { host, port }: ListenAddress, flag: string): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    throw new GraphDBError('ARGUMENT_ERROR', `cannot listen on ${host}:${port}: ${listenFault(error, flag)}`, { cause: error });
  }
}

function listenFault(error: unknown, flag: string): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'EADDRINUSE') return `another process has that port; stop it, or choose another with ${flag}`;
  if (code === 'EACCES') return `this user may not take that port; choose one above 1023 with ${flag}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine has no such address';
  return String(message);
}
