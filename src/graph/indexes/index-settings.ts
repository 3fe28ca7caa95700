/** The settings that OPTIONS {indexConfig} gives to kinds of indexes, under Neo4j's names. */
import { findAnalyzer } from '../../search/index.ts';
import { isInteger, isNumber } from '../../value/index.ts';
import type { SettingValue } from '../view/index-view.ts';
import type { IndexSetting } from './graph-index.ts';

function coordinates(pattern: RegExp, count: number): IndexSetting {
  return {
    pattern,
    takes: `a list of ${count} numbers`,
    read: (value) => (Array.isArray(value) && value.length === count && value.every(isNumber) ? true : null),
  };
}

/** The bounds of Neo4j's point index, per coordinate system, as lists of coordinates. They are checked, and have no effect. */
export const SPATIAL_BOUNDS: readonly IndexSetting[] = [
  coordinates(/^spatial\.(?:cartesian|wgs-84)\.(?:min|max)$/, 2),
  coordinates(/^spatial\.(?:cartesian|wgs-84)-3d\.(?:min|max)$/, 3),
];

/** Makes a setting with a fixed name. */
function setting(name: string, initial: SettingValue | null, { takes, read }: Pick<IndexSetting, 'takes' | 'read'>): IndexSetting {
  return { pattern: new RegExp(`^${name.replaceAll('.', '\\.')}$`), takes, read, kept: { name, initial } };
}

function integer(low: number, high: number): Pick<IndexSetting, 'takes' | 'read'> {
  const read: IndexSetting['read'] = (value) => (isInteger(value) && value >= low && value <= high ? Number(value) : null);
  return { takes: `an Integer from ${low} to ${high}`, read };
}

const flag: Pick<IndexSetting, 'takes' | 'read'> = { takes: 'a Boolean', read: (value) => (typeof value === 'boolean' ? value : null) };

const SIMILARITIES = ['COSINE', 'EUCLIDEAN'] as const;

/** A measure by which vectors are compared. */
export type Similarity = (typeof SIMILARITIES)[number];

const similarity: Pick<IndexSetting, 'takes' | 'read'> = {
  takes: "'cosine' or 'euclidean'",
  read: (value) => (typeof value === 'string' && SIMILARITIES.some((each) => each === value.toUpperCase()) ? value.toUpperCase() : null),
};

/**
 * The settings of vector indexes. An index without dimensions takes vectors of any length. The settings of Neo4j's
 * HNSW graph and quantization are kept and shown, and have no effect: this engine searches clusters.
 */
export const VECTOR_SETTINGS: readonly IndexSetting[] = [
  setting('vector.dimensions', null, integer(1, 4096)),
  setting('vector.similarity_function', 'COSINE', similarity),
  setting('vector.quantization.enabled', true, flag),
  setting('vector.hnsw.m', 16, integer(1, 512)),
  setting('vector.hnsw.ef_construction', 100, integer(1, 3200)),
];

/** The settings of full-text indexes. `eventually_consistent` has no effect: an index always includes all writes. */
export const FULLTEXT_SETTINGS: readonly IndexSetting[] = [
  setting('fulltext.analyzer', 'standard-no-stop-words', {
    takes: 'the name of an analyser, one of those that db.index.fulltext.listAvailableAnalyzers lists',
    read: (value) => (typeof value === 'string' && findAnalyzer(value) !== undefined ? value : null),
  }),
  setting('fulltext.eventually_consistent', false, flag),
];
