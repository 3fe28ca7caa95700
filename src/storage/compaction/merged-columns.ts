/**
 * The columns of a merged table: finds a kind that holds the values of all files, and fills columns from runs of rows.
 *
 * Kinds are widened: int32 to integer to int64; dictionary to string where other files have strings or the dictionaries
 * are big; kinds that do not go together become `any`.
 */
import { assert, ByteWriter } from '../../base/index.ts';
import { encodeValue } from '../../value/index.ts';
import type { SstColumn, SstColumnKind, SstFile } from '../api.ts';
import { pauseIfDue } from '../files/background-thread.ts';
import { copyBits, isSet, setBits } from '../sst/bits.ts';
import { allocateBitmap, allocateValues, type ColumnValues, isVariableWidth } from '../sst/column-kinds.ts';
import { columnValue, dictionaryEntry } from '../sst/column-value.ts';
import { type Dictionary, DictionaryUnion } from '../sst/dictionary-union.ts';
import type { RunList } from './run-list.ts';

const LARGEST_DICTIONARY = 2 ** 18;
/** The columns that the merge itself makes. */
const MADE_COLUMNS: ReadonlySet<string> = new Set(['_ordinal', '_deleted']);

/** A column of a merged table. */
export interface MergedColumn {
  readonly name: string;
  readonly kind: SstColumnKind;
  /** The merged dictionary of a column of kind dictionary; null for other kinds. */
  readonly dictionary: MergedDictionary | null;
}

/** The dictionary of a merged column. */
export interface MergedDictionary {
  readonly whole: Dictionary;
  /** For each input the new codes by old code; null when its codes stay as they are. */
  readonly codes: readonly (Int32Array | null)[];
}

/** Reads the dictionary of the column `name` from the file of index `input`. */
export type ReadDictionary = (input: number, name: string) => Promise<Dictionary>;

/** Decides on the columns of the merged table. `wanted` are the names of columns to include; all when left out. */
export async function planColumns(
  files: readonly SstFile[],
  readDictionary: ReadDictionary,
  wanted?: ReadonlySet<string>,
): Promise<MergedColumn[]> {
  const isWanted = (name: string): boolean => !MADE_COLUMNS.has(name) && (wanted?.has(name) ?? true);
  const names = new Set(files.flatMap((file) => file.columns.map(({ name }) => name)).filter(isWanted));
  const columns: MergedColumn[] = [];
  for (const name of names) {
    const kind = mergedKind(files, name);
    columns.push({ name, kind, dictionary: kind === 'dictionary' ? await uniteDictionaries(files, name, readDictionary) : null });
  }
  return columns;
}

function mergedKind(files: readonly SstFile[], name: string): SstColumnKind {
  const infos = files.flatMap((file) => file.columns.filter((column) => column.name === name));
  const kind = infos.map((info) => info.kind).reduce(widerKind);
  const entries = infos.reduce((sum, { dictionarySize = 0 }) => sum + dictionarySize, 0);
  return kind === 'dictionary' && entries > LARGEST_DICTIONARY ? 'string' : kind;
}

const INTEGERS: readonly SstColumnKind[] = ['int32', 'integer', 'int64'];
const TEXTS: readonly SstColumnKind[] = ['dictionary', 'string'];

/** Returns the narrowest kind that holds values of both kinds. */
export function widerKind(a: SstColumnKind, b: SstColumnKind): SstColumnKind {
  if (a === b) return a;
  for (const ladder of [INTEGERS, TEXTS]) {
    if (ladder.includes(a) && ladder.includes(b)) return ladder[Math.max(ladder.indexOf(a), ladder.indexOf(b))]!;
  }
  assert(a !== 'uint32' && b !== 'uint32', 'a system column has one kind');
  return 'any';
}

async function uniteDictionaries(files: readonly SstFile[], name: string, readDictionary: ReadDictionary): Promise<MergedDictionary> {
  const union = new DictionaryUnion();
  const codes: (Int32Array | null)[] = [];
  for (const [input, file] of files.entries()) {
    const has = file.columns.some((column) => column.name === name);
    codes.push(has ? union.add(await readDictionary(input, name)) : null);
  }
  return { whole: union.finish(), codes };
}

/** Gathers the rows of all runs, in order, into one column. */
export function gatherColumn(column: MergedColumn, runs: RunList): SstColumn {
  pauseIfDue();
  const { name, kind, dictionary } = column;
  const sources = runs.blocks.map(({ columns }) => columns.get(name) ?? null);
  const valid = gatherValidity(sources, runs);
  if (isVariableWidth(kind)) return { name, kind, valid, ...gatherText(kind, sources, runs) };
  const values = allocateValues(kind, runs.rows);
  const copiers = sources.map((source, block) => {
    const codes = dictionary?.codes[runs.blocks[block]!.input] ?? null;
    return source === null ? null : copierOf(source, values, codes);
  });
  for (let run = 0, at = 0; run < runs.length; at += runs.count[run++]!) {
    copiers[runs.blockOf[run]!]?.(runs.first[run]!, at, runs.count[run]!);
  }
  return { name, kind, values, valid, ...(dictionary === null ? {} : { dictionary: dictionary.whole }) };
}

