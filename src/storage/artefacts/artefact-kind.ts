/**
 * The contract of all kinds of artefacts (B9; docs/storage-format.md, "Artefacts"). A kind says which artefacts it
 * wants over files of a table and what their pages mean; when they are built, uploaded, covered, copied, collected and
 * inspected is the same for all.
 *
 * Entries of an artefact are about live rows of the files that it covers, of several versions of a row the latest among
 * these files. Rows are known by their positions (`CoveredRows`), so that whoever has read the files, or a part of
 * them, finds them without a look at ordinals.
 */
import type { ArtefactReader, ArtefactRecord, Catalog, ManifestArtefact } from '../api.ts';
import type { CoveredFiles, CoveredRows } from './covered-rows.ts';

/** A kind of artefact. */
export interface ArtefactKind {
  /** Unique among kinds, for ever. */
  readonly name: string;
  /** The version of its pages and directories. An artefact of another version is not read, and is built anew by the next compaction. */
  readonly version: number;
  /** It pays from so many times the rows on from which other artefacts do. Absent: once. */
  readonly rowsFactor?: number;
  /**
   * Returns the subjects of the artefacts that should cover the files, each as JSON gives it back. Depends on nothing
   * but what the manifest says.
   */
  subjects(covered: CoveredFiles, catalog: Catalog): readonly ArtefactRecord[];
  /**
   * Reads the rows, as often as it needs them, and hands over the pages as they are made. Returns the directory of the
   * artefact. In bounded memory; CORRUPTION: a file is damaged.
   */
  build(subject: ArtefactRecord, rows: CoveredRows, pages: PageSink): Promise<ArtefactRecord>;
  /** CORRUPTION: what its pages hold cannot be, though every checksum is right. */
  verify(reader: ArtefactReader): Promise<void>;
  /** Returns one line for a person: how many entries of what. */
  describe(artefact: ManifestArtefact): string;
}

/** Takes the pages of one artefact while they are made. */
export interface PageSink {
  /** Begins a sequence of pages. Pages are numbered through all sequences, in the order in which these were begun. */
  begin(): PageSequence;
}

/** Pages of one kind, in their order. */
export interface PageSequence {
  /** How many pages it has so far. */
  readonly pageCount: number;
  /**
   * Takes a page of at most `LARGEST_PAGE_BYTES`, which belongs to the sink. All pages of an artefact have a fence key,
   * or none has. Resolves when the sink can take more.
   */
  add(page: Uint8Array, fence?: string): Promise<void>;
}

/** The most bytes of a page. */
export const LARGEST_PAGE_BYTES = 256 * 2 ** 10;
