/**
 * Compacts a namespace: does the merges that planCompaction chose, one at a time, each published with a manifest of its
 * own. Afterwards it builds artefacts that files lack (B9), in the same way. A merge or an artefact is given up when
 * another edit has removed its files meanwhile, as a flush does that has found a table empty; its uploads are garbage.
 */
import { GraphDBError, Mutex } from '../../base/index.ts';
import type { CompactionOptions, CompactionOutcome, Manifest, ManifestEdit, ManifestTable, PublishOutcome, TableName } from '../api.ts';
import type { ArtefactGap, ArtefactKeeper } from '../artefacts/artefact-keeper.ts';
import { throwIfStopped } from '../compaction/merge-table.ts';
import { type CompactionTask, planCompaction } from '../compaction/plan-compaction.ts';
import { tableId } from '../manifest/table-id.ts';
import type { FileWorker } from '../threads/file-worker.ts';

/** The interface of a namespace for compaction. */
export interface CompactionTarget {
  readonly manifest: Manifest;
  readonly fileWorker: Pick<FileWorker, 'merge'>;
  readonly artefacts: Pick<ArtefactKeeper, 'gaps' | 'unwanted' | 'fill'>;
  publish(edit: ManifestEdit): Promise<PublishOutcome>;
}

interface TaskOutcome {
  readonly removed: number;
  readonly added: number;
  readonly rows: number;
}

/** Compacts a namespace. */
export class Compactor {
  readonly #target: CompactionTarget;
  readonly #turn = new Mutex();
  readonly #stopping = new AbortController();

  constructor(target: CompactionTarget) {
    this.#target = target;
  }

  compact(options: CompactionOptions): Promise<CompactionOutcome> {
    return this.#turn.with(() => this.#compact(options));
  }

  /** Stops running work at its next batch. */
  stop(): void {
    this.#stopping.abort();
  }

  async drain(): Promise<void> {
    await this.#turn.with(async () => {});
  }

  async #compact(options: CompactionOptions): Promise<CompactionOutcome> {
    const signal = options.signal === undefined ? this.#stopping.signal : AbortSignal.any([options.signal, this.#stopping.signal]);
    const done: TaskOutcome[] = [];
    for (const task of planCompaction(this.#target.manifest, options)) {
      const outcome = await this.#whileNamed(task, () => this.#run(task, signal));
      if (outcome === null) continue;
      done.push(outcome);
      options.onMerged?.();
    }
    await this.#completeArtefacts(signal);
    return {
      manifest: this.#target.manifest,
      tablesMerged: done.length,
      filesRemoved: done.reduce((sum, task) => sum + task.removed, 0),
      filesAdded: done.reduce((sum, task) => sum + task.added, 0),
      rowsWritten: done.reduce((sum, task) => sum + task.rows, 0),
    };
  }

  async #run({ table, keys }: CompactionTask, signal: AbortSignal): Promise<TaskOutcome> {
    throwIfStopped(signal);
    const { files } = this.#tableOf(table);
    const chosen = files.filter((file) => keys.includes(file.key));
    const { uploaded, rows } = await this.#target.fileWorker.merge(
      {
        table,
        files: chosen,
        dropTombstones: chosen[0] === files[0],
        level: 1 + Math.max(...chosen.map((file) => file.level)),
      },
      signal,
    );
    await this.#target.publish({ add: [], addUploaded: uploaded, remove: keys });
    return { removed: chosen.length, added: uploaded.length, rows };
  }

  /** Drops unwanted artefacts, then builds missing ones and publishes them one stretch of files after the other. */
  async #completeArtefacts(signal: AbortSignal): Promise<void> {
    const { artefacts, manifest } = this.#target;
    const dropArtefacts = artefacts.unwanted(manifest);
    if (dropArtefacts.length > 0) await this.#target.publish({ add: [], remove: [], dropArtefacts });
    for (const gap of artefacts.gaps(manifest)) {
      throwIfStopped(signal);
      await this.#whileNamed({ table: gap.table, keys: gap.files.map(({ key }) => key) }, () => this.#fill(gap, signal));
    }
  }

  async #fill(gap: ArtefactGap, signal: AbortSignal): Promise<void> {
    const addArtefacts = await this.#target.artefacts.fill(gap, signal);
    if (addArtefacts.length > 0) await this.#target.publish({ add: [], remove: [], addArtefacts });
  }

  /** Does work that needs these files. Returns null when it was given up, since the manifest does not name all of them any more. */
  async #whileNamed<T>(needed: CompactionTask, work: () => Promise<T>): Promise<T | null> {
    if (!this.#names(needed)) return null;
    try {
      return await work();
    } catch (error) {
      if (this.#names(needed) || !isForLackOfFiles(error)) throw error;
      return null;
    }
  }

  #names({ table, keys }: CompactionTask): boolean {
    const named = new Set(this.#tableOf(table).files.map(({ key }) => key));
    return keys.every((key) => named.has(key));
  }

  #tableOf(name: TableName): ManifestTable {
    // A table without files and rows is not in the manifest.
    return this.#target.manifest.tables.find((table) => tableId(table) === tableId(name)) ?? { ...name, liveRows: 0, files: [] };
  }
}

/** Whether an error may say that a file is in no manifest any more (STORE_UNAVAILABLE), or not in the bucket (CORRUPTION). */
function isForLackOfFiles(error: unknown): boolean {
  return error instanceof GraphDBError && (error.code === 'STORE_UNAVAILABLE' || error.code === 'CORRUPTION');
}
