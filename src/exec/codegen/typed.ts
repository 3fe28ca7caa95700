/**
 * What the compiler knows of a value at a place in the generated code: its static type, the JavaScript that reads it, and when that may be read.
 *
 * - scalars: `code` reads the raw JavaScript value: integer number|bigint, float number (never boxed), boolean, string; `any`: a canonical Value, null among them.
 * - node: `code` is the ordinal, -1 for null. relationship: `typeCode` and `rowCode`, row -1 for null.
 * - `valid`: JavaScript that is true when there is a value; null: there always is. `code` means nothing where `valid` is false.
 *   For `any`, `valid` is null always: the value says it itself.
 */

export type StaticType = 'null' | 'boolean' | 'integer' | 'float' | 'string' | 'node' | 'relationship' | 'any';

export interface Typed {
  readonly type: StaticType;
  readonly code: string;
  readonly valid: string | null;
  readonly node?: NodeFacts;
  readonly relationship?: RelationshipFacts;
  /** For a string from a dictionary column: the code, the name of the dictionary, and the property key that it is the dictionary of. */
  readonly dictionary?: { readonly code: string; readonly name: string; readonly key: string };
  /** Of an integer: it is a JavaScript number always, never a bigint. */
  readonly small?: boolean | undefined;
  /** Of an integer: it is a JavaScript number always, and no further from 0 than this. */
  readonly most?: number | undefined;
  /** Of a string from a UTF-8 column, or one of several, whose rows are read in ascending order. `test`: JavaScript that is true where it is that column; null: always. */
  readonly utf8?: { readonly row: string; readonly columns: readonly { readonly column: string; readonly test: string | null }[] };
  /** Of `any` that is a vector or null: the column it lies in, its row, and when it may be read (null: always). */
  readonly vector?: { readonly column: string; readonly row: string; readonly valid: string | null };
  /** Where an `any` lies in a column of encoded values: the column, its row, and when it may be read (null: always). */
  readonly encoded?: { readonly column: string; readonly row: string; readonly valid: string | null };
  /** Of a string from a UTF-8 column: the column and the row. */
  readonly text?: { readonly column: string; readonly row: string };
  /** Of a column in a statement that only reads: it may be read later, or never, and nobody can tell. */
  readonly late?: boolean;
  /** Does not change while the function runs, and stands in its prologue. */
  readonly hoisted?: boolean;
  /** Does not change while the function runs, and stands in its prologue; undefined where it is an error, which is told where it is needed first. */
  readonly constant?: boolean;
  /** Of `any` that is a Date or null: JavaScript for its day since 1970, and when that may be read (null: always). Nothing is made of it before somebody wants the Date. */
  readonly day?: { readonly code: string; readonly valid: string | null };
  /** Of a string or `any`: a local with a small number from 0 on that stands for the value, -1 for null. Nothing is made of it before somebody wants the value. */
  readonly number?: string;
  /** `any` that is known to be a list or a map. */
  readonly shape?: 'list' | 'map' | undefined;
}

export interface NodeFacts {
  /** Indexes of the tables it can be in; null: not known. Only where the plan is specialised. */
  readonly tables: readonly number[] | null;
  /** Locals with its row and with the index of its table, when a scan has them at hand. */
  readonly row: string | null;
  readonly table: string | null;
}

export interface RelationshipFacts {
  readonly typeCode: string;
  readonly rowCode: string;
  /** The same as `rowCode`, read where it stands: for conditions that are hardly ever asked. Only within the loop that found the relationship. */
  readonly lateRow?: string | undefined;
  /** The type symbol id when it is known. */
  readonly type: number | null;
  /** Locals with its ends in stored direction, where at hand. */
  readonly source: string | null;
  readonly target: string | null;
  /** No relationship of its type begins where it ends. */
  readonly loopFree?: boolean;
  /** Its ends, where it is not known which is which. */
  readonly ends?: readonly [string, string];
}

/** In a column of 32 bits. */
export const LARGEST_INT32 = 2 ** 31;

export function isAtMost({ most }: Typed, limit: number): boolean {
  return most !== undefined && most <= limit;
}

const UNKNOWN: NodeFacts = { tables: null, row: null, table: null };

export const NULL: Typed = { type: 'null', code: 'null', valid: 'false' };

export function any(code: string, shape?: 'list' | 'map'): Typed {
  return { type: 'any', code, valid: null, shape };
}

export function node(code: string, nullable: boolean, facts: NodeFacts = UNKNOWN): Typed {
  return { type: 'node', code, valid: nullable ? `${code} >= 0` : null, node: facts };
}

export function relationship(facts: RelationshipFacts, nullable: boolean): Typed {
  return { type: 'relationship', code: facts.rowCode, valid: nullable ? `${facts.rowCode} >= 0` : null, relationship: facts };
}

export function isNumeric(typed: Typed): boolean {
  return typed.type === 'integer' || typed.type === 'float';
}

export function isScalar(typed: Typed): boolean {
  return typed.type === 'integer' || typed.type === 'float' || typed.type === 'boolean' || typed.type === 'string';
}

/** Both have values: `a && b`, null when neither needs a test. */
export function bothValid(left: string | null, right: string | null): string | null {
  if (left === null) return right;
  if (right === null) return left;
  return left === right ? left : `${left} && ${right}`;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$|^-?\d+$|^(true|false|null)$/;

/** Reading it twice costs nothing and gives the same. */
export function isSimple(code: string): boolean {
  return IDENTIFIER.test(code);
}
