/**
 * Logging: one line of JSON per event on stderr, written by pino, with a level per module from GRAPHDB_LOG or RUST_LOG.
 *
 * A module is given a `Logger` when it is opened, and asks it for one of its own name (`logger.module('storage')`).
 * That name is the folder in `src/`, and the two variables filter by it. A module that is given none uses
 * `silentLogger`. Parameters of statements, tokens and credentials are never logged.
 */
import { GraphDBError } from './errors.ts';

const LEVELS = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A level of logging. */
export type LogLevel = (typeof LEVELS)[number];

/** Logs a message with its fields. */
export interface LogMethod {
  (message: string): void;
  (fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A logger of one module. */
export interface Logger {
  readonly error: LogMethod;
  readonly warn: LogMethod;
  readonly info: LogMethod;
  readonly debug: LogMethod;
  readonly trace: LogMethod;
  /** False: `debug` writes nothing, so its fields need not be computed. */
  readonly logsDebug: boolean;
  /** Returns the logger of a module, with the level that is set for that name. */
  module(name: string): Logger;
}

/** The setting of GRAPHDB_LOG or RUST_LOG: a level for every module, and levels for named ones. */
export interface LogFilter {
  readonly defaultLevel: LogLevel;
  readonly modules: ReadonlyMap<string, LogLevel>;
}

const nothing: LogMethod = () => {};

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  logsDebug: false,
  module: () => silentLogger,
};

/** Parses `info` or `info,storage=debug`; the last directive for a module wins. @throws ARGUMENT_ERROR for anything else */
export function parseLogFilter(text: string, defaultLevel: LogLevel): LogFilter {
  let level = defaultLevel;
  const modules = new Map<string, LogLevel>();
  for (const directive of text.split(',').map((part) => part.trim())) {
    if (directive === '') continue;
    const equals = directive.indexOf('=');
    const name = directive.slice(0, Math.max(equals, 0)).trim();
    const parsed = parseLevel(directive.slice(equals + 1).trim());
    if (parsed === undefined || (equals >= 0 && name === '')) {
      throw new GraphDBError('ARGUMENT_ERROR', `"${directive}" is neither a level (${LEVELS.join(', ')}) nor <module>=<level>`);
    }
    if (equals < 0) level = parsed;
    else modules.set(name, parsed);
  }
  return { defaultLevel: level, modules };
}

function parseLevel(text: string): LogLevel | undefined {
  const wanted = text.toLowerCase();
  return LEVELS.find((level) => level === wanted);
}

/** The destination of log lines; each call writes one whole line. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Creates the logger of the process. Without a destination lines go to stderr synchronously, so that none is lost when
 * the process dies.
 */
export async function createLogger(filter: LogFilter, destination?: LogDestination): Promise<Logger> {
  const { default: pino } = await import('pino');
  const root = pino(
    {
      base: { pid: process.pid },
      level: 'trace',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
  const forModule = (name: string): Logger => {
    const level = filter.modules.get(name) ?? filter.defaultLevel;
    const child = root.child({ module: name }, { level: level === 'off' ? 'silent' : level });
    return {
      error: child.error.bind(child),
      warn: child.warn.bind(child),
      info: child.info.bind(child),
      debug: child.debug.bind(child),
      trace: child.trace.bind(child),
      logsDebug: child.isLevelEnabled('debug'),
      module: forModule,
    };
  };
  return forModule('graphdb');
}

/** Returns the log filter in the environment and the variable it is from: GRAPHDB_LOG, or RUST_LOG where that is empty. */
export function logFilterText(environment: Readonly<Record<string, string | undefined>>): {
  readonly variable: string;
  readonly text: string;
} {
  const own = environment.GRAPHDB_LOG ?? '';
  return own === '' ? { variable: 'RUST_LOG', text: environment.RUST_LOG ?? '' } : { variable: 'GRAPHDB_LOG', text: own };
}

/** Creates the logger of the library and the command line, which is silent unless GRAPHDB_LOG or RUST_LOG is set. */
export async function createEnvironmentLogger(): Promise<Logger> {
  const { text } = logFilterText(process.env);
  return text === '' ? silentLogger : createLogger(parseLogFilter(text, 'off'));
}
