export { ANALYZER_NAMES, type Analyzer, analyzerNamed, findAnalyzer } from './analysis/analyzers.ts';
export { TextSegment } from './postings/text-segment.ts';
export { parseTextQuery } from './query/parse-query.ts';
export type { TextQuery } from './query/query.ts';
export { type SearchedSegment, searchText } from './scoring/search.ts';
export type { Hit } from './scoring/top-hits.ts';
