/**
 * Bulk load: CSV, NDJSON and Parquet files to SSTs, committed with one manifest. All or nothing. The namespace is empty, or the import merges: then rows whose ids nodes have already
 * update these (merge/), and relationships may name them.
 *
 *   1. Every header is read and checked, every file looked for, before the store is touched.
 *   2. Nodes: rows go to the tables of their label sets, ids to their spaces.
 *   3. Nodes get their ordinals; ids lead to them.
 *   4. Relationships: ids become ordinals, rows go to the tables of their types, which are sorted by (source, target) when they are written.
 *   5. Constraints are checked over the graph as it will be; one manifest makes all files part of the namespace.
 *
 * Memory: the ids (4 to 43 bytes a node, and the text of long ones), and a fixed budget for rows: tables are written when they reach it. Beside that what constraints speak of, and
 * when merging what `ExistingGraph` keeps.
 */
import { GraphDBError } from '../base/index.ts';
import type { ImportOptions, ImportProgress, ImportSummary, NodeInput, RelationshipInput } from './api.ts';
import { BadRowPolicy } from './bad-row-policy.ts';
import { type CsvDialect, parseDialect } from './csv/dialect.ts';
import type { FieldBlock } from './csv/field-block.ts';
import {
  type NodeHeader,
  nodeHeader,
  parseNodeHeader,
  parseRelationshipHeader,
  type RelationshipHeader,
  relationshipHeader,
} from './csv/header.ts';
import { Destination } from './destination.ts';
import { IdSpaces } from './ids/id-spaces.ts';
import { InternalIds } from './ids/internal-ids.ts';
import { readHeader, readRows, totalBytes } from './input-group.ts';
import { type BlockLoader, loadBlock } from './load-block.ts';
import type { ExistingGraph } from './merge/existing-graph.ts';
import { internalIds as idsOfView, propertyIds } from './merge/known-ids.ts';
import { MergeKeys } from './merge/merge-keys.ts';
import { NodeLoader, NodeTables } from './node-loader.ts';
import { RelationshipLoader, RelationshipTables } from './relationship-loader.ts';
import { BatchEncoder, LABEL_SEPARATOR } from './rows/batch-block.ts';
import type { RowBatch } from './rows/row-batch.ts';
import { firstFields, located, readBatches, rowFormat } from './rows/row-files.ts';
import { NodeNumbers } from './tables/node-numbers.ts';
import type { NodeTable } from './tables/node-table.ts';
import type { RelationshipTable } from './tables/relationship-table.ts';
import { TableBuffer } from './tables/table-buffer.ts';

const BUFFER_BYTES = 128 * 2 ** 20;

/** `header` null: the rows of the files say what they are (NDJSON, Parquet). */
interface Planned<I, H> {
  readonly input: I;
  readonly header: H | null;
}

interface Plan {
  readonly dialect: CsvDialect;
  readonly nodes: readonly Planned<NodeInput, NodeHeader>[];
  readonly relationships: readonly Planned<RelationshipInput, RelationshipHeader>[];
  readonly spaces: IdSpaces;
  readonly bytesTotal: number;
}

/**
 * ARGUMENT_ERROR: an option, a header, or a bad row (with file and line). UNSUPPORTED: the namespace is not empty, and the import does not merge.
 * CONSTRAINT_VIOLATION: what the files bring. STORE_UNAVAILABLE, WRITER_FENCED, CORRUPTION: the store.
 * CANCELLED: the signal. After an error the namespace is as it was.
 */
export async function importFiles(options: ImportOptions): Promise<ImportSummary> {
  const startedAt = performance.now();
  const plan = await planImport(options);
  const bufferBytes = options.bufferBytes ?? BUFFER_BYTES;
  const destination = await Destination.open(options.store, {
    bufferBytes,
    logger: options.logger,
    dryRun: options.dryRun ?? false,
    merges: !plan.spaces.mergeKeys.isEmpty,
    schema: options.schema ?? [],
  });
  try {
    await findKnownNodes(destination, plan);
    const run = new ImportRun({ ...options, bufferBytes }, plan, destination);
    const manifestVersion = await run.load();
    return {
      ...run.counts(),
      badRowSamples: run.badRows.samples,
      bytesRead: plan.bytesTotal,
      files: destination.files,
      bytesWritten: destination.bytesWritten,
      manifestVersion,
      elapsedMs: performance.now() - startedAt,
    };
  } catch (error) {
    await destination.abandon();
    throw error;
  } finally {
    await destination.close();
  }
}

