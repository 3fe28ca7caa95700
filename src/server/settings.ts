/** The settings of the server: flag, variable, default, and how the text of each becomes a value. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import {
  type AccessToken,
  checkPath,
  GraphDBError,
  isNameOfNamespace,
  parseDurationMs,
  parseSizeBytes,
  parseTokensFile,
  REPORTED_VERSION,
  REPORTED_VERSION_SETTING,
} from '../base/index.ts';
import { ENGINE_SETTINGS } from '../engine/index.ts';
import { parseStorageBase } from '../object-store/index.ts';

/** A setting of the server. */
export interface Setting<T> {
  /** The name of the setting in SHOW SETTINGS; null for a secret. */
  readonly shownAs: string | null;
  readonly flag: string;
  readonly variable: string;
  /** The argument of the flag; absent: the flag stands alone and means `on`. */
  readonly argument?: string;
  /** True if the flag may stand without its argument, and then means `on`. */
  readonly mayStandAlone?: boolean;
  readonly help: string;
  readonly default?: string;
  /** True if an empty variable is a value (a bad one), and not an unset setting. */
  readonly emptyCounts?: boolean;
  /** Turns the text into a value. Throws ARGUMENT_ERROR for a bad one. */
  readonly parse: (text: string) => T;
  /** Checks a value in place of `parse`, for a setting whose `parse` looks at files. */
  readonly check?: (text: string) => void;
}

