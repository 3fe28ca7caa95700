/** The options of an import, and its result. */
import type { Logger } from '../base/index.ts';

/** One `--nodes`: files of one format; CSV files share one header, the first line of the first file. */
export interface NodeInput {
  /** Given to every node of these files, beside those of a `:LABEL` column. */
  readonly labels: readonly string[];
  readonly files: readonly string[];
}

/** One `--relationships`. */
export interface RelationshipInput {
  /** The type of rows that name none in a `:TYPE` column. */
  readonly type?: string;
  readonly files: readonly string[];
}

/** Which nodes the ids of a space name: those with the label, by the value of the key. */
export interface MergeKey {
  /** Null: the space that is named like the label, or the unnamed one. */
  readonly space: string | null;
  /** Null: any node, by its internal identifier; the key is `_id` then. */
  readonly label: string | null;
  readonly key: string;
}

/** The type of ids. */
export type IdType = 'string' | 'integer';

/** The options of an import. */
export interface ImportOptions {
  /** Storage URI. */
  readonly store: string;
  readonly nodes: readonly NodeInput[];
  readonly relationships: readonly RelationshipInput[];
  /** One ASCII character, `\t` or `TAB`. Default: a comma. */
  readonly delimiter?: string;
  /** Between the elements of lists and between labels. Default: a semicolon. */
  readonly arrayDelimiter?: string;
  /** Default: `"`. */
  readonly quote?: string;
  /** The type of id spaces whose headers say nothing. Default: `string`. */
  readonly idType?: IdType;
  /**
   * Add to a namespace that holds data. Rows of nodes whose id a node has already update that node, and relationships
   * may name such nodes. Without it the namespace must be empty.
   */
  readonly mergeOn?: readonly MergeKey[];
  /** Statements that create indexes and constraints, carried out over everything loaded, and published with it. */
  readonly schema?: readonly string[];
  /**
   * Give columns of CSV whose headers name no type the type that their first values have, and tell of each. Without it
   * they hold strings.
   */
  readonly onGuess?: (guessed: GuessedColumn) => void;
  /** Leave bad rows out and count them; without it the first one ends the import. A dry run tells of all of them at its end. */
  readonly skipBadRows?: boolean;
  /** Read and check everything, and write nothing. */
  readonly dryRun?: boolean;
  /** Rows gather in memory up to about this size before they are written as a file; at most some three times as much is held. */
  readonly bufferBytes?: number;
  /**
   * That read and sort beside the calling one, which waits until they have started; 0: none. Default: one for each core
   * but that of the calling thread where files are large, joining in once they have started; otherwise none.
   */
  readonly threads?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import with CANCELLED; nothing is loaded then. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
}

/** A column of a file, and the type that it was given, as a header writes it. */
export interface GuessedColumn {
  readonly file: string;
  readonly column: string;
  readonly type: string;
}

/** The progress of an import. */
export interface ImportProgress {
  /** `finding`: a constraint is broken, and the files are read again to say by which row. */
  readonly phase: 'nodes' | 'relationships' | 'writing' | 'finding';
  readonly nodes: number;
  readonly nodesUpdated: number;
  readonly relationships: number;
  readonly badRows: number;
  /** Bytes of the input files as they lie on disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** A row that could not be loaded. */
export interface BadRow {
  readonly file: string;
  /** Where the row begins, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** The result of an import. */
export interface ImportSummary {
  /** New ones. */
  readonly nodes: number;
  /** Nodes that were there and that a row has matched. */
  readonly nodesUpdated: number;
  readonly relationships: number;
  readonly badRows: number;
  /** The first of them. */
  readonly badRowSamples: readonly BadRow[];
  readonly bytesRead: number;
  readonly files: number;
  readonly bytesWritten: number;
  /** Null: a dry run. */
  readonly manifestVersion: number | null;
  readonly elapsedMs: number;
}
