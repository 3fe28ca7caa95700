/**
 * Where chunks are read and tables are made: on threads of their own, one less than there are cores, and on this one,
 * where there is more than one core and the files are worth it; otherwise here alone, where nodes do not come in chunks
 * at all (node-loader.ts). Either way with the same result: what chunks bring is taken in their order. Threads start
 * when they are made; until they have loaded their code, everything is done here, so that a small import does not wait
 * for them. Then they get what there is to do, and this thread does itself what they are too busy for: between two such
 * pieces of work it hears what they have done.
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
 * About a second and a half of one thread. A thread takes 0.2 s of a processor to start, and then compiles for itself
 * what this one has compiled already.
 */
const FEWEST_BYTES = 128 * 2 ** 20;
const MOST_THREADS = 7;
const FEWEST_CHUNK_BYTES = 64 * 2 ** 10;
/** So that threads end at about the same time. */
const CHUNKS_PER_THREAD = 16;
/** The chunks of each thread: one at work, one waiting. */
const CHUNKS_AHEAD = 2;

/** The options of an import's work. */
export interface WorkOptions {
  /** Bytes of the CSV files. */
  readonly bytes: number;
  /** Null: as many as are worth it, begun without waiting for them. */
  readonly threads: number | null;
}

/** The work of an import, on its threads. */
export class ImportWork {
  readonly #threads: readonly ImportThread[];
  /** They are to do what they can, even if all could be done before they are there. */
  readonly #waitsForThreads: boolean;
  /** Bytes to read at a time. */
  readonly chunkBytes: number;
  #nodes: NodeChunkLoader | null = null;
  #relationships: RelationshipChunkLoader | null = null;
  /** Whether others can read the chunks of the input. */
  #canShare = false;
  /** Who does what was asked for last. */
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

  /** Chunks that are worth having under way at once. */
  get chunksUnderWay(): number {
    return this.#canShare ? CHUNKS_AHEAD * (this.#threads.length + 1) : 1;
  }

  /** As many tables. */
  get tablesUnderWay(): number {
    return 1 + this.#threads.length;
  }

  /** Before the chunks of an input of nodes, where there are threads. */
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
   * Before the chunks of an input of relationships; nodes have got all their ids.
   * @param isWatched blocks are to be shown, so they are to be read here
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

  /** The more others there are, the longer can wait what this thread, which feeds them, would do itself. */
  make(job: TableJob): Promise<MadeTable> {
    return this.#inTurn<MadeTable>(this.#threads.length, {
      there: (thread) => thread.ask({ kind: 'make', job }),
      // Where others help, no further thread is to start for the files of a large table.
      here: () => (this.hasThreads ? encodeTable(job) : { kind: 'sealed', table: makeTable(job) }),
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  /**
   * Runs work in another thread, unless each has as much to do as `mostLoad` says: then it is done here. Who does it is
   * decided one after the other, and what is to be done here is done before the next decision; what others have done
   * until then is heard between two turns of the event loop only.
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
