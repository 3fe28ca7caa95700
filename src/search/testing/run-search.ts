/** Searches in tests and benchmarks: one analyzer, fields by name, nothing to wait for. */
import { finish } from '../../base/index.ts';
import { type Analyzer, analyzerNamed } from '../analysis/analyzers.ts';
import type { TextSegment } from '../postings/text-segment.ts';
import { parseTextQuery } from '../query/parse-query.ts';
import { type SearchedSegment, searchText } from '../scoring/search.ts';

export interface FoundDocument {
  /** The place of the document among all documents. */
  readonly document: number;
  readonly score: number;
}

export interface SearchedDocuments {
  readonly fields: readonly string[];
  readonly segments: readonly { readonly segment: TextSegment; readonly visible?: Uint8Array | null; readonly places: readonly number[] }[];
  readonly analyzer?: Analyzer;
}

export function runSearch({ fields, segments, analyzer }: SearchedDocuments, text: string, most: number): FoundDocument[] {
  const query = parseTextQuery(text, fields, analyzer ?? analyzerNamed('standard-no-stop-words'));
  const searched = segments.map(
    ({ segment, visible, places }): SearchedSegment => ({
      segment,
      visible: visible ?? null,
      documentCount: segment.documentCount,
      accepts: null,
      rank: (document) => places[document]!,
    }),
  );
  const hits = finish(searchText({ query, fields, segments: searched, most, onKept: () => {}, onWork: () => {}, onTaken: () => {} }));
  return hits.map(({ rank, score }) => ({ document: rank, score }));
}
