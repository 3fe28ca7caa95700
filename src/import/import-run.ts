/** One run of an import: takes the files of a plan to the tables of a destination. */

import { GraphDBError, type SharedMemoryPool } from '../base/index.ts';
import { ChunkBuffers, type FieldBlock, type ImportDialect, type Selection } from '../formats/index.ts';
import type { ImportOptions, ImportProgress, NodeInput, RelationshipInput } from './api.ts';
import { BadRowPolicy } from './bad-row-policy.ts';
import { BadRows } from './csv/bad-rows.ts';
import { INTERNAL_ID, integerColumns, type NodeHeader, type RelationshipHeader } from './csv/header.ts';
import type { Destination, Publication } from './destination.ts';
import type { IdSpaces } from './ids/id-spaces.ts';
import { InternalIds } from './ids/internal-ids.ts';
import { checkRelationships, type ImportPlan } from './import-plan.ts';
import { type ReadRowsOptions, readRows } from './input-group.ts';
import { LABELS_AS_JSON } from './label-field.ts';
import { type BlockLoader, loadBlock } from './load-block.ts';
import type { BadLine } from './load-rows.ts';
import type { ExistingGraph } from './merge/existing-graph.ts';
import type { LoadedNodes } from './node-chunks.ts';
import { NodeLoader, NodeTables, propertiesOf } from './node-loader.ts';
import type { LoadedRelationships } from './relationship-chunks.ts';
import { RelationshipLoader } from './relationship-loader.ts';
import { RelationshipTables } from './relationship-tables.ts';
import { type PlacedChunk, rowChunks } from './row-chunks.ts';
import type { RowWatch, WantedRow } from './row-watch.ts';
import { BatchEncoder } from './rows/batch-block.ts';
import type { RowBatch } from './rows/row-batch.ts';
import { located, readBatches } from './rows/row-files.ts';
import type { Violator } from './schema-completion.ts';
import { NodeNumbers } from './tables/node-numbers.ts';
import type { NodePiece } from './tables/node-piece.ts';
import type { NodeTable } from './tables/node-table.ts';
import { type OrderedPieces, orderPieces, runsOf } from './tables/order-of-rows.ts';
import { type PieceMemory, roomPool } from './tables/piece-memory.ts';
import { RelationshipRowsByType } from './tables/relationship-rows.ts';
import type { RelationshipTable } from './tables/relationship-table.ts';
import { TableBuffer } from './tables/table-buffer.ts';
import type { ImportWork } from './threads/import-work.ts';
import type { TableJob } from './threads/table-job.ts';

/** The options of a run. */
export interface ImportRunOptions {
  readonly options: ImportOptions & { readonly bufferBytes: number };
  readonly plan: ImportPlan;
  readonly destination: Destination;
  readonly work: ImportWork;
  /** Finds the rows that nodes and relationships come from; null: nothing is searched for. */
  readonly watch: RowWatch | null;
}

/** The functions that work on the chunks of an input. */
interface ChunkWork<T> {
  readonly phase: ImportProgress['phase'];
  readonly load: (chunk: PlacedChunk, rooms: readonly SharedArrayBuffer[], linesBefore: number) => Promise<T>;
  /** Takes over a loaded chunk. @param linesBefore lines of the file before the chunk */
  readonly take: (loaded: T, chunk: PlacedChunk, linesBefore: number) => void;
  readonly spill: () => Promise<void>;
}

/** One run of an import. */
export class ImportRun {
  readonly badRows: BadRowPolicy;
  readonly #options: ImportOptions;
  readonly #plan: ImportPlan;
  readonly #destination: Destination;
  readonly #numbers = new NodeNumbers();
  readonly #nodeBuffer: TableBuffer<NodeTable>;
  readonly #nodeTables: NodeTables;
  readonly #relationshipBuffer: TableBuffer<RelationshipTable>;
  readonly #relationshipTables: RelationshipTables;
  readonly #work: ImportWork;
  /** Memory for the pieces of further chunks. */
  readonly #rooms: SharedMemoryPool;
  readonly #buffers: ChunkBuffers;
  /** Chunks that are being read and have not been taken yet; each function takes one. */
  readonly #underWay: (() => Promise<void>)[] = [];
  readonly #internalIds: InternalIds;
  /** For each id space a bitmap of the existing nodes that a row has matched. */
  readonly #matched = new Map<string, Uint8Array>();
  #bytesRead = 0;
  readonly #watch: RowWatch | null;
  #rowsShown = 0;

