/**
 * Guesses the types of CSV columns whose headers name none, from their first values: each column gets the narrowest
 * type that all of these have. A number with leading zeros is taken for text, as it is more likely a code. Values after
 * the sample that do not have the type make their rows bad; the reason names the column.
 */
import { GraphDBError } from '../../base/index.ts';
import { type CsvDialect, fieldText } from '../../formats/index.ts';
import { parseTemporal } from '../../value/index.ts';
import type { GuessedColumn } from '../api.ts';
import { readRows } from '../input-group.ts';
import { parseHeaderField } from './header.ts';
import { integerOf } from './parse-integers.ts';

interface Candidate {
  readonly type: string;
  readonly pattern: RegExp;
  /** Tells whether the type has a value for text of that pattern, where not all of it has one. */
  readonly holds?: (text: string) => boolean;
}

/** The types to try, the narrowest first. */
const CANDIDATES: readonly Candidate[] = [
  { type: 'int', pattern: /^-?(?:0|[1-9]\d{0,18})$/, holds: (text) => integerOf(text) !== null },
  { type: 'float', pattern: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, holds: keepsDigits },
  { type: 'boolean', pattern: /^(?:true|false)$/i },
  { type: 'date', pattern: /^\d{4}-\d{2}-\d{2}$/, holds: isTemporal('date') },
  {
    type: 'localdatetime',
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/,
    holds: isTemporal('localdatetime'),
  },
  {
    type: 'datetime',
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/,
    holds: isTemporal('datetime'),
  },
];

const SAMPLED_ROWS = 10_000;

/** Thrown to end the reading of a sample. */
const ENOUGH = new Error('the sample is complete');

/**
 * Returns the fields of the header with the guessed types. A column without values, or with values of several types,
 * stays as it is.
 */
export async function withGuessedTypes(
  fields: readonly string[],
  {
    files,
    dialect,
    onGuess,
  }: { readonly files: readonly string[]; readonly dialect: CsvDialect; readonly onGuess: (guessed: GuessedColumn) => void },
): Promise<readonly string[]> {
  const open = fields.flatMap((text, column) => {
    const { role, typed, name } = parseHeaderField(text, column);
    return role === null && !typed && name !== '_id' ? [{ column, candidates: [...CANDIDATES], values: 0 }] : [];
  });
  if (open.length === 0) return fields;
  let rows = 0;
  const sample = readRows({
    files,
    dialect,
    columns: fields.length,
    integerColumns: [],
    onBlock(block) {
      const malformed = new Set(block.malformed.map(({ row }) => row));
      for (let row = block.firstRow; row < block.rows && rows < SAMPLED_ROWS; row++, rows++) {
        if (malformed.has(row)) continue;
        for (const each of open) {
          const text = fieldText(block, row, each.column);
          if (text === '' || each.candidates.length === 0) continue;
          each.values++;
          each.candidates = each.candidates.filter((candidate) => takes(candidate, text));
        }
      }
      if (rows >= SAMPLED_ROWS) throw ENOUGH;
    },
    onPiece: async () => {},
    onBadRow: () => {},
  });
  await sample.catch((error: unknown) => {
    if (error !== ENOUGH) throw error;
  });
  const guessed = [...fields];
  for (const { column, candidates, values } of open) {
    const [first] = candidates;
    if (first === undefined || values === 0) continue;
    guessed[column] = `${fields[column]}:${first.type}`;
    onGuess({ file: files[0]!, column: fields[column]!, type: first.type });
  }
  return guessed;
}

function takes({ pattern, holds }: Candidate, text: string): boolean {
  return pattern.test(text) && holds?.(text) !== false;
}

/** Tells whether a Float keeps all digits of an integer, which may be an identifier. Numbers with a point or an exponent are rounded. */
function keepsDigits(text: string): boolean {
  return !/^-?\d+$/.test(text) || Number.isSafeInteger(Number(text));
}

/** Returns a function that tells whether a text has a value: there is no 30th of February. */
function isTemporal(type: 'date' | 'localdatetime' | 'datetime'): (text: string) => boolean {
  return (text) => {
    try {
      parseTemporal(type, text);
      return true;
    } catch (error) {
      if (error instanceof GraphDBError) return false;
      throw error;
    }
  };
}
