/**
 * Storage URIs: where a namespace lives. The parser of server, CLI and library; the part of the Python client
 * that reads buckets without a server has one of its own (clients/python/graphdb/bucket/uri.py).
 *
 *   memory://<name>[?ns=<ns>]
 *   file:///abs/dir?ns=<ns>, file://./rel?ns=<ns>
 *   s3://<bucket>[/<prefix>]?ns=<ns>[&region=<r>][&endpoint=<url>][&allow_http=true]
 *   gs://<bucket>[/<prefix>]?ns=<ns>[&service_account=<path>][&endpoint=<url>[&allow_http=true]]
 *   az://<account>/<container>[/<prefix>]?ns=<ns>[&use_emulator=true][&endpoint=<url>[&allow_http=true]]
 *
 * Paths and values are percent-decoded ('+' stays '+'). A fault is ARGUMENT_ERROR; its message names the parameter and
 * shows the grammar of the scheme, and never repeats a value that could be a secret.
 */

import { resolve } from 'node:path';
import { GraphDBError, isNameOfNamespace } from '../base/index.ts';

/** The URI of a store in memory. */
export interface MemoryUri {
  readonly scheme: 'memory';
  readonly name: string;
  readonly namespace: string;
}

/** The URI of a store in a folder. */
export interface FileUri {
  readonly scheme: 'file';
  /** The absolute path; a relative one was resolved against the working directory. */
  readonly directory: string;
  readonly namespace: string;
}

/** The URI of a store in S3. */
export interface S3Uri {
  readonly scheme: 's3';
  readonly bucket: string;
  /** The prefix within the bucket, without slashes at its ends; '' for none. */
  readonly prefix: string;
  readonly namespace: string;
  readonly region?: string;
  readonly endpoint?: string;
  readonly allowHttp?: boolean;
}

/** The URI of a store in Google Cloud Storage. */
export interface GsUri {
  readonly scheme: 'gs';
  readonly bucket: string;
  readonly prefix: string;
  readonly namespace: string;
  /** The path of a file with the credentials of a service account. */
  readonly serviceAccount?: string;
  readonly endpoint?: string;
  readonly allowHttp?: boolean;
}

/** The URI of a store in Azure Blob Storage. */
export interface AzUri {
  readonly scheme: 'az';
  readonly account: string;
  readonly container: string;
  readonly prefix: string;
  readonly namespace: string;
  readonly useEmulator?: boolean;
  readonly endpoint?: string;
  readonly allowHttp?: boolean;
}

/** The URI of a store. */
export type StorageUri = MemoryUri | FileUri | S3Uri | GsUri | AzUri;

/** The scheme of a storage URI. */
export type StorageScheme = StorageUri['scheme'];

const IS_REMOTE: Readonly<Record<StorageScheme, boolean>> = { memory: false, file: false, s3: true, gs: true, az: true };

/** The schemes of stores that are reached over the network, for sentences: `s3, gs and az`. */
export const REMOTE_SCHEMES_TEXT = new Intl.ListFormat('en-GB').format(Object.keys(IS_REMOTE).filter(isRemoteScheme));

/** Whether this is the scheme of a store that is reached over the network. */
export function isRemoteScheme(scheme: string): boolean {
  return Object.hasOwn(IS_REMOTE, scheme) && IS_REMOTE[scheme as StorageScheme]; // as: it is a key of the table
}

type WithoutNamespace<U> = U extends StorageUri ? Omit<U, 'namespace'> : never;

/** A place in S3 that may hold several namespaces. */
export type S3Base = WithoutNamespace<S3Uri>;

/** A place in Google Cloud Storage that may hold several namespaces. */
export type GsBase = WithoutNamespace<GsUri>;

/** A place in Azure Blob Storage that may hold several namespaces. */
export type AzBase = WithoutNamespace<AzUri>;

/** A place that holds any number of namespaces: a storage URI without one. */
export type StorageBase = WithoutNamespace<StorageUri>;

/** The namespace of a store in memory whose URI names none. */
export const DEFAULT_MEMORY_NAMESPACE = 'default';

