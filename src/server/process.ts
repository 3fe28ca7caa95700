/**
 * Runs the server as a process: configuration from arguments and environment, signals, exit status (0: stopped as
 * asked; 1: could not start or stop; 2: wrong usage; 70: its main thread was stuck, watchdog/). Once requests are
 * served, a line on stdout for each protocol says where; everything else is logged on stderr.
 */
import { CommanderError } from 'commander';
import { createLogger, GraphDBError, type Logger, monotonicMs, scheduleByTimer } from '../base/index.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { type RunningServer, startServer } from './server.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Milliseconds for finishing what runs and leaving the store clean; supervisors commonly kill a process after 30 s. */
const STOP_LIMIT_MS = 25_000;

const REPEATED_SIGNAL_MS = 1_000;

/** Runs the server until a signal stops it. */
export async function runServer(argv: readonly string[]): Promise<void> {
  // An output that is closed early (`graphdb-server --help | head`) is not a failure.
  process.stdout.on('error', () => {});
  const configuration = configure(argv);
  if (configuration === undefined) return;
  const logger = (await createLogger(configuration.logFilter)).module('server');
  process.on('uncaughtException', (error) => {
    logger.error({ error }, 'a fault of the server itself; it ends here');
    process.exit(1);
  });
  const stopAsked = onceAskedToStop();
  try {
    const server = await Promise.race([startServer(configuration, logger), stopAsked]);
    if (server !== undefined) await serveUntil(stopAsked, server, logger);
  } catch (error) {
    logger.debug({ error }, 'the server failed');
    fail(messageOf(error), 1);
  }
  // Stopped while it starts: whatever is under way is as safe to leave as by a kill.
  process.exit();
}

/**
 * Resolves at the first signal that asks the server to stop. A later one, while the server stops, ends the process at
 * once, but not one within REPEATED_SIGNAL_MS: npm passes on a signal that the terminal has already sent to the whole
 * group.
 */
function onceAskedToStop(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let askedAt: number | undefined;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (askedAt !== undefined && monotonicMs() - askedAt > REPEATED_SIGNAL_MS) process.exit(1);
      askedAt ??= monotonicMs();
      resolve(undefined);
    });
  }
  return promise;
}

async function serveUntil(stopAsked: Promise<undefined>, server: RunningServer, logger: Logger): Promise<void> {
  process.stdout.write(`graphdb-server is listening on ${server.url}\n`);
  if (server.boltUrl !== undefined) process.stdout.write(`graphdb-server is listening on ${server.boltUrl}\n`);
  process.on('SIGHUP', () => server.reload());
  await stopAsked;
  logger.info('stopping');
  scheduleByTimer(STOP_LIMIT_MS, () => {
    logger.error(`not stopped after ${STOP_LIMIT_MS / 1_000} s; ending as by a kill, which loses nothing that was answered`);
    process.exit(1);
  });
  await server.stop();
}

function configure(argv: readonly string[]): Configuration | undefined {
  try {
    return readConfiguration(argv, process.env);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else fail(messageOf(error), 2);
    return undefined;
  }
}

function fail(message: string, exitStatus: number): void {
  process.stderr.write(`graphdb-server: ${message}\n`);
  process.exitCode = exitStatus;
}

function messageOf(error: unknown): string {
  if (error instanceof GraphDBError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
