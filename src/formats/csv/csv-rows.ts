/**
 * The rows of a CSV text that comes in pieces (RFC 4180, any terminator of one character): arrays of fields, as many as a line has. A field without quotes and without
 * text is null, one of two quotes the empty string. Lines that are empty are skipped.
 */
import { GraphDBError } from '../../base/index.ts';

export type CsvRow = readonly (string | null)[];

const LONGEST_ROW = 64 * 2 ** 20;

export class CsvRows {
  /** Of the row given last, from 1: the line on which it began. */
  line = 0;
  private rest = '';
  private nextLine = 1;
  private readonly terminator: string;

  constructor(terminator: string) {
    this.terminator = terminator;
  }

  /** The rows that are complete with this piece. */
  *add(piece: string): Generator<CsvRow> {
    this.rest += piece;
    yield* this.complete(false);
    if (this.rest.length > LONGEST_ROW)
      throw new GraphDBError(
        'ARGUMENT_ERROR',
        `the row that begins on line ${this.nextLine} has more than ${LONGEST_ROW} characters; is a quote not closed?`,
      );
  }

  /** The last row, which may lack its line end. */
  *end(): Generator<CsvRow> {
    yield* this.complete(true);
  }

  private *complete(atEnd: boolean): Generator<CsvRow> {
    const text = this.rest;
    let at = 0;
    while (at < text.length) {
      const row: (string | null)[] = [];
      const next = this.scanRow(text, at, atEnd, row);
      if (next < 0) break;
      this.line = this.nextLine;
      this.nextLine += lineEnds(text, at, next);
      at = next;
      if (row.length > 1 || row[0] !== null) yield row;
    }
    this.rest = text.slice(at);
  }

  /** Fills `row`; where the next one begins, or -1 when this one is not complete. */
  private scanRow(text: string, start: number, atEnd: boolean, row: (string | null)[]): number {
    let at = start;
    for (;;) {
      const quoted = text[at] === '"';
      const end = quoted ? closingQuote(text, at) : this.endOfField(text, at);
      if (end < 0) {
        if (atEnd && quoted) throw new GraphDBError('ARGUMENT_ERROR', `a quote that is opened on line ${this.nextLine} is not closed`);
        return -1;
      }
      if (end === text.length && !atEnd) return -1;
      row.push(quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : end === at ? null : text.slice(at, end));
      const character = text[end];
      if (character === this.terminator) at = end + 1;
      else if (character === undefined || character === '\n') return end + 1;
      else if (character === '\r') {
        if (end + 1 === text.length && !atEnd) return -1;
        return text[end + 1] === '\n' ? end + 2 : end + 1;
      } else throw new GraphDBError('ARGUMENT_ERROR', `there is text behind a closing quote on line ${this.nextLine}`);
    }
  }

  private endOfField(text: string, start: number): number {
    for (let at = start; at < text.length; at++) {
      const character = text[at];
      if (character === this.terminator || character === '\n' || character === '\r') return at;
    }
    return text.length;
  }
}

/** The position behind it; -1 when it is not there (yet). */
function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return -1;
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}
