export { ANALYZER_NAMES, analyzerNamed } from './analysis/analyzers.ts';
export { TextSegment } from './postings/text-segment.ts';
