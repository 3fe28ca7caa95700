/**
 * Exports a graph, or a query's result, to files.
 *
 * A graph as Parquet, CSV or NDJSON becomes a folder: one file per label set and per type (NDJSON: one of nodes, one of
 * relationships), which `graphdb import --from` reads, and `schema.cypher` with the statements that make its indexes
 * and constraints. As Cypher, GraphML, GEXF or DOT it becomes one file. Files are written from the columns of the
 * store, batch by batch; only tables with columns whose values have no type in common are read twice where a format has
 * typed columns. An export that fails leaves no file behind.
 */
import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphDBError, type Logger, monotonicMs, unreachable } from '../../base/index.ts';
import { makeFolders } from '../../object-store/index.ts';
import {
  type ExportedFile,
  type ExportOptions,
  type ExportProgress,
  type ExportSummary,
  type GraphFormat,
  isGraphFormat,
  type RowSource,
} from './api.ts';
import type { EntityWriter } from './entity-writer.ts';
import { type ExportedTable, exportedTables } from './exported-table.ts';
import { CsvTable } from './formats/csv.ts';
import { CypherScript } from './formats/cypher.ts';
import { DotFile } from './formats/dot.ts';
import { GexfFile } from './formats/gexf.ts';
import { GraphmlFile } from './formats/graphml.ts';
import { NdjsonTable } from './formats/ndjson.ts';
import { ParquetTable } from './formats/parquet.ts';
import { writeRows } from './formats/rows.ts';
import { type GraphSource, graphOfRows, storedSource } from './graph-source.ts';
import { OutputFile, unwritable } from './output-file.ts';
import { StoredGraph, type StoredTable } from './stored-graph.ts';
import type { TableFile } from './table-file.ts';

/** The store that is exported. */
export interface StoreToExport {
  /** Storage URI. The store is only read, as it is when the export begins. */
  readonly store: string;
  /** A retained manifest version: exports what was in SSTs then. */
  readonly version?: number | undefined;
  readonly logger?: Logger;
}

/**
 * Exports a graph.
 *
 * @throws ARGUMENT_ERROR for a file or folder that cannot be written, UNSUPPORTED for data that the format cannot hold
 * @throws NOT_FOUND when there is no such namespace, CANCELLED when the signal is aborted
 * @throws STORE_UNAVAILABLE for faults of the store or of the disk that is written to, such as a full one
 * @throws CORRUPTION for damaged data in the store
 */
export async function exportGraph({ store, version, logger }: StoreToExport, options: ExportOptions): Promise<ExportSummary> {
  const startedAt = monotonicMs();
  const graph = await StoredGraph.open(store, { version, logger, signal: options.signal });
  try {
    const script = isGraphFormat(options.format);
    return await new GraphExport(options, storedSource(graph), script ? null : graph).run(startedAt);
  } finally {
    await graph.close();
  }
}