const GRAMMAR: Readonly<Record<StorageScheme, string>> = {
  memory: 'memory://<name>',
  file: 'file:///abs/dir?ns=<ns> or file://./rel?ns=<ns>',
  s3: 's3://<bucket>[/<prefix>]?ns=<ns>[&region=<r>][&endpoint=<url>][&allow_http=true]',
  gs: 'gs://<bucket>[/<prefix>]?ns=<ns>[&service_account=<path>][&endpoint=<url>][&allow_http=true]',
  az: 'az://<account>/<container>[/<prefix>]?ns=<ns>[&use_emulator=true][&endpoint=<url>][&allow_http=true]',
};

const PARAMETERS: Readonly<Record<StorageScheme, readonly string[]>> = {
  memory: ['ns'],
  file: ['ns'],
  s3: ['ns', 'region', 'endpoint', 'allow_http'],
  gs: ['ns', 'service_account', 'endpoint', 'allow_http'],
  az: ['ns', 'use_emulator', 'endpoint', 'allow_http'],
};

const BOLT_SCHEMES = /^(?:bolt|neo4j)(?:\+s|\+ssc)?$/;
const NAMESPACE_RULE = 'it must be 1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot';
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,221}$/;
const ACCOUNT = /^[a-z0-9]{3,24}$/;
const CONTAINER = /^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;

/** Parses the URI of one namespace. @throws ARGUMENT_ERROR when the text is no such URI */
export function parseStorageUri(text: string): StorageUri {
  return parse(text, false);
}

/** Parses the URI of a place that holds namespaces; null when the text names a namespace. @throws ARGUMENT_ERROR */
export function parseStorageBase(text: string): StorageBase | null {
  const { namespace, ...base } = parse(text, true);
  // as: leaving one member out of a union leaves a union, which the compiler does not see
  return namespace === '' ? (base as StorageBase) : null;
}

/** Returns the URI of a namespace in the place. @throws ARGUMENT_ERROR when no namespace can have that name */
export function namespaceIn(base: StorageBase, namespace: string): StorageUri {
  if (!isNameOfNamespace(namespace)) throw fault(base.scheme, `"${namespace}" is no name of a namespace: ${NAMESPACE_RULE}`);
  return { ...base, namespace };
}

/** Returns the canonical text of a base; safe for logs, since a base holds no secret. */
export function formatStorageBase(base: StorageBase): string {
  return formatStorageUri({ ...base, namespace: '' });
}

/** Parses a URI. With `isBase` the namespace may be missing; the result has an empty one then. */
function parse(text: string, isBase: boolean): StorageUri {
  const scheme = parseScheme(text);
  const rest = text.slice(text.indexOf('://') + 3);
  if (rest.includes('#')) throw fault(scheme, "'#' is not allowed; inside a path write %23");
  const question = rest.indexOf('?');
  const path = question < 0 ? rest : rest.slice(0, question);
  const authority = scheme === 'file' ? '' : path.split('/', 1)[0]!;
  if (authority.includes('@'))
    throw fault(scheme, 'credentials do not belong in a storage URI; use the environment variables and files of the vendor');
  const parameters = new Parameters(scheme, question < 0 ? '' : rest.slice(question + 1), isBase);
  switch (scheme) {
    case 'memory':
      return parseMemory(path, parameters);
    case 'file':
      return parseFile(path, parameters);
    case 's3':
      return parseS3(path, parameters);
    case 'gs':
      return parseGs(path, parameters);
    case 'az':
      return parseAz(path, parameters);
  }
}

