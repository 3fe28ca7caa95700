/**
 * Where chunks are read and tables are made: on threads of their own, as many as there are cores, where there is more than one and the files are worth it; otherwise here, where nodes
 * do not come in chunks at all (node-loader.ts). Either way with the same result: what chunks bring is taken in their order. Threads start when they are made, and load their code while
 * the headers are read.
 */
import { availableParallelism } from 'node:os';
import { assert } from '../../base/index.ts';
import type { FieldBlock } from '../csv/field-block.ts';
import type { IdResolver, SharedIds } from '../ids/id-index.ts';
import type { BlockLoader } from '../load-block.ts';
import type { LoadedNodes, NodeSetting } from '../node-chunks.ts';
import { type ChunkSetting, type LoadedRelationships, RelationshipChunkLoader } from '../relationship-chunks.ts';
import type { RowChunk } from '../row-chunks.ts';
import { READ_BYTES } from '../source/chunk-reader.ts';
import type { MadeTable } from '../tables/table-buffer.ts';
import { ImportThread } from './import-thread.ts';
import { makeTable, type TableJob } from './table-job.ts';

/** Below that a thread has hardly started when all is read. */
const FEWEST_BYTES = 16 * 2 ** 20;
const MOST_THREADS = 8;
const FEWEST_CHUNK_BYTES = 64 * 2 ** 10;
/** So that threads end at about the same time. */
const CHUNKS_PER_THREAD = 8;
/** Of each thread: one at work, one waiting. */
const CHUNKS_AHEAD = 2;

export interface WorkOptions {
  /** Of the CSV files. */
  readonly bytes: number;
  /** Null: as many as are worth it. */
  readonly threads: number | null;
}

export class ImportWork {
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

  get hasThreads(): boolean {
    return this.#threads.length > 0;
  }

  /** Chunks that are worth having under way at once. */
  get chunksUnderWay(): number {
    return this.#local === null ? CHUNKS_AHEAD * this.#threads.length : 1;
  }

  /** As many tables. */
  get tablesUnderWay(): number {
    return Math.max(1, this.#threads.length);
  }

  /** Before the chunks of an input of nodes, where there are threads. */
  beginNodes(setting: NodeSetting): void {
    this.#local = null;
    for (const thread of this.#threads) thread.tell({ kind: 'begin', of: 'nodes', setting });
  }

  loadNodes(chunk: RowChunk, rooms: readonly SharedArrayBuffer[]): Promise<LoadedNodes> {
    return this.#ask(chunk, rooms) as Promise<LoadedNodes>; // As the threads were told to begin.
  }

  /**
   * Before the chunks of an input of relationships; nodes have got all their ids.
   * @param isWatched blocks are to be shown, so they are to be read here
   */
  beginRelationships(setting: ChunkSetting, spaces: { index(space: string): IdResolver }, isWatched: boolean): void {
    const { start, end } = setting.header;
    const ids = new Map<string, SharedIds>();
    let canShare = this.#threads.length > 0 && !isWatched;
    for (const { space } of [start, end]) {
      const shared = spaces.index(space).shared();
      if (shared === null) canShare = false;
      else ids.set(space, shared);
    }
    this.#local = canShare ? null : new RelationshipChunkLoader(setting, spaces);
    if (canShare) for (const thread of this.#threads) thread.tell({ kind: 'begin', of: 'relationships', setting, ids });
  }

  async loadRelationships(
    chunk: RowChunk,
    rooms: readonly SharedArrayBuffer[],
    onBlock: (block: FieldBlock, loader: BlockLoader) => void,
  ): Promise<LoadedRelationships> {
    if (this.#local !== null) return this.#local.load(chunk, rooms, onBlock);
    return this.#ask(chunk, rooms) as Promise<LoadedRelationships>; // As the threads were told to begin.
  }

  #ask({ bytes, from, to, hasHeader }: RowChunk, rooms: readonly SharedArrayBuffer[]): Promise<LoadedNodes | LoadedRelationships> {
    assert(bytes.buffer instanceof SharedArrayBuffer, 'chunks lie in memory that threads share');
    return this.#idlest().ask({ kind: 'load', chunk: { bytes: bytes.buffer, from, to, hasHeader }, rooms });
  }

  async make(job: TableJob): Promise<MadeTable> {
    return this.hasThreads ? this.#idlest().ask({ kind: 'make', job }) : { kind: 'sealed', table: makeTable(job) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #idlest(): ImportThread {
    return this.#threads.reduce((a, b) => (b.load < a.load ? b : a));
  }
}
