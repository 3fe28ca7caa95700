/**
 * The configuration of the server: settings each with a flag, a variable, a line in the configuration file, a default
 * and a parser. A flag wins over its variable, and that over the file; an empty variable counts as unset, except the
 * token, where that would silently open the server. A bad value is an `ARGUMENT_ERROR` of one line that names it.
 */
import { createSecureContext } from 'node:tls';
import { Command } from 'commander';
import {
  type CallerLimitOptions,
  GraphDBError,
  type LogFilter,
  logFilterText,
  parseLogFilter,
  parseSwitch,
  type ShownSetting,
  VERSION,
} from '../base/index.ts';
import { type GivenText, readConfigurationFile } from './configuration-file.ts';
import type { JwtSettings } from './identity/jwt.ts';
import { isProvider, type OpenIdSettings } from './identity/open-id-sign-in.ts';
import { type ListenAddress, parseListenAddress, SETTINGS, type Setting, type TokensFile } from './settings.ts';

const NOTES = `
GRAPHDB_LOG (or RUST_LOG) sets the log level, per module: info, or info,storage=debug. Logs go to stderr. A
configuration file has lines such as
listen = 127.0.0.1:8080, named like the flags; variables win over it, and flags over both.

Examples:
  graphdb-server --store 'file:///var/lib/graph?ns=prod' --listen 127.0.0.1:8080
  GRAPHDB_AUTH_TOKEN=… graphdb-server --store 's3://bucket/graphs?ns=prod&region=eu-central-1' --bolt-listen 0.0.0.0:7687
  graphdb-server --store file:///var/lib/graph     # every namespace below that folder: http://…/<namespace>/v0/cypher
  graphdb-server --read-only --store 'file:///var/lib/graph?ns=prod' --listen 127.0.0.1:8081     # beside the writer`;

/** The configuration of the server. */
export interface Configuration {
  readonly store: string;
  readonly defaultNamespace: string;
  /** Bytes of memory that the process may hold; beyond them namespaces that nobody uses are closed. */
  readonly memoryBytes: number;
  readonly listen: ListenAddress;
  /** The address of Bolt; absent: Bolt is not served. */
  readonly boltListen?: ListenAddress | undefined;
  /** Origins of pages that may use Bolt over WebSockets; absent: all if clients need a token, else those of this machine. */
  readonly boltOrigins?: readonly string[] | undefined;
  /** The version of Neo4j that tools are told. */
  readonly reportedVersion: string;
  /** True if agents have a tool that changes the graph, within their rights. */
  readonly mcpWrite: boolean;
  /** The token of an admin; without it, a tokens file and JWTs, the server is open to everyone. */
  readonly authToken?: string | undefined;
  readonly tokensFile?: TokensFile | undefined;
  /** The settings of JWTs; absent: none is accepted. */
  readonly jwt?: JwtSettings | undefined;
  /** Where users of the console sign in; absent: they need a token. */
  readonly openId?: OpenIdSettings | undefined;
  /** The path of the audit log, or `-` for stderr; absent: there is none. */
  readonly auditLog?: string | undefined;
  readonly callerLimits: CallerLimitOptions;
  /** Milliseconds from a commit to its flush; 0: no flush by time. */
  readonly flushIntervalMs: number;
  /** Milliseconds for which changes stay readable; 0: none are captured; absent: the namespace's setting stays as it is. */
  readonly changeRetentionMs?: number | undefined;
  readonly readOnly: boolean;
  /** The longest run of a statement in milliseconds; 0: no limit. */
  readonly queryTimeoutMs: number;
  readonly maxRequestBytes: number;
  readonly queryMemoryBytes: number;
  /** The directory of the cache and of temporary files; absent: no cache, and temporary files in the system's directory. */
  readonly cacheDirectory?: string | undefined;
  readonly cacheBytes?: number | undefined;
  /** The directory that LOAD CSV may read; absent: it may read no files. */
  readonly csvDirectory?: string | undefined;
  /** The hosts that LOAD CSV may ask over https; absent: none. */
  readonly csvHosts?: readonly string[] | undefined;
  readonly csvStores?: readonly string[] | 'all' | undefined;
  /** The number of read workers; 0: reads run on the main thread. */
  readonly readWorkers: number;
  /** Milliseconds from which on a statement is logged as slow; 0: none is. */
  readonly slowQueryMs: number;
  /** Milliseconds after which a stuck main thread ends the process; 0: there is no watchdog. */
  readonly watchdogMs: number;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly logFilter: LogFilter;
  /** The settings as SHOW SETTINGS lists them. */
  readonly shown: readonly ShownSetting[];
}

