/** The table of all kinds of indexes, with their providers, settings and constructors. */
import type { IndexKindName, IndexSubject } from '../view/index-view.ts';
import type { GraphIndex, IndexKind } from './graph-index.ts';
import { FULLTEXT_SETTINGS, SPATIAL_BOUNDS, VECTOR_SETTINGS } from './index-settings.ts';
import { PropertyIndex } from './property-index.ts';
import { TextIndex } from './text-index.ts';
import { VectorIndex } from './vector-index.ts';

const onProperties = (subject: IndexSubject): GraphIndex => new PropertyIndex(subject);

/** The kinds by name, as CREATE INDEX gives it and the catalog keeps it. */
export const indexKinds: { readonly [Name in IndexKindName]: IndexKind } = {
  range: { keys: 'several', providers: ['range-1.0'], settings: [], create: onProperties },
  text: { keys: 'one', providers: ['text-2.0', 'text-1.0'], settings: [], create: onProperties },
  point: { keys: 'one', providers: ['point-1.0'], settings: SPATIAL_BOUNDS, create: onProperties },
  lookup: { keys: 'none', providers: ['token-lookup-1.0'], settings: [], create: null },
  vector: {
    keys: 'one and filters',
    providers: ['vector-2.0', 'vector-1.0', 'vector-3.0'],
    settings: VECTOR_SETTINGS,
    create: (subject) => new VectorIndex(subject),
  },
  fulltext: {
    keys: 'several',
    providers: ['fulltext-1.0', 'fulltext-2.0'],
    settings: FULLTEXT_SETTINGS,
    create: (subject) => new TextIndex(subject),
  },
};

/** The names of all kinds of indexes. */
export const INDEX_KIND_NAMES = Object.keys(indexKinds) as readonly IndexKindName[]; // as: the table has no other names
