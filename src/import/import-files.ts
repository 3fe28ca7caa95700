/**
 * Bulk load: CSV, NDJSON and Parquet files to SSTs, committed with one manifest. All or nothing. The namespace has no
 * nodes, or the import merges: then rows with ids of existing nodes update these nodes (merge/), and relationships may
 * name them.
 *
 *   1. Every header is read and checked, and every file looked for, before the store is touched.
 *   2. Nodes: rows go to the tables of their label sets, ids to their spaces.
 *   3. Nodes get their ordinals; ids lead to them.
 *   4. Relationships: ids become ordinals, rows go to the tables of their types, which are sorted by (source, target)
 *      when they are written.
 *   5. Constraints are checked over the graph as it will be; one manifest makes all files part of the namespace.
 *
 * Memory: the ids (4 to 43 bytes a node, and the text of long ones), and a fixed budget for rows: tables are written
 * when they reach it. In addition the properties that constraints are about, and when merging what `ExistingGraph`
 * keeps.
 */
import { GraphDBError, monotonicMs } from '../base/index.ts';
import type { ImportOptions, ImportSummary } from './api.ts';
import { Destination } from './destination.ts';
import { type ImportPlan, planImport } from './import-plan.ts';
import { ImportRun } from './import-run.ts';
import type { ExistingGraph } from './merge/existing-graph.ts';
import { internalIds as idsOfView, propertyIds } from './merge/known-ids.ts';
import { type RowPlace, RowWatch, type WantedRow } from './row-watch.ts';
import type { BrokenConstraint } from './schema-completion.ts';
import { ImportWork } from './threads/import-work.ts';

const BUFFER_BYTES = 128 * 2 ** 20;

/**
 * Imports files into a namespace. After an error the namespace is as it was before.
 *
 * @throws ARGUMENT_ERROR for an option, a header, or a bad row (with file and line)
 * @throws UNSUPPORTED when the namespace is not empty and the import does not merge
 * @throws CONSTRAINT_VIOLATION when the files break a constraint (with file and line)
 * @throws STORE_UNAVAILABLE, WRITER_FENCED, CORRUPTION for faults of the store
 * @throws CANCELLED when the signal is aborted
 */
export async function importFiles(options: ImportOptions): Promise<ImportSummary> {
  const result = await attempt(options);
  if (result.kind === 'complete') return result.summary;
  const places = await findRows(options, result).catch((error: unknown) => {
    // The constraint violation matters more than the reason why its row cannot be found.
    if (!(error instanceof GraphDBError) || error.code === 'CANCELLED') throw error;
    return result.wanted.map(() => null);
  });
  const { violationAt } = await import('./schema-completion.ts');
  throw violationAt(result.constraint, places);
}

type Attempt = { readonly kind: 'complete'; readonly summary: ImportSummary } | BrokenImport;

/** An import that a broken constraint has ended. */
interface BrokenImport {
  readonly kind: 'broken';
  readonly constraint: BrokenConstraint;
  /** The row that each violator came from; null: it was in the graph before. */
  readonly wanted: readonly (WantedRow | null)[];
  /** The state of the graph before the import; null: the namespace held nothing. */
  readonly state: GraphState | null;
}

type GraphState = Pick<ExistingGraph, 'sequence' | 'generation'>;

async function attempt(options: ImportOptions): Promise<Attempt> {
  const startedAt = monotonicMs();
  const plan = await planImport(options);
  const bufferBytes = options.bufferBytes ?? BUFFER_BYTES;
  const work = new ImportWork({ bytes: plan.csvBytes, threads: options.threads ?? null });
  try {
    return await attemptWith({ options, plan, bufferBytes, work, startedAt });
  } finally {
    await work.close();
  }
}

interface AttemptOptions {
  readonly options: ImportOptions;
  readonly plan: ImportPlan;
  readonly bufferBytes: number;
  readonly work: ImportWork;
  readonly startedAt: number;
}

async function attemptWith({ options, plan, bufferBytes, work, startedAt }: AttemptOptions): Promise<Attempt> {
  const destination = await Destination.open(options.store, {
    bufferBytes,
    tablesUnderWay: work.tablesUnderWay,
    logger: options.logger,
    purpose: options.dryRun === true ? 'check' : 'import',
    merges: !plan.spaces.mergeKeys.isEmpty,
    schema: options.schema ?? [],
  });
  try {
    await findKnownNodes(destination, plan);
    const run = new ImportRun({ options: { ...options, bufferBytes }, plan, destination, work, watch: null });
    const publication = await run.load();
    run.badRows.complete();
    if (publication.kind === 'broken') {
      await destination.abandon();
      const { constraint } = publication;
      return { kind: 'broken', constraint, wanted: constraint.violators.map((violator) => run.rowOf(violator)), state: destination.graph };
    }
    const summary: ImportSummary = {
      ...run.counts(),
      badRowSamples: run.badRows.samples,
      bytesRead: plan.bytesTotal,
      files: destination.files,
      bytesWritten: destination.bytesWritten,
      manifestVersion: publication.manifest?.version ?? null,
      elapsedMs: monotonicMs() - startedAt,
    };
    return { kind: 'complete', summary };
  } catch (error) {
    await destination.abandon();
    throw error;
  } finally {
    await destination.close();
  }
}

/** Reads the files again to find the place of each row; null where it is not found. Throws when the files have changed. */
async function findRows(options: ImportOptions, { wanted, state }: BrokenImport): Promise<readonly (RowPlace | null)[]> {
  const plan = await planImport(options);
  const bufferBytes = options.bufferBytes ?? BUFFER_BYTES;
  const merges = !plan.spaces.mergeKeys.isEmpty;
  const destination = await Destination.open(options.store, {
    bufferBytes,
    tablesUnderWay: 1,
    logger: undefined,
    purpose: 'discard',
    merges,
    schema: [],
  });
  try {
    const { graph } = destination;
    const isSame = graph?.sequence === state?.sequence && graph?.generation === state?.generation;
    if (!isSame) return wanted.map(() => null);
    await findKnownNodes(destination, plan);
    const watch = new RowWatch(wanted);
    const work = new ImportWork({ bytes: plan.csvBytes, threads: 0 });
    await new ImportRun({ options: { ...options, bufferBytes }, plan, destination, work, watch }).find();
    return watch.found;
  } finally {
    await destination.close();
  }
}

/** Makes existing nodes known to the id spaces that merge. */
async function findKnownNodes({ graph }: Destination, { nodes, spaces }: ImportPlan): Promise<void> {
  const keys = spaces.mergeKeys.spaces();
  if (graph === null) return;
  for (const [space, merge] of keys) {
    const { label, key } = merge;
    const updates = nodes.length > 0;
    if (label === null) {
      await graph.require({ lookups: true, ...(updates ? { labels: 'all', writes: true } : {}) });
      spaces.setKnown(
        space,
        idsOfView((id) => graph.view.findNodeById(id)),
      );
      continue;
    }
    await graph.require({ labels: [label], nodeKeys: [key], lookups: updates, writes: updates });
    spaces.setKnown(space, propertyIds(graph.view, { ...merge, label }, spaces.typeOf(space)));
  }
}
