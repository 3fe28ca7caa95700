/**
 * Turns a batch of typed rows into what the loaders take: a block of fields and its header. A column whose values are
 * all of one kind with a column form of its own (strings, numbers, Booleans, dates) becomes such a column; any other
 * column holds values of any type. A key that has once had other values stays so for the rest of the input, so that
 * files of a table do not alternate.
 */

import { assert } from '../../base/index.ts';
import type { FieldBlock, MalformedRow } from '../../formats/index.ts';
import { CypherDate, CypherFloat, isInteger, type Value } from '../../value/index.ts';
import { type HeaderField, type NodeHeader, nodeHeader, type RelationshipHeader, relationshipHeader } from '../csv/header.ts';
import type { RowBatch, RowColumn } from './row-batch.ts';
import { asTyped } from './typed-values.ts';

type Kind = 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'json';

/** Encodes the batches of one input, and remembers the kinds of its keys. */
export class BatchEncoder {
  readonly #kinds = new Map<string, Kind>();
  /** The columns with a role, such as ids, that batches have had so far. Rows of a batch that lacks one have no value there. */
  readonly #roles = new Map<string, HeaderField>();
  /** The delimiter between labels that stand as text. */
  readonly #labelDelimiter: string;

  constructor(arrayDelimiter: number) {
    this.#labelDelimiter = String.fromCharCode(arrayDelimiter);
  }

  nodes(batch: RowBatch): { block: FieldBlock; header: NodeHeader } {
    const { block, fields } = this.#encode(batch);
    return { block, header: nodeHeader(fields) };
  }

  relationships(batch: RowBatch): { block: FieldBlock; header: RelationshipHeader } {
    const { block, fields } = this.#encode(batch);
    return { block, header: relationshipHeader(fields) };
  }

  #encode(batch: RowBatch): { block: FieldBlock; fields: HeaderField[] } {
    const bad = new Map<number, string>();
    for (const { row, reason } of batch.malformed) bad.set(row, reason);
    const columns: { field: HeaderField; kind: Kind; values: readonly (Value | undefined)[] }[] = [];
    for (const { field, values } of this.#withRoles(batch.columns)) {
      if (field.role === 'IGNORE') continue;
      const column = columns.length;
      if (field.role !== null) {
        columns.push({ field: { ...field, column }, kind: 'string', values: this.#roleTexts(field, values, bad) });
        continue;
      }
      const typed = field.typed ? asTyped(field, values, bad) : values;
      const kind = this.#kind(field.name, kindOf(typed));
      if (kind !== null)
        columns.push({ field: { ...field, column, type: kind === 'integer' ? 'long' : kind, list: false }, kind, values: typed });
    }
    const malformed = Array.from(bad, ([row, reason]): MalformedRow => ({ row, reason })).sort((a, b) => a.row - b.row);
    return { block: blockOf(batch, columns, malformed), fields: columns.map(({ field }) => field) };
  }

  /** Adds the columns with a role that earlier batches had and this one lacks, since where batches end must not matter. */
  #withRoles(columns: readonly RowColumn[]): readonly RowColumn[] {
    const present = new Set<string | null>();
    for (const { field } of columns) {
      present.add(field.role);
      if (field.role !== null) this.#roles.set(field.role, field);
    }
    const lacking = [...this.#roles].filter(([role]) => !present.has(role));
    return lacking.length === 0 ? columns : [...columns, ...lacking.map(([, field]) => ({ field, values: [] }))];
  }

  #kind(key: string, found: Kind | null): Kind | null {
    if (found === null) return null;
    const known = this.#kinds.get(key);
    const kind = known === undefined || known === found ? found : 'json';
    this.#kinds.set(key, kind);
    return kind;
  }

  #roleTexts(field: HeaderField, values: RowColumn['values'], bad: Map<number, string>): (string | undefined)[] {
    const texts: (string | undefined)[] = [];
    values.forEach((value, row) => {
      if (value === undefined || value === null) return;
      const text =
        field.role === 'LABEL' ? this.#labels(value) : isInteger(value) ? String(value) : typeof value === 'string' ? value : null;
      if (text === null)
        bad.set(
          row,
          `column ${field.text}: ${field.role === 'LABEL' ? 'labels are a text or a list of texts' : 'it is neither text nor an integer'}`,
        );
      else texts[row] = text;
    });
    return texts;
  }

  #labels(value: Value): string | null {
    const labels = typeof value === 'string' ? value.split(this.#labelDelimiter).filter((label) => label !== '') : value;
    if (!Array.isArray(labels) || labels.some((label) => typeof label !== 'string' || label === '')) return null;
    return JSON.stringify(labels);
  }
}

/** Returns the kind of a column's values; null: no row has a value. */
function kindOf(values: RowColumn['values']): Kind | null {
  let kind: Kind | null = null;
  for (const value of values) {
    if (value === undefined || value === null) continue;
    const found = kindOfValue(value);
    if (kind === null) kind = found;
    else if (kind !== found) return 'json';
  }
  return kind;
}

function kindOfValue(value: Value): Kind {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value as 'string' | 'boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'float';
    case 'bigint':
      return 'integer';
    default:
      return value instanceof CypherFloat ? 'float' : value instanceof CypherDate && Math.abs(value.epochDay) < 2 ** 31 ? 'date' : 'json';
  }
}

function blockOf(
  { rows, lines }: RowBatch,
  columns: readonly { readonly kind: Kind; readonly values: readonly (Value | undefined)[] }[],
  malformed: readonly MalformedRow[],
): FieldBlock {
  const starts = new Int32Array(rows * columns.length);
  const ends = new Int32Array(rows * columns.length);
  let bytes: Buffer = Buffer.allocUnsafe(64 * rows + 1024);
  let length = 0;
  columns.forEach(({ kind, values }, column) => {
    if (kind === 'json') return;
    for (let row = 0; row < rows; row++) {
      const value = values[row];
      if (value === undefined || value === null) continue;
      const text = textOf(value);
      if (length + 3 * text.length > bytes.length) {
        const larger = Buffer.allocUnsafe(2 * bytes.length + 3 * text.length);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      const at = row * columns.length + column;
      starts[at] = text === '' ? 1 : length;
      length += bytes.write(text, length, 'utf8');
      ends[at] = text === '' ? 0 : length;
    }
  });
  const side = columns.map(({ kind, values }) => (kind === 'json' ? values : undefined));
  return { bytes, from: 0, to: length, columns: columns.length, firstRow: 0, rows, starts, ends, lines, malformed, values: side };
}

/** Returns the text of a value as the parser of its kind reads it. */
function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof CypherDate) return value.toString();
  const number = value instanceof CypherFloat ? value.value : value;
  assert(typeof number !== 'object', 'a kind with a text form');
  return Object.is(number, -0) ? '-0.0' : String(number);
}