/** Exports a query's result: its rows, or for Cypher, GraphML, GEXF and DOT the nodes and relationships in them. */
export async function exportRows(source: RowSource, options: ExportOptions): Promise<ExportSummary> {
  const startedAt = monotonicMs();
  if (isGraphFormat(options.format)) {
    const graph = await graphOfRows(source);
    const summary = await new GraphExport(options, graph, null).run(startedAt);
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
    await output.finish();
    const file = await output.publish();
    return { nodes: 0, relationships: 0, rows, files: [file], notes: [], elapsedMs: monotonicMs() - startedAt };
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
  /** The graph whose tables are exported column by column; null: nodes and relationships are exported one by one. */
  readonly #stored: StoredGraph | null;
  readonly #notes = new Set<string>();
  #files: OutputFile[] = [];
  readonly #published: ExportedFile[] = [];
  #folder: string | null = null;
  #phase: ExportProgress['phase'] = 'writing';
  #rows = 0;

  constructor(options: ExportOptions, source: GraphSource, stored: StoredGraph | null) {
    this.#options = options;
    this.#source = source;
    this.#stored = stored;
  }

  async run(startedAt: number): Promise<ExportSummary> {
    try {
      await this.#write();
      // Files get their names only now: an export that is killed leaves files that end in `.part`.
      for (const file of this.#files) this.#published.push(await file.publish());
      const { nodeCount: nodes, relationshipCount: relationships } = this.#source;
      return { nodes, relationships, rows: 0, files: this.#published, notes: [...this.#notes], elapsedMs: monotonicMs() - startedAt };
    } catch (error) {
      await this.#abandon();
      throw error;
    }
  }

  async #write(): Promise<void> {
    const { format } = this.#options;
    if (isGraphFormat(format)) return this.#writeEntities(format);
    const stored = this.#stored!;
    return format === 'ndjson' ? this.#writeNdjson(stored) : this.#writeTables(stored);
  }

  async #writeEntities(format: GraphFormat): Promise<void> {
    switch (format) {
      case 'cypher': {
        const output = this.#open(this.#options.to);
        const script = new CypherScript(output);
        for (const statement of this.#source.schema) script.statement(statement);
        await this.#copyEntities(script);
        return output.finish();
      }
      case 'dot': {
        const output = this.#open(this.#options.to);
        await this.#copyEntities(new DotFile(output));
        this.#notes.add('DOT has no types: all properties stand as text, and no indexes and constraints');
        return output.finish();
      }
      case 'graphml':
      case 'gexf': {
        const { nodes, relationships } = await this.#looking((report) => this.#source.shapes(report));
        const output = this.#open(this.#options.to);
        const file = format === 'gexf' ? new GexfFile(output, nodes, relationships) : new GraphmlFile(output, nodes, relationships);
        await this.#copyEntities(file);
        await output.finish();
        const name = format === 'gexf' ? 'GEXF' : 'GraphML';
        this.#notes.add(
          `${name} has no type for temporal values, lists, Bytes and vectors: they stand as text; and no indexes and constraints`,
        );
        const { replaced } = file.xml;
        if (replaced > 0) this.#notes.add(`${replaced} control characters, which XML cannot hold, became U+FFFD`);
        return;
      }
      default:
        return unreachable(format, 'format of a graph');
    }
  }

  async #copyEntities(writer: EntityWriter): Promise<void> {
    await this.#source.eachNode(async (nodes) => {
      await writer.nodes(nodes);
      this.#report(nodes.length);
    });
    await this.#source.eachRelationship(async (relationships) => {
      await writer.relationships(relationships);
      this.#report(relationships.length);
    });
    await writer.finish();
  }

  async #writeNdjson(graph: StoredGraph): Promise<void> {
    await this.#makeFolder();
    for (const [name, tables] of [
      ['nodes', graph.nodes],
      ['relationships', graph.relationships],
    ] as const) {
      const output = this.#open(this.#path(name));
      await this.#copyTables(graph, tables, new NdjsonTable(output, graph.ids));
      await output.finish();
    }
    await this.#writeSchema();
  }

  async #writeTables(graph: StoredGraph): Promise<void> {
    const { arrayDelimiter, format } = this.#options;
    const tables = await this.#looking(async (report) => [
      ...(await exportedTables(graph.nodes, arrayDelimiter, report)),
      ...(await exportedTables(graph.relationships, arrayDelimiter, report)),
    ]);
    if (format === 'csv') this.#noteJson(tables);
    await this.#makeFolder();
    for (const table of tables) {
      const output = this.#open(this.#path(table.name));
      const file = format === 'csv' ? new CsvTable(output, table, graph.ids, this.#options) : new ParquetTable(output, table, graph.ids);
      await this.#copyTables(graph, table.tables, file);
      await output.finish();
    }
    await this.#writeSchema();
  }

  async #copyTables({ ids }: StoredGraph, tables: readonly StoredTable[], file: TableFile): Promise<void> {
    for (const table of tables) {
      await table.scan(async (batch) => {
        if (table.kind === 'nodes') ids.add(batch);
        await file.write(table, batch);
        this.#report(batch.rows);
      });
    }
    await file.finish();
  }

  #noteJson(tables: readonly ExportedTable[]): void {
    for (const { name, properties } of tables) {
      for (const [key, shape] of properties) {
        if (shape.csvType !== 'json') continue;
        this.#notes.add(
          `${name}: CSV has no type for all values of ${JSON.stringify(key)}: they stand as JSON (${key}:json), which graphdb ` +
            'import reads back and neo4j-admin does not',
        );
      }
    }
  }

  async #looking<T>(work: (report: (rows: number) => void) => Promise<T>): Promise<T> {
    this.#phase = 'looking';
    const found = await work((rows) => this.#report(rows));
    this.#phase = 'writing';
    this.#rows = 0;
    return found;
  }

  async #writeSchema(): Promise<void> {
    // An empty graph has this file too, since an import does not recognize a folder without any file.
    if (this.#source.schema.length === 0 && this.#files.length > 0) return;
    const output = OutputFile.create(join(this.#options.to, 'schema.cypher'), 'none');
    this.#files.push(output);
    for (const statement of this.#source.schema) output.text(`${statement};\n`);
    output.rows = this.#source.schema.length;
    await output.finish();
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

  /** Makes the folder. It must be empty, since an import would take other files in it for a part of the graph. */
  async #makeFolder(): Promise<void> {
    const { to } = this.#options;
    try {
      if ((await makeFolders(to)) !== undefined) this.#folder = to;
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
