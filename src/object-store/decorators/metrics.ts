/** Counts requests and bytes per operation, and writes the exact sequence of requests for golden tests. */

import type { ObjectStore } from '../object-store.ts';
import { intercept, type StoreOperation, type StoreRequest } from './intercept.ts';

/** The metrics of one operation. */
export interface OperationMetrics {
  requests: number;
  errors: number;
  bytesRead: number;
  bytesWritten: number;
}

/** The metrics of a store. */
export interface StoreMetrics {
  readonly operations: Readonly<Record<StoreOperation, OperationMetrics>>;
  /**
   * One line per request, in the order of answers, e.g. `putIfAbsent wal/00000000000000000001.wal 96 bytes: created`;
   * null when requests are not recorded.
   */
  trace: string[] | null;
}

/** A store with its metrics. */
export interface MeteredStore {
  readonly store: ObjectStore;
  readonly metrics: StoreMetrics;
}

const OPERATIONS: readonly StoreOperation[] = ['get', 'getRange', 'readInto', 'size', 'putIfAbsent', 'put', 'list', 'delete'];

/** Wraps a store in one that counts requests. */
export function withMetrics(inner: ObjectStore): MeteredStore {
  const zero = (): OperationMetrics => ({ requests: 0, errors: 0, bytesRead: 0, bytesWritten: 0 });
  // as: all names are there
  const operations = Object.fromEntries(OPERATIONS.map((name) => [name, zero()])) as Record<StoreOperation, OperationMetrics>;
  const metrics: StoreMetrics = { operations, trace: null };
  const store = intercept(inner, async (request, proceed) => {
    const counts = operations[request.operation];
    counts.requests++;
    counts.bytesWritten += request.bytes?.length ?? 0;
    try {
      const answer = await proceed();
      counts.bytesRead += bytesRead(request, answer);
      metrics.trace?.push(describe(request, describeAnswer(request, answer)));
      return answer;
    } catch (error) {
      counts.errors++;
      metrics.trace?.push(describe(request, error instanceof Error && 'code' in error ? `${error.code}` : 'error'));
      throw error;
    }
  });
  return { store, metrics };
}

function bytesRead(request: StoreRequest, answer: unknown): number {
  if (answer instanceof Uint8Array) return answer.length;
  return request.operation === 'readInto' && typeof answer === 'number' ? answer : 0;
}

function describe({ operation, key, offset, length, bytes, options }: StoreRequest, answer: string): string {
  const parts: string[] = [operation, key === '' ? "''" : key];
  if (offset !== undefined) parts.push(`${offset}+${length}`);
  if (bytes !== undefined) parts.push(`${bytes.length} bytes`);
  if (options?.startAfter !== undefined) parts.push(`after ${options.startAfter}`);
  if (options?.limit !== undefined) parts.push(`limit ${options.limit}`);
  return `${parts.join(' ')}: ${answer}`;
}

function describeAnswer({ operation }: StoreRequest, answer: unknown): string {
  if (answer === null) return 'absent';
  if (answer instanceof Uint8Array) return `${answer.length} bytes`;
  if (Array.isArray(answer)) return `${answer.length} keys`;
  if (typeof answer === 'number') return `${answer} bytes`;
  if (operation === 'putIfAbsent') return answer === true ? 'created' : 'taken';
  return 'done';
}
