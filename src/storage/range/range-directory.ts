/** The directory of a range index. */
import type { ArtefactReader } from '../api.ts';
import { Place } from '../json-place.ts';

/** The name of this kind of artefact. */
export const RANGE = 'range';

/** The version of this kind of artefact. */
export const RANGE_VERSION = 1;

/** The directory of a range index. */
export interface RangeDirectory {
  /** The number of rows of the files, live or not. */
  readonly rows: number;
  /** The number of entries: live rows that have a value for every key. */
  readonly entries: number;
  /** The number of entries whose keys were cut. */
  readonly cutKeys: number;
}

/** Parses the directory of an artefact. @throws CORRUPTION when it is not that of a range index */
export function parseRangeDirectory(reader: ArtefactReader): RangeDirectory {
  const { files, id, directory: json } = reader.artefact;
  const place = new Place(null, files[0]?.key ?? id, json);
  const directory = {
    rows: place.member('rows').count(),
    entries: place.member('entries').count(),
    cutKeys: place.member('cutKeys').count(),
  };
  const { rows, entries, cutKeys } = directory;
  return entries <= rows && cutKeys <= entries && entries > 0 === reader.pageCount > 0
    ? directory
    : place.fail('one whose entries are rows of the files');
}

/** Returns the property keys of the index, in its order. @throws CORRUPTION when it names none */
export function keysOf(reader: Pick<ArtefactReader, 'artefact'>): string[] {
  const { files, id, subject } = reader.artefact;
  const place = new Place(null, files[0]?.key ?? id, subject).member('keys');
  const keys = place.list((key) => key.name());
  return keys.length > 0 ? keys : place.fail('a list of property keys');
}
