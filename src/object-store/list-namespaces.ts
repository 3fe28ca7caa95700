/**
 * Lists the folders of a place whose names are valid names of a namespace. The caller finds out whether a folder really
 * holds a namespace. Cost: one request for each 1,000 folders.
 */
import { readdir } from 'node:fs/promises';
import { isNameOfNamespace, sleep, unreachable } from '../base/index.ts';
import { cancelled, storeFaultOf, storeUnavailable } from './faults.ts';
import { isMissing } from './file-store/durable-files.ts';
import { translateIoError } from './file-store/io-errors.ts';
import { memoryNamespaces } from './memory-store.ts';
import { AnswerTimes } from './remote/answer-times.ts';
import type { FolderPage, RemoteBackend } from './remote/backend.ts';
import { translateFailure } from './remote/failures.ts';
import { TimeLimit } from './remote/time-limit.ts';
import { type AzBase, formatStorageBase, type GsBase, type S3Base, type StorageBase } from './storage-uri.ts';

/**
 * Returns the names of the folders that may be namespaces, sorted.
 * @throws STORE_UNAVAILABLE when the place cannot be listed, CANCELLED when the signal is aborted
 */
export async function listNamespaces(base: StorageBase, options: ListNamespacesOptions = {}): Promise<string[]> {
  return (await folders(base, options)).filter(isNameOfNamespace).sort();
}

async function folders(base: StorageBase, options: ListNamespacesOptions): Promise<string[]> {
  switch (base.scheme) {
    case 'memory':
      return memoryNamespaces(base);
    case 'file':
      return localFolders(base.directory);
    case 's3':
      return remoteFolders((await import('./remote/s3-store.ts')).openS3Backend(base), base, options);
    case 'gs':
      return remoteFolders((await import('./remote/gs-store.ts')).openGsBackend(base), base, options);
    case 'az':
      return remoteFolders(await (await import('./remote/az-store.ts')).openAzBackend(base), base, options);
    default:
      return unreachable(base, 'scheme');
  }
}

async function localFolders(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw translateIoError(error, `list the namespaces in ${directory}`);
  }
}

/** How often a page is requested at most, when the attempts fail with transient faults. */
const ATTEMPTS = 4;
const PAUSE_MS = 200;
/** The longest deadline of the request for one page, in milliseconds, where the caller has none. */
const PAGE_MS = 30_000;

/** The options of a list of namespaces. */
export interface ListNamespacesOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest time that a remote store may stay silent within a request, in milliseconds. */
  readonly idleTimeoutMs?: number | undefined;
}

async function remoteFolders(
  backend: RemoteBackend,
  base: S3Base | GsBase | AzBase,
  { signal, idleTimeoutMs: longestMs = PAGE_MS }: ListNamespacesOptions,
): Promise<string[]> {
  const root = base.prefix === '' ? '' : `${base.prefix}/`;
  const doing = `list the namespaces of ${formatStorageBase(base)}`;
  const found: string[] = [];
  try {
    for (let token: string | undefined | null; token !== null; ) {
      const page: FolderPage = await pageOf(backend, { root, token, doing, longestMs, signal });
      for (const folder of page.folders) found.push(folder.slice(root.length, -1));
      token = page.nextToken;
    }
    return found;
  } finally {
    backend.close();
  }
}

interface PageRequest {
  readonly root: string;
  readonly token: string | undefined;
  readonly doing: string;
  /** The longest deadline of the request, in milliseconds. */
  readonly longestMs: number;
  readonly signal: AbortSignal | undefined;
}

async function pageOf(backend: RemoteBackend, { root, token, doing, longestMs, signal }: PageRequest): Promise<FolderPage> {
  const times = new AnswerTimes({ longestMs });
  for (let attempt = 1; ; attempt++) {
    using time = new TimeLimit(signal, times);
    try {
      return await time.within(backend.listFolders(root, token, time.signal));
    } catch (error) {
      if (signal?.aborted) throw cancelled(signal);
      const silence = `cannot ${doing}: no answer within ${Math.round(time.limitMs)} ms`;
      const fault = time.expired ? storeUnavailable(silence, { transient: true }) : translateFailure(backend.explain(error), doing);
      if (storeFaultOf(fault)?.transient !== true || attempt === ATTEMPTS) throw fault;
      await sleep(PAUSE_MS * attempt);
    }
  }
}
