/**
 * `s3://`: Amazon S3 and compatible services, through @aws-sdk/client-s3 with the whole AWS credential chain.
 *
 * - Put-if-absent is `If-None-Match: *`; a taken name is 412. A 409 says that another put was under way: the object is
 *   looked up before the name counts as taken.
 * - Checksums are sent only where the operation requires them: many compatibles refuse the newer ones.
 * - With a custom endpoint, buckets are addressed by path.
 */

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ObjectStore } from '../object-store.ts';
import { formatStorageUri, type S3Base, type S3Uri } from '../storage-uri.ts';
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

const DEFAULT_REGION = 'us-east-1';
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * The most connections: reading a long log or a wide query sends many requests at once, and one that waits for a
 * connection would count as slow.
 */
const MAX_SOCKETS = 256;

/** Opens the backend of S3. */
export function openS3Backend(base: S3Base): RemoteBackend {
  return new S3Backend(base.bucket, createClient(base));
}

/** Opens a store in S3. */
export function openS3Store(uri: S3Uri, { idleTimeoutMs }: Pick<RemoteStoreOptions, 'idleTimeoutMs'> = {}): ObjectStore {
  const { prefix, namespace } = uri;
  return new RemoteStore(openS3Backend(uri), {
    location: formatStorageUri(uri),
    prefix,
    namespace,
    idleTimeoutMs,
  });
}

function createClient({ region, endpoint }: S3Base): S3Client {
  // Without a region in the URI, the environment and the profile decide, as for every AWS tool; only compatibles know 'auto'.
  const atAws = endpoint === undefined && process.env['AWS_ENDPOINT_URL_S3'] === undefined && process.env['AWS_ENDPOINT_URL'] === undefined;
  const chosen = region === 'auto' && atAws ? DEFAULT_REGION : region;
  return new S3Client({
    ...(chosen !== undefined ? { region: chosen } : atAws ? {} : { region: process.env['AWS_REGION'] ?? DEFAULT_REGION }),
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: !atAws,
    followRegionRedirects: atAws,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
}

class S3Backend implements RemoteBackend {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async read(name: string, range: ByteRange | null, abortSignal: AbortSignal): Promise<RemoteBody | typeof BEYOND_END | null> {
    const Range = range === null ? undefined : `bytes=${range.offset}-${range.offset + range.length - 1}`;
    try {
      const answer = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: name, Range }), { abortSignal });
      // as: in Node the body is a stream of buffers
      return { length: answer.ContentLength ?? 0, chunks: (answer.Body ?? []) as AsyncIterable<Uint8Array> };
    } catch (error) {
      if (isMissing(error)) return null;
      if (statusOf(error) === 416) return BEYOND_END;
      throw error;
    }
  }

  async size(name: string, abortSignal: AbortSignal): Promise<number | null> {
    try {
      const answer = await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: name }), { abortSignal });
      return answer.ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>, ifAbsent: boolean, abortSignal: AbortSignal): Promise<boolean> {
    const IfNoneMatch = ifAbsent ? '*' : undefined;
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key: name, Body: bytes, ContentLength: bytes.length, IfNoneMatch });
    try {
      await this.#client.send(command, { abortSignal });
      return true;
    } catch (error) {
      if (!ifAbsent) throw error;
      if (statusOf(error) === 412) return false;
      if (statusOf(error) === 409 && (await this.size(name, abortSignal)) !== null) return false;
      throw error;
    }
  }

  async listPage({ prefix, startAfter, maxKeys, token }: ListPageRequest, abortSignal: AbortSignal): Promise<ListPage> {
    const input = { Bucket: this.#bucket, Prefix: prefix, MaxKeys: maxKeys, StartAfter: startAfter || undefined, ContinuationToken: token };
    const answer = await this.#client.send(new ListObjectsV2Command(input), { abortSignal });
    const objects = (answer.Contents ?? []).map((object) => ({
      key: object.Key!,
      size: object.Size ?? 0,
      lastModifiedMs: object.LastModified?.getTime() ?? 0,
    }));
    return { objects, nextToken: answer.IsTruncated ? (answer.NextContinuationToken ?? null) : null };
  }

  async listFolders(prefix: string, token: string | undefined, abortSignal: AbortSignal): Promise<FolderPage> {
    const input = { Bucket: this.#bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token };
    const answer = await this.#client.send(new ListObjectsV2Command(input), { abortSignal });
    const folders = (answer.CommonPrefixes ?? []).map((folder) => folder.Prefix!);
    return { folders, nextToken: answer.IsTruncated ? (answer.NextContinuationToken ?? null) : null };
  }

  async delete(name: string, abortSignal: AbortSignal): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: name }), { abortSignal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  explain(error: unknown): RemoteFailure {
    if (!(error instanceof S3ServiceException)) return explainLocalError(error);
    const retryAfterMs = parseRetryAfter(error.$response?.headers['retry-after']);
    return { status: statusOf(error), code: error.name, message: error.message, retryAfterMs };
  }

  close(): void {
    this.#client.destroy();
  }
}

/** Whether an error says that an object is missing. A missing bucket is another error, except for HEAD, which cannot tell. */
function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
