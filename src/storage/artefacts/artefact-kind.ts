/**
 * The contract of all kinds of artefacts (B9; docs/storage-format.md, "Artefacts"). A kind says which artefacts it
 * wants over files of a table, and what their pages mean; building, uploading, coverage, copies, collection and
 * inspection are common to all kinds.
 *
 * Entries of an artefact are about live rows of the files that it covers, of several versions of a row the latest among
 * these files. Rows are identified by their positions (`CoveredRows`), so that a reader of the files, or of a part of
 * them, finds the rows without reading ordinals.
 */
import type { ArtefactReader, ArtefactRecord, Catalog, ManifestArtefact } from '../api.ts';
import type { CoveredFiles, CoveredRows } from './covered-rows.ts';

/** A kind of artefact. */
export interface ArtefactKind {
  /** The name, unique among all kinds for ever. */
  readonly name: string;
  /** The format version of pages and directories. The next compaction rebuilds an artefact of another version, unread. */
  readonly version: number;
  /** A factor on the least rows that artefacts must cover (`artefactsFromRows`); 1 when left out. */
  readonly rowsFactor?: number;
  /**
   * Returns the subjects of the artefacts that should cover the files, each as JSON gives it back. Depends only on the
   * content of the manifest.
   */
  subjects(covered: CoveredFiles, catalog: Catalog): readonly ArtefactRecord[];
  /**
   * Builds an artefact: reads the rows as often as it needs them, and adds pages to the sink as they are made, in
   * bounded memory. Returns the directory of the artefact. @throws CORRUPTION when a file is damaged
   */
  build(subject: ArtefactRecord, rows: CoveredRows, pages: PageSink): Promise<ArtefactRecord>;
  /** Checks the content of all pages beyond their checksums. @throws CORRUPTION when it is invalid */
  verify(reader: ArtefactReader): Promise<void>;
  /** Describes an artefact in one line for people, such as the number of its entries. */
  describe(artefact: ManifestArtefact): string;
}

/** Takes the pages of one artefact as they are made. */
export interface PageSink {
  /** Begins a sequence of pages. Pages are numbered through all sequences, in the order in which these were begun. */
  begin(): PageSequence;
}

/** One sequence of pages of an artefact, in order. */
export interface PageSequence {
  /** The number of pages so far. */
  readonly pageCount: number;
  /**
   * Adds a page of at most `LARGEST_PAGE_BYTES`, which belongs to the sink from then on. Either all pages of an
   * artefact have a fence key, or none has. Resolves when the sink can take more.
   */
  add(page: Uint8Array, fence?: string): Promise<void>;
}

/** The most bytes of a page. */
export const LARGEST_PAGE_BYTES = 256 * 2 ** 10;
