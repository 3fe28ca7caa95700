/**
 * The interface of a remote service; remote-store.ts makes an object store of it. Names of objects are complete here
 * (`<prefix>/<ns>/<key>`). Each call is one request, without retries of the client library: a put that the library
 * repeats comes back as "already there". Errors of the library are thrown as they are; `explain` reads them.
 */

import type { ObjectInfo } from '../object-store.ts';

/** The body of an object. */
export interface RemoteBody {
  /** The length in bytes, as the service announced it before the first byte. */
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The result of a read whose range begins at or beyond the end of the object. */
export const BEYOND_END = 'beyond-end';

/** A range of bytes. */
export interface ByteRange {
  readonly offset: number;
  /** At least 1. */
  readonly length: number;
}

/** The request for a page of a list. */
export interface ListPageRequest {
  readonly prefix: string;
  /** A hint to leave out objects up to this name; a service may ignore it. '' for none. */
  readonly startAfter: string;
  readonly maxKeys: number;
  readonly token: string | undefined;
}

/** A page of a list. */
export interface ListPage {
  readonly objects: readonly ObjectInfo[];
  /** The token of the next page; null when this is the last one. A page that is not the last may be empty. */
  readonly nextToken: string | null;
}

/** A page of folders. */
export interface FolderPage {
  /** The beginnings of names up to and including the first '/' behind the prefix. */
  readonly folders: readonly string[];
  readonly nextToken: string | null;
}

/** A failure of a service. */
export interface RemoteFailure {
  /** The HTTP status; undefined when no answer came. */
  readonly status?: number | undefined;
  /** The error code of the service or the system, such as `SlowDown` or `ECONNRESET`. */
  readonly code: string;
  /** A message for people, without secrets. */
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

/** The backend of a remote service. */
export interface RemoteBackend {
  /** Reads an object, or a range of it; null when the object does not exist. */
  read(name: string, range: ByteRange | null, signal: AbortSignal): Promise<RemoteBody | typeof BEYOND_END | null>;
  size(name: string, signal: AbortSignal): Promise<number | null>;
  /** Puts an object, whose bytes lie on an ordinary ArrayBuffer; false when `ifAbsent` is set and the name is taken. */
  put(name: string, bytes: Uint8Array<ArrayBuffer>, ifAbsent: boolean, signal: AbortSignal): Promise<boolean>;
  listPage(request: ListPageRequest, signal: AbortSignal): Promise<ListPage>;
  /** Lists folders, one request for up to 1,000 names, objects among them, which are left out. `prefix` is '' or ends with '/'. */
  listFolders(prefix: string, token: string | undefined, signal: AbortSignal): Promise<FolderPage>;
  delete(name: string, signal: AbortSignal): Promise<void>;
  explain(error: unknown): RemoteFailure;
  close(): void;
}
