/** Parts of a value: a property, an element, a slice; and the labels of a node. */
import type { HasLabels, IndexAccess, PropertyAccess, SliceAccess } from '../../../cypher/index.ts';
import { type Effects, NO_EFFECTS, reading } from '../../effects.ts';
import type { ExpressionFacts } from '../facts.ts';
import { changed, mapLabels, mapOptional } from '../mapping.ts';
import { mayHoldEntityInside, noEntity, unknownSelectivity } from './common.ts';
import { always, alwaysSmall } from './sizes.ts';

/** The facts of property accesses. */
export const property: ExpressionFacts<PropertyAccess> = {
  mapChildren: (access, map) => changed(access, { subject: map(access.subject) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: ({ key }) => reading({ keys: new Set([key]) }),
  loads: ({ subject, key }) => [{ kind: 'property', of: subject, key }],
  mayHoldEntity: ({ subject }, known) => mayHoldEntityInside(subject, known),
  selectivity: unknownSelectivity,
  size: ({ subject }, of) => of(subject),
  isConstant: always,
  isConstantForm: false,
};

/** The facts of subscripts. */
export const index: ExpressionFacts<IndexAccess> = {
  mapChildren: (access, map) => changed(access, { subject: map(access.subject), index: map(access.index) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: indexEffects,
  loads: ({ subject }) => [{ kind: 'properties', of: subject }],
  mayHoldEntity: ({ subject }, known) => mayHoldEntityInside(subject, known),
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: always,
  isConstantForm: false,
};

/**
 * Returns the effects of a subscript: a literal text reads that key, any other literal is a place in a list, and the
 * rest may read any key.
 */
function indexEffects({ index: place }: IndexAccess): Effects {
  if (place.kind !== 'literal') return reading({ keys: 'all' });
  return typeof place.value === 'string' ? reading({ keys: new Set([place.value]) }) : NO_EFFECTS;
}

/** The facts of slices. */
export const slice: ExpressionFacts<SliceAccess> = {
  mapChildren: (access, map) =>
    changed(access, { subject: map(access.subject), from: mapOptional(access.from, map), to: mapOptional(access.to, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ subject }, known) => known.of(subject),
  selectivity: unknownSelectivity,
  size: ({ subject }, of) => of(subject),
  isConstant: ({ subject }, of) => of(subject) === 'small',
  isConstantForm: false,
};

/** The facts of label tests. */
export const hasLabels: ExpressionFacts<HasLabels> = {
  mapChildren: (test, map) => changed(test, { subject: map(test.subject), labels: mapLabels(test.labels, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: () => LABELS_READ,
  loads: ({ subject }) => [{ kind: 'labels', of: subject }],
  mayHoldEntity: noEntity,
  selectivity: ({ labels }, estimates) => estimates.ofLabels(labels),
  size: alwaysSmall,
  isConstant: always,
  isConstantForm: false,
};

const LABELS_READ = reading({ labels: true });
