/** The benchmark's own CSV files: no quotes, no header lines, ASCII. */
import { readFileSync } from 'node:fs';

/** For peers that have no loader: numbers where a field looks like one. */
export function* readRows(file: string): Generator<(string | number)[]> {
  const text = readFileSync(file, 'latin1');
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end).split(',').map(field);
    start = end + 1;
  }
}

/** The rows as objects, `size` at a time. */
export function* readBatches(file: string, columns: readonly string[], size: number): Generator<Record<string, string | number>[]> {
  let batch: Record<string, string | number>[] = [];
  for (const row of readRows(file)) {
    batch.push(Object.fromEntries(columns.map((column, index) => [column, row[index]!])));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function field(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

const COMMA = 44;
const LINE_END = 10;

/** Field after field over the bytes, for the loader written by hand. Each read ends behind the comma or the line end. */
export class FieldReader {
  readonly rows: number;
  private readonly bytes: Buffer;
  private position = 0;

  constructor(file: string) {
    this.bytes = readFileSync(file);
    let rows = 0;
    for (let at = this.bytes.indexOf(LINE_END); at >= 0; at = this.bytes.indexOf(LINE_END, at + 1)) rows++;
    this.rows = rows;
  }

  integer(): number {
    let value = 0;
    for (let byte = this.bytes[this.position++]!; byte >= 48; byte = this.bytes[this.position++]!) value = value * 10 + byte - 48;
    return value;
  }

  text(): string {
    const start = this.position;
    for (let byte = this.bytes[start]!; byte !== COMMA && byte !== LINE_END; ) byte = this.bytes[++this.position]!;
    return this.bytes.toString('latin1', start, this.position++);
  }

  /** `2020-01-31`, as days since 1970. */
  day(): number {
    const { bytes, position } = this;
    const number = (at: number, digits: number): number => {
      let value = 0;
      for (let i = at; i < at + digits; i++) value = value * 10 + bytes[i]! - 48;
      return value;
    };
    this.position += 11;
    return Date.UTC(number(position, 4), number(position + 5, 2) - 1, number(position + 8, 2)) / 86_400_000;
  }
}
