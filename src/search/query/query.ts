/** Queries as the index answers them: what Lucene's classic query grammar says, with words already analysed into terms. */

/** `should`: raises the score; one of them has to match where nothing must. */
export type Occur = 'must' | 'should' | 'mustNot';

/** A clause of a query that must, should or must not match. */
export interface QueryClause {
  readonly occur: Occur;
  readonly query: TextQuery;
}

/** A place in a phrase, relative to its first; several terms at one place are alternatives. */
export interface PhraseTerm {
  readonly term: string;
  readonly position: number;
}

/** A bound of null is open. Terms compare by their UTF-8 bytes. */
export interface TermRange {
  readonly low: string | null;
  readonly lowInclusive: boolean;
  readonly high: string | null;
  readonly highInclusive: boolean;
}

/** A query of full text. */
export type TextQuery =
  | { readonly kind: 'term'; readonly field: string; readonly term: string }
  /** `slop`: how many places the terms may be moved. */
  | { readonly kind: 'phrase'; readonly field: string; readonly terms: readonly PhraseTerm[]; readonly slop: number }
  | { readonly kind: 'prefix'; readonly field: string; readonly prefix: string }
  | { readonly kind: 'wildcard'; readonly field: string; readonly pattern: readonly WildcardPart[] }
  | { readonly kind: 'regex'; readonly field: string; readonly pattern: string }
  | { readonly kind: 'fuzzy'; readonly field: string; readonly term: string; readonly edits: number }
  | { readonly kind: 'range'; readonly field: string; readonly range: TermRange }
  /** Has the field a value? */
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'boolean'; readonly clauses: readonly QueryClause[] }
  | { readonly kind: 'boost'; readonly factor: number; readonly query: TextQuery };

/** Characters that stand for themselves, or a sign for one character or for any number of them. */
export type WildcardPart = string | { readonly sign: 'one' | 'any' };
