/** The options of an import, and its result. */
import type { Logger } from '../base/index.ts';

/** One `--nodes`: files of one format. CSV files share one header, which is the first line of the first file. */
export interface NodeInput {
  /** Labels that every node of these files gets, beside those of a `:LABEL` column. */
  readonly labels: readonly string[];
  readonly files: readonly string[];
}

/** One `--relationships`: files of one format, with a header as in `NodeInput`. */
export interface RelationshipInput {
  /** The type of rows that have none in a `:TYPE` column. */
  readonly type?: string;
  readonly files: readonly string[];
}

/** How the ids of a space name existing nodes: nodes with a label by the value of a key, or any node by its internal identifier. */
export interface MergeKey {
  /** The id space; null: the one that is named like the label, or the unnamed one. */
  readonly space: string | null;
  /** Null: any node, by its internal identifier; the key is then `_id`. */
  readonly label: string | null;
  readonly key: string;
}

/** The type of the ids of a space. */
export type IdType = 'string' | 'integer';

/** The options of an import. */
export interface ImportOptions {
  /** Storage URI of the namespace to import into. */
  readonly store: string;
  readonly nodes: readonly NodeInput[];
  readonly relationships: readonly RelationshipInput[];
  /** The delimiter of CSV: one ASCII character, `\t` or `TAB`. Default: a comma. */
  readonly delimiter?: string;
  /** The delimiter between elements of lists and between labels. Default: a semicolon. */
  readonly arrayDelimiter?: string;
  /** The quote character of CSV. Default: `"`. */
  readonly quote?: string;
  /** The type of ids in spaces whose headers name none. Default: `string`. */
  readonly idType?: IdType;
  /**
   * Allows an import into a namespace that holds data. A row of a node whose id an existing node has updates that node,
   * and relationships may name existing nodes. Without it the namespace must be empty.
   */
  readonly mergeOn?: readonly MergeKey[];
  /** Statements that create indexes and constraints. They apply to everything that was loaded, and are published with it. */
  readonly schema?: readonly string[];
  /**
   * Called for each column of CSV whose header names no type: the column gets the type that its first values have.
   * Without this option such columns hold strings.
   */
  readonly onGuess?: (guessed: GuessedColumn) => void;
  /** Leave bad rows out and count them. Without it the first bad row ends the import; a dry run reports all of them at its end. */
  readonly skipBadRows?: boolean;
  /** Read and check everything, but write nothing. */
  readonly dryRun?: boolean;
  /** About how many bytes of rows gather in memory before they are written as a file; at most some three times as much is held. */
  readonly bufferBytes?: number;
  /**
   * How many threads read and sort beside the calling one, which waits until they have started; 0: none. Default: one
   * for each core but that of the calling thread where files are large, which join in once they have started; otherwise
   * none.
   */
  readonly threads?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import with CANCELLED when it is aborted; then nothing is loaded. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
}

/** A column of a file with the type that was guessed for it, as a header writes it. */
export interface GuessedColumn {
  readonly file: string;
  readonly column: string;
  readonly type: string;
}

/** The progress of an import. */
export interface ImportProgress {
  /** The present phase. `finding`: a constraint is broken, and the files are read again to find the row that breaks it. */
  readonly phase: 'nodes' | 'relationships' | 'writing' | 'finding';
  readonly nodes: number;
  readonly nodesUpdated: number;
  readonly relationships: number;
  readonly badRows: number;
  /** Bytes of the input files, as they are stored on disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** A row that could not be loaded. */
export interface BadRow {
  readonly file: string;
  /** The line at which the row begins, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** The result of an import. */
export interface ImportSummary {
  /** The number of new nodes. */
  readonly nodes: number;
  /** The number of existing nodes that a row has matched. */
  readonly nodesUpdated: number;
  readonly relationships: number;
  readonly badRows: number;
  /** The first of the bad rows. */
  readonly badRowSamples: readonly BadRow[];
  readonly bytesRead: number;
  readonly files: number;
  readonly bytesWritten: number;
  /** The version of the published manifest; null for a dry run. */
  readonly manifestVersion: number | null;
  readonly elapsedMs: number;
}
