export { ANALYZER_NAMES, analyzerNamed } from './analysis/analyzers.ts';
