/**
 * Renders the content of an artefact of a built-in kind, and of the rows that it covers, as lines of text that must be
 * equal: for tests that check the artefacts of any namespace.
 */

import type { EntryPage } from '../../search/index.ts';
import { equals, isNumber, order, toNumber, type Value } from '../../value/index.ts';
import type { AdjacencyDirectory, ArrayName } from '../adjacency/adjacency-directory.ts';
import { openPagedArrays, type PagedArrays } from '../adjacency/paged-arrays.ts';
import type { ArtefactReader, Manifest, ManifestArtefact, Namespace, SstColumn, SstFile } from '../api.ts';
import { openClusters } from '../clusters/open-clusters.ts';
import { tableId } from '../manifest/table-id.ts';
import { openRange } from '../range/range-index.ts';
import { isSet } from '../sst/bits.ts';
import { columnValue } from '../sst/column-value.ts';

/** All rows of files, one file after the other, read by whole columns, without code that builds artefacts. */
interface WholeFiles {
  readonly rows: number;
  /** Whether each row is live among these files. */
  readonly isLive: readonly boolean[];
  /** For each file the number of its first row, and the requested columns. */
  readonly parts: readonly { readonly firstRow: number; readonly rows: number; readonly columns: ReadonlyMap<string, SstColumn> }[];
}

type Source = Pick<Namespace, 'openSst' | 'openArtefact'>;

/** Returns the lines of an artefact, sorted; null when its kind is not built in. @throws CORRUPTION when it is damaged */
export async function linesOfArtefact(
  source: Source,
  artefact: ManifestArtefact,
  manifest: Pick<Manifest, 'tables'>,
): Promise<string[] | null> {
  const reader = source.openArtefact(artefact);
  if (artefact.kind === 'adjacency') return adjacencyLines(reader, await readFiles(source, artefact, manifest, ['_target']));
  if (artefact.kind === 'range') return rangeLines(reader, await readFiles(source, artefact, manifest, columnsOf(artefact)));
  if (artefact.kind === 'clusters') return clusterLines(reader, await readFiles(source, artefact, manifest, columnsOf(artefact)));
  return null;
}

/** Returns the lines that the artefact must have according to its rows, sorted. */
export async function linesOfRows(source: Source, artefact: ManifestArtefact, manifest: Pick<Manifest, 'tables'>): Promise<string[]> {
  if (artefact.kind === 'range') return valueLines(await readFiles(source, artefact, manifest, columnsOf(artefact)), columnsOf(artefact));
  if (artefact.kind === 'clusters') return vectorLines(artefact, await readFiles(source, artefact, manifest, columnsOf(artefact)));
  return relationshipLines(
    await readFiles(source, artefact, manifest, ['_source', '_target']),
    artefact.subject['direction'] === 'outgoing',
  );
}

function columnsOf({ subject }: ManifestArtefact): string[] {
  return ((subject['keys'] ?? [subject['key']]) as string[]).map(columnName); // as: so the kind has written it
}

function columnName(key: string): string {
  return key.startsWith('_') ? `_${key}` : key;
}

async function readFiles(
  source: Source,
  { covers }: ManifestArtefact,
  { tables }: Pick<Manifest, 'tables'>,
  names: readonly string[],
): Promise<WholeFiles> {
  const files = tables.find((table) => tableId(table) === tableId(covers.table))!.files.filter(({ key }) => covers.files.includes(key));
  const ordinals: number[] = [];
  const deleted: boolean[] = [];
  const parts: WholeFiles['parts'][number][] = [];
  for (const file of files) {
    const [ofFile, ...columns] = await readColumns(source, file, ['_ordinal', '_deleted', ...names]);
    parts.push({
      firstRow: ordinals.length,
      rows: file.rows,
      columns: new Map(columns.flatMap((column) => (column === null ? [] : [[column.name, column] as const]))),
    });
    for (let row = 0; row < file.rows; row++) {
      ordinals.push(Number(ofFile?.values[row] ?? file.minOrdinal + row));
      deleted.push(columns[0]?.values[row] === 1);
    }
  }
  const latest = new Map(ordinals.map((ordinal, row) => [ordinal, row]));
  return { rows: ordinals.length, isLive: ordinals.map((ordinal, row) => latest.get(ordinal) === row && !deleted[row]), parts };
}