type Flags = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

interface GivenTexts {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly file: ReadonlyMap<string, GivenText>;
}

/** Reads the configuration; `argv` holds the arguments only. Help, version and usage errors are printed, and thrown as CommanderError. */
export function readConfiguration(argv: readonly string[], environment: Environment): Configuration {
  const flags = parseFlags(argv);
  const given: GivenTexts = { flags, environment, file: configurationFile(flags, environment) };
  const read = <T, S extends Setting<T>>(setting: S & Setting<T>) => readSetting<T, S>(setting, given);
  const log = logFilterText(environment);
  return {
    store: requireStore(read(SETTINGS.store)),
    defaultNamespace: read(SETTINGS.defaultNamespace),
    memoryBytes: read(SETTINGS.memory),
    listen: read(SETTINGS.listen),
    boltListen: read(SETTINGS.boltListen),
    boltOrigins: read(SETTINGS.boltOrigins),
    reportedVersion: read(SETTINGS.reportedVersion),
    mcpWrite: read(SETTINGS.mcpWrite),
    authToken: read(SETTINGS.authToken),
    tokensFile: read(SETTINGS.tokensFile),
    jwt: jwtSettings(read),
    openId: openIdSettings(read),
    auditLog: read(SETTINGS.auditLog),
    callerLimits: {
      statementsAtOnce: read(SETTINGS.maxStatementsPerClient),
      requestsPerSecond: read(SETTINGS.maxRequestsPerSecond),
    },
    flushIntervalMs: read(SETTINGS.flushInterval),
    changeRetentionMs: read(SETTINGS.changeRetention),
    readOnly: read(SETTINGS.readOnly),
    queryTimeoutMs: read(SETTINGS.queryTimeout),
    maxRequestBytes: read(SETTINGS.maxRequestBytes),
    queryMemoryBytes: read(SETTINGS.queryMemory),
    cacheDirectory: read(SETTINGS.cacheDir),
    cacheBytes: read(SETTINGS.cacheSize),
    csvDirectory: read(SETTINGS.loadCsv),
    csvHosts: read(SETTINGS.csvHosts),
    csvStores: read(SETTINGS.csvStores),
    readWorkers: read(SETTINGS.readWorkers),
    slowQueryMs: read(SETTINGS.slowQuery),
    watchdogMs: read(SETTINGS.watchdog),
    tls: pairTls(read(SETTINGS.tlsCert), read(SETTINGS.tlsKey)),
    logFilter: naming(log.variable, () => parseLogFilter(log.text, 'info')),
    shown: shownSettings(given),
  };
}

function parseFlags(argv: readonly string[]): Flags {
  const command = new Command('graphdb-server')
    .description('Serves a graph database, kept in object storage, over HTTP and Bolt.')
    .version(VERSION)
    .allowExcessArguments(false)
    .option('--config <file>', 'more settings: a line each, named like the flags, such as listen = 127.0.0.1:8080 [GRAPHDB_CONFIG]')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(withHint(text)) })
    .addHelpText('after', NOTES);
  for (const { flag, argument, mayStandAlone, help, variable, default: standard } of Object.values<Setting<unknown>>(SETTINGS)) {
    const place = standard === undefined ? `[${variable}]` : `[${variable}, default ${standard}]`;
    command.option(
      argument === undefined ? `--${flag}` : `--${flag} ${mayStandAlone === true ? `[${argument}]` : `<${argument}>`}`,
      `${help} ${place}`,
    );
  }
  return command.parse(argv, { from: 'user' }).opts();
}

