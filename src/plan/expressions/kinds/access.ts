/** Parts of a value: a property, an element, a slice; and the labels of a node. */
import type { HasLabels, IndexAccess, PropertyAccess, SliceAccess } from '../../../cypher/index.ts';
import { type Effects, NO_EFFECTS, reading } from '../../effects.ts';
import type { Load } from '../../loads.ts';
import type { ExpressionFacts } from '../facts.ts';
import { changed, mapLabels, mapOptional } from '../mapping.ts';
import { noEntity, perhapsEntity, unknownSelectivity } from './common.ts';

export const property: ExpressionFacts<PropertyAccess> = {
  mapChildren: (access, map) => changed(access, { subject: map(access.subject) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: ({ key }) => reading({ keys: new Set([key]) }),
  loads: propertyLoads,
  mayHoldEntity: ({ subject }, known) => !(subject.kind === 'variable' && known.isEntity(subject.name)) && known.of(subject),
  selectivity: unknownSelectivity,
  isConstantForm: false,
};

function propertyLoads({ key, subject }: PropertyAccess): readonly Load[] {
  const row: Load[] = [
    { kind: 'keys', keys: [key] },
    { kind: 'row', entity: subject },
  ];
  return key === '_id' ? [...row, { kind: 'identifiers' }] : row;
}

export const index: ExpressionFacts<IndexAccess> = {
  mapChildren: (access, map) => changed(access, { subject: map(access.subject), index: map(access.index) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: indexEffects,
  loads: () => ANY_PROPERTY,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  isConstantForm: false,
};

const ANY_PROPERTY: readonly Load[] = [{ kind: 'everyKey' }, { kind: 'everyNode' }];

/** An index that is written out is a key or a place in a list. */
function indexEffects({ index: place }: IndexAccess): Effects {
  if (place.kind !== 'literal') return reading({ keys: 'all' });
  return typeof place.value === 'string' ? reading({ keys: new Set([place.value]) }) : NO_EFFECTS;
}

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
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  isConstantForm: false,
};

export const hasLabels: ExpressionFacts<HasLabels> = {
  mapChildren: (test, map) => changed(test, { subject: map(test.subject), labels: mapLabels(test.labels, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: () => LABELS_READ,
  loads: ({ subject }) => [{ kind: 'row', entity: subject }],
  mayHoldEntity: noEntity,
  selectivity: ({ labels }, estimates) => estimates.ofLabels(labels),
  isConstantForm: false,
};

const LABELS_READ = reading({ labels: true });
