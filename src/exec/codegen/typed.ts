/**
 * A value at a place in the generated code, as the compiler knows it: its static type, the JavaScript that reads it,
 * and when that may be read.
 *
 * - scalars: `code` reads the raw JavaScript value: integer number|bigint, float number (never boxed), boolean, string;
 *   `any`: a canonical Value, null among them.
 * - node: `code` is the ordinal, -1 for null. relationship: `typeCode` and `rowCode`, row -1 for null.
 * - `valid`: JavaScript that is true when there is a value; null: there always is. `code` means nothing where `valid` is false.
 *   For `any`, `valid` is null always: the value says it itself.
 */

/** A static type of the generated code. */
export type StaticType = 'null' | 'boolean' | 'integer' | 'float' | 'string' | 'node' | 'relationship' | 'any';

/** A value at a place in the generated code. */
export interface Typed {
  readonly type: StaticType;
  readonly code: string;
  readonly valid: string | null;
  readonly node?: NodeFacts;
  readonly relationship?: RelationshipFacts;
  /** For a string from a dictionary column: the code, the name of the dictionary, and the property key that it is the dictionary of. */
  readonly dictionary?: { readonly code: string; readonly name: string; readonly key: string };
  /** True of an integer that is a JavaScript number always, never a bigint. */
  readonly small?: boolean | undefined;
  /** The largest distance from 0 of an integer that is a JavaScript number always. */
  readonly most?: number | undefined;
  /**
   * The UTF-8 columns of a string whose rows are read in ascending order. `test`: JavaScript that is true where it is
   * that column; null: always.
   */
  readonly utf8?: { readonly row: string; readonly columns: readonly { readonly column: string; readonly test: string | null }[] };
  /** The column and row of an `any` that is a vector or null, and when it may be read (null: always). */
  readonly vector?: { readonly column: string; readonly row: string; readonly valid: string | null };
  /** Where an `any` lies in a column of encoded values: the column, its row, and when it may be read (null: always). */
  readonly encoded?: { readonly column: string; readonly row: string; readonly valid: string | null };
  /** The UTF-8 column and row of a string. */
  readonly text?: { readonly column: string; readonly row: string };
  /** True of a column in a statement that only reads: it may be read later, or never, and nobody can tell. */
  readonly late?: boolean;
  /** Does not change while the function runs, and stands in its prologue. */
  readonly hoisted?: boolean;
  /**
   * Does not change while the function runs, and stands in its prologue; undefined where it is an error, which is told
   * where it is needed first.
   */
  readonly constant?: boolean;
  /**
   * The day of an `any` that is a Date or null: JavaScript for its day since 1970, and when that may be read (null:
   * always). Nothing is made of it before somebody wants the Date.
   */
  readonly day?: { readonly code: string; readonly valid: string | null };
  /**
   * A small number that stands for a string or an `any`: a local from 0 on, -1 for null. Nothing is made of it before
   * somebody wants the value.
   */
  readonly number?: string;
  /** `any` that is known to be a list or a map. */
  readonly shape?: 'list' | 'map' | undefined;
}

/** Static facts about a node. */
export interface NodeFacts {
  /** Indexes of the tables it can be in; null: not known. Only where the plan is specialised. */
  readonly tables: readonly number[] | null;
  /** Locals with its row and with the index of its table, when a scan has them at hand. */
  readonly row: string | null;
  readonly table: string | null;
}

/** Static facts about a relationship, and where its parts are. */
export interface RelationshipFacts {
  readonly typeCode: string;
  readonly rowCode: string;
  /**
   * JavaScript equal to `rowCode`, read where it stands: for conditions that are hardly ever asked. Only within the
   * loop that found the relationship.
   */
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

/** Tells whether an integer is known to be no further from 0 than a limit. */
export function isAtMost({ most }: Typed, limit: number): boolean {
  return most !== undefined && most <= limit;
}

const UNKNOWN: NodeFacts = { tables: null, row: null, table: null };

/** The value null. */
export const NULL: Typed = { type: 'null', code: 'null', valid: 'false' };

/** Returns a value of any type. */
export function any(code: string, shape?: 'list' | 'map'): Typed {
  return { type: 'any', code, valid: null, shape };
}

/** Returns a node. */
export function node(code: string, nullable: boolean, facts: NodeFacts = UNKNOWN): Typed {
  return { type: 'node', code, valid: nullable ? `${code} >= 0` : null, node: facts };
}

/** Returns a relationship. */
export function relationship(facts: RelationshipFacts, nullable: boolean): Typed {
  return { type: 'relationship', code: facts.rowCode, valid: nullable ? `${facts.rowCode} >= 0` : null, relationship: facts };
}

/** Tells whether a value is an integer or a float. */
export function isNumeric(typed: Typed): boolean {
  return typed.type === 'integer' || typed.type === 'float';
}

/** Tells whether a value is a scalar that is kept raw. */
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
