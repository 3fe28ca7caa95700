/**
 * Lists the folders of a place whose names are valid names of a namespace. The caller finds out whether a folder really
 * holds a namespace. Cost: one request for each 1,000 folders.
 */
import { readdir } from 'node:fs/promises';
import { isNameOfNamespace, sleep, unreachable } from '../base/index.ts';
import { cancelled, storeFaultOf } from './faults.ts';
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
 * @throws STORE_UNAVAILABLE when the place cannot be listed, CANCELLED when `signal` is aborted
 */
export async function listNamespaces(base: StorageBase, signal?: AbortSignal): Promise<string[]> {
  return (await folders(base, signal)).filter(isNameOfNamespace).sort();
}

async function folders(base: StorageBase, signal: AbortSignal | undefined): Promise<string[]> {
  switch (base.scheme) {
    case 'memory':
      return memoryNamespaces(base);
    case 'file':
      return localFolders(base.directory);
    case 's3':
      return remoteFolders((await import('./remote/s3-store.ts')).openS3Backend(base), base, signal);
    case 'gs':
      return remoteFolders((await import('./remote/gs-store.ts')).openGsBackend(base), base, signal);
    case 'az':
      return remoteFolders(await (await import('./remote/az-store.ts')).openAzBackend(base), base, signal);
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
/** The longest deadline of the request for one page. */
const PAGE_MS = 30_000;

async function remoteFolders(backend: RemoteBackend, base: S3Base | GsBase | AzBase, signal?: AbortSignal): Promise<string[]> {
  const root = base.prefix === '' ? '' : `${base.prefix}/`;
  const found: string[] = [];
  try {
    for (let token: string | undefined | null; token !== null; ) {
      const page: FolderPage = await pageOf(backend, { root, token, doing: `list the namespaces of ${formatStorageBase(base)}`, signal });
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
  readonly signal: AbortSignal | undefined;
}

async function pageOf(backend: RemoteBackend, { root, token, doing, signal }: PageRequest): Promise<FolderPage> {
  for (let attempt = 1; ; attempt++) {
    const times = new AnswerTimes({ longestMs: PAGE_MS });
    using time = new TimeLimit(signal, times);
    try {
      return await time.within(backend.listFolders(root, token, time.signal));
    } catch (error) {
      if (signal?.aborted) throw cancelled(signal);
      const fault = translateFailure(backend.explain(error), doing);
      if (storeFaultOf(fault)?.transient !== true || attempt === ATTEMPTS) throw fault;
      await sleep(PAUSE_MS * attempt);
    }
  }
}
