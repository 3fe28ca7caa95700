/**
 * A graph, or a query's result, to files.
 *
 * A graph as Parquet, CSV or NDJSON becomes a folder: one file per label set and per type (NDJSON: one of nodes, one of relationships), which `graphdb import --from` reads, and `schema.cypher` with
 * the statements that make its indexes and constraints. As Cypher or GraphML it becomes one file. Formats with typed columns read the graph twice: first for the types.
 * Memory holds some thousand rows at a time. An export that fails leaves no file behind.
 */
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphDBError } from '../../base/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { Node, Relationship } from '../../value/index.ts';
import type { ExportedFile, ExportOptions, ExportProgress, ExportSummary, RowSource } from './api.ts';
import { CsvTable } from './formats/csv.ts';
import { CypherScript } from './formats/cypher.ts';
import { GraphmlFile } from './formats/graphml.ts';
import { NdjsonTable } from './formats/ndjson.ts';
import { ParquetTable } from './formats/parquet.ts';
import { writeRows } from './formats/rows.ts';
import { type GraphSource, graphOfRows, wholeGraph } from './graph-source.ts';
import { OutputFile, unwritable } from './output-file.ts';
import { findTableShapes, nodeTableKey, relationshipTableKey, type TableShape, type TableShapes } from './table-shapes.ts';
import type { GraphTableWriter } from './table-writer.ts';

/**
 * Everything that the engine sees; open it for reading, so that it sees one snapshot throughout. ARGUMENT_ERROR: a file or folder that cannot be written; UNSUPPORTED: something that the format
 * cannot carry; CANCELLED: the signal.
 */
export async function exportGraph(engine: Engine, options: ExportOptions): Promise<ExportSummary> {
  const startedAt = performance.now();
  return new GraphExport(options, await wholeGraph(engine, options.signal)).run(startedAt);
}