  constructor({ options, plan, destination, work, watch }: ImportRunOptions) {
    this.#options = options;
    this.#watch = watch;
    this.#work = work;
    this.#rooms = roomPool(options.bufferBytes);
    this.#buffers = new ChunkBuffers(work.chunkBytes);
    this.#plan = plan;
    this.#destination = destination;
    this.badRows = new BadRowPolicy(options.skipBadRows === true ? 'count' : options.dryRun === true ? 'gather' : 'end');
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
    const making = {
      make: (job: TableJob) => work.make(job),
      release: ({ memory }: PieceMemory) => this.#rooms.giveBack(memory),
    };
    this.#nodeTables = new NodeTables(this.#nodeBuffer, making);
    this.#relationshipBuffer = new TableBuffer<RelationshipTable>({ ...common, firstOrdinal: free.relationship });
    this.#relationshipTables = new RelationshipTables(this.#relationshipBuffer, making);
  }

  counts(): { nodes: number; nodesUpdated: number; relationships: number; badRows: number } {
    return {
      nodes: this.#numbers.count,
      nodesUpdated: this.#destination.graph?.updated ?? 0,
      relationships: this.#relationshipTables.count,
      badRows: this.badRows.count,
    };
  }

  async load(): Promise<Publication> {
    await this.#loadNodes();
    await this.#loadRelationships();
    this.#report('writing');
    await this.#relationshipBuffer.flush();
    this.#checkSignal();
    return await this.#destination.publish({
      labels: [...this.#nodeTables.labels],
      nextNodeOrdinal: this.#nodeBuffer.nextOrdinal,
      nextRelationshipOrdinal: this.#relationshipBuffer.nextOrdinal,
    });
  }

  /** Reads the rows again and shows them to the watch, relationships only if it looks for some. */
  async find(): Promise<void> {
    await this.#loadNodes();
    if (this.#watch?.wants('relationship') === true) await this.#loadRelationships();
  }

  /** Returns the row that a violator comes from, or that has updated it; null: a relationship that was there before. */
  rowOf(violator: Violator): WantedRow | null {
    const { graph } = this.#destination;
    if (violator.entity === 'node') {
      const place = this.#numbers.rowOf(violator.ordinal);
      if (place !== null) return { kind: 'node', ...place };
      return { kind: 'update', node: violator.ordinal };
    }
    const { type, source, target, ordinal, parallel } = violator;
    const free = graph?.freeOrdinals.relationship ?? 0;
    if (ordinal < free) return null;
    const before = parallel.filter((other) => other >= free && other < ordinal).length;
    return { kind: 'relationship', type, source, target, before };
  }

  async #loadNodes(): Promise<void> {
    const { dialect, spaces } = this.#plan;
    for (const { input, header } of this.#plan.nodes) {
      if (header !== null && this.#canShareNodes(header)) {
        await this.#loadNodeChunks(input, header);
        continue;
      }
      await this.#takeChunks(0);
      if (header === null) {
        await this.#loadNodeRows(input);
        continue;
      }
      const loader = this.#nodeLoader(input, header, dialect);
      await this.#loadFiles(
        'nodes',
        input.files,
        { columns: header.columns, integerColumns: [...integerIds(header, spaces), ...integerColumns(header.properties)] },
        (block) => loader.block(block),
        () => this.#nodeBuffer.spill(),
      );
    }
    await this.#takeChunks(0);
    this.#internalIds.check(this.#numbers.count);
    await this.#nodeBuffer.flush();
    const ordinals = this.#numbers.ordinals();
    if (ordinals !== null) spaces.renumber(ordinals);
  }

  /** Whether threads can read these nodes: not where rows may update existing nodes, or set internal identifiers. */
  #canShareNodes({ id, properties }: NodeHeader): boolean {
    if (!this.#work.hasThreads || this.#watch !== null || id?.key === INTERNAL_ID) return false;
    if (id !== null && this.#plan.spaces.mergeKeys.of(id.space) !== null) return false;
    return properties.every(({ key }) => key !== INTERNAL_ID);
  }

  async #loadNodeChunks(input: NodeInput, header: NodeHeader): Promise<void> {
    const { dialect, spaces } = this.#plan;
    const { names, label, id } = header;
    await this.#work.beginNodes({
      labels: input.labels,
      dialect,
      names,
      properties: propertiesOf(header, spaces),
      label,
      id: id?.column ?? null,
      skipBadRows: this.badRows.goesOn,
    });
    await this.#loadChunks<LoadedNodes>(input.files, {
      phase: 'nodes',
      load: (chunk, rooms) => this.#work.loadNodes(chunk, rooms),
      take: (loaded, chunk, linesBefore) => {
        // The order of labels is that of the files.
        this.#nodeTables.withLabels(input.labels);
        this.#takeNodes(loaded, chunk, { header, linesBefore });
      },
      spill: () => this.#nodeBuffer.spill(),
    });
  }

  /** Enters the nodes of a chunk and their ids; nodes with a bad id are left out. */
  #takeNodes(
    { pieces, badRows, badRowSamples }: LoadedNodes,
    { bytes, from, to, file }: PlacedChunk,
    { header: { id }, linesBefore }: { readonly header: NodeHeader; readonly linesBefore: number },
  ): void {
    const found: BadLine[] = [...badRowSamples];
    const ordered = orderPieces(pieces);
    const { rows, places } = ordered;
    const bad = new BadRows();
    const all = rowsUpTo(rows);
    if (id !== null) {
      const block = { bytes, from, to, columns: 1, firstRow: 0, rows, ...places, malformed: [] };
      this.#plan.spaces.index(id.space).insert(block, 0, all, this.#numbers.count, bad);
    }
    for (const [row, reason] of bad.entries()) found.push({ line: places.lines[row]!, reason });
    const tables = this.#takePieces(pieces, ordered, bad);
    for (const run of runsOf(all, ordered.pieces, (row) => bad.has(row)))
      this.#nodeTables.number(tables[run.group]!, run.rows, this.#numbers);
    found.sort((a, b) => a.line - b.line);
    for (const { line, reason } of found) this.badRows.report(file, linesBefore + line, reason);
    this.badRows.countMore(badRows - badRowSamples.length);
  }

  /** Puts the good rows of pieces into their tables, and returns these. */
  #takePieces(pieces: readonly NodePiece[], { pieces: pieceOf, rowsOfPieces }: OrderedPieces, bad: BadRows): readonly NodeTable[] {
    const leftOut = pieces.map(() => new Set<number>());
    for (const [row] of bad.entries()) leftOut[pieceOf[row]!]!.add(rowsOfPieces[row]!);
    return pieces.map((piece, index) => {
      const table = this.#nodeTables.withLabels(piece.labels);
      const out = leftOut[index]!;
      const all = rowsUpTo(piece.rows);
      const rows = out.size === 0 ? all : all.filter((row) => !out.has(row));
      if (rows.length === 0) this.#rooms.giveBack(piece.memory);
      else this.#nodeTables.add(table, { piece, rows });
      return table;
    });
  }

  async #loadRelationships(): Promise<void> {
    for (const { input, header } of this.#plan.relationships) {
      if (header !== null) await this.#loadRelationshipChunks(input, header);
      else {
        await this.#takeChunks(0);
        await this.#loadRelationshipRows(input);
      }
    }
    await this.#takeChunks(0);
  }

  async #loadRelationshipChunks(input: RelationshipInput, header: RelationshipHeader): Promise<void> {
    const { dialect, spaces } = this.#plan;
    await this.#work.beginRelationships(
      { input: input.type === undefined ? {} : { type: input.type }, header, dialect, skipBadRows: this.badRows.goesOn },
      spaces,
      this.#watch !== null,
    );
    await this.#loadChunks<LoadedRelationships>(input.files, {
      phase: 'relationships',
      load: (chunk, rooms, linesBefore) =>
        this.#work.loadRelationships(chunk, rooms, (block, loader) => this.#show(chunk.file, linesBefore, block, loader)),
      take: ({ pieces, badRows, badRowSamples }, { file }, linesBefore) => {
        for (const piece of pieces) this.#relationshipTables.add(piece);
        for (const { line, reason } of badRowSamples) this.badRows.report(file, linesBefore + line, reason);
        this.badRows.countMore(badRows - badRowSamples.length);
      },
      spill: () => this.#relationshipBuffer.spill(),
    });
  }

  /** Reads chunks on several threads, and takes them in their order. The last chunks of the previous input may still be under way. */
  async #loadChunks<T extends LoadedNodes | LoadedRelationships>(files: readonly string[], work: ChunkWork<T>): Promise<void> {
    const buffers = this.#buffers;
    /** Bytes of each piece of the last chunk that was taken. */
    let pieceBytes: readonly number[] = [];
    let linesBefore = 0;
    const take = async (chunk: PlacedChunk, offered: readonly SharedArrayBuffer[], loading: Promise<T>): Promise<void> => {
      if (chunk.isFirstOfFile) linesBefore = 0;
      const loaded = await loading;
      pieceBytes = this.#piecesTaken(loaded.pieces, offered);
      work.take(loaded, chunk, linesBefore);
      buffers.give(chunk.bytes);
      linesBefore += loaded.lines;
      this.#checkSignal();
      this.#bytesRead += chunk.bytesRead;
      this.#report(work.phase);
      await work.spill();
    };
    for await (const chunk of rowChunks(files, this.#plan.dialect, buffers)) {
      const offered = pieceBytes.map((bytes) => this.#rooms.takeSpare(bytes)).filter((room) => room !== null);
      const loading = work.load(chunk, offered, chunk.isFirstOfFile ? 0 : linesBefore);
      loading.catch(() => {}); // Thrown where it is awaited.
      this.#underWay.push(() => take(chunk, offered, loading));
      await this.#takeChunks(this.#work.chunksUnderWay - 1);
    }
  }

  /** Takes chunks until no more than `left` are under way. */
  async #takeChunks(left: number): Promise<void> {
    while (this.#underWay.length > left) await this.#underWay.shift()!();
  }

  /** Returns the bytes of each piece, as an estimate for the next chunk, and gives offered memory back that no piece has used. */
  #piecesTaken(pieces: readonly PieceMemory[], rooms: readonly SharedArrayBuffer[]): readonly number[] {
    for (const [index, room] of rooms.entries()) if (!pieces.some((piece) => piece.room === index)) this.#rooms.giveBack(room);
    return pieces.map(({ memory }) => memory.byteLength);
  }

  async #loadFiles(
    phase: ImportProgress['phase'],
    files: readonly string[],
    columns: Pick<ReadRowsOptions, 'columns' | 'integerColumns'>,
    loaderOf: (block: FieldBlock) => BlockLoader,
    spill: () => Promise<void>,
  ): Promise<void> {
    await readRows({
      files,
      dialect: this.#plan.dialect,
      ...columns,
      onBlock: (block, file) => this.#loadBlock(file, block, loaderOf(block)),
      onPiece: async (bytes) => {
        this.#checkSignal();
        this.#bytesRead += bytes;
        this.#report(phase);
        await spill();
      },
      onBadRow: (file, line, reason) => this.badRows.report(file, line, reason),
    });
  }

  #loadBlock(file: string, block: FieldBlock, loader: BlockLoader): void {
    loadBlock(block, loader, (row, reason) => {
      this.badRows.report(file, block.lines[row]!, reason);
      return true;
    });
    this.#show(file, 0, block, loader);
  }

  /** Shows the rows of a block to the watch. @param linesBefore lines of the file that the block does not count */
  #show(file: string, linesBefore: number, block: FieldBlock, loader: BlockLoader): void {
    if (this.#watch === null) return;
    const first = this.#rowsShown;
    loader.show(this.#watch, (row) => ({ file, line: linesBefore + block.lines[row]!, position: first + row }));
    this.#rowsShown += block.rows;
  }

  #nodeLoader(input: NodeInput, header: NodeHeader, dialect: ImportDialect): NodeLoader {
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
    const dialect = { ...this.#plan.dialect, arrayDelimiter: LABELS_AS_JSON };
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
    const dialect = { ...this.#plan.dialect, arrayDelimiter: LABELS_AS_JSON };
    const tables = new RelationshipRowsByType();
    await this.#loadBatches(
      'relationships',
      input.files,
      (encoder, batch) => {
        const { block, header } = encoder.relationships(batch);
        checkRelationships(header, input, spaces);
        return { block, loader: new RelationshipLoader({ input, header, dialect, tables, spaces }).block(block) };
      },
      () => {
        for (const piece of tables.take([])) this.#relationshipTables.add(piece);
        return this.#relationshipBuffer.spill();
      },
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
        this.#loadBlock(file, block, loader);
        this.#checkSignal();
        this.#bytesRead += position - before;
        before = position;
        this.#report(phase);
        await spill();
      }
    }
  }

  #report(phase: ImportProgress['phase']): void {
    const shown = this.#watch === null ? phase : 'finding';
    this.#options.onProgress?.({ phase: shown, ...this.counts(), bytesRead: this.#bytesRead, bytesTotal: this.#plan.bytesTotal });
  }

  #checkSignal(): void {
    if (this.#options.signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the import was stopped; nothing was imported');
  }
}

function rowsUpTo(count: number): Selection {
  const rows = new Int32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/** Returns the column of ids if they are integers, as a list of one column or none. */
function integerIds({ id }: NodeHeader, spaces: IdSpaces): number[] {
  return id !== null && spaces.index(id.space).areIntegers ? [id.column] : [];
}
