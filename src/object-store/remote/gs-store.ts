/**
 * `gs://`: Google Cloud Storage through its JSON API with `fetch`; google-auth-library finds the credentials
 * (GOOGLE_APPLICATION_CREDENTIALS, the user's own, the metadata server, or the file named by `service_account`).
 *
 * - Put-if-absent is a multipart upload with `ifGenerationMatch=0`; a taken name is 412.
 * - `STORAGE_EMULATOR_HOST` is honored. Over plain http no token is ever sent.
 */

import { readFile } from 'node:fs/promises';
import { GoogleAuth, JWT } from 'google-auth-library';
import { type GraphDBError, randomUuid } from '../../base/index.ts';
import { storeUnavailable } from '../faults.ts';
import type { ObjectStore } from '../object-store.ts';
import { formatStorageUri, type GsBase, type GsUri } from '../storage-uri.ts';
import {
  BEYOND_END,
  type ByteRange,
  type FolderPage,
  type ListPage,
  type ListPageRequest,
  type RemoteBackend,
  type RemoteBody,
  type RemoteFailure,
} from './backend.ts';
import { explainLocalError, parseRetryAfter } from './failures.ts';
import { RemoteStore, type RemoteStoreOptions } from './remote-store.ts';

const DEFAULT_ENDPOINT = 'https://storage.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';

/** Opens the backend of Google Cloud Storage. */
export function openGsBackend(base: GsBase): RemoteBackend {
  const endpoint = base.endpoint ?? emulatorEndpoint() ?? DEFAULT_ENDPOINT;
  const auth = endpoint.startsWith('http:') ? null : tokensFor(base);
  return new GsBackend(base.bucket, endpoint, auth);
}

/** Opens a store in Google Cloud Storage. */
export function openGsStore(uri: GsUri, { idleTimeoutMs }: Pick<RemoteStoreOptions, 'idleTimeoutMs'> = {}): ObjectStore {
  const { prefix, namespace } = uri;
  return new RemoteStore(openGsBackend(uri), { location: formatStorageUri(uri), prefix, namespace, idleTimeoutMs });
}

/** A source of access tokens, which returns one token until it is about to expire. */
interface TokenSource {
  getAccessToken(): Promise<string | null | undefined | { readonly token?: string | null }>;
}

function tokensFor({ serviceAccount }: GsBase): TokenSource {
  if (serviceAccount !== undefined) {
    let client: Promise<TokenSource> | null = null;
    return {
      async getAccessToken() {
        client ??= clientFromFile(serviceAccount);
        client.catch(() => (client = null));
        return (await client).getAccessToken();
      },
    };
  }
  // Without a project the library asks several services for one, which storage does not need.
  return new GoogleAuth({ scopes: [SCOPE], projectId: 'none' });
}

interface CredentialFile {
  readonly type?: string;
  readonly client_email?: string;
  readonly private_key?: string;
  readonly private_key_id?: string;
}

async function clientFromFile(path: string): Promise<TokenSource> {
  let json: CredentialFile | null;
  try {
    json = JSON.parse(await readFile(path, 'utf8')) as CredentialFile | null; // as: looked at below
  } catch (error) {
    // The content of the file stays out of the message.
    throw cannotUse(path, error instanceof SyntaxError ? 'it is not JSON' : String(error));
  }
  const { type, client_email: email, private_key: key, private_key_id: keyId } = json ?? {};
  if (type === 'service_account' && email && key) return new JWT({ email, key, ...(keyId !== undefined && { keyId }), scopes: [SCOPE] });
  throw cannotUse(path, 'it holds no key of a service account; GOOGLE_APPLICATION_CREDENTIALS takes other kinds too');
}

function cannotUse(path: string, reason: string): GraphDBError {
  return storeUnavailable(`cannot use service_account=${path}: ${reason}`, { transient: false });
}

/** Returns the endpoint of STORAGE_EMULATOR_HOST, which may lack a scheme as with the vendor's clients; undefined if unset. */
function emulatorEndpoint(): string | undefined {
  const host = process.env['STORAGE_EMULATOR_HOST']?.replace(/\/+$/, '');
  if (host === undefined || host === '') return undefined;
  return /^https?:\/\//.test(host) ? host : `http://${host}`;
}

interface GsObject {
  readonly name: string;
  /** The size in bytes, as decimal digits. */
  readonly size: string;
  readonly updated: string;
}

class GsBackend implements RemoteBackend {
  readonly #objects: string;
  readonly #upload: string;
  readonly #auth: TokenSource | null;

  constructor(bucket: string, endpoint: string, auth: TokenSource | null) {
    this.#objects = `${endpoint}/storage/v1/b/${bucket}/o`;
    this.#upload = `${endpoint}/upload/storage/v1/b/${bucket}/o`;
    this.#auth = auth;
  }

