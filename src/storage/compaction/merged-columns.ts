/**
 * The columns of a merged table: which kind holds what all files have, and filling them from runs of rows.
 *
 * Kinds are widened: int32 to integer to int64; dictionary to string where the others have strings or the dictionaries are big; whatever does not go together becomes `any`.
 */
import { assert, ByteWriter } from '../../base/index.ts';
import { CypherDate, encodeValue, makeFloat, makeInteger, type Value } from '../../value/index.ts';
import type { SstColumn, SstColumnKind, SstFile } from '../api.ts';
import { copyBits, isSet, setBits } from '../sst/bits.ts';
import { allocateBitmap, allocateValues, type ColumnValues, isVariableWidth } from '../sst/column-kinds.ts';
import { type Dictionary, DictionaryUnion } from '../sst/dictionary-union.ts';

const LARGEST_DICTIONARY = 2 ** 18;
/** Made by the merge itself. */
const MADE_COLUMNS: ReadonlySet<string> = new Set(['_ordinal', '_deleted']);

/** Consecutive rows of one input, in one block of it. */
export interface Run {
  readonly input: number;
  readonly columns: ReadonlyMap<string, SstColumn>;
  readonly from: number;
  readonly count: number;
}

export interface MergedColumn {
  readonly name: string;
  readonly kind: SstColumnKind;
  /** Kind dictionary only. */
  readonly dictionary: MergedDictionary | null;
}

export interface MergedDictionary {
  readonly whole: Dictionary;
  /** By input: new code by old code; null: the codes stay as they are. */
  readonly codes: readonly (Int32Array | null)[];
}

/** Reads a file's dictionary of a column. */
export type ReadDictionary = (input: number, name: string) => Promise<Dictionary>;

export async function planColumns(files: readonly SstFile[], readDictionary: ReadDictionary): Promise<MergedColumn[]> {
  const names = new Set(files.flatMap((file) => file.columns.map(({ name }) => name)).filter((name) => !MADE_COLUMNS.has(name)));
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
  const entries = infos.reduce((sum, { dictionary }) => sum + (dictionary?.size ?? 0), 0);
  return kind === 'dictionary' && entries > LARGEST_DICTIONARY ? 'string' : kind;
}

const INTEGERS: readonly SstColumnKind[] = ['int32', 'integer', 'int64'];
const TEXTS: readonly SstColumnKind[] = ['dictionary', 'string'];

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

/** The rows of all runs, one after the other, as one column. */
export function gatherColumn(column: MergedColumn, runs: readonly Run[]): SstColumn {
  const { name, kind, dictionary } = column;
  const rows = runs.reduce((sum, run) => sum + run.count, 0);
  const valid = gatherValidity(name, runs, rows);
  if (isVariableWidth(kind)) return { name, kind, valid, ...gatherText(name, kind, runs, rows) };
  const values = allocateValues(kind, rows);
  let at = 0;
  for (const run of runs) {
    const source = run.columns.get(name);
    const target = values.subarray(at, at + run.count);
    if (source !== undefined) copyFixed({ source, run, target, codes: dictionary?.codes[run.input] ?? null });
    at += run.count;
  }
  return { name, kind, values, valid, ...(dictionary === null ? {} : { dictionary: dictionary.whole }) };
}

function gatherValidity(name: string, runs: readonly Run[], rows: number): Uint8Array | null {
  const complete = runs.every(({ columns }) => columns.get(name)?.valid === null);
  if (complete) return null;
  const valid = allocateBitmap(rows);
  let at = 0;
  for (const { columns, from, count } of runs) {
    const source = columns.get(name);
    if (source?.valid === null) setBits(valid, at, count);
    else if (source !== undefined) copyBits(source.valid, from, valid, at, count);
    at += count;
  }
  return valid;
}

interface FixedCopy {
  readonly source: SstColumn;
  readonly run: Run;
  readonly target: ColumnValues;
  readonly codes: Int32Array | null;
}

function copyFixed({ source, run: { from, count }, target, codes }: FixedCopy): void {
  const values = source.values.subarray(from, from + count);
  if (codes !== null) {
    // A code at a null row may be anything.
    for (let row = 0; row < count; row++) target[row] = codes[values[row] as number] ?? 0;
  } else if (target instanceof BigInt64Array && !(values instanceof BigInt64Array)) {
    for (let row = 0; row < count; row++) target[row] = isPresent(source, from + row) ? BigInt(values[row]!) : 0n;
  } else {
    // The same array type, or int32 into float64.
    (target as Float64Array).set(values as Float64Array);
  }
}

/** What of a row lies in a heap: text, components, encoded values. */
function gatherText(name: string, kind: TextKind, runs: readonly Run[], rows: number): { values: Uint32Array; heap: Uint8Array } {
  const values = allocateValues(kind, rows) as Uint32Array;
  const heap = new ByteWriter();
  let at = 0;
  for (const { columns, from, count } of runs) {
    const source = columns.get(name);
    if (source?.kind === kind) copyText(source, { from, count, values, at, heap });
    else {
      for (let row = 0; row < count; row++) {
        if (source !== undefined && isPresent(source, from + row)) appendEntry(source, from + row, kind, heap);
        values[at + row + 1] = heap.length;
      }
    }
    at += count;
  }
  return { values, heap: heap.toBytes() };
}

type TextKind = 'string' | 'vector' | 'any';

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

/** Of a source of another kind: dictionary into text, anything into encoded values. */
function appendEntry(source: SstColumn, row: number, kind: TextKind, heap: ByteWriter): void {
  if (kind === 'any') encodeValue(valueAt(source, row), heap);
  else heap.raw(dictionaryEntry(source, row));
}

function dictionaryEntry({ dictionary, values }: SstColumn, row: number): Uint8Array {
  const { offsets, heap } = dictionary!;
  const code = values[row] as number;
  return heap.subarray(offsets[code]!, offsets[code + 1]!);
}

function valueAt(source: SstColumn, row: number): Value {
  const value = source.values[row]!;
  switch (source.kind) {
    case 'uint32':
    case 'int32':
    case 'integer':
      return Number(value);
    case 'int64':
      return makeInteger(value as bigint);
    case 'float':
      return makeFloat(value as number);
    case 'boolean':
      return value === 1;
    case 'date':
      return new CypherDate(value as number);
    case 'dictionary':
      return Buffer.from(dictionaryEntry(source, row)).toString('utf8');
    case 'string': {
      const offsets = source.values as Uint32Array;
      return Buffer.from(source.heap!.slice(offsets[row]!, offsets[row + 1]!)).toString('utf8');
    }
    case 'vector': {
      const offsets = source.values as Uint32Array;
      return new Float32Array(source.heap!.slice(offsets[row]!, offsets[row + 1]!).buffer);
    }
    case 'any':
      throw new TypeError('encoded values are copied as they are');
  }
}

function isPresent({ valid }: SstColumn, row: number): boolean {
  return valid === null || isSet(valid, row);
}
