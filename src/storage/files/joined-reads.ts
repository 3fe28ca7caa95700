/**
 * Joins reads of ranges of files of a remote store: ranges that are requested in one turn of the event loop and lie
 * near each other in a file are read by one request. Reading across a gap costs less than the time and the fee of
 * another request.
 */
import { onNextTurn } from '../../base/index.ts';
import type { ObjectStore, RequestOptions } from '../../object-store/index.ts';
import type { FileSource } from './file-access.ts';

/** The largest gap between ranges that are read together: it takes less than a millisecond at 100 MB/s. */
const MOST_GAP_BYTES = 64 * 2 ** 10;
/** The most bytes that one request reads, unless a single range has more. */
const MOST_JOINED_BYTES = 4 * 2 ** 20;

interface WaitingRead {
  readonly offset: number;
  readonly target: Uint8Array;
  readonly resolve: (read: number | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Whether a store is remote: joining reads saves no time for one on this machine, or in this process. */
export function isRemote({ location }: Pick<ObjectStore, 'location'>): boolean {
  return !location.startsWith('file:') && !location.startsWith('memory:');
}

/** Reads ranges of files, several with one request. */
export class JoinedReads implements FileSource {
  readonly #store: FileSource;
  /** The reads of this turn of the event loop, by key of the file. */
  readonly #waiting = new Map<string, WaitingRead[]>();

  constructor(store: FileSource) {
    this.#store = store;
  }

  get(key: string, options?: RequestOptions): Promise<Uint8Array | null> {
    return this.#store.get(key, options);
  }

  /** Reads a range, joined with others. With options, which apply to a single request, the read is not joined. */
  readInto(key: string, offset: number, target: Uint8Array, options?: RequestOptions): Promise<number | null> {
    if (options !== undefined) return this.#store.readInto(key, offset, target, options);
    return new Promise((resolve, reject) => {
      const read = { offset, target, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) {
        waiting.push(read);
        return;
      }
      this.#waiting.set(key, [read]);
      onNextTurn(() => this.#send(key));
    });
  }

  #send(key: string): void {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const group of groupsOf(waiting)) void this.#readGroup(key, group);
  }

  async #readGroup(key: string, group: readonly WaitingRead[]): Promise<void> {
    try {
      const [first] = group;
      if (group.length === 1) {
        first!.resolve(await this.#store.readInto(key, first!.offset, first!.target));
        return;
      }
      const start = first!.offset;
      const bytes = new Uint8Array(endOf(group) - start);
      const read = await this.#store.readInto(key, start, bytes);
      for (const { offset, target, resolve } of group) {
        const part = read === null ? null : bytes.subarray(offset - start, Math.min(offset - start + target.length, read));
        if (part !== null) target.set(part);
        resolve(part?.length ?? null);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

function groupsOf(reads: readonly WaitingRead[]): WaitingRead[][] {
  const groups: WaitingRead[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const read of reads.toSorted((a, b) => a.offset - b.offset)) {
    const group = groups.at(-1);
    const readEnd = read.offset + read.target.length;
    const isNear = read.offset - end <= MOST_GAP_BYTES && Math.max(end, readEnd) - (group?.[0]?.offset ?? 0) <= MOST_JOINED_BYTES;
    if (group !== undefined && isNear) group.push(read);
    else groups.push([read]);
    end = group !== undefined && isNear ? Math.max(end, readEnd) : readEnd;
  }
  return groups;
}

function endOf(group: readonly WaitingRead[]): number {
  return group.reduce((end, { offset, target }) => Math.max(end, offset + target.length), 0);
}
