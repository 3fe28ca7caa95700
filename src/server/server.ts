/**
 * A running server: store, engine and listeners in the order that keeps a mistake harmless. The port is taken first, since opening a store
 * for writing fences whoever writes to it now, and a server that cannot listen should not do that; requests are answered 503 until the
 * engine is open. Stopping goes the other way round: no new requests, what runs finishes within the grace, then the store is left clean.
 */
import { ERROR_CODES, GraphDBError, GuessDelays, type Logger, type RoleOf, systemClock, VERSION } from '../base/index.ts';
import { type BoltServer, createBoltServer } from '../bolt/index.ts';
import { type Engine, openEngine } from '../engine/index.ts';
import { createHttpServer, type HttpServer } from '../http/index.ts';
import { createAccess } from './access.ts';
import type { Configuration } from './configuration.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { ListenAddress } from './settings.ts';
import { applyPolicy } from './statement-policy.ts';
import { startWatchdog, type Watchdog } from './watchdog/watchdog.ts';

const STOP_GRACE_MS = 10_000;

export interface RunningServer {
  /** Where HTTP is served, with the actual port. */
  readonly url: string;
  /** The same of Bolt, where it is on. */
  readonly boltUrl?: string | undefined;
  /** Reads the tokens file again. */
  reload(): void;
  stop(): Promise<void>;
}

/** Starts and answers when requests are served. Nothing is left open when it fails. */
export async function startServer(configuration: Configuration, rootLogger: Logger): Promise<RunningServer> {
  const logger = rootLogger.module('server');
  const access = createAccess(configuration);
  if (access.isOpen) warnOpen(configuration, logger);
  const metrics = createMetrics();
  const { watchdogMs, logFilter } = configuration;
  const watchdog = watchdogMs === 0 ? null : startWatchdog({ stuckMs: watchdogMs, logFilter });
  const door = { roleOf: access.roleOf, guessDelays: access.isOpen ? undefined : new GuessDelays(systemClock, logger) };
  const http = await createHttp(configuration, door, rootLogger, metrics);
  const bolt = configuration.boltListen === undefined ? undefined : createBolt(configuration, door, rootLogger);
  const stopListeners = (graceMs: number) => Promise.all([http.stop({ graceMs }), bolt?.stop({ graceMs })]);
  try {
    const url = await listen(http, configuration.listen, '--listen');
    const boltUrl = bolt && (await listen(bolt, configuration.boltListen!, '--bolt-listen'));
    const engine = await openStore(configuration, { logger: rootLogger, metrics, watchdog });
    const limited = applyPolicy(engine, {
      timeoutMs: configuration.queryTimeoutMs,
      memoryBytes: configuration.queryMemoryBytes,
      slowMs: configuration.slowQueryMs,
      logger,
    });
    http.serve(metrics.measureEngine(limited, 'http'));
    bolt?.serve(metrics.measureEngine(limited, 'bolt'));
    const { namespace, role, epoch, manifestVersion } = engine.status();
    logger.info({ url, boltUrl, namespace, role, epoch, manifestVersion }, `listening on ${url}${boltUrl ? ` and ${boltUrl}` : ''}`);
    return {
      url,
      boltUrl,
      reload: () => access.reload(logger),
      async stop() {
        await stopListeners(STOP_GRACE_MS);
        await engine.close();
        await watchdog?.stop();
        logger.info('stopped');
      },
    };
  } catch (error) {
    await stopListeners(0);
    await watchdog?.stop();
    throw error;
  }
}

/** Who may come in, by either protocol. */
interface Door {
  readonly roleOf: RoleOf;
  readonly guessDelays: GuessDelays | undefined;
}

function createHttp(configuration: Configuration, door: Door, logger: Logger, { text }: Metrics): Promise<HttpServer> {
  const { maxRequestBytes, queryTimeoutMs, queryMemoryBytes, tls } = configuration;
  const requestLimits = { timeoutMs: queryTimeoutMs, memoryBytes: queryMemoryBytes };
  return createHttpServer({ version: VERSION, logger, maxRequestBytes, requestLimits, ...door, tls, metricsText: text });
}

function createBolt(configuration: Configuration, door: Door, logger: Logger): BoltServer {
  const { maxRequestBytes, queryTimeoutMs, queryMemoryBytes, tls } = configuration;
  const limits = { statementMs: queryTimeoutMs, memoryBytes: queryMemoryBytes };
  return createBoltServer({ logger, maxMessageBytes: maxRequestBytes, ...door, tls, limits });
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

interface StoreParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly watchdog: Watchdog | null;
}

async function openStore(configuration: Configuration, { logger, metrics, watchdog }: StoreParts): Promise<Engine> {
  const { store, readOnly, flushIntervalMs, csvDirectory, cacheDirectory, cacheBytes, readWorkers, shown } = configuration;
  const telling = watchdog === null ? {} : { statementRuns: watchdog.statementRuns };
  const parts = { logger, decorateStore: metrics.measureStore, programSettings: shown, planner: true, ...telling };
  try {
    return await openEngine(store, { readOnly, flushIntervalMs, csvDirectory, cacheDirectory, cacheBytes, readWorkers }, parts);
  } catch (error) {
    if (!(error instanceof GraphDBError) || ERROR_CODES[error.code].httpStatus < 500) throw error;
    throw new GraphDBError(error.code, `cannot open the store ${store}: ${error.message}`, { cause: error });
  }
}