async function readColumns(source: Source, file: SstFile, names: readonly string[]): Promise<(SstColumn | null)[]> {
  const reader = await source.openSst(file);
  return Promise.all(names.map((name) => reader.readColumn(name)));
}

function relationshipLines({ parts, isLive }: WholeFiles, isOutgoing: boolean): string[] {
  const lines: string[] = [];
  for (const { firstRow, rows, columns } of parts) {
    const [sources, targets] = [columns.get('_source')!.values, columns.get('_target')!.values];
    const [nodes, neighbours] = isOutgoing ? [sources, targets] : [targets, sources];
    for (let row = 0; row < rows; row++) if (isLive[firstRow + row]) lines.push(`${nodes[row]} ${neighbours[row]} ${firstRow + row}`);
  }
  return lines.sort();
}

/** Returns the values of each row of the files that is live and has all of them. */
function valuesOf({ parts, isLive }: WholeFiles, names: readonly string[]): Map<number, Value[]> {
  const found = new Map<number, Value[]>();
  for (const { firstRow, rows, columns } of parts) {
    for (let row = 0; row < rows; row++) {
      const present = names
        .map((name) => columns.get(name))
        .filter((column) => column !== undefined && (column.valid === null || isSet(column.valid, row)));
      if (!isLive[firstRow + row] || present.length < names.length) continue;
      found.set(
        firstRow + row,
        present.map((column) => columnValue(column!, row)),
      );
    }
  }
  return found;
}

/**
 * Returns a line for each row that has a value for each key: a look-up by its values must find it, if they equal
 * themselves, and a scan of all rows must return it once.
 */
function valueLines(files: WholeFiles, names: readonly string[]): string[] {
  return [...valuesOf(files, names).keys()].map((row) => `row ${row}`).sort();
}

/** How many rows are also looked up by their values. */
const LOOKUPS = 12;

async function rangeLines(reader: ArtefactReader, files: WholeFiles): Promise<string[]> {
  const index = await openRange(reader);
  const values = valuesOf(files, columnsOf(reader.artefact));
  const lines: string[] = [];
  let last: readonly Value[] | null = null;
  for await (const { rows } of index.between({ low: null, lowInclusive: true, high: null, highInclusive: true })) {
    for (const row of rows) {
      const now: readonly Value[] | undefined = values.get(row);
      const isInPlace = now !== undefined && (last === null || orderOf(last, now) <= 0);
      lines.push(isInPlace ? `row ${row}` : `row ${row} is not in its place`);
      last = now ?? last;
    }
  }
  const step = Math.ceil(values.size / LOOKUPS);
  for (const [row, wanted] of [...values].filter((_, at) => at % step === 0)) {
    const equal = [...values]
      .filter(([, other]) => other.every((value, key) => equals(value, wanted[key]!) === true))
      .map(([each]) => each);
    const { rows, isExact } = await index.equal(wanted);
    const isFound = isExact ? rows.join() === equal.join() : equal.every((each) => rows.includes(each));
    if (!isFound) lines.push(`those of the values of row ${row} are not found`);
  }
  return lines.sort();
}

/** Returns the vector of each row that can be found, in the form that clusters have. */
function vectorsOf({ subject, directory }: ManifestArtefact, files: WholeFiles): Map<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  for (const [row, [value]] of valuesOf(files, [columnName(String(subject['key']))])) {
    const given: readonly Value[] = value instanceof Float32Array ? [...value] : Array.isArray(value) ? value : [];
    const numbers = given.every(isNumber) ? given.map((each) => Math.fround(toNumber(each))) : [];
    const length = Math.hypot(...numbers);
    if (numbers.length !== directory['dimensions'] || !Number.isFinite(length)) continue;
    if (subject['similarity'] === 'EUCLIDEAN') found.set(row, numbers);
    else if (length > 0)
      found.set(
        row,
        numbers.map((each) => each / length),
      );
  }
  return found;
}

