/**
 * The contract of all kinds of artefacts (B9; docs/storage-format.md, "Artefacts"). A kind says which artefacts it wants over a table and what their pages mean; when they are built, merged, uploaded,
 * covered, copied, collected and inspected is the same for all.
 *
 * Entries of an artefact are about live rows of the files that it covers, of several versions of a row the latest among these files. Rows are known by their ordinals, so that whoever reads can take away
 * those that later files replace.
 */
import type { ArtefactReader, ArtefactRecord, Catalog, ManifestArtefact, SstTable, TableName } from '../api.ts';

export interface ArtefactKind {
  /** Unique among kinds, for ever. */
  readonly name: string;
  /** Of what its pages and directories hold. An artefact of another version is not read, and is built anew by the next compaction. */
  readonly version: number;
  /** Returns the subjects of the artefacts that the table should have, each as JSON gives it back. */
  subjects(table: TableName, catalog: Catalog): readonly ArtefactRecord[];
  /** Begins an artefact over rows that are handed over next. */
  build(subject: ArtefactRecord): ArtefactBuilder;
  /**
   * Makes one artefact of several, whose files have been merged. The outcome answers like one that is built from the merged rows: it leaves out entries whose rows a later input replaces.
   * CORRUPTION: an input is damaged; it is built from the rows instead.
   */
  merge(subject: ArtefactRecord, inputs: readonly MergeInput[]): Promise<ArtefactContent>;
  /** CORRUPTION: what its pages hold cannot be, though every checksum is right. */
  verify(reader: ArtefactReader): Promise<void>;
  /** Returns one line for a person: how many entries of what. */
  describe(artefact: ManifestArtefact): string;
}

export interface ArtefactBuilder {
  /** Takes live rows; each ordinal comes once. The batch belongs to the caller. */
  add(batch: SstTable): void;
  finish(): ArtefactContent;
}

/** What an artefact holds, before it has a name. */
export interface ArtefactContent {
  /** Of at most `LARGEST_PAGE_BYTES` each. */
  readonly pages: readonly Uint8Array[];
  readonly directory: ArtefactRecord;
}

/** An artefact to be merged; inputs come oldest first. */
export interface MergeInput {
  readonly reader: ArtefactReader;
  /** Whether a file of a later input has a row, or a tombstone, with this ordinal. */
  readonly isReplaced: (ordinal: number) => boolean;
}

export const LARGEST_PAGE_BYTES = 256 * 2 ** 10;