/** Returns the canonical text of a URI, which parses to an equal URI; safe for logs, since a URI holds no secret. */
export function formatStorageUri(uri: StorageUri): string {
  const query: string[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) query.push(`${name}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':')}`);
  };
  const isImplied = uri.namespace === '' || (uri.scheme === 'memory' && uri.namespace === DEFAULT_MEMORY_NAMESPACE);
  add('ns', isImplied ? undefined : uri.namespace);
  if (uri.scheme === 's3') add('region', uri.region);
  if (uri.scheme === 'gs') add('service_account', uri.serviceAccount);
  if (uri.scheme === 'az') add('use_emulator', uri.useEmulator ? 'true' : undefined);
  if (uri.scheme !== 'memory' && uri.scheme !== 'file') {
    add('endpoint', uri.endpoint);
    add('allow_http', uri.allowHttp ? 'true' : undefined);
  }
  return `${uri.scheme}://${formatPath(uri)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function formatPath(uri: StorageUri): string {
  const encode = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
  const withPrefix = (place: string, prefix: string): string => (prefix === '' ? place : `${place}/${encode(prefix)}`);
  switch (uri.scheme) {
    case 'memory':
      return uri.name;
    case 'file':
      return encode(uri.directory);
    case 's3':
    case 'gs':
      return withPrefix(uri.bucket, uri.prefix);
    case 'az':
      return withPrefix(`${uri.account}/${uri.container}`, uri.prefix);
  }
}

function parseScheme(text: string): StorageScheme {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && Object.hasOwn(GRAMMAR, scheme)) return scheme as StorageScheme; // as: an own key of GRAMMAR is a scheme
  const what = scheme === undefined ? 'a storage URI starts with its scheme' : `unknown scheme ${JSON.stringify(scheme)}`;
  if (scheme !== undefined && BOLT_SCHEMES.test(scheme)) {
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `bad storage URI: ${scheme}:// is how drivers reach a server; here it is reached over HTTP, as http://localhost:8080 or https://…`,
    );
  }
  throw new GraphDBError(
    'ARGUMENT_ERROR',
    `bad storage URI: ${what}; expected one of:\n${Object.values(GRAMMAR)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  );
}

function parseMemory(path: string, parameters: Parameters): MemoryUri {
  const name = decode('memory', 'name', path);
  if (!isNameOfNamespace(name)) throw fault('memory', `the name must be 1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot`);
  return { scheme: 'memory', name, namespace: parameters.namespace(DEFAULT_MEMORY_NAMESPACE) };
}

function parseFile(path: string, parameters: Parameters): FileUri {
  if (!/^(?:\/|\.\.?(?:\/|$))/.test(path)) throw fault('file', "the path must start with '/' (absolute), './' or '../'");
  const decoded = decode('file', 'path', path);
  if (decoded.includes('\0')) throw fault('file', 'the path holds a NUL character');
  return { scheme: 'file', directory: resolve(decoded), namespace: parameters.namespace() };
}

function parseS3(path: string, parameters: Parameters): S3Uri {
  const [bucket, prefix] = splitBucket('s3', path);
  const namespace = parameters.namespace();
  const region = parameters.get('region');
  if (region !== undefined && !REGION.test(region)) throw fault('s3', 'parameter region is not a region name');
  const allowHttp = parameters.flag('allow_http');
  return compact<S3Uri>({
    scheme: 's3',
    bucket,
    prefix,
    namespace,
    region,
    endpoint: parameters.endpoint(allowHttp),
    allowHttp: allowHttp || undefined,
  });
}

function parseGs(path: string, parameters: Parameters): GsUri {
  const [bucket, prefix] = splitBucket('gs', path);
  const namespace = parameters.namespace();
  const allowHttp = parameters.flag('allow_http');
  const endpoint = parameters.endpoint(allowHttp);
  requireEndpoint('gs', allowHttp, endpoint);
  return compact<GsUri>({
    scheme: 'gs',
    bucket,
    prefix,
    namespace,
    serviceAccount: parameters.get('service_account'),
    endpoint,
    allowHttp: allowHttp || undefined,
  });
}

function parseAz(path: string, parameters: Parameters): AzUri {
  const [account = '', container = '', ...prefixParts] = decodeParts('az', path);
  if (!ACCOUNT.test(account)) throw fault('az', 'the account must be 3 to 24 lower-case letters and digits');
  if (!CONTAINER.test(container)) throw fault('az', 'the container must be 3 to 63 lower-case letters, digits and single hyphens');
  const namespace = parameters.namespace();
  const useEmulator = parameters.flag('use_emulator');
  const allowHttp = parameters.flag('allow_http');
  const endpoint = parameters.endpoint(allowHttp || useEmulator);
  requireEndpoint('az', allowHttp, endpoint);
  const prefix = joinPrefix('az', prefixParts);
  return compact<AzUri>({
    scheme: 'az',
    account,
    container,
    prefix,
    namespace,
    useEmulator: useEmulator || undefined,
    endpoint,
    allowHttp: allowHttp || undefined,
  });
}

function requireEndpoint(scheme: StorageScheme, allowHttp: boolean, endpoint: string | undefined): void {
  if (allowHttp && endpoint === undefined) throw fault(scheme, 'parameter allow_http is for a URI with an endpoint');
}

function splitBucket(scheme: 's3' | 'gs', path: string): [bucket: string, prefix: string] {
  const [bucket = '', ...prefixParts] = decodeParts(scheme, path);
  if (!BUCKET.test(bucket)) throw fault(scheme, 'the bucket name is missing or has characters that no bucket name has');
  return [bucket, joinPrefix(scheme, prefixParts)];
}

function decodeParts(scheme: StorageScheme, path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.split('/').map((part) => decode(scheme, 'path', part));
}

function joinPrefix(scheme: StorageScheme, parts: readonly string[]): string {
  for (const part of parts) {
    // Control characters and backslashes are folded or refused by some stores.
    const bad = part === '' || part === '.' || part === '..' || /[\p{Cc}\\]/u.test(part);
    if (bad) throw fault(scheme, "a part of the prefix is empty, '.', '..', or holds a control character or backslash");
  }
  return parts.join('/');
}

function decode(scheme: StorageScheme, what: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw fault(scheme, `the ${what} has a percent sign that starts no escape; write %25 for a percent sign`, cause);
  }
}

function fault(scheme: StorageScheme, what: string, cause?: unknown): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', `bad storage URI: ${what}; expected ${GRAMMAR[scheme]}`, { cause });
}

/** A `T` whose optional members may also be present with the value undefined. */
type Loose<T> = { readonly [K in keyof T]: Pick<T, K> extends Required<Pick<T, K>> ? T[K] : T[K] | undefined };

/** Drops the members that are undefined, so that equal URIs are deeply equal. */
function compact<T extends object>(uri: Loose<T>): T {
  // as: only optional members can be undefined
  return Object.fromEntries(Object.entries(uri).filter(([, value]) => value !== undefined)) as T;
}

/** The parameters of the query part. The constructor checks that each is known, given once and not empty. */
class Parameters {
  readonly #scheme: StorageScheme;
  readonly #values = new Map<string, string>();
  readonly #isBase: boolean;

  constructor(scheme: StorageScheme, query: string, isBase: boolean) {
    this.#scheme = scheme;
    this.#isBase = isBase;
    for (const pair of query === '' ? [] : query.split('&')) {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      // The name may be a secret that was pasted without its name: only names that look like one are repeated.
      const shown = /^[a-z_]{1,40}$/i.test(name) ? name : '(unreadable name)';
      if (!PARAMETERS[scheme].includes(name)) throw fault(scheme, `unknown parameter ${shown}`);
      if (this.#values.has(name)) throw fault(scheme, `parameter ${name} is given twice`);
      const value = equals < 0 ? '' : decode(scheme, `parameter ${name}`, pair.slice(equals + 1));
      if (value === '') throw fault(scheme, `parameter ${name} is empty`);
      this.#values.set(name, value);
    }
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  namespace(ifMissing?: string): string {
    const namespace = this.get('ns') ?? (this.#isBase ? '' : ifMissing);
    if (namespace === '') return namespace;
    if (namespace === undefined) throw fault(this.#scheme, 'parameter ns is missing');
    if (!isNameOfNamespace(namespace))
      throw fault(this.#scheme, 'parameter ns must be 1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot');
    return namespace;
  }

  flag(name: string): boolean {
    const value = this.get(name) ?? 'false';
    if (value !== 'true' && value !== 'false') throw fault(this.#scheme, `parameter ${name} must be true or false`);
    return value === 'true';
  }

  /** Returns the endpoint without slashes at its end, or undefined when none is given. */
  endpoint(allowHttp: boolean): string | undefined {
    const text = this.get('endpoint');
    if (text === undefined) return undefined;
    const url = URL.parse(text);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      throw fault(this.#scheme, 'parameter endpoint must be an https:// or http:// URL');
    if (url.username !== '' || url.password !== '') throw fault(this.#scheme, 'parameter endpoint must not hold credentials');
    if (url.search !== '' || url.hash !== '') throw fault(this.#scheme, 'parameter endpoint must not have a query or a fragment');
    if (url.protocol === 'http:' && !allowHttp) throw fault(this.#scheme, 'parameter endpoint is plain http, which needs allow_http=true');
    return url.href.replace(/\/+$/, '');
  }
}