/** An address to listen at. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The settings of the server, by name. */
export const SETTINGS = {
  store: {
    shownAs: 'graphdb.store',
    flag: 'store',
    variable: 'GRAPHDB_STORE',
    argument: 'uri',
    help: 'storage URI: memory://<name>, file:///dir?ns=<ns>, s3://…, gs://…, az://…; without ns every namespace there is served; required',
    parse: checkStoreUri,
  },
  defaultNamespace: {
    shownAs: 'initial.dbms.default_database',
    flag: 'default-namespace',
    variable: 'GRAPHDB_DEFAULT_NAMESPACE',
    argument: 'name',
    help: 'the namespace of requests that name none, where the store has no ns',
    default: 'default',
    parse: checkNamespaceName,
  },
  listen: {
    shownAs: 'server.http.listen_address',
    flag: 'listen',
    variable: 'GRAPHDB_LISTEN',
    argument: 'host:port',
    help: 'HTTP address; port 0 takes a free one',
    default: '0.0.0.0:8080',
    parse: parseListenAddress,
  },
  boltListen: {
    shownAs: 'server.bolt.listen_address',
    flag: 'bolt-listen',
    variable: 'GRAPHDB_BOLT_LISTEN',
    argument: 'host:port',
    help: 'Bolt address, usually with the port 7687; unset: no Bolt',
    parse: parseListenAddress,
  },
  boltOrigins: {
    shownAs: 'graphdb.bolt_origins',
    flag: 'bolt-origins',
    variable: 'GRAPHDB_BOLT_ORIGINS',
    argument: 'origins',
    help:
      'web pages whose drivers may speak Bolt over WebSockets, with commas between, such as https://browser.example; *: ' +
      'all; unset: all where clients need a token, else those of this machine',
    parse: parseOrigins,
  },
  reportedVersion: {
    shownAs: REPORTED_VERSION_SETTING,
    flag: 'reported-version',
    variable: 'GRAPHDB_REPORTED_VERSION',
    argument: 'version',
    help:
      'the version of Neo4j that tools are told (dbms.components, Bolt), by which they switch features on; 5.26.0 for tools ' +
      'that do not know a newer one',
    default: REPORTED_VERSION,
    parse: parseReportedVersion,
  },
  mcpWrite: {
    shownAs: 'graphdb.mcp_write',
    flag: 'mcp-write',
    variable: 'GRAPHDB_MCP_WRITE',
    help: 'agents (/mcp) whose token may write have a tool that does',
    default: 'off',
    parse: ENGINE_SETTINGS.readOnly.parse,
  },
  authToken: {
    shownAs: null,
    flag: 'auth-token',
    variable: 'GRAPHDB_AUTH_TOKEN',
    argument: 'token',
    help: 'token that clients must give; unset: open to everyone',
    emptyCounts: true,
    parse: parseToken,
  },
  tokensFile: {
    shownAs: 'graphdb.auth_tokens_file',
    flag: 'auth-tokens-file',
    variable: 'GRAPHDB_AUTH_TOKENS_FILE',
    argument: 'file',
    help:
      'more tokens, a line each: <SHA-256 in hexadecimal> <reader, writer or admin> [<namespace>[,…]|*] [whose it is]; read ' +
      'again when it changes',
    parse: readTokensFile,
    check: checkPath,
  },
  jwks: {
    shownAs: 'graphdb.jwks',
    flag: 'jwks',
    variable: 'GRAPHDB_JWKS',
    argument: 'url or file',
    help: 'keys of the JWTs that clients may give (JWKS); needs --jwt-issuer and --jwt-audience',
    parse: checkKeySource,
  },
  jwtIssuer: {
    shownAs: 'graphdb.jwt_issuer',
    flag: 'jwt-issuer',
    variable: 'GRAPHDB_JWT_ISSUER',
    argument: 'issuer',
    help: 'who must have issued a JWT (iss)',
    parse: parseText,
  },
  jwtAudience: {
    shownAs: 'graphdb.jwt_audience',
    flag: 'jwt-audience',
    variable: 'GRAPHDB_JWT_AUDIENCE',
    argument: 'audience',
    help: 'whom a JWT must be for (aud)',
    parse: parseText,
  },
  jwtRoleClaim: {
    shownAs: 'graphdb.jwt_role_claim',
    flag: 'jwt-role-claim',
    variable: 'GRAPHDB_JWT_ROLE_CLAIM',
    argument: 'claim',
    help: 'the claim with the role: reader, writer or admin',
    default: 'graphdb_role',
    parse: parseText,
  },
  jwtNamespacesClaim: {
    shownAs: 'graphdb.jwt_namespaces_claim',
    flag: 'jwt-namespaces-claim',
    variable: 'GRAPHDB_JWT_NAMESPACES_CLAIM',
    argument: 'claim',
    help: 'the claim with the namespaces: a list of names, or "*"',
    default: 'graphdb_namespaces',
    parse: parseText,
  },
  oidcClientId: {
    shownAs: 'graphdb.oidc_client_id',
    flag: 'oidc-client-id',
    variable: 'GRAPHDB_OIDC_CLIENT_ID',
    argument: 'id',
    help: 'the client that the console is at the OIDC provider (--jwt-issuer), where its users may then sign in',
    parse: parseText,
  },
  oidcClientSecret: {
    shownAs: null,
    flag: 'oidc-client-secret',
    variable: 'GRAPHDB_OIDC_CLIENT_SECRET',
    argument: 'secret',
    help: 'the secret of that client; unset: it is a public client',
    parse: parseText,
  },
  oidcScope: {
    shownAs: 'graphdb.oidc_scope',
    flag: 'oidc-scope',
    variable: 'GRAPHDB_OIDC_SCOPE',
    argument: 'scopes',
    help: 'what the console asks the OIDC provider for',
    default: 'openid',
    parse: parseText,
  },
  auditLog: {
    shownAs: 'graphdb.audit_log',
    flag: 'audit-log',
    variable: 'GRAPHDB_AUDIT_LOG',
    argument: 'file or -',
    help: 'one JSON line for each statement and each refused request, in this file; -: on stderr; unset: none',
    parse: parseText,
    check: checkPath,
  },
  maxStatementsPerClient: {
    shownAs: 'graphdb.max_statements_per_client',
    flag: 'max-statements-per-client',
    variable: 'GRAPHDB_MAX_STATEMENTS_PER_CLIENT',
    argument: 'count',
    help: 'statements and transactions of one token at a time; 0: any number',
    default: '0',
    parse: parseCount,
  },
  maxRequestsPerSecond: {
    shownAs: 'graphdb.max_requests_per_second',
    flag: 'max-requests-per-second',
    variable: 'GRAPHDB_MAX_REQUESTS_PER_SECOND',
    argument: 'count',
    help: 'requests of one token each second; 0: any number',
    default: '0',
    parse: parseCount,
  },
  flushInterval: {
    ...ENGINE_SETTINGS.flushIntervalMs,
    flag: 'flush-interval',
    variable: 'GRAPHDB_FLUSH_INTERVAL',
  },
  changeRetention: {
    shownAs: ENGINE_SETTINGS.changeRetentionMs.shownAs,
    flag: 'cdc-retention',
    variable: 'GRAPHDB_CDC_RETENTION',
    argument: ENGINE_SETTINGS.changeRetentionMs.argument,
    help: ENGINE_SETTINGS.changeRetentionMs.help,
    parse: ENGINE_SETTINGS.changeRetentionMs.parse,
  },
  readOnly: {
    shownAs: ENGINE_SETTINGS.readOnly.shownAs,
    flag: 'read-only',
    variable: 'GRAPHDB_READ_ONLY',
    help: ENGINE_SETTINGS.readOnly.help,
    default: 'off',
    parse: ENGINE_SETTINGS.readOnly.parse,
  },
  queryTimeout: {
    shownAs: 'db.transaction.timeout',
    flag: 'query-timeout',
    variable: 'GRAPHDB_QUERY_TIMEOUT',
    argument: 'duration',
    help: 'longest run of one statement; 0s: none',
    default: '120s',
    parse: parseDurationMs,
  },
  maxRequestBytes: {
    shownAs: 'graphdb.max_request_bytes',
    flag: 'max-request-bytes',
    variable: 'GRAPHDB_MAX_REQUEST_BYTES',
    argument: 'size',
    help: 'largest body of a request, and message of Bolt',
    default: '64MiB',
    parse: parseSizeBytes,
  },
  queryMemory: {
    shownAs: 'db.memory.transaction.max',
    flag: 'query-memory',
    variable: 'GRAPHDB_QUERY_MEMORY',
    argument: 'size',
    help: 'intermediate and result memory of one statement',
    default: '2GiB',
    parse: parseSizeBytes,
  },
  cacheDir: {
    shownAs: ENGINE_SETTINGS.cacheDirectory.shownAs,
    flag: 'cache-dir',
    variable: 'GRAPHDB_CACHE_DIR',
    argument: ENGINE_SETTINGS.cacheDirectory.argument,
    help: ENGINE_SETTINGS.cacheDirectory.help,
    parse: checkDirectory,
    check: ENGINE_SETTINGS.cacheDirectory.parse,
  },
  cacheSize: {
    shownAs: ENGINE_SETTINGS.cacheBytes.shownAs,
    flag: 'cache-size',
    variable: 'GRAPHDB_CACHE_SIZE',
    argument: ENGINE_SETTINGS.cacheBytes.argument,
    help: ENGINE_SETTINGS.cacheBytes.help,
    parse: ENGINE_SETTINGS.cacheBytes.parse,
  },
  loadCsv: {
    shownAs: ENGINE_SETTINGS.csvDirectory.shownAs,
    flag: 'load-csv',
    variable: 'GRAPHDB_LOAD_CSV',
    argument: ENGINE_SETTINGS.csvDirectory.argument,
    help: 'let LOAD CSV read the files of this directory; unset: it is refused',
    parse: checkDirectory,
    check: ENGINE_SETTINGS.csvDirectory.parse,
  },
  csvHosts: {
    shownAs: ENGINE_SETTINGS.csvHosts.shownAs,
    flag: 'load-csv-hosts',
    variable: 'GRAPHDB_LOAD_CSV_HOSTS',
    argument: ENGINE_SETTINGS.csvHosts.argument,
    help: ENGINE_SETTINGS.csvHosts.help,
    parse: ENGINE_SETTINGS.csvHosts.parse,
  },
  csvStores: {
    shownAs: ENGINE_SETTINGS.csvStores.shownAs,
    flag: 'load-csv-stores',
    variable: 'GRAPHDB_LOAD_CSV_STORES',
    argument: ENGINE_SETTINGS.csvStores.argument,
    mayStandAlone: true,
    help: ENGINE_SETTINGS.csvStores.help,
    parse: ENGINE_SETTINGS.csvStores.parse,
  },
  memory: {
    shownAs: 'server.memory.max',
    flag: 'memory',
    variable: 'GRAPHDB_MEMORY',
    argument: 'size',
    help:
      'what the process may hold: beyond it tables are read by page or refused, and namespaces that nobody uses closed, the ' +
      'longest unused first',
    default: `${Math.floor((memoryOfMachine() * 3) / 4 / 2 ** 20)}MiB`,
    parse: parseSizeBytes,
  },
  readWorkers: {
    ...ENGINE_SETTINGS.readWorkers,
    flag: 'read-workers',
    variable: 'GRAPHDB_READ_WORKERS',
    help: 'threads that execute reads, one per core unless told; 0: all on the main thread',
    default: String(availableParallelism()),
  },
  slowQuery: {
    shownAs: 'db.logs.query.threshold',
    flag: 'slow-query',
    variable: 'GRAPHDB_SLOW_QUERY',
    argument: 'duration',
    help: 'log the text of statements slower than this; 0s: off',
    default: '1s',
    parse: parseDurationMs,
  },
  watchdog: {
    shownAs: 'graphdb.watchdog',
    flag: 'watchdog',
    variable: 'GRAPHDB_WATCHDOG',
    argument: 'duration',
    help: 'a main thread that is stuck for longer ends the process, with exit status 70; 0s: off',
    default: '60s',
    parse: parseDurationMs,
  },
  tlsCert: {
    shownAs: 'graphdb.tls_cert',
    flag: 'tls-cert',
    variable: 'GRAPHDB_TLS_CERT',
    argument: 'file',
    help: 'certificate chain (PEM); serves https and bolt+s',
    parse: readFile,
    check: checkPath,
  },
  tlsKey: {
    shownAs: 'graphdb.tls_key',
    flag: 'tls-key',
    variable: 'GRAPHDB_TLS_KEY',
    argument: 'file',
    help: 'private key of the certificate (PEM)',
    parse: readFile,
    check: checkPath,
  },
} as const;