  async read(name: string, range: ByteRange | null, signal: AbortSignal): Promise<RemoteBody | typeof BEYOND_END | null> {
    const headers = range === null ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
    const answer = await this.#send(`${this.#url(name)}?alt=media`, { headers, signal });
    if (answer.status === 416) return discard(answer).then(() => BEYOND_END);
    if (!answer.ok) return missingOrThrow(answer);
    return { length: Number(answer.headers.get('content-length') ?? 0), chunks: answer.body ?? noChunks() };
  }

  async size(name: string, signal: AbortSignal): Promise<number | null> {
    const answer = await this.#send(`${this.#url(name)}?fields=size`, { signal });
    if (!answer.ok) return missingOrThrow(answer);
    return Number(((await answer.json()) as Pick<GsObject, 'size'>).size); // as: the fields asked for
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>, ifAbsent: boolean, signal: AbortSignal): Promise<boolean> {
    const boundary = randomUuid();
    const query = `?uploadType=multipart&fields=generation${ifAbsent ? '&ifGenerationMatch=0' : ''}`;
    const headers = { 'content-type': `multipart/related; boundary=${boundary}` };
    const answer = await this.#send(this.#upload + query, { method: 'POST', headers, body: multipart(name, bytes, boundary), signal });
    if (ifAbsent && answer.status === 412) return discard(answer).then(() => false);
    if (!answer.ok) throw await failureOf(answer);
    await discard(answer);
    return true;
  }

  async listPage({ prefix, startAfter, maxKeys, token }: ListPageRequest, signal: AbortSignal): Promise<ListPage> {
    const query = new URLSearchParams({ prefix, maxResults: String(maxKeys), fields: 'items(name,size,updated),nextPageToken' });
    if (startAfter !== '') query.set('startOffset', startAfter);
    if (token !== undefined) query.set('pageToken', token);
    const answer = await this.#send(`${this.#objects}?${query}`, { signal });
    if (!answer.ok) throw await failureOf(answer);
    const page = (await answer.json()) as { items?: GsObject[]; nextPageToken?: string }; // as: the fields asked for
    const objects = (page.items ?? []).map(({ name, size, updated }) => ({
      key: name,
      size: Number(size),
      lastModifiedMs: Date.parse(updated),
    }));
    return { objects, nextToken: page.nextPageToken || null };
  }

  async listFolders(prefix: string, token: string | undefined, signal: AbortSignal): Promise<FolderPage> {
    const query = new URLSearchParams({ prefix, delimiter: '/', fields: 'prefixes,nextPageToken' });
    if (token !== undefined) query.set('pageToken', token);
    const answer = await this.#send(`${this.#objects}?${query}`, { signal });
    if (!answer.ok) throw await failureOf(answer);
    const page = (await answer.json()) as { prefixes?: string[]; nextPageToken?: string }; // as: the fields asked for
    return { folders: page.prefixes ?? [], nextToken: page.nextPageToken || null };
  }

  async delete(name: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#send(this.#url(name), { method: 'DELETE', signal });
    if (!answer.ok) await missingOrThrow(answer);
    else await discard(answer);
  }

  explain(error: unknown): RemoteFailure {
    return error instanceof GsError ? error.failure : explainLocalError(error);
  }

  close(): void {}

  #url(name: string): string {
    return `${this.#objects}/${encodeURIComponent(name)}`;
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const answer = await this.#auth?.getAccessToken();
    const token = typeof answer === 'object' ? answer?.token : answer;
    const headers = new Headers(init.headers);
    if (token) headers.set('authorization', `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  }
}

class GsError extends Error {
  readonly failure: RemoteFailure;

  constructor(failure: RemoteFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

function multipart(name: string, bytes: Uint8Array<ArrayBuffer>, boundary: string): Blob {
  const metadata = JSON.stringify({ name, contentType: 'application/octet-stream' });
  const head =
    `--${boundary}\r\ncontent-type: application/json; ` +
    `charset=utf-8\r\n\r\n${metadata}\r\n--${boundary}\r\ncontent-type: application/octet-stream\r\n\r\n`;
  return new Blob([head, bytes, `\r\n--${boundary}--\r\n`]);
}

/** Returns null when the answer says that the object is missing; throws for a missing bucket and any other failure. */
async function missingOrThrow(answer: Response): Promise<null> {
  const error = await failureOf(answer);
  if (answer.status === 404 && !/bucket does not exist/i.test(error.message)) return null;
  throw error;
}

async function failureOf(answer: Response): Promise<GsError> {
  const text = await answer.text();
  const { status, statusText } = answer;
  const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after'));
  return new GsError({ status, code: statusText || String(status), message: messageIn(text), retryAfterMs });
}

/** Returns the message in the body of an error: JSON, or a line of text when the object itself was requested. */
function messageIn(text: string): string {
  try {
    const message: unknown = JSON.parse(text)?.error?.message;
    if (typeof message === 'string') return message;
  } catch {
    // A line of text.
  }
  return text.slice(0, 300).trim();
}

/** Reads the rest of an answer, so that its connection can be used again. */
async function discard(answer: Response): Promise<void> {
  await answer.arrayBuffer();
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}