async function planImport(options: ImportOptions): Promise<Plan> {
  const dialect = parseDialect(options);
  const spaces = new IdSpaces(options.idType ?? 'string', new MergeKeys(options.mergeOn ?? []));
  const inputs = [...options.nodes, ...options.relationships];
  if (inputs.length === 0 && (options.schema ?? []).length === 0)
    throw new GraphDBError('ARGUMENT_ERROR', 'there is nothing to import: name files of nodes or relationships');
  const bytesTotal = await totalBytes(inputs.flatMap(({ files }) => files));
  const nodes: Planned<NodeInput, NodeHeader>[] = [];
  for (const input of options.nodes) {
    if (rowFormat(input) !== null) {
      const { id } = nodeHeader(await firstFields(input));
      if (id !== null) spaces.declare(id);
      nodes.push({ input, header: null });
      continue;
    }
    const header = await readHeader(firstFile(input), dialect, (fields) => {
      const parsed = parseNodeHeader(fields);
      if (parsed.id !== null) spaces.declare(parsed.id);
      return parsed;
    });
    nodes.push({ input, header });
  }
  const relationships: Planned<RelationshipInput, RelationshipHeader>[] = [];
  for (const input of options.relationships) {
    if (rowFormat(input) !== null) {
      const fields = await firstFields(input);
      if (fields.length > 0) checkRelationships(relationshipHeader(fields), input, spaces);
      relationships.push({ input, header: null });
      continue;
    }
    const header = await readHeader(firstFile(input), dialect, (fields) => {
      const parsed = parseRelationshipHeader(fields);
      checkRelationships(parsed, input, spaces);
      return parsed;
    });
    relationships.push({ input, header });
  }
  return { dialect, nodes, relationships, spaces, bytesTotal };
}

/** The nodes that ids may name beside those of the files. */
async function findKnownNodes({ graph }: Destination, { nodes, spaces }: Plan): Promise<void> {
  const keys = spaces.mergeKeys.spaces();
  if (graph === null) return;
  for (const [space, merge] of keys) {
    const { label, key } = merge;
    const updates = nodes.length > 0;
    if (label === null) {
      await graph.require({ ids: true, ...(updates ? { labels: 'all', writes: true } : {}) });
      spaces.setKnown(
        space,
        idsOfView((id) => graph.view.findNodeById(id)),
      );
      continue;
    }
    await graph.require({ labels: [label], nodeKeys: [key], ids: updates, writes: updates });
    spaces.setKnown(space, propertyIds(graph.view, { ...merge, label }, spaces.typeOf(space)));
  }
}

function checkRelationships({ start, end, type }: RelationshipHeader, input: RelationshipInput, spaces: IdSpaces): void {
  spaces.require(start);
  spaces.require(end);
  if (type !== null || input.type !== undefined) return;
  throw new GraphDBError('ARGUMENT_ERROR', 'the relationships have no type: name one before the file (TYPE=file), or add a :TYPE column');
}

function firstFile({ files }: { readonly files: readonly string[] }): string {
  const [file] = files;
  if (file === undefined) throw new GraphDBError('ARGUMENT_ERROR', 'an input without files');
  return file;
}

/** One import under way. */
class ImportRun {
  readonly badRows: BadRowPolicy;
  readonly #options: ImportOptions;
  readonly #plan: Plan;
  readonly #destination: Destination;
  readonly #numbers = new NodeNumbers();
  readonly #nodeBuffer: TableBuffer<NodeTable>;
  readonly #nodeTables: NodeTables;
  readonly #relationshipBuffer: TableBuffer<RelationshipTable>;
  readonly #relationshipTables: RelationshipTables;
  readonly #internalIds: InternalIds;
  /** By id space: a bit for each node that a row has matched. */
  readonly #matched = new Map<string, Uint8Array>();
  #bytesRead = 0;

