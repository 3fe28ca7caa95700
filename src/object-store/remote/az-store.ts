/**
 * `az://`: Azure Blob Storage through @azure/storage-blob. Credentials come from AZURE_STORAGE_ACCOUNT_NAME and
 * AZURE_STORAGE_ACCOUNT_KEY, else from AZURE_STORAGE_SAS_TOKEN, else from @azure/identity where that is installed; the
 * emulator has a well-known key.
 *
 * Put-if-absent is `If-None-Match: *`. A taken name is 409 BlobAlreadyExists, or 412 during concurrent writes.
 */

import {
  AnonymousCredential,
  type BlobDownloadResponseParsed,
  ContainerClient,
  RestError,
  type StoragePipelineOptions,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { GraphDBError } from '../../base/index.ts';
import type { ObjectStore } from '../object-store.ts';
import { type AzBase, type AzUri, formatStorageUri } from '../storage-uri.ts';
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

const EMULATOR_ENDPOINT = 'http://127.0.0.1:10000';
const EMULATOR_ACCOUNT = 'devstoreaccount1';
/** The account key of every emulator, published by Microsoft. */
const EMULATOR_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const LARGEST_PAGE = 5_000;

const PIPELINE: StoragePipelineOptions = { retryOptions: { maxTries: 1 }, keepAliveOptions: { enable: true } };

/** Opens the backend of Azure Blob Storage. */
export async function openAzBackend(base: AzBase): Promise<RemoteBackend> {
  return new AzBackend(await createClient(base));
}

/** Opens a store in Azure Blob Storage. */
export async function openAzStore(uri: AzUri, { idleTimeoutMs }: Pick<RemoteStoreOptions, 'idleTimeoutMs'> = {}): Promise<ObjectStore> {
  const { prefix, namespace } = uri;
  return new RemoteStore(await openAzBackend(uri), { location: formatStorageUri(uri), prefix, namespace, idleTimeoutMs });
}

async function createClient(uri: AzBase): Promise<ContainerClient> {
  const url = `${accountUrl(uri)}/${uri.container}`;
  const key = accountKey(uri);
  if (key !== undefined) return new ContainerClient(url, new StorageSharedKeyCredential(uri.account, key), PIPELINE);
  const sas = process.env['AZURE_STORAGE_SAS_TOKEN'];
  if (sas) return new ContainerClient(`${url}?${sas.replace(/^\?/, '')}`, new AnonymousCredential(), PIPELINE);
  return new ContainerClient(url, await identity(), PIPELINE);
}

function accountUrl({ account, endpoint, useEmulator }: AzBase): string {
  if (endpoint === undefined) return useEmulator ? `${EMULATOR_ENDPOINT}/${account}` : `https://${account}.blob.core.windows.net`;
  // The emulator wants the account in its path, which the user may have left out.
  return useEmulator && !endpoint.endsWith(`/${account}`) ? `${endpoint}/${account}` : endpoint;
}

function accountKey({ account, useEmulator }: AzBase): string | undefined {
  const owner = process.env['AZURE_STORAGE_ACCOUNT_NAME'];
  const key = process.env['AZURE_STORAGE_ACCOUNT_KEY'] || process.env['AZURE_STORAGE_KEY'];
  if (useEmulator && account === EMULATOR_ACCOUNT) return EMULATOR_KEY;
  if (key && owner && owner !== account) {
    throw new GraphDBError('ARGUMENT_ERROR', `AZURE_STORAGE_ACCOUNT_NAME is ${owner}, but the storage URI names the account ${account}`);
  }
  return key || undefined;
}

/** Loads @azure/identity, which the user has to install: it is larger than all dependencies together. */
async function identity(): Promise<ContainerClient['credential']> {
  const name = '@azure/identity';
  let module: { DefaultAzureCredential: new () => ContainerClient['credential'] };
  try {
    module = await import(name);
  } catch (cause) {
    const hint = 'set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or AZURE_STORAGE_SAS_TOKEN, or install @azure/identity';
    throw new GraphDBError('STORE_UNAVAILABLE', `no credentials for Azure Blob Storage: ${hint}`, { cause });
  }
  return new module.DefaultAzureCredential();
}

class AzBackend implements RemoteBackend {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async read(name: string, range: ByteRange | null, abortSignal: AbortSignal): Promise<RemoteBody | typeof BEYOND_END | null> {
    let answer: BlobDownloadResponseParsed;
    try {
      answer = await this.#container.getBlobClient(name).download(range?.offset, range?.length, { abortSignal, maxRetryRequests: 0 });
    } catch (error) {
      if (isMissing(error)) return null;
      if (statusOf(error) === 416) return BEYOND_END;
      throw error;
    }
    // as: in Node the body is a stream of buffers
    return { length: answer.contentLength ?? 0, chunks: (answer.readableStreamBody ?? []) as AsyncIterable<Uint8Array> };
  }

  async size(name: string, abortSignal: AbortSignal): Promise<number | null> {
    try {
      return (await this.#container.getBlobClient(name).getProperties({ abortSignal })).contentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>, ifAbsent: boolean, abortSignal: AbortSignal): Promise<boolean> {
    const conditions = ifAbsent ? { ifNoneMatch: '*' } : {};
    try {
      await this.#container.getBlockBlobClient(name).upload(bytes, bytes.length, { abortSignal, conditions });
      return true;
    } catch (error) {
      if (ifAbsent && isTaken(error)) return false;
      throw error;
    }
  }

  async listPage({ prefix, startAfter, maxKeys, token }: ListPageRequest, abortSignal: AbortSignal): Promise<ListPage> {
    // `startFrom` is documented nowhere precisely, and the emulator ignores it: the caller drops what comes before.
    const maxPageSize = startAfter === '' ? maxKeys : LARGEST_PAGE;
    const pages = this.#container
      .listBlobsFlat({ prefix, abortSignal })
      .byPage({ maxPageSize, ...(token !== undefined && { continuationToken: token }) });
    const { value: page, done } = await pages.next();
    if (done) return { objects: [], nextToken: null };
    const objects = page.segment.blobItems.map(({ name, properties }) => ({
      key: name,
      size: properties.contentLength ?? 0,
      lastModifiedMs: properties.lastModified.getTime(),
    }));
    return { objects, nextToken: page.continuationToken || null };
  }

  async listFolders(prefix: string, token: string | undefined, abortSignal: AbortSignal): Promise<FolderPage> {
    const pages = this.#container
      .listBlobsByHierarchy('/', { prefix, abortSignal })
      .byPage({ maxPageSize: LARGEST_PAGE, ...(token !== undefined && { continuationToken: token }) });
    const { value: page, done } = await pages.next();
    if (done) return { folders: [], nextToken: null };
    return { folders: (page.segment.blobPrefixes ?? []).map(({ name }) => name), nextToken: page.continuationToken || null };
  }

  async delete(name: string, abortSignal: AbortSignal): Promise<void> {
    try {
      await this.#container.getBlobClient(name).delete({ abortSignal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  explain(error: unknown): RemoteFailure {
    if (!(error instanceof RestError)) return explainLocalError(error);
    const code = error.code ?? error.name;
    const retryAfterMs = parseRetryAfter(error.response?.headers.get('retry-after'));
    // Behind its first line the message holds the whole answer.
    return { status: error.statusCode, code, message: error.message.split('\n', 1)[0]!, retryAfterMs };
  }

  close(): void {}
}

function isTaken(error: unknown): boolean {
  const code = error instanceof RestError ? error.code : undefined;
  return code === 'BlobAlreadyExists' || statusOf(error) === 412;
}

/** Whether an error says that an object is missing; a missing container is another error. */
function isMissing(error: unknown): boolean {
  return error instanceof RestError && error.statusCode === 404 && error.code !== 'ContainerNotFound' && error.code !== 'ResourceNotFound';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof RestError ? error.statusCode : undefined;
}
