/**
 * A table with a column of every kind, nulls included, for tests of the SST codec: deterministic, and big enough for
 * several blocks when asked.
 */
import type { SstColumn, SstColumnKind, SstTable } from '../api.ts';

/** A value in the form of JSON, bytes as base64; null when it is absent. */
export type SampleValue = number | string | boolean | null;

export interface SampleColumn {
  readonly name: string;
  readonly kind: SstColumnKind;
  readonly value: (row: number) => SampleValue;
}

/** Wraps a function of values so that every `step`-th row has none. */
function withNulls(step: number, value: (row: number) => SampleValue): (row: number) => SampleValue {
  return (row) => (row % step === step - 1 ? null : value(row));
}

const WORDS = ['', 'Łódź', 'graph', '数据', 'a rather longer entry of the dictionary'];

export const SAMPLE_COLUMNS: readonly SampleColumn[] = [
  { name: '_ordinal', kind: 'uint32', value: (row) => 4_000_000_000 + 2 * row },
  { name: 'small', kind: 'int32', value: withNulls(7, (row) => row - 50) },
  { name: 'count', kind: 'integer', value: withNulls(5, (row) => (row % 2 === 0 ? 1 : -1) * (row * 2 ** 33 + row)) },
  { name: 'huge', kind: 'int64', value: (row) => String(BigInt(row) * 4_611_686_018_427n * (row % 3 === 0 ? -1n : 1n)) },
  { name: 'ratio', kind: 'float', value: withNulls(11, (row) => row / 3 - 10) },
  { name: 'flag', kind: 'boolean', value: withNulls(13, (row) => row % 3 === 0) },
  { name: 'day', kind: 'date', value: (row) => row - 1000 },
  { name: 'word', kind: 'dictionary', value: withNulls(9, (row) => WORDS[row % WORDS.length]!) },
  { name: 'text', kind: 'string', value: withNulls(4, (row) => (row % 10 === 0 ? '' : `row ${row} ✓`)) },
  { name: 'all null', kind: 'string', value: () => null },
  { name: 'embedding', kind: 'vector', value: withNulls(5, (row) => base64Of(row % 3 === 0 ? [] : [row, -row / 2, 1e-3])) },
  { name: 'blob', kind: 'any', value: withNulls(6, (row) => Buffer.from([row & 255, 0, 255]).toString('base64')) },
];

function base64Of(components: readonly number[]): string {
  return Buffer.from(new Float32Array(components).buffer).toString('base64');
}

export function sampleTable(rows: number, columns: readonly SampleColumn[] = SAMPLE_COLUMNS): SstTable {
  return {
    kind: 'nodes',
    labels: ['Person', 'Ärztin'],
    rows,
    columns: columns.map((column) => sampleColumn(column, rows)),
    minOrdinal: 4_000_000_000,
    denseOrdinals: false,
    base: true,
    level: 0,
    minSequence: 1,
    maxSequence: 5,
  };
}

/** Makes a table of relationships with the same columns, whose blocks have more rows. */
export function sampleRelationships(rows: number): SstTable {
  const { labels: _labels, ...table } = sampleTable(rows);
  return { ...table, kind: 'relationships', type: 'KNOWS' };
}

export function sampleColumn({ name, kind, value }: SampleColumn, rows: number): SstColumn {
  const values = Array.from({ length: rows }, (_, row) => value(row));
  const valid = values.includes(null) ? bitmapOf(values) : null;
  const base = { name, kind, valid };
  switch (kind) {
    case 'uint32':
      return { ...base, values: Uint32Array.from(values, Number) };
    case 'int32':
    case 'date':
      return { ...base, values: Int32Array.from(values, Number) };
    case 'integer':
    case 'float':
      return { ...base, values: Float64Array.from(values, Number) };
    case 'int64':
      return { ...base, values: BigInt64Array.from(values, (it) => BigInt(it ?? 0)) };
    case 'boolean':
      return { ...base, values: Uint8Array.from(values, Number) };
    case 'dictionary': {
      const entries = [...new Set(values.filter((it) => it !== null))].map(String);
      const codes = new Map(entries.map((entry, code) => [entry, code]));
      const dictionary = packText(entries.map((entry) => Buffer.from(entry)));
      return {
        ...base,
        values: Int32Array.from(values, (it) => codes.get(String(it)) ?? 0),
        dictionary: { offsets: dictionary.values, heap: dictionary.heap },
      };
    }
    case 'string':
      return { ...base, ...packText(values.map((it) => Buffer.from(String(it ?? '')))) };
    case 'vector':
    case 'any':
      return { ...base, ...packText(values.map((it) => Buffer.from(String(it ?? ''), 'base64'))) };
  }
}

function bitmapOf(values: readonly SampleValue[]): Uint8Array {
  const bitmap = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value !== null) bitmap[row >> 3]! |= 1 << (row & 7);
  });
  return bitmap;
}

function packText(entries: readonly Uint8Array[]): { values: Uint32Array; heap: Uint8Array } {
  const values = new Uint32Array(entries.length + 1);
  entries.forEach((entry, index) => {
    values[index + 1] = values[index]! + entry.length;
  });
  return { values, heap: Uint8Array.from(Buffer.concat(entries)) };
}

/** Reads the value of a row in the form of the sample. */
export function readSample(column: SstColumn, row: number): SampleValue {
  const { kind, values, valid, heap, dictionary } = column;
  if (valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) return null;
  switch (kind) {
    case 'boolean':
      return values[row] === 1;
    case 'int64':
      return String(values[row]);
    case 'dictionary':
      return textAt(dictionary!.offsets, dictionary!.heap, Number(values[row])).toString('utf8');
    case 'string':
      return textAt(values as Uint32Array, heap!, row).toString('utf8');
    case 'vector':
    case 'any':
      return textAt(values as Uint32Array, heap!, row).toString('base64');
    default:
      return Number(values[row]);
  }
}

function textAt(offsets: Uint32Array, heap: Uint8Array, entry: number): Buffer {
  return Buffer.from(heap.slice(offsets[entry]!, offsets[entry + 1]!));
}
