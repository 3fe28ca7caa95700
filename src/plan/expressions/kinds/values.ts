/** Literals, parameters, variables, and the lists and maps that are written out. */
import type { Expression, ListLiteral, Literal, MapLiteral, MapProjection, Parameter, Variable } from '../../../cypher/index.ts';
import { reading } from '../../effects.ts';
import type { ChildMapper, ExpressionFacts } from '../facts.ts';
import { changed, mapList } from '../mapping.ts';
import { mayHoldEntityInside, noEntity, unknownSelectivity } from './common.ts';
import { always, alwaysSmall, FEW_ITEMS, largest, SMALL_LENGTH } from './sizes.ts';

/** The facts of literals. */
export const literal: ExpressionFacts<Literal> = {
  mapChildren: null,
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: ({ value }) => (value === true ? 1 : 0),
  size: ({ value }) => (typeof value === 'string' && value.length > SMALL_LENGTH ? 'any' : 'small'),
  isConstant: always,
  isConstantForm: true,
};

/** The facts of parameters. */
export const parameter: ExpressionFacts<Parameter> = {
  mapChildren: null,
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: unknownSelectivity,
  size: alwaysSmall,
  isConstant: always,
  isConstantForm: true,
};

/** The facts of variables. */
export const variable: ExpressionFacts<Variable> = {
  mapChildren: null,
  reads: ({ name }) => [name],
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ name }, known) => known.ofVariable(name),
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: always,
  isConstantForm: false,
};

/** The facts of list literals. */
export const list: ExpressionFacts<ListLiteral> = {
  mapChildren: (list, map) => changed(list, { items: mapList(list.items, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ items }, known) => items.some(known.of),
  selectivity: unknownSelectivity,
  size: ({ items }, of) => (items.length <= FEW_ITEMS ? largest(items, of) : 'any'),
  isConstant: ({ items }) => items.length <= FEW_ITEMS,
  isConstantForm: true,
};

/** The facts of map literals. */
export const map: ExpressionFacts<MapLiteral> = {
  mapChildren: (literal, map) => changed(literal, { entries: mapEntries(literal.entries, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ entries }, known) => entries.some(({ value }) => known.of(value)),
  selectivity: unknownSelectivity,
  size: ({ entries }, of) =>
    entries.length <= FEW_ITEMS
      ? largest(
          entries.map(({ value }) => value),
          of,
        )
      : 'any',
  isConstant: ({ entries }) => entries.length <= FEW_ITEMS,
  isConstantForm: true,
};

/** The facts of map projections. */
export const mapProjection: ExpressionFacts<MapProjection> = {
  mapChildren: (projection, map) =>
    changed(projection, {
      // A subject that is no variable any more is understood by the compiler as any other subject.
      subject: map(projection.subject) as MapProjection['subject'],
      entries: mapEntries(projection.entries, map),
    }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: ({ all, entries }) => reading({ keys: all ? 'all' : new Set(entries.map((entry) => entry.key)) }),
  loads: ({ subject, all }) => (all ? [{ kind: 'properties', of: subject }] : []),
  mayHoldEntity: ({ subject, all, entries }, known) =>
    entries.some(({ value }) => known.of(value)) || (all && mayHoldEntityInside(subject, known)),
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: always,
  isConstantForm: false,
};

type Entry = { readonly key: string; readonly value: Expression };

function mapEntries(entries: readonly Entry[], map: ChildMapper): readonly Entry[] {
  return mapList(entries, (entry) => changed(entry, { value: map(entry.value) }));
}
