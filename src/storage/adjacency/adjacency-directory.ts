/** The directory of an adjacency: the places of its arrays, and the bounds of their elements. */
import type { ArtefactReader } from '../api.ts';
import { Place } from '../json-place.ts';

/** The name of this kind of artefact. */
export const ADJACENCY = 'adjacency';

/** The version of this kind of artefact. */
export const ADJACENCY_VERSION = 1;

/** A direction of an adjacency. */
export type AdjacencyDirection = 'outgoing' | 'incoming';

/** A name of an array. */
export type ArrayName = 'offsets' | 'neighbours' | 'rows';

/** The names of all arrays, in their order in the file. */
export const ARRAY_NAMES: readonly ArrayName[] = ['offsets', 'neighbours', 'rows'];

/** The place of an array: consecutive pages of `pageElements` elements each, of which the last may have fewer. */
export interface PagedArrayPlace {
  readonly length: number;
  readonly firstPage: number;
  readonly pages: number;
}

/**
 * The directory of an adjacency, which describes up to three arrays:
 * - `offsets` has `limit - base + 1` elements: entries of node n are those from `offsets[n - base]` to below `offsets[n
 *   - base + 1]`; other nodes have none.
 * - `neighbours` and `rows` have one element for each entry: the node at the other end, ascending within a node's
 *   entries; and the position of the relationship's row among all rows of the files that the artefact covers, one file
 *   after the other (tombstones and replaced rows counted).
 *
 * `neighbours` and `rows` are left out, for `outgoing` only, when entry e is row e of the files: all rows are live, and
 * in the order of (source, target).
 */
export interface AdjacencyDirectory {
  readonly direction: AdjacencyDirection;
  /** The number of rows of the files, live or not. */
  readonly rows: number;
  /** The number of entries, one for each live row. */
  readonly entries: number;
  /** Whether entry e is row e. */
  readonly isTableOrder: boolean;
  readonly base: number;
  readonly limit: number;
  /** The bounds of the nodes at the other ends; 0 when there are no entries. */
  readonly leastNeighbour: number;
  readonly mostNeighbour: number;
  /** The number of entries of the node that has most. */
  readonly longestList: number;
  /** The number of elements of a full page, a power of two. */
  readonly pageElements: number;
  readonly arrays: { readonly [Name in ArrayName]?: PagedArrayPlace };
}

const MOST_ORDINALS = 2 ** 32;
const MOST_PAGE_ELEMENTS = 2 ** 16;

/** Parses the directory of an artefact. @throws CORRUPTION when it is not that of an adjacency */
export function parseAdjacencyDirectory(reader: ArtefactReader): AdjacencyDirectory {
  const { files, id, directory: json } = reader.artefact;
  const place = new Place(null, files[0]?.key ?? id, json);
  const count = (name: string): number => place.member(name).count();
  const direction = place.member('direction');
  const arrays = place.member('arrays');
  const directory: AdjacencyDirectory = {
    direction: direction.value === 'outgoing' || direction.value === 'incoming' ? direction.value : direction.fail('a direction'),
    rows: count('rows'),
    entries: count('entries'),
    isTableOrder: place.member('isTableOrder').flag(),
    base: count('base'),
    limit: count('limit'),
    leastNeighbour: count('leastNeighbour'),
    mostNeighbour: count('mostNeighbour'),
    longestList: count('longestList'),
    pageElements: count('pageElements'),
    arrays: Object.fromEntries(
      ARRAY_NAMES.flatMap((name) => {
        const array = arrays.optional(name, parsePlace);
        return array === undefined ? [] : [[name, array]];
      }),
    ),
  };
  const fault = faultOf(directory, reader.pageCount);
  return fault === null ? directory : place.fail(fault);
}

function parsePlace(place: Place): PagedArrayPlace {
  return { length: place.member('length').count(), firstPage: place.member('firstPage').count(), pages: place.member('pages').count() };
}

/** Describes a fault of the directory; null when it has none. */
function faultOf(
  { rows, entries, base, limit, mostNeighbour, isTableOrder, pageElements, arrays }: AdjacencyDirectory,
  pageCount: number,
): string | null {
  if (entries > rows || (isTableOrder && entries !== rows)) return 'one whose entries are rows of the files';
  if (base > limit || limit > MOST_ORDINALS || mostNeighbour >= MOST_ORDINALS) return 'one whose nodes are ordinals';
  if (pageElements === 0 || pageElements > MOST_PAGE_ELEMENTS || !Number.isInteger(Math.log2(pageElements)))
    return 'one with pages of a power of two';
  const needed = isTableOrder ? [] : [arrays.neighbours, arrays.rows];
  if (arrays.offsets?.length !== limit - base + 1 || needed.some((array) => array?.length !== entries))
    return 'one whose arrays have the lengths that they must';
  const isThere = ({ length, firstPage, pages }: PagedArrayPlace): boolean =>
    pages === Math.ceil(length / pageElements) && firstPage + pages <= pageCount;
  return Object.values(arrays).every(isThere) ? null : 'one whose arrays lie in its pages';
}
