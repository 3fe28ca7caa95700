/** Tokens of Cypher text. Keywords are no tokens of their own, since each of them can be a name where the grammar expects a name. */
import type { GraphDBError } from '../../base/index.ts';
import type { CypherFloat } from '../../value/index.ts';

/** A kind of token. */
export type TokenKind =
  /** An identifier, bare or in backticks. */
  | 'name'
  | 'integer'
  | 'float'
  | 'string'
  /** A parameter `$name` or `$1`; `text` is its name. */
  | 'parameter'
  /** Punctuation; `text` is the sign itself. */
  | 'symbol'
  /** Text that cannot be read as a token; nothing follows it. */
  | 'fault'
  | 'end';

/** A token of Cypher text. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The name without backticks, the value of a string, or the sign. */
  readonly text: string;
  /** The name in capitals if it is bare ASCII, else empty; keywords are compared with it. */
  readonly keyword: string;
  /** The value of a number; null for other tokens. An integer of 2^63 is kept, since it is valid after a minus. */
  readonly value: number | bigint | CypherFloat | null;
  /** The index of the token that closes an opening bracket; -1 if there is none, and for other tokens. */
  match: number;
  readonly fault: GraphDBError | null;
}