/** Flags that other servers have, each with a hint at the flag that is meant here. */
const FOREIGN_FLAGS: Readonly<Record<string, string>> = {
  port: 'the port is a part of the address: --listen 127.0.0.1:8080',
  host: 'the host is a part of the address: --listen 127.0.0.1:8080',
  address: 'the address is that of --listen 127.0.0.1:8080',
  'bolt-port': 'the port is a part of the address: --bolt-listen 127.0.0.1:7687',
  token: 'the token is that of --auth-token or GRAPHDB_AUTH_TOKEN',
  password: 'the token is that of --auth-token or GRAPHDB_AUTH_TOKEN',
  data: 'the place of the data is that of --store, as in --store "file:///var/lib/graph?ns=prod"',
};

function withHint(text: string): string {
  const flag = /unknown option '--([\w-]+)/.exec(text)?.[1];
  const hint = flag !== undefined && Object.hasOwn(FOREIGN_FLAGS, flag) ? FOREIGN_FLAGS[flag] : undefined;
  return hint === undefined ? text : `${text.split('\n', 1)[0]}: ${hint}\n`;
}

/** The type of a setting's value; a setting with a default always has one. */
type SettingValue<T, S> = S extends { default: string } ? T : T | undefined;

function readSetting<T, S extends Setting<T>>(setting: S & Setting<T>, texts: GivenTexts): SettingValue<T, S> {
  const given = givenText(setting, texts);
  if (given !== null) return naming(given.by, () => setting.parse(given.text)) as SettingValue<T, S>;
  return (setting.default === undefined ? undefined : setting.parse(setting.default)) as SettingValue<T, S>;
}

/** Returns the text that a flag, a variable or the file gives for a setting, and its source; null if none of them gives any. */
function givenText(setting: Setting<unknown>, { flags, environment, file }: GivenTexts): GivenText | null {
  const flag = flags[camelCase(setting.flag)];
  if (flag !== undefined) return { by: `--${setting.flag}`, text: flag === true ? 'on' : String(flag) };
  const text = environment[setting.variable];
  const isGiven = text !== undefined && (text !== '' || setting.emptyCounts === true);
  return isGiven ? { by: setting.variable, text } : (file.get(setting.flag) ?? null);
}

/** Reads the file that `--config` or GRAPHDB_CONFIG names; returns no settings if neither is given. */
function configurationFile(flags: Flags, environment: Environment): ReadonlyMap<string, GivenText> {
  const path = flags.config ?? environment.GRAPHDB_CONFIG ?? '';
  if (typeof path !== 'string' || path === '') return new Map();
  return naming(flags.config === undefined ? 'GRAPHDB_CONFIG' : '--config', () =>
    readConfigurationFile(path, new Set(Object.values<Setting<unknown>>(SETTINGS).map(({ flag }) => flag))),
  );
}

/** Returns the settings as SHOW SETTINGS lists them: all but secrets; of tokens it says only whether they are required. */
function shownSettings(texts: GivenTexts): readonly ShownSetting[] {
  const isGiven = (setting: Setting<unknown>): boolean => givenText(setting, texts) !== null;
  const settings = Object.values<Setting<unknown>>(SETTINGS).flatMap((setting): ShownSetting[] => {
    const { shownAs, help, flag, variable, argument, parse, check } = setting;
    if (shownAs === null) return [];
    const defaultValue = setting.default ?? null;
    const given = givenText(setting, texts);
    return [
      {
        name: shownAs,
        value: given?.text ?? defaultValue,
        defaultValue,
        description: `${help} (--${flag}, ${variable})`,
        validValues: argument ?? 'on or off',
        isExplicitlySet: given !== null,
        check: check ?? parse,
      },
    ];
  });
  const isProtected = [SETTINGS.authToken, SETTINGS.tokensFile, SETTINGS.jwks].some(isGiven);
  return [
    ...settings,
    derived('server.bolt.enabled', isGiven(SETTINGS.boltListen), 'whether Bolt is served; follows from its address'),
    derived('dbms.security.auth_enabled', isProtected, 'whether clients must give a token; follows from the tokens'),
  ];
}

