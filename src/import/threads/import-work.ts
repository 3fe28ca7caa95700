/**
 * Distributes the work of an import: reading chunks and making tables. Where there is more than one core and the files
 * are large, threads share the work with this one, at most one less than there are cores; otherwise this thread does
 * all of it, and nodes do not come in chunks (node-loader.ts). The result is the same, since chunks are taken in their
 * order.
 *
 * Threads start when they are made. Until they have loaded their code this thread does everything, so that a small
 * import does not wait for them. Then they get the work, and this thread does what they are too busy for; between two
 * such pieces of work it receives their answers.
 */

import { availableParallelism } from 'node:os';
import { assert, nextTurn } from '../../base/index.ts';
import { type FieldBlock, READ_BYTES } from '../../formats/index.ts';
import type { IdResolver, SharedIds } from '../ids/id-index.ts';
import type { BlockLoader } from '../load-block.ts';
import { type LoadedNodes, NodeChunkLoader, type NodeSetting } from '../node-chunks.ts';
import { type ChunkSetting, type LoadedRelationships, RelationshipChunkLoader } from '../relationship-chunks.ts';
import type { RowChunk } from '../row-chunks.ts';
import type { MadeTable } from '../tables/table-buffer.ts';
import { ImportThread } from './import-thread.ts';
import { encodeTable, makeTable, type TableJob } from './table-job.ts';

/**
 * The fewest bytes of CSV files for which threads are worth it: about a second and a half of work for one thread. A
 * thread takes 0.2 s of a processor to start, and compiles again what this one has compiled already.
 */
const FEWEST_BYTES = 128 * 2 ** 20;
const MOST_THREADS = 7;
const FEWEST_CHUNK_BYTES = 64 * 2 ** 10;
/** Into how many chunks the share of each thread is cut, so that threads end at about the same time. */
const CHUNKS_PER_THREAD = 16;
/** How many chunks each thread has: one at work, one waiting. */
const CHUNKS_AHEAD = 2;

/** The options of an import's work. */
export interface WorkOptions {
  /** Total bytes of the CSV files. */
  readonly bytes: number;
  /** How many threads to start and wait for; null: as many as are worth it, without waiting until they have started. */
  readonly threads: number | null;
}

/** The work of an import, on its threads. */
export class ImportWork {
  readonly #threads: readonly ImportThread[];
  /** Whether work waits until the threads have started, even if this thread could do all of it before that. */
  readonly #waitsForThreads: boolean;
  /** How many bytes a chunk has at most. */
  readonly chunkBytes: number;
  #nodes: NodeChunkLoader | null = null;
  #relationships: RelationshipChunkLoader | null = null;
  /** Whether threads can read the chunks of the present input. */
  #canShare = false;
  /** Resolves when the thread for the last piece of work has been chosen. */
  #decided: Promise<void> = Promise.resolve();

  constructor({ bytes, threads }: WorkOptions) {
    const others = Math.min(availableParallelism() - 1, MOST_THREADS);
    const count = threads ?? (bytes >= FEWEST_BYTES ? others : 0);
    this.#threads = Array.from({ length: count }, () => new ImportThread());
    this.#waitsForThreads = threads !== null;
    const share = count === 0 ? READ_BYTES : Math.ceil(bytes / (count + 1) / CHUNKS_PER_THREAD);
    this.chunkBytes = Math.min(READ_BYTES, Math.max(FEWEST_CHUNK_BYTES, share));
  }

  get hasThreads(): boolean {
    return this.#threads.length > 0;
  }

  /** How many chunks are worth having under way at the same time. */
  get chunksUnderWay(): number {
    return this.#canShare ? CHUNKS_AHEAD * (this.#threads.length + 1) : 1;
  }

  /** How many tables can be put in order at the same time. */
  get tablesUnderWay(): number {
    return 1 + this.#threads.length;
  }