/** A query's result: its rows, or as Cypher and GraphML the nodes and relationships that they hold. */
export async function exportRows(source: RowSource, options: ExportOptions): Promise<ExportSummary> {
  const startedAt = performance.now();
  if (options.format === 'cypher' || options.format === 'graphml') {
    const graph = await graphOfRows(source);
    const summary = await new GraphExport(options, graph).run(startedAt);
    if (graph.leftOut === 0) return summary;
    const note = `${graph.leftOut} relationships were left out, because the result does not hold both of their nodes; return these too`;
    return { ...summary, notes: [...summary.notes, note] };
  }
  const output = openFile(options, options.to);
  let rows = 0;
  try {
    await writeRows(source, options, output, (count) => {
      rows += count;
      options.onProgress?.({ phase: 'writing', rows, rowsTotal: 0 });
    });
    const file = await output.finish();
    return { nodes: 0, relationships: 0, rows, files: [file], notes: [], elapsedMs: performance.now() - startedAt };
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

function openFile({ packing, output }: ExportOptions, path: string): OutputFile {
  return path === '-' ? OutputFile.over(output, packing) : OutputFile.create(path, packing);
}

/** One export of a graph under way. */
class GraphExport {
  readonly #options: ExportOptions;
  readonly #source: GraphSource;
  readonly #notes = new Set<string>();
  #files: OutputFile[] = [];
  readonly #finished: ExportedFile[] = [];
  #folder: string | null = null;
  #phase: ExportProgress['phase'] = 'writing';
  #rows = 0;

  constructor(options: ExportOptions, source: GraphSource) {
    this.#options = options;
    this.#source = source;
  }

  async run(startedAt: number): Promise<ExportSummary> {
    try {
      await this.#write();
      const { nodeCount: nodes, relationshipCount: relationships } = this.#source;
      return { nodes, relationships, rows: 0, files: this.#finished, notes: [...this.#notes], elapsedMs: performance.now() - startedAt };
    } catch (error) {
      await this.#abandon();
      throw error;
    }
  }

  async #write(): Promise<void> {
    switch (this.#options.format) {
      case 'cypher':
        return this.#writeCypher();
      case 'graphml':
        return this.#writeGraphml();
      case 'ndjson':
        return this.#writeNdjson();
      default:
        return this.#writeTables();
    }
  }

  async #writeCypher(): Promise<void> {
    const output = this.#open(this.#options.to);
    const script = new CypherScript(output);
    for (const statement of this.#source.schema) script.statement(statement);
    await this.#copy(
      () => script,
      () => script,
    );
    await script.finish();
    await this.#finish(output);
  }

  async #writeGraphml(): Promise<void> {
    const { nodes, relationships } = await this.#shapes();
    const output = this.#open(this.#options.to);
    const file = new GraphmlFile(output, tablesOf(nodes), tablesOf(relationships));
    await this.#copy(
      () => file,
      () => file,
    );
    await file.finish();
    await this.#finish(output);
    this.#notes.add(
      'GraphML has no type for temporal values, lists, Bytes and vectors: they stand as text; and no indexes and constraints',
    );
    if (file.replaced > 0) this.#notes.add(`${file.replaced} control characters, which XML cannot hold, became U+FFFD`);
  }

  async #writeNdjson(): Promise<void> {
    await this.#makeFolder();
    const outputs = [this.#open(this.#path('nodes')), this.#open(this.#path('relationships'))] as const;
    const [nodes, relationships] = outputs.map((output) => new NdjsonTable(output)) as [NdjsonTable, NdjsonTable];
    await this.#copy(
      () => nodes,
      () => relationships,
    );
    for (const output of outputs) await this.#finish(output);
    await this.#writeSchema();
  }

  async #writeTables(): Promise<void> {
    const { nodes, relationships } = await this.#shapes();
    if (this.#options.format === 'csv') this.#noteJson([...tablesOf(nodes), ...tablesOf(relationships)]);
    await this.#makeFolder();
    const nodeWriters = this.#writers(nodes);
    await this.#copyNodes((node) => nodeWriters.of(nodeTableKey(node)));
    await nodeWriters.finish();
    const relationshipWriters = this.#writers(relationships);
    await this.#copyRelationships((relationship) => relationshipWriters.of(relationshipTableKey(relationship)));
    await relationshipWriters.finish();
    await this.#writeSchema();
  }

  #writers(tables: TableShapes): { of: (key: string) => GraphTableWriter; finish: () => Promise<void> } {
    const open = new Map<TableShape, { writer: GraphTableWriter; output: OutputFile }>();
    for (const table of tablesOf(tables)) {
      const output = this.#open(this.#path(table.name));
      const writer = this.#options.format === 'csv' ? new CsvTable(output, table, this.#options) : new ParquetTable(output, table);
      open.set(table, { writer, output });
    }
    return {
      of: (key) => open.get(tables.get(key) as TableShape)!.writer, // The first pass saw every key.
      finish: async () => {
        for (const { writer, output } of open.values()) {
          await writer.finish();
          await this.#finish(output);
        }
      },
    };
  }

  #noteJson(tables: readonly TableShape[]): void {
    for (const { name, properties } of tables) {
      for (const [key, shape] of properties) {
        if (shape.csvType !== 'json') continue;
        this.#notes.add(
          `${name}: CSV has no type for all values of ${JSON.stringify(key)}: they stand as JSON (${key}:json), which graphdb import reads back and neo4j-admin does not`,
        );
      }
    }
  }

  async #shapes(): Promise<{ nodes: TableShapes; relationships: TableShapes }> {
    this.#phase = 'looking';
    const shapes = await findTableShapes(this.#source, this.#options.arrayDelimiter, (count) => this.#report(count));
    this.#phase = 'writing';
    this.#rows = 0;
    return shapes;
  }

  async #copy(nodes: () => GraphTableWriter, relationships: () => GraphTableWriter): Promise<void> {
    await this.#copyNodes(nodes);
    await this.#copyRelationships(relationships);
  }

  async #copyNodes(writerOf: (node: Node) => GraphTableWriter): Promise<void> {
    for await (const batch of this.#source.nodes()) {
      for (const run of runs(batch, writerOf)) await run.writer.nodes(run.items);
      this.#report(batch.length);
    }
  }

  async #copyRelationships(writerOf: (relationship: Relationship) => GraphTableWriter): Promise<void> {
    for await (const batch of this.#source.relationships()) {
      for (const run of runs(batch, writerOf)) await run.writer.relationships(run.items);
      this.#report(batch.length);
    }
  }

  async #writeSchema(): Promise<void> {
    if (this.#source.schema.length === 0) return;
    const output = OutputFile.create(join(this.#options.to, 'schema.cypher'), 'none');
    this.#files.push(output);
    for (const statement of this.#source.schema) output.text(`${statement};\n`);
    output.rows = this.#source.schema.length;
    await this.#finish(output);
  }

  #report(count: number): void {
    if (this.#options.signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the export was stopped; its files are removed');
    this.#rows += count;
    this.#options.onProgress?.({
      phase: this.#phase,
      rows: this.#rows,
      rowsTotal: this.#source.nodeCount + this.#source.relationshipCount,
    });
  }

  #path(name: string): string {
    return join(this.#options.to, `${name}.${this.#options.ending}`);
  }

  #open(path: string): OutputFile {
    const output = openFile(this.#options, path);
    this.#files.push(output);
    return output;
  }

  async #finish(output: OutputFile): Promise<void> {
    this.#finished.push(await output.finish());
  }

  /** What else lies in the folder would be taken for a part of the graph. */
  async #makeFolder(): Promise<void> {
    const { to } = this.#options;
    try {
      if ((await mkdir(to, { recursive: true })) !== undefined) this.#folder = to;
      if ((await readdir(to)).length === 0) return;
    } catch (error) {
      throw unwritable(to, error);
    }
    throw new GraphDBError('ARGUMENT_ERROR', `the folder ${to} is not empty; name one that is, or that is not there`);
  }

  async #abandon(): Promise<void> {
    for (const file of this.#files) await file.abandon();
    this.#files = [];
    if (this.#folder !== null) await rmdir(this.#folder).catch(() => {});
  }
}

function tablesOf(tables: TableShapes): readonly TableShape[] {
  return [...new Set(tables.values())];
}

/** Neighbours that go to one writer. */
function* runs<T>(
  items: readonly T[],
  writerOf: (item: T) => GraphTableWriter,
): Generator<{ writer: GraphTableWriter; items: readonly T[] }> {
  for (let from = 0; from < items.length; ) {
    const writer = writerOf(items[from] as T);
    let to = from + 1;
    while (to < items.length && writerOf(items[to] as T) === writer) to++;
    yield { writer, items: items.slice(from, to) };
    from = to;
  }
}