/** Shows the setting for the address of Bolt, which the server knows once it listens. */
export function advertised(name: string, value: string): ShownSetting {
  const description = 'where clients find Bolt; follows from where it listens';
  return { name, value, defaultValue: null, description, validValues: 'host:port', isExplicitlySet: false, check: parseListenAddress };
}

/** Shows a setting that follows from others. */
function derived(name: string, isTrue: boolean, description: string): ShownSetting {
  return {
    name,
    value: String(isTrue),
    defaultValue: 'false',
    description,
    validValues: 'true or false',
    isExplicitlySet: isTrue,
    check: parseSwitch,
  };
}

/** Returns the name under which Commander keeps the value of a flag. */
function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function naming<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    throw new GraphDBError('ARGUMENT_ERROR', `${name}: ${error.message.replace(/\n\s*/g, ' ')}`, { cause: error });
  }
}

type Read = <T, S extends Setting<T>>(setting: S & Setting<T>) => SettingValue<T, S>;

function jwtSettings(read: Read): JwtSettings | undefined {
  const jwks = read(SETTINGS.jwks);
  const issuer = read(SETTINGS.jwtIssuer);
  const audience = read(SETTINGS.jwtAudience);
  if (jwks === undefined && issuer === undefined && audience === undefined) return undefined;
  if (jwks === undefined || issuer === undefined || audience === undefined)
    throw new GraphDBError('ARGUMENT_ERROR', 'JWTs need all of --jwks (GRAPHDB_JWKS), --jwt-issuer and --jwt-audience');
  return { jwks, issuer, audience, roleClaim: read(SETTINGS.jwtRoleClaim), namespacesClaim: read(SETTINGS.jwtNamespacesClaim) };
}

function openIdSettings(read: Read): OpenIdSettings | undefined {
  const clientId = read(SETTINGS.oidcClientId);
  if (clientId === undefined) return undefined;
  const issuer = jwtSettings(read)?.issuer ?? '';
  if (!isProvider(issuer))
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      '--oidc-client-id (GRAPHDB_OIDC_CLIENT_ID) needs --jwks, --jwt-audience, and as --jwt-issuer the https URL of the provider',
    );
  return { issuer, clientId, clientSecret: read(SETTINGS.oidcClientSecret), scope: read(SETTINGS.oidcScope) };
}

function requireStore(store: string | undefined): string {
  if (store !== undefined) return store;
  throw new GraphDBError('ARGUMENT_ERROR', 'no store: give --store <uri> or set GRAPHDB_STORE, for example file:///var/lib/graph?ns=prod');
}

function pairTls(cert: Buffer | undefined, key: Buffer | undefined): Configuration['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return checkTls({ cert, key });
  const missing = cert === undefined ? '--tls-cert (GRAPHDB_TLS_CERT)' : '--tls-key (GRAPHDB_TLS_KEY)';
  throw new GraphDBError('ARGUMENT_ERROR', `TLS needs both a certificate and its key: ${missing} is missing`);
}

function checkTls(tls: { cert: Buffer; key: Buffer }): Configuration['tls'] {
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GraphDBError('ARGUMENT_ERROR', `--tls-cert and --tls-key do not make a certificate with its key: ${reason}`, {
      cause: error,
    });
  }
}
