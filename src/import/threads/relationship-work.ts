/**
 * Where relationships are read and put in order: on threads of their own, as many as there are cores, where there is more than one and the files are worth it; otherwise here. Either
 * way by the same functions, and with the same result: what chunks bring is taken in their order. Threads start when they are made, and load their code while nodes are read.
 */
import { availableParallelism } from 'node:os';
import { assert } from '../../base/index.ts';
import type { FieldBlock } from '../csv/field-block.ts';
import type { IdResolver, SharedIds } from '../ids/id-index.ts';
import type { BlockLoader } from '../load-block.ts';
import { type ChunkSetting, type LoadedChunk, RelationshipChunkLoader } from '../relationship-chunks.ts';
import type { RowChunk } from '../row-chunks.ts';
import { READ_BYTES } from '../source/chunk-reader.ts';
import { type OrderJob, orderRelationships } from '../tables/order-relationships.ts';
import type { SealedTable } from '../tables/table-buffer.ts';
import { ImportThread } from './import-thread.ts';

/** Below that a thread has hardly started when all is read. */
const FEWEST_BYTES = 16 * 2 ** 20;
const MOST_THREADS = 8;
const FEWEST_CHUNK_BYTES = 64 * 2 ** 10;
/** So that threads end at about the same time. */
const CHUNKS_PER_THREAD = 8;
/** Of each thread: one at work, one waiting. */
const CHUNKS_AHEAD = 2;

export interface WorkOptions {
  /** Of the files of relationships. */
  readonly bytes: number;
  /** Null: as many as are worth it. */
  readonly threads: number | null;
}

export class RelationshipWork {
  readonly #threads: readonly ImportThread[];
  /** Bytes to read at a time. */
  readonly chunkBytes: number;
  /** Null: chunks go to the threads. */
  #local: RelationshipChunkLoader | null = null;

  constructor({ bytes, threads }: WorkOptions) {
    const cores = Math.min(availableParallelism(), MOST_THREADS);
    const count = threads ?? (cores > 1 && bytes >= FEWEST_BYTES ? cores : 0);
    this.#threads = Array.from({ length: count }, () => new ImportThread());
    const share = count === 0 ? READ_BYTES : Math.ceil(bytes / count / CHUNKS_PER_THREAD);
    this.chunkBytes = Math.min(READ_BYTES, Math.max(FEWEST_CHUNK_BYTES, share));
  }

  /** Chunks, and tables, that are worth having under way at once. */
  get chunksUnderWay(): number {
    return this.#local === null ? CHUNKS_AHEAD * this.#threads.length : 1;
  }

  get tablesUnderWay(): number {
    return Math.max(1, this.#threads.length);
  }

  /**
   * Before the chunks of an input; nodes have got all their ids.
   * @param isWatched blocks are to be shown, so they are to be read here
   */
  begin(setting: ChunkSetting, spaces: { index(space: string): IdResolver }, isWatched: boolean): void {
    const { start, end } = setting.header;
    const ids = new Map<string, SharedIds>();
    let canShare = this.#threads.length > 0 && !isWatched;
    for (const { space } of [start, end]) {
      const shared = spaces.index(space).shared();
      if (shared === null) canShare = false;
      else ids.set(space, shared);
    }
    this.#local = canShare ? null : new RelationshipChunkLoader(setting, spaces);
    if (canShare) for (const thread of this.#threads) thread.tell({ kind: 'begin', setting, ids });
  }

  async load(
    chunk: RowChunk,
    rooms: readonly SharedArrayBuffer[],
    onBlock: (block: FieldBlock, loader: BlockLoader) => void,
  ): Promise<LoadedChunk> {
    if (this.#local !== null) return this.#local.load(chunk, rooms, onBlock);
    const { bytes, from, to, hasHeader } = chunk;
    assert(bytes.buffer instanceof SharedArrayBuffer, 'chunks lie in memory that threads share');
    return this.#idlest().ask({ kind: 'load', chunk: { bytes: bytes.buffer, from, to, hasHeader }, rooms });
  }

  async order(job: OrderJob): Promise<SealedTable> {
    return this.#threads.length === 0 ? orderRelationships(job) : this.#idlest().ask({ kind: 'order', job });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #idlest(): ImportThread {
    return this.#threads.reduce((a, b) => (b.load < a.load ? b : a));
  }
}
