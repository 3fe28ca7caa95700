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
  /**
   * For a string of a dictionary column: JavaScript for its code, the local with the dictionary, and the property key
   * of the dictionary.
   */
  readonly dictionary?: { readonly code: string; readonly name: string; readonly key: string };
  /** True for an integer that is always a JavaScript number, never a bigint. */
  readonly small?: boolean | undefined;
  /** The largest absolute value of an integer that is always a JavaScript number. */
  readonly most?: number | undefined;
  /**
   * For a string that is read from UTF-8 columns in ascending order of rows: the row, and the columns. `test` is
   * JavaScript that is true when the string lies in that column; null when it always does.
   */
  readonly utf8?: { readonly row: string; readonly columns: readonly { readonly column: string; readonly test: string | null }[] };
  /** For an `any` that is a vector or null: its column and row, and JavaScript for when it may be read (null: always). */
  readonly vector?: { readonly column: string; readonly row: string; readonly valid: string | null };
  /** For an `any` in a column of encoded values: the column and row, and JavaScript for when it may be read (null: always). */
  readonly encoded?: { readonly column: string; readonly row: string; readonly valid: string | null };
  /** For a string of a UTF-8 column: the column and the row. */
  readonly text?: { readonly column: string; readonly row: string };
  /** True for a value of a column in a statement that only reads: to read it later, or never, makes no difference. */
  readonly late?: boolean;
  /** True when the value does not change while the function runs: its code is a literal, or a local of the prologue. */
  readonly hoisted?: boolean;
  /**
   * True when the value does not change while the function runs, and is computed in its prologue. It is undefined when
   * its computation failed; the error is thrown where the value is first needed.
   */
  readonly constant?: boolean;
  /**
   * For an `any` that is a Date or null: JavaScript for its days since 1970, and for when they may be read (null:
   * always). The Date itself is made only where it is needed.
   */
  readonly day?: { readonly code: string; readonly valid: string | null };
  /**
   * For a string or an `any`: a local with a small number that stands for the value, from 0 on, or -1 for null. The
   * value itself is made only where it is needed.
   */
  readonly number?: string;
  /** For an `any` that is known to be a list or a map if it is not null. */
  readonly shape?: 'list' | 'map' | undefined;
}

/** Static facts about a node. */
export interface NodeFacts {
  /** The indexes of the tables in which the node can lie; null when they are not known, as always in generic code. */
  readonly tables: readonly number[] | null;
  /** Locals with the row of the node and the index of its table, where a scan has them; else null. */
  readonly row: string | null;
  readonly table: string | null;
}

/** Static facts about a relationship, and where its parts are. */
export interface RelationshipFacts {
  readonly typeCode: string;
  readonly rowCode: string;
  /**
   * JavaScript for the same row as `rowCode`, which reads it only where it stands: for conditions that are rarely
   * reached. Only valid inside the loop that found the relationship.
   */
  readonly lateRow?: string | undefined;
  /** The symbol id of the type; null when it is not known. */
  readonly type: number | null;
  /** Locals with the source and the target as they are stored; null where there are none. */
  readonly source: string | null;
  readonly target: string | null;
  /** True when no relationship of the type begins where it ends. */
  readonly loopFree?: boolean;
  /** Locals with the two ends, where it is not known which of them is the source. */
  readonly ends?: readonly [string, string];
}

/** The largest absolute value in a column of 32-bit integers. */
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

/** Returns JavaScript that is true when both values are present; null when neither needs a test. */
export function bothValid(left: string | null, right: string | null): string | null {
  if (left === null) return right;
  if (right === null) return left;
  return left === right ? left : `${left} && ${right}`;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$|^-?\d+$|^(true|false|null)$/;

/** Tells whether code is a name or a constant: to read it twice costs nothing and gives the same. */
export function isSimple(code: string): boolean {
  return IDENTIFIER.test(code);
}