function gatherValidity(sources: readonly (SstColumn | null)[], runs: RunList): Uint8Array | null {
  if (sources.every((source) => source?.valid === null)) return null;
  const valid = allocateBitmap(runs.rows);
  for (let run = 0, at = 0; run < runs.length; at += runs.count[run++]!) {
    const source = sources[runs.blockOf[run]!]!;
    if (source?.valid === null) setBits(valid, at, runs.count[run]!);
    else if (source !== null) copyBits(source.valid, runs.first[run]!, valid, at, runs.count[run]!);
  }
  return valid;
}

/** Copies `count` values from row `from` of a source to row `at` of its target. */
type Copier = (from: number, at: number, count: number) => void;

function copierOf(source: SstColumn, target: ColumnValues, codes: Int32Array | null): Copier {
  const { values } = source;
  if (codes !== null) {
    // A code at a null row may be anything.
    return (from, at, count) => {
      for (let i = 0; i < count; i++) target[at + i] = codes[values[from + i] as number] ?? 0;
    };
  }
  if (target instanceof BigInt64Array && !(values instanceof BigInt64Array)) {
    return (from, at, count) => {
      for (let i = 0; i < count; i++) target[at + i] = isPresent(source, from + i) ? BigInt(values[from + i]!) : 0n;
    };
  }
  if (target.BYTES_PER_ELEMENT !== values.BYTES_PER_ELEMENT) {
    return (from, at, count) => {
      for (let i = 0; i < count; i++) target[at + i] = values[from + i] as number; // int32 into float64
    };
  }
  if (target.BYTES_PER_ELEMENT === 1) return (from, at, count) => copyItems(values as Uint8Array, from, target as Uint8Array, at, count);
  const words = target.BYTES_PER_ELEMENT / 4;
  const [fromWords, toWords] = [wordsOf(values), wordsOf(target)];
  return (from, at, count) => copyItems(fromWords, from * words, toWords, at * words, count * words);
}

/** Returns a view of values as 32-bit numbers, so that one loop copies all kinds, and no bit of a NaN changes. */
function wordsOf({ buffer, byteOffset, byteLength }: ColumnValues): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/** The number of elements from which on a copy through views pays. */
const MANY_ITEMS = 256;

/** Copies `count` elements from index `first` of one array to index `at` of another. */
export function copyItems<T extends Int32Array | Uint32Array | Uint8Array>(from: T, first: number, to: T, at: number, count: number): void {
  if (count >= MANY_ITEMS) to.set(from.subarray(first, first + count), at);
  else for (let i = 0; i < count; i++) to[at + i] = from[first + i]!;
}

type TextKind = 'string' | 'vector' | 'any';

/** Gathers the values of a kind with a heap: text, vector components, encoded values. */
function gatherText(kind: TextKind, sources: readonly (SstColumn | null)[], runs: RunList): { values: Uint32Array; heap: Uint8Array } {
  const values = allocateValues(kind, runs.rows) as Uint32Array;
  const heap = new ByteWriter();
  for (let run = 0, at = 0; run < runs.length; at += runs.count[run++]!) {
    const source = sources[runs.blockOf[run]!]!;
    const from = runs.first[run]!;
    const count = runs.count[run]!;
    if (source?.kind === kind) copyText(source, { from, count, values, at, heap });
    else {
      for (let row = 0; row < count; row++) {
        if (source !== null && isPresent(source, from + row)) appendEntry(source, from + row, kind, heap);
        values[at + row + 1] = heap.length;
      }
    }
  }
  return { values, heap: heap.toBytes() };
}

interface TextCopy {
  readonly from: number;
  readonly count: number;
  readonly values: Uint32Array;
  readonly at: number;
  readonly heap: ByteWriter;
}

function copyText(source: SstColumn, { from, count, values, at, heap }: TextCopy): void {
  const offsets = source.values as Uint32Array;
  const shift = heap.length - offsets[from]!;
  heap.raw(source.heap!.subarray(offsets[from]!, offsets[from + count]!));
  for (let row = 1; row <= count; row++) values[at + row] = offsets[from + row]! + shift;
}

/** Appends an entry of a source of another kind: of a dictionary as text, of any other kind as an encoded value. */
function appendEntry(source: SstColumn, row: number, kind: TextKind, heap: ByteWriter): void {
  if (kind === 'any') encodeValue(columnValue(source, row), heap);
  else heap.raw(dictionaryEntry(source, row));
}

function isPresent({ valid }: SstColumn, row: number): boolean {
  return valid === null || isSet(valid, row);
}