/** Checks the URI of one namespace, or of a place that holds several. */
function checkStoreUri(text: string): string {
  parseStorageBase(text);
  return text;
}

function checkNamespaceName(text: string): string {
  if (isNameOfNamespace(text)) return text;
  throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is no name of a namespace: 1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot`);
}

/** Returns the bytes of memory of the container, or of the machine if there is no limit. */
export function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function checkDirectory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path);
  throw new GraphDBError('ARGUMENT_ERROR', `"${path}" is not a directory`);
}

function parseText(text: string): string {
  if (text.trim() !== '') return text;
  throw new GraphDBError('ARGUMENT_ERROR', 'it is empty');
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a count`);
}

/** Checks the source of keys: a URL of https, one of plain http on this machine, or a file. */
function checkKeySource(text: string): string {
  if (/^https:\/\/[^/@]+(\/|$)/i.test(text) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i.test(text)) return text;
  if (/^[a-z]+:\/\//i.test(text)) throw new GraphDBError('ARGUMENT_ERROR', 'keys come by https, or from a file');
  checkPath(text);
  return text;
}

function parseReportedVersion(text: string): string {
  if (/^\d{1,4}(\.\d{1,3}){1,2}$/.test(text)) return text;
  throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a version such as 5.26.0 or 2026.1.0`);
}

/** Parses an address to listen at. @throws ARGUMENT_ERROR if the text is none. */
export function parseListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.%]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) {
    throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not an address (0.0.0.0:8080, localhost:8080, [::1]:8080)`);
  }
  return { host, port };
}

/** Parses origins with commas between, each as browsers name it (scheme, host and port), or `*` for all. */
function parseOrigins(text: string): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) continue;
    throw new GraphDBError('ARGUMENT_ERROR', `"${origin}" is no origin; write it as https://host or http://host:port, or * for all`);
  }
  return origins;
}

/** Checks a token. The message of an error does not repeat the token. */
function parseToken(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  const reason = text === '' ? 'is empty' : 'has characters that no HTTP header can carry (spaces, line ends, beyond ASCII)';
  throw new GraphDBError('ARGUMENT_ERROR', `the token ${reason}; to serve without one, leave it unset`);
}

/** The tokens of a file. */
export interface TokensFile {
  readonly path: string;
  readonly tokens: readonly AccessToken[];
}

/** Reads a tokens file. @throws ARGUMENT_ERROR, which says what is wrong with the file, and where. */
export function readTokensFile(path: string): TokensFile {
  const text = readFile(path).toString('utf8');
  try {
    return { path, tokens: parseTokensFile(text) };
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    throw new GraphDBError('ARGUMENT_ERROR', `${path}: ${error.message}`, { cause: error });
  }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GraphDBError('ARGUMENT_ERROR', `cannot read "${path}": ${reason}`, { cause: error });
  }
}
