/** The options of an export, and its result. */
import type { ResultValue } from '../../value/index.ts';

/** The formats of exports. */
export const EXPORT_FORMATS = ['parquet', 'csv', 'ndjson', 'cypher', 'graphml', 'gexf', 'dot'] as const;

/** A format of exports. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** True: a graph becomes one file of nodes and relationships, and so do those that rows hold. */
export function isGraphFormat(format: ExportFormat): format is GraphFormat {
  return format === 'cypher' || format === 'graphml' || format === 'gexf' || format === 'dot';
}

/** A format that holds a whole graph in one file. */
export type GraphFormat = 'cypher' | 'graphml' | 'gexf' | 'dot';

/** How files are packed; Parquet packs its own pages. */
export type Packing = 'none' | 'gzip' | 'zstd';

const PACKING_ENDINGS: Readonly<Record<string, Packing>> = { gz: 'gzip', zst: 'zstd' };
const FORMAT_ENDINGS: Readonly<Record<string, ExportFormat>> = { jsonl: 'ndjson', cql: 'cypher', gv: 'dot' };

/** The format of an export and its ending. */
export interface ExportTarget {
  readonly format: ExportFormat;
  readonly packing: Packing;
  /** The ending of its files, without the first point: `csv.gz`. */
  readonly ending: string;
}

/** From `csv`, `csv.gz`, `rows.ndjson.zst`: what stands after the last one or two points. Null: no such format. */
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
  /** A folder for a graph as Parquet, CSV or NDJSON (it must be empty, or not there); else a file, or `-` for `output`. */
  readonly to: string;
  /** Where `-` leads. */
  readonly output: NodeJS.WritableStream;
  /** The delimiter of CSV. */
  readonly delimiter: string;
  readonly arrayDelimiter: string;
  /** `CANCELLED` when it is aborted; what was written is removed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The progress of an export. */
export interface ExportProgress {
  readonly phase: 'looking' | 'writing';
  /** Nodes and relationships, or rows of a result, in this phase. */
  readonly rows: number;
  /** 0: not known. */
  readonly rowsTotal: number;
}

/** A file that was exported. */
export interface ExportedFile {
  readonly path: string;
  readonly rows: number;
  /** As it lies on disk. */
  readonly bytes: number;
}

/** The result of an export. */
export interface ExportSummary {
  readonly nodes: number;
  readonly relationships: number;
  /** The number of rows of a query's result. */
  readonly rows: number;
  readonly files: readonly ExportedFile[];
  /** Sentences for people on data that the format carries in another form, or not at all. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
}

/** A query's result as it comes. */
export interface RowSource {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly ResultValue[])[]>;
}
