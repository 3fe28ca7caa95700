/** The options of an export, and its result. */
import type { ResultValue } from '../../value/index.ts';

/** The formats of exports. */
export const EXPORT_FORMATS = ['parquet', 'csv', 'ndjson', 'cypher', 'graphml', 'gexf', 'dot'] as const;

/** A format of exports. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Tells whether a format holds nodes and relationships in one file, whether they come from a graph or from rows of a query. */
export function isGraphFormat(format: ExportFormat): format is GraphFormat {
  return format === 'cypher' || format === 'graphml' || format === 'gexf' || format === 'dot';
}

/** A format that holds a whole graph in one file. */
export type GraphFormat = 'cypher' | 'graphml' | 'gexf' | 'dot';

/** How files are compressed; Parquet compresses its own pages. */
export type Packing = 'none' | 'gzip' | 'zstd';

const PACKING_ENDINGS: Readonly<Record<string, Packing>> = { gz: 'gzip', zst: 'zstd' };
const FORMAT_ENDINGS: Readonly<Record<string, ExportFormat>> = { jsonl: 'ndjson', cql: 'cypher', gv: 'dot' };

/** The format of an export, its compression, and the ending of its files. */
export interface ExportTarget {
  readonly format: ExportFormat;
  readonly packing: Packing;
  /** The ending of the files, without the first point, such as `csv.gz`. */
  readonly ending: string;
}

/** Reads a format from a file name or an ending (`csv`, `csv.gz`, `rows.ndjson.zst`); null: there is no such format. */
export function parseExportFormat(text: string): ExportTarget | null {
  const parts = text.toLowerCase().split('.');
  const packing = PACKING_ENDINGS[parts.at(-1) ?? ''] ?? 'none';
  const name = (packing === 'none' ? parts.at(-1) : parts.at(-2)) ?? '';
  const format = FORMAT_ENDINGS[name] ?? EXPORT_FORMATS.find((each) => each === name);
  if (format === undefined || (format === 'parquet' && packing !== 'none')) return null;
  return { format, packing, ending: packing === 'none' ? name : `${name}.${parts.at(-1)}` };
}

/** The options of an export. */
export interface ExportOptions extends ExportTarget {
  /** For a graph as Parquet, CSV or NDJSON a folder, which must be empty or not exist; else a file, or `-` for `output`. */
  readonly to: string;
  /** The stream that is written to when `to` is `-`. */
  readonly output: NodeJS.WritableStream;
  /** The delimiter of CSV. */
  readonly delimiter: string;
  readonly arrayDelimiter: string;
  /** Ends the export with CANCELLED when it is aborted; files that were written are removed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The progress of an export. */
export interface ExportProgress {
  readonly phase: 'looking' | 'writing';
  /** How many nodes and relationships, or rows of a result, this phase has done. */
  readonly rows: number;
  /** How many rows this phase has in all; 0: not known. */
  readonly rowsTotal: number;
}

/** A file that was exported. */
export interface ExportedFile {
  readonly path: string;
  readonly rows: number;
  /** The size of the file on disk in bytes; 0 for standard output. */
  readonly bytes: number;
}

/** The result of an export. */
export interface ExportSummary {
  readonly nodes: number;
  readonly relationships: number;
  /** The number of rows of a query's result. */
  readonly rows: number;
  readonly files: readonly ExportedFile[];
  /** Sentences for users about data that the format holds in another form, or not at all. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
}

/** The result of a query, as it arrives. */
export interface RowSource {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly ResultValue[])[]>;
}
