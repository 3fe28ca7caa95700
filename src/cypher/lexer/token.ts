/** Tokens of Cypher text. Keywords are no tokens of their own: any of them can be a name where the grammar asks for one. */
import type { GraphDBError } from '../../base/index.ts';
import type { CypherFloat } from '../../value/index.ts';

/** A kind of token. */
export type TokenKind =
  /** An identifier, bare or in backticks. */
  | 'name'
  | 'integer'
  | 'float'
  | 'string'
  /** `$name`, `$1`; `text` is the name. */
  | 'parameter'
  /** Punctuation; `text` is the sign itself. */
  | 'symbol'
  /** A character that cannot be read; nothing follows it. */
  | 'fault'
  | 'end';

/** A token of Cypher text. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The name without backticks, the value of a string, the sign. */
  readonly text: string;
  /** The name in capitals if it is bare ASCII, else empty: what keywords are compared with. */
  readonly keyword: string;
  /** The value of a number; an integer of 2^63 is kept as such, for it is right behind a minus. */
  readonly value: number | bigint | CypherFloat | null;
  /** The index of the token that closes an opening bracket, -1 if none does. */
  match: number;
  readonly fault: GraphDBError | null;
}
