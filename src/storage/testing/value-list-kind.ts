/**
 * A small kind of artefact for tests: per node table and property key the sorted list of (value, ordinal), in pages of
 * a few entries with fence values in the directory. It answers which rows have a value, and has the difficulties of a
 * real index: it must leave out nulls, tombstones and replaced rows, and find values that run over several pages.
 */
import type {
  ArtefactReader,
  ArtefactRecord,
  Manifest,
  ManifestArtefact,
  ManifestTable,
  Namespace,
  SstColumn,
  SstFile,
  SstTable,
} from '../api.ts';
import type { ArtefactKind, PageSink } from '../artefacts/artefact-kind.ts';
import { type Hit, lookCovered } from '../artefacts/covered-look.ts';
import { type CoveredBatch, type CoveredRows, NOT_LIVE } from '../artefacts/covered-rows.ts';
import { columnValue } from '../sst/column-value.ts';

type Entry = readonly [value: string, ordinal: number];

const ENTRIES_PER_PAGE = 16;

/** Returns a kind that wants a list over every node table for each of the keys. */
export function valueListKind(keys: readonly string[], version = 1): ArtefactKind {
  return {
    name: 'value-list',
    version,
    subjects: ({ table: { kind } }) => (kind === 'nodes' ? keys.map((key) => ({ key })) : []),
    async build(subject, rows, pages) {
      const key = keyOf(subject);
      const entries: Entry[] = [];
      await rows.each(['_ordinal', key], (batch) => void entries.push(...entriesOfBatch(batch, key, rows)));
      return writePages(entries, pages);
    },
    async verify(reader) {
      const entries = await readAll(reader);
      if (entries.length !== reader.artefact.directory['entries']) throw reader.corruption('it has another number of entries');
      if (entries.some((entry, index) => index > 0 && compare(entries[index - 1]!, entry) >= 0))
        throw reader.corruption('it is not sorted');
    },
    describe: ({ subject, directory }) => `${String(directory['entries'])} values of ${keyOf(subject)}`,
  };
}

function entriesOfBatch({ rows, columns, positions }: CoveredBatch, key: string, { files }: CoveredRows): Entry[] {
  const column = columns.get(key);
  const ordinals = columns.get('_ordinal')?.values;
  const entries: Entry[] = [];
  for (let row = 0; row < rows; row++) {
    if (column === undefined || positions[row] === NOT_LIVE || !isPresent(column, row)) continue;
    entries.push([textOf(column, row), ordinals === undefined ? denseOrdinal(positions[row]!, files) : Number(ordinals[row])]);
  }
  return entries;
}

/** Returns the ordinal of the row at a position, for files without a column of ordinals. */
function denseOrdinal(position: number, files: readonly SstFile[]): number {
  let rest = position;
  for (const { rows, minOrdinal } of files) {
    if (rest < rows) return minOrdinal + rest;
    rest -= rows;
  }
  throw new Error(`no file has row ${position}`);
}

export interface ValueQuestion {
  readonly table: ManifestTable;
  readonly key: string;
  readonly version?: number;
  readonly onDamage: (error: Error, artefact: ManifestArtefact) => void;
}

/**
 * Finds all values of the key in the files of the table, with the ordinals of their rows, or only those equal to
 * `wanted`; from artefacts if there are some, else from rows.
 */
export async function findValues(
  source: Pick<Namespace, 'openSst' | 'openArtefact'>,
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  { table, key, version = 1, onDamage, wanted }: ValueQuestion & { readonly wanted?: string | undefined },
): Promise<string[]> {
  const toHits = (entries: readonly Entry[]): (Hit & { readonly value: string })[] =>
    entries.filter(([value]) => wanted === undefined || value === wanted).map(([value, ordinal]) => ({ value, ordinal }));
  const hits = await lookCovered(source, manifest, {
    table,
    kind: { name: 'value-list', version },
    subject: { key },
    fromArtefact: async (reader) => toHits(await (wanted === undefined ? readAll(reader) : readCandidates(reader, wanted))),
    fromRows: (batch) => toHits(entriesOf(batch, key)),
    onDamage,
  });
  return hits.map(({ value, ordinal }) => `${value} ${ordinal}`).sort();
}

function entriesOf({ columns, rows }: SstTable, key: string): Entry[] {
  const ordinals = columns.find(({ name }) => name === '_ordinal')!.values;
  const column = columns.find(({ name }) => name === key);
  const entries: Entry[] = [];
  for (let row = 0; row < rows; row++) {
    if (column !== undefined && isPresent(column, row)) entries.push([textOf(column, row), Number(ordinals[row])]);
  }
  return entries;
}

function isPresent({ valid }: SstColumn, row: number): boolean {
  return valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1;
}

/** Returns a text of a value; values of different types have different texts, whatever the kind of the column. */
function textOf(column: SstColumn, row: number): string {
  return JSON.stringify(columnValue(column, row), (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function compare([a, ordinal]: Entry, [b, other]: Entry): number {
  return a < b ? -1 : a > b ? 1 : ordinal - other;
}

async function writePages(entries: readonly Entry[], sink: PageSink): Promise<ArtefactRecord> {
  const sorted = entries.toSorted(compare);
  const sequence = sink.begin();
  const fences: string[] = [];
  for (let at = 0; at < sorted.length; at += ENTRIES_PER_PAGE) {
    fences.push(sorted[at]![0]);
    await sequence.add(Buffer.from(JSON.stringify(sorted.slice(at, at + ENTRIES_PER_PAGE))));
  }
  return { entries: sorted.length, fences };
}

async function readAll(reader: ArtefactReader): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let page = 0; page < reader.pageCount; page++) entries.push(...(await readEntries(reader, page)));
  return entries;
}

/** Reads the entries of the pages that may hold the value, which may begin in one page and go on in the next. */
async function readCandidates(reader: ArtefactReader, wanted: string): Promise<Entry[]> {
  const fences = reader.artefact.directory['fences'] as readonly string[]; // as: so this kind has written it
  const entries: Entry[] = [];
  for (let page = 0; page < reader.pageCount; page++) {
    const next = fences[page + 1];
    if (fences[page]! <= wanted && (next === undefined || next >= wanted)) entries.push(...(await readEntries(reader, page)));
  }
  return entries;
}

async function readEntries(reader: ArtefactReader, page: number): Promise<Entry[]> {
  return JSON.parse(Buffer.from((await reader.readPages(page, 1))[0]!).toString()) as Entry[]; // as: checked bytes of this kind
}

function keyOf(subject: ArtefactRecord): string {
  return String(subject['key']);
}