  constructor(options: ImportOptions & { readonly bufferBytes: number }, plan: Plan, destination: Destination) {
    this.#options = options;
    this.#plan = plan;
    this.#destination = destination;
    this.badRows = new BadRowPolicy(options.skipBadRows ?? false);
    const { graph } = destination;
    const free = graph?.freeOrdinals ?? { node: 0, relationship: 0 };
    this.#internalIds = new InternalIds({
      firstOrdinal: free.node,
      isTaken: graph === null ? null : (id) => graph.view.findNodeById(id) >= 0,
    });
    const common = {
      budgetBytes: options.bufferBytes,
      write: (table: Parameters<Destination['add']>[0]) => destination.add(table),
    };
    this.#nodeBuffer = new TableBuffer<NodeTable>({
      ...common,
      firstOrdinal: free.node,
      onSeal: ({ index, rows }, firstOrdinal) => this.#numbers.seal(index, rows, firstOrdinal),
    });
    this.#nodeTables = new NodeTables(this.#nodeBuffer);
    this.#relationshipBuffer = new TableBuffer<RelationshipTable>({ ...common, firstOrdinal: free.relationship });
    this.#relationshipTables = new RelationshipTables(this.#relationshipBuffer);
  }

  counts(): { nodes: number; nodesUpdated: number; relationships: number; badRows: number } {
    return {
      nodes: this.#numbers.count,
      nodesUpdated: this.#destination.graph?.updated ?? 0,
      relationships: this.#relationshipTables.count,
      badRows: this.badRows.count,
    };
  }

  /** @returns the version of the manifest, null in a dry run */
  async load(): Promise<number | null> {
    const { dialect, spaces } = this.#plan;
    for (const { input, header } of this.#plan.nodes) {
      if (header === null) {
        await this.#loadNodeRows(input);
        continue;
      }
      const loader = this.#nodeLoader(input, header, dialect);
      await this.#loadFiles(
        'nodes',
        input.files,
        header.columns,
        (block) => loader.block(block),
        () => this.#nodeBuffer.spill(),
      );
    }
    this.#internalIds.check(this.#numbers.count);
    await this.#nodeBuffer.flush();
    const ordinals = this.#numbers.ordinals();
    if (ordinals !== null) spaces.renumber(ordinals);
    for (const { input, header } of this.#plan.relationships) {
      if (header === null) {
        await this.#loadRelationshipRows(input);
        continue;
      }
      const loader = new RelationshipLoader({ input, header, dialect, tables: this.#relationshipTables, spaces });
      await this.#loadFiles(
        'relationships',
        input.files,
        header.columns,
        (block) => loader.block(block),
        () => this.#relationshipBuffer.spill(),
      );
    }
    this.#report('writing');
    await this.#relationshipBuffer.flush();
    this.#checkSignal();
    const manifest = await this.#destination.publish({
      labels: [...this.#nodeTables.labels],
      nextNodeOrdinal: this.#nodeBuffer.nextOrdinal,
      nextRelationshipOrdinal: this.#relationshipBuffer.nextOrdinal,
    });
    return manifest?.version ?? null;
  }

  async #loadFiles(
    phase: ImportProgress['phase'],
    files: readonly string[],
    columns: number,
    loaderOf: (block: FieldBlock) => BlockLoader,
    spill: () => Promise<void>,
  ): Promise<void> {
    await readRows({
      files,
      dialect: this.#plan.dialect,
      columns,
      onBlock: (block, file) => {
        loadBlock(block, loaderOf(block), (row, reason) => this.badRows.report(file, block.lines[row]!, reason));
      },
      onPiece: async (bytes) => {
        this.#checkSignal();
        this.#bytesRead += bytes;
        this.#report(phase);
        await spill();
      },
      onBadRow: (file, line, reason) => this.badRows.report(file, line, reason),
    });
  }

  #nodeLoader(input: NodeInput, header: NodeHeader, dialect: CsvDialect): NodeLoader {
    const { spaces } = this.#plan;
    const { graph } = this.#destination;
    return new NodeLoader({
      input,
      header,
      dialect,
      tables: this.#nodeTables,
      spaces,
      internalIds: this.#internalIds,
      numbers: this.#numbers,
      merging: graph === null || header.id === null ? null : { graph, matched: this.#matchedOf(header.id.space, graph) },
    });
  }

  #matchedOf(space: string, { view }: ExistingGraph): Uint8Array {
    let matched = this.#matched.get(space);
    if (matched === undefined) this.#matched.set(space, (matched = new Uint8Array((view.nodeLimit >>> 3) + 1)));
    return matched;
  }

  async #loadNodeRows(input: NodeInput): Promise<void> {
    const { spaces } = this.#plan;
    const dialect = { ...this.#plan.dialect, arrayDelimiter: LABEL_SEPARATOR };
    await this.#loadBatches(
      'nodes',
      input.files,
      (encoder, batch) => {
        const { block, header } = encoder.nodes(batch);
        if (header.id !== null) spaces.declare(header.id);
        return { block, loader: this.#nodeLoader(input, header, dialect).block(block) };
      },
      () => this.#nodeBuffer.spill(),
    );
  }

  async #loadRelationshipRows(input: RelationshipInput): Promise<void> {
    const { spaces } = this.#plan;
    const dialect = { ...this.#plan.dialect, arrayDelimiter: LABEL_SEPARATOR };
    await this.#loadBatches(
      'relationships',
      input.files,
      (encoder, batch) => {
        const { block, header } = encoder.relationships(batch);
        checkRelationships(header, input, spaces);
        return { block, loader: new RelationshipLoader({ input, header, dialect, tables: this.#relationshipTables, spaces }).block(block) };
      },
      () => this.#relationshipBuffer.spill(),
    );
  }

  async #loadBatches(
    phase: ImportProgress['phase'],
    files: readonly string[],
    loaderOf: (encoder: BatchEncoder, batch: RowBatch) => { readonly block: FieldBlock; readonly loader: BlockLoader },
    spill: () => Promise<void>,
  ): Promise<void> {
    const encoder = new BatchEncoder(this.#plan.dialect.arrayDelimiter);
    for (const file of files) {
      let before = 0;
      for await (const { batch, position } of readBatches(file)) {
        const { block, loader } = located(file, batch, () => loaderOf(encoder, batch));
        loadBlock(block, loader, (row, reason) => this.badRows.report(file, block.lines[row]!, reason));
        this.#checkSignal();
        this.#bytesRead += position - before;
        before = position;
        this.#report(phase);
        await spill();
      }
    }
  }

  #report(phase: ImportProgress['phase']): void {
    this.#options.onProgress?.({ phase, ...this.counts(), bytesRead: this.#bytesRead, bytesTotal: this.#plan.bytesTotal });
  }

  #checkSignal(): void {
    if (this.#options.signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the import was stopped; nothing was imported');
  }
}
