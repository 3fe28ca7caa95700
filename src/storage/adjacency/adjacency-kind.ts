/**
 * The kind of artefact that holds the neighbours of nodes over relationships of one type in one direction: the bounds
 * of each node's entries and, unless the rows themselves are in that order, the neighbour and the row of each entry
 * (adjacency-directory.ts). A hop in a cold process reads some pages of the artefact instead of a table.
 */
import type { ArtefactReader, ArtefactRecord, ManifestArtefact } from '../api.ts';
import type { ArtefactKind } from '../artefacts/artefact-kind.ts';
import { type CoveredFiles, NOT_LIVE, rowsIn } from '../artefacts/covered-rows.ts';
import { ADJACENCY, ADJACENCY_VERSION, type AdjacencyDirection, type AdjacencyDirectory, type ArrayName } from './adjacency-directory.ts';
import { buildAdjacency } from './build-adjacency.ts';
import { openPagedArrays, type PagedArrays } from './paged-arrays.ts';

const NODE_COLUMNS: { readonly [Direction in AdjacencyDirection]: string } = { outgoing: '_source', incoming: '_target' };
/** The widest range of nodes for each row: in a wider one most lists would be empty, and the offsets larger than the rows. */
const NODES_PER_ROW = 64;

/** The kind of artefact that holds adjacencies. */
export const adjacencyKind: ArtefactKind = {
  name: ADJACENCY,
  version: ADJACENCY_VERSION,
  subjects: (covered) => {
    if (covered.table.kind !== 'relationships' || rowsIn(covered.files) >= NOT_LIVE) return [];
    return (['outgoing', 'incoming'] as const).filter((direction) => isDense(covered, direction)).map((direction) => ({ direction }));
  },
  build: async (subject, rows, pages) => recordOf(await buildAdjacency(directionOf(subject), rows, pages)),
  verify: async (reader) => verifyArrays(await openPagedArrays(reader), reader),
  describe: ({ directory, subject }: ManifestArtefact) => {
    const { entries, base, limit } = directory;
    const nodes = entries === 0 ? '' : ` of nodes ${String(base)} to ${String(Number(limit) - 1)}`;
    return `${String(entries)} ${String(subject['direction'])} relationships${nodes}`;
  },
};

function directionOf({ direction }: ArtefactRecord): AdjacencyDirection {
  return direction === 'incoming' ? 'incoming' : 'outgoing';
}

/** Returns the directory as the record that JSON gives back. */
function recordOf(directory: AdjacencyDirectory): ArtefactRecord {
  return { ...directory };
}

/** Whether the range of nodes is narrow enough for the number of rows, tombstones included, as the manifest tells. */
function isDense({ files }: CoveredFiles, direction: AdjacencyDirection): boolean {
  const bounds = files.map(({ columns }) => columns.find(({ name }) => name === NODE_COLUMNS[direction]));
  const least = Math.min(...bounds.map((column) => Number(column?.min ?? 0)));
  const most = Math.max(...bounds.map((column) => Number(column?.max ?? 0)));
  return most - least < rowsIn(files) * NODES_PER_ROW;
}

const PAGES_AT_ONCE = 16;

async function verifyArrays(arrays: PagedArrays, reader: ArtefactReader): Promise<void> {
  const { rows, isTableOrder, longestList } = arrays.directory;
  const lists = new Lists(reader);
  for await (const offsets of piecesOf(arrays, 'offsets')) lists.take(offsets);
  if (lists.longest !== longestList) throw reader.corruption('its longest list has another length');
  if (isTableOrder) return;
  const seen = new Uint8Array(Math.ceil(rows / 8));
  for await (const positions of piecesOf(arrays, 'rows')) {
    for (const position of positions) {
      if ((seen[position >> 3]! & (1 << (position & 7))) !== 0) throw reader.corruption(`row ${position} is in it twice`);
      seen[position >> 3]! |= 1 << (position & 7);
    }
  }
  await verifyNeighbours(arrays, reader);
}

/** Checks that the neighbours of each node ascend. */
async function verifyNeighbours(arrays: PagedArrays, reader: ArtefactReader): Promise<void> {
  const neighbours = new Elements(piecesOf(arrays, 'neighbours'));
  let start = 0;
  for await (const offsets of piecesOf(arrays, 'offsets')) {
    for (const end of offsets) {
      for (let last = -1; start < end; start++) {
        if (neighbours.isAtEnd) await neighbours.read();
        const neighbour = neighbours.next();
        if (neighbour < last) throw reader.corruption(`neighbours do not ascend at entry ${start}`);
        last = neighbour;
      }
    }
  }
}

/** Checks that offsets ascend, as they are read, and finds the longest list. */
class Lists {
  longest = 0;
  #last = 0;
  readonly #reader: ArtefactReader;

  constructor(reader: ArtefactReader) {
    this.#reader = reader;
  }

  take(offsets: Uint32Array): void {
    for (const offset of offsets) {
      if (offset < this.#last) throw this.#reader.corruption('its offsets do not ascend');
      this.longest = Math.max(this.longest, offset - this.#last);
      this.#last = offset;
    }
  }
}

/** Reads the elements of an array one by one. */
class Elements {
  readonly #pieces: AsyncGenerator<Uint32Array, undefined>;
  #piece = new Uint32Array(0);
  #at = 0;

  constructor(pieces: AsyncGenerator<Uint32Array, undefined>) {
    this.#pieces = pieces;
  }

  /** Whether `read` must be called before `next`. */
  get isAtEnd(): boolean {
    return this.#at === this.#piece.length;
  }

  async read(): Promise<void> {
    this.#piece = Uint32Array.from((await this.#pieces.next()).value ?? []);
    this.#at = 0;
  }

  next(): number {
    return this.#piece[this.#at++]!;
  }
}

/** Reads all elements of an array, some pages at a time. */
async function* piecesOf(arrays: PagedArrays, name: ArrayName): AsyncGenerator<Uint32Array, undefined> {
  const length = arrays.length(name);
  const { pageElements } = arrays.directory;
  for (let first = 0; first * pageElements < length; first += PAGES_AT_ONCE) {
    const into = new Uint32Array(Math.min(PAGES_AT_ONCE * pageElements, length - first * pageElements));
    await arrays.readPages(name, first, Math.ceil(into.length / pageElements), into);
    yield into;
  }
}
