/**
 * The interface of a remote service; remote-store.ts makes an object store of it. Names of objects are complete here
 * (`<prefix>/<ns>/<key>`). Each call is one request, without retries of the client library: a put that the library
 * repeats comes back as "already there". Errors of the library are thrown as they are; `explain` reads them.
 */

import type { ObjectInfo } from '../object-store.ts';

/** The body of an object. */
export interface RemoteBody {
  /** As announced before the first byte. */
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The object is there, but ends before the range begins. */
export const BEYOND_END = 'beyond-end';

/** A range of bytes. */
export interface ByteRange {
  readonly offset: number;
  /** Not 0. */
  readonly length: number;
}

/** The request for a page of a list. */
export interface ListPageRequest {
  readonly prefix: string;
  /** A hint: answers up to it may come all the same. '' for none. */
  readonly startAfter: string;
  readonly maxKeys: number;
  readonly token: string | undefined;
}

/** A page of a list. */
export interface ListPage {
  readonly objects: readonly ObjectInfo[];
  /** Null: this was the last page. A page may be empty and not the last. */
  readonly nextToken: string | null;
}

/** A page of folders. */
export interface FolderPage {
  /** Beginnings of names that end with the first '/' behind the prefix, that included. */
  readonly folders: readonly string[];
  readonly nextToken: string | null;
}

/** A failure of a service. */
export interface RemoteFailure {
  /** HTTP status; undefined: no answer came. */
  readonly status?: number | undefined;
  /** The service's or the system's code: `SlowDown`, `ECONNRESET`. */
  readonly code: string;
  /** For a person, without secrets. */
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

/** The backend of a remote service. */
export interface RemoteBackend {
  /** Null: there is no such object. */
  read(name: string, range: ByteRange | null, signal: AbortSignal): Promise<RemoteBody | typeof BEYOND_END | null>;
  size(name: string, signal: AbortSignal): Promise<number | null>;
  /** `bytes` lie on an ordinary ArrayBuffer. False: `ifAbsent`, and there is an object of that name. */
  put(name: string, bytes: Uint8Array<ArrayBuffer>, ifAbsent: boolean, signal: AbortSignal): Promise<boolean>;
  listPage(request: ListPageRequest, signal: AbortSignal): Promise<ListPage>;
  /** One request for up to 1,000 names; folders may come among objects, which are left out. `prefix` is '' or ends with '/'. */
  listFolders(prefix: string, token: string | undefined, signal: AbortSignal): Promise<FolderPage>;
  delete(name: string, signal: AbortSignal): Promise<void>;
  explain(error: unknown): RemoteFailure;
  close(): void;
}
