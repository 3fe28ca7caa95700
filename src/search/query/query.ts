/** Queries as the index answers them: those of Lucene's classic query grammar, with words already analysed into terms. */

/** How a clause counts. A `should` clause raises the score; where no clause must match, one `should` clause has to. */
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

/** A range of terms, compared by their UTF-8 bytes. A bound of null is open. */
export interface TermRange {
  readonly low: string | null;
  readonly lowInclusive: boolean;
  readonly high: string | null;
  readonly highInclusive: boolean;
}

/** A full-text query. */
export type TextQuery =
  | { readonly kind: 'term'; readonly field: string; readonly term: string }
  /** `slop`: by how many places the terms may be moved. */
  | { readonly kind: 'phrase'; readonly field: string; readonly terms: readonly PhraseTerm[]; readonly slop: number }
  | { readonly kind: 'prefix'; readonly field: string; readonly prefix: string }
  | { readonly kind: 'wildcard'; readonly field: string; readonly pattern: readonly WildcardPart[] }
  | { readonly kind: 'regex'; readonly field: string; readonly pattern: string }
  | { readonly kind: 'fuzzy'; readonly field: string; readonly term: string; readonly edits: number }
  | { readonly kind: 'range'; readonly field: string; readonly range: TermRange }
  /** Matches documents that have a term in the field. */
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'boolean'; readonly clauses: readonly QueryClause[] }
  | { readonly kind: 'boost'; readonly factor: number; readonly query: TextQuery };

/** The largest factor by which scores are multiplied, and the largest float of 32 bits. */
export const LARGEST_FACTOR = (2 - 2 ** -23) * 2 ** 127;

/** A part of a pattern: text that stands for itself, or a sign for one character or for any number of characters. */
export type WildcardPart = string | { readonly sign: 'one' | 'any' };
