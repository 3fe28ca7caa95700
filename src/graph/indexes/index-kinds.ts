/** The table of all kinds of indexes. */
import type { IndexKindName, IndexSubject } from '../view/index-view.ts';
import type { GraphIndex, IndexKind, IndexSetting } from './graph-index.ts';
import { PropertyIndex } from './property-index.ts';

const onProperties = (subject: IndexSubject): GraphIndex => new PropertyIndex(subject);

/** Bounds of the space that Neo4j's point index divides, by system and end, each a list of coordinates. Here an index has no bounds. */
const SPATIAL_BOUNDS: readonly IndexSetting[] = [
  { pattern: /^spatial\.(?:cartesian|wgs-84)\.(?:min|max)$/, numbers: 2 },
  { pattern: /^spatial\.(?:cartesian|wgs-84)-3d\.(?:min|max)$/, numbers: 3 },
];

/** By the name that CREATE INDEX gives it and the catalog keeps. */
export const indexKinds: { readonly [Name in IndexKindName]: IndexKind } = {
  range: { keys: 'several', providers: ['range-1.0'], settings: [], create: onProperties },
  text: { keys: 'one', providers: ['text-2.0', 'text-1.0'], settings: [], create: onProperties },
  point: { keys: 'one', providers: ['point-1.0'], settings: SPATIAL_BOUNDS, create: onProperties },
  lookup: { keys: 'none', providers: ['token-lookup-1.0'], settings: [], create: null },
};

export const INDEX_KIND_NAMES = Object.keys(indexKinds) as readonly IndexKindName[]; // as: the table has no other names