function vectorLines(artefact: ManifestArtefact, files: WholeFiles): string[] {
  return [...vectorsOf(artefact, files).keys()].map((row) => `row ${row}`).sort();
}

/** Returns a line for each vector that lies in one cluster, and whose code is right to half a step in each component. */
async function clusterLines(reader: ArtefactReader, files: WholeFiles): Promise<string[]> {
  const opened = await openClusters(reader);
  const lines: string[] = [];
  if (opened === null) return lines;
  const { shape, directory, groups } = opened;
  const vectors = vectorsOf(reader.artefact, files);
  for (let group = 0; group < groups.count; group++) {
    const list = await opened.readCentroids(group);
    for (let at = 0; at < list.count; at++) {
      for (let page = list.firstPages[at]!; page < list.firstPages[at]! + list.pageCounts[at]!; page++) {
        const entries = await opened.readEntries(page);
        for (const [entry, position] of entries.positions.entries()) {
          const vector = vectors.get(position);
          const scale = entries.scales[entry]!;
          const isAsCoded = (component: number): boolean => {
            const centroid = (list.codes[at * shape.centroidBytes + component]! - 64) * list.scales[at]!;
            return (
              Math.abs(vector![component]! - centroid - codeAt(entries, entry, component, shape.planeBytes) * scale) <= 0.51 * scale + 1e-5
            );
          };
          const isSound = vector !== undefined && Array.from({ length: directory.dimensions }, (_, i) => i).every(isAsCoded);
          lines.push(isSound ? `row ${position}` : `row ${position} is not as its code says`);
        }
      }
    }
  }
  return lines.sort();
}

/** Returns a component of a code, in steps. */
function codeAt({ bytes, upper, lower }: EntryPage, entry: number, component: number, planeBytes: number): number {
  const at = entry * planeBytes + 16 * (component >> 5) + (component & 15);
  const shift = (component & 16) === 0 ? 0 : 4;
  return 16 * ((bytes[upper + at]! >> shift) & 15) + ((bytes[lower + at]! >> shift) & 15) - 127.5;
}

/** Compares keys that are not cut, as values. */
function orderOf(a: readonly Value[], b: readonly Value[]): number {
  for (const [key, value] of a.entries()) {
    const sign = order(value, b[key]!);
    if (sign !== 0) return sign;
  }
  return 0;
}

async function adjacencyLines(reader: ArtefactReader, files: WholeFiles): Promise<string[]> {
  const arrays = await openPagedArrays(reader);
  const { base, limit, isTableOrder }: AdjacencyDirectory = arrays.directory;
  const offsets = await wholeArray(arrays, 'offsets');
  const neighbours = isTableOrder
    ? Uint32Array.from(files.parts.flatMap(({ columns }) => [...(columns.get('_target')!.values as Uint32Array)]))
    : await wholeArray(arrays, 'neighbours');
  const rows = isTableOrder ? Uint32Array.from(neighbours.keys()) : await wholeArray(arrays, 'rows');
  const lines: string[] = [];
  for (let node = base; node < limit; node++) {
    let last = -1;
    for (let at = offsets[node - base]!; at < offsets[node - base + 1]!; at++) {
      const neighbour = neighbours[at]!;
      lines.push(neighbour < last ? `neighbours of ${node} do not ascend` : `${node} ${neighbour} ${rows[at]}`);
      last = neighbour;
    }
  }
  return lines.sort();
}

async function wholeArray(arrays: PagedArrays, name: ArrayName): Promise<Uint32Array> {
  const whole = new Uint32Array(arrays.length(name));
  await arrays.readPages(name, 0, Math.ceil(whole.length / arrays.directory.pageElements), whole);
  return whole;
}
