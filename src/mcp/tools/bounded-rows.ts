/**
 * Rows as the text of an answer, bounded in rows and in bytes: a model that asks for too much is told so, and how to
 * ask for less, instead of being sent what it cannot read. Long lists, such as vectors, and long texts within the rows
 * are shortened first.
 */

import type { StatementOutcome } from '../../engine/index.ts';
import { encodeKeys, encodeRow } from '../../formats/index.ts';
import { encodeWriteOutcome } from '../../result/index.ts';
import type { ResultValue } from '../../value/index.ts';
import { isExactNumber, parseExactly } from './exact-json.ts';

/** Largest answer in bytes, measured as a JSON string within its message; rows beyond it are cut. */
export const MOST_ANSWER_BYTES = 1_000_000;
/** Bytes of MOST_ANSWER_BYTES that are reserved for everything but the rows. */
const BYTES_BESIDE_ROWS = 50_000;
/** Longest list in items; a longer one is shortened. */
const LONGEST_LIST = 100;
/** Longest text in characters; a longer one is shortened. */
const LONGEST_TEXT = 10_000;
/** Rows of fewer characters of JSON are not shortened. */
const SHORT_ROW = 1_000;

/** Collects rows of an answer within its bounds. */
export class BoundedRows {
  private readonly columns: readonly string[];
  private readonly keys: readonly string[];
  private readonly mostRows: number;
  private readonly rows: string[] = [];
  private bytes = 0;
  private cutBy: 'rows' | 'bytes' | null = null;
  private hasShortened = false;

  constructor(columns: readonly string[], mostRows: number) {
    this.columns = columns;
    this.keys = encodeKeys(columns);
    this.mostRows = mostRows;
  }

  /** Adds a row. False if there is no room for it; all later rows are then refused too. */
  add(row: readonly ResultValue[]): boolean {
    if (this.cutBy !== null) return false;
    if (this.rows.length === this.mostRows) {
      this.cutBy = 'rows';
      return false;
    }
    const text = this.shortened(encodeRow(this.keys, row, 'plain'));
    const bytes = bytesWithin(text);
    if (this.bytes + bytes > MOST_ANSWER_BYTES - BYTES_BESIDE_ROWS) {
      this.cutBy = 'bytes';
      return false;
    }
    this.bytes += bytes;
    this.rows.push(text);
    return true;
  }

  /** Returns the answer as JSON. */
  text({ writeOutcome, notifications = [], plan }: Partial<StatementOutcome> = {}): string {
    const parts = [`"columns":${JSON.stringify(this.columns)}`, `"rows":[${this.rows.join(',')}]`, `"row_count":${this.rows.length}`];
    if (this.cutBy !== null) parts.push('"truncated":true', `"note":${JSON.stringify(this.note(this.cutBy))}`);
    else if (this.hasShortened) parts.push(`"note":${JSON.stringify(SHORTENED)}`);
    if (writeOutcome !== undefined) parts.push(`"changed":${encodeWriteOutcome(writeOutcome)}`);
    if (notifications.length > 0)
      parts.push(`"warnings":${JSON.stringify(notifications.slice(0, 20).map(({ description }) => description.slice(0, 500)))}`);
    if (plan !== undefined) parts.push(`"plan":${JSON.stringify(plan.slice(0, LONGEST_TEXT))}`);
    return `{${parts.join(',')}}`;
  }

  private note(cutBy: 'rows' | 'bytes'): string {
    const limit = cutBy === 'rows' ? `${this.mostRows} rows` : '1 MB';
    const shortened = this.hasShortened ? ` ${SHORTENED}` : '';
    return (
      `The answer was cut at ${limit}: there are more rows. Narrow it with WHERE or LIMIT, return single properties rather ` +
      `than whole nodes, or aggregate.${shortened}`
    );
  }

  private shortened(text: string): string {
    if (text.length < SHORT_ROW) return text;
    return JSON.stringify(parseExactly(text), (_key, value: unknown) => {
      if (typeof value === 'string' && value.length > LONGEST_TEXT) {
        this.hasShortened = true;
        return `${value.slice(0, LONGEST_TEXT).toWellFormed()}… (${value.length} characters)`;
      }
      if (!Array.isArray(value) || value.length <= LONGEST_LIST) return value;
      this.hasShortened = true;
      return [...value.slice(0, value.every(isExactNumber) ? 3 : LONGEST_LIST), `… (${value.length} items)`];
    });
  }
}

const SHORTENED =
  `Lists of more than ${LONGEST_LIST} items and texts of more than ${LONGEST_TEXT} characters are shortened; ` +
  'return parts of them, such as list[0..100], to see more.';

/** Returns the size of a text in bytes when it is encoded as a JSON string. */
function bytesWithin(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