  /** Prepares for the chunks of an input of nodes. To be called where there are threads. */
  async beginNodes(setting: NodeSetting): Promise<void> {
    await this.#decided;
    this.#canShare = true;
    this.#nodes = new NodeChunkLoader(setting);
    for (const thread of this.#threads) thread.tell({ kind: 'begin', of: 'nodes', setting });
  }

  loadNodes(chunk: RowChunk, rooms: readonly SharedArrayBuffer[]): Promise<LoadedNodes> {
    return this.#inTurn(CHUNKS_AHEAD, {
      there: (thread) => askToLoad(thread, chunk, rooms) as Promise<LoadedNodes>, // As the threads were told to begin.
      here: () => this.#nodes!.load(chunk, rooms),
    });
  }

  /**
   * Prepares for the chunks of an input of relationships, when all nodes have their ids.
   *
   * @param isWatched blocks are shown to a watch, so this thread must read them
   */
  async beginRelationships(setting: ChunkSetting, spaces: { index(space: string): IdResolver }, isWatched: boolean): Promise<void> {
    await this.#decided;
    const { start, end } = setting.header;
    const ids = new Map<string, SharedIds>();
    let canShare = this.#threads.length > 0 && !isWatched;
    for (const { space } of [start, end]) {
      const shared = spaces.index(space).shared();
      if (shared === null) canShare = false;
      else ids.set(space, shared);
    }
    this.#canShare = canShare;
    this.#relationships = new RelationshipChunkLoader(setting, spaces);
    if (canShare) for (const thread of this.#threads) thread.tell({ kind: 'begin', of: 'relationships', setting, ids });
  }

  loadRelationships(
    chunk: RowChunk,
    rooms: readonly SharedArrayBuffer[],
    onBlock: (block: FieldBlock, loader: BlockLoader) => void,
  ): Promise<LoadedRelationships> {
    return this.#inTurn(this.#canShare ? CHUNKS_AHEAD : 0, {
      there: (thread) => askToLoad(thread, chunk, rooms) as Promise<LoadedRelationships>, // As the threads were told to begin.
      here: () => this.#relationships!.load(chunk, rooms, onBlock),
    });
  }

  /** Makes a table. The more threads there are, the longer it may wait for one of them, since this thread feeds them all. */
  make(job: TableJob): Promise<MadeTable> {
    return this.#inTurn<MadeTable>(this.#threads.length, {
      there: (thread) => thread.ask({ kind: 'make', job }),
      // Where threads help, no further one is to start for the files of a large table.
      here: () => (this.hasThreads ? encodeTable(job) : { kind: 'sealed', table: makeTable(job) }),
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  /**
   * Runs work in the least busy thread, or here if each thread has at least `mostLoad` orders. Pieces of work are
   * assigned one after the other, and work that is done here ends before the next piece is assigned; answers of threads
   * only arrive between two turns of the event loop.
   */
  async #inTurn<T>(
    mostLoad: number,
    { there, here }: { there: (thread: ImportThread) => Promise<T>; here: () => T | Promise<T> },
  ): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#decided;
    this.#decided = promise;
    await before;
    try {
      const thread = await this.#idlest(mostLoad);
      return thread === null ? await here() : there(thread);
    } finally {
      resolve();
    }
  }

  async #idlest(mostLoad: number): Promise<ImportThread | null> {
    if (!this.hasThreads || mostLoad === 0) return null;
    if (this.#waitsForThreads) await Promise.all(this.#threads.map((thread) => thread.ready));
    await nextTurn();
    return this.#threads
      .filter(({ isReady, load }) => isReady && load < mostLoad)
      .reduce<ImportThread | null>((a, b) => (a === null || b.load < a.load ? b : a), null);
  }
}

function askToLoad(
  thread: ImportThread,
  { bytes, from, to, hasHeader }: RowChunk,
  rooms: readonly SharedArrayBuffer[],
): Promise<LoadedNodes | LoadedRelationships> {
  assert(bytes.buffer instanceof SharedArrayBuffer, 'chunks lie in memory that threads share');
  return thread.ask({ kind: 'load', chunk: { bytes: bytes.buffer, from, to, hasHeader }, rooms });
}
