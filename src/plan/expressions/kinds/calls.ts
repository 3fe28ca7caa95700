/** Calls of functions, CASE, and expressions with variables of their own over a list. */
import type { CaseExpression, CountStar, FunctionCall, ListComprehension, Quantifier, Reduce } from '../../../cypher/index.ts';
import { canReturnEntities, type EntityRead, functionNamed, isNamed, returnsNodes, type TypeName } from '../../../functions/index.ts';
import { type Effects, NO_EFFECTS, reading } from '../../effects.ts';
import type { Load } from '../../loads.ts';
import type { PlanExpression } from '../../plan.ts';
import type { EntityKnowledge, ExpressionFacts, SizeOf, ValueSize } from '../facts.ts';
import { changed, mapList, mapOptional } from '../mapping.ts';
import { AREA_SELECTIVITY, noEntity, perhapsEntity, UNKNOWN_SELECTIVITY, unknownSelectivity } from './common.ts';
import { always, alwaysSmall, largest, never } from './sizes.ts';

/** The facts of calls of functions and aggregates. */
export const functionCall: ExpressionFacts<FunctionCall> = {
  mapChildren: (call, map) => changed(call, { arguments: mapList(call.arguments, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: ({ name }) => functionNamed(name)?.facts.determinism ?? 'pure',
  effects: ({ name }) => EFFECTS[readsOf(name)],
  loads: ({ name, arguments: operands }) => operands.flatMap(ARGUMENT_LOADS[readsOf(name)]),
  mayHoldEntity: mayReturnEntity,
  selectivity: ({ name }) => (isNamed(name, 'point.withinBBox') ? AREA_SELECTIVITY : UNKNOWN_SELECTIVITY),
  size: sizeOfCall,
  isConstant: isConstantCall,
  isConstantForm: false,
};

/** Types whose values are all small. */
const SMALL_TYPES: ReadonlySet<TypeName> = new Set([
  'Boolean',
  'Integer',
  'Float',
  'Number',
  'Date',
  'Time',
  'LocalTime',
  'DateTime',
  'LocalDateTime',
  'Duration',
  'Point',
]);

function sizeOfCall({ name, arguments: operands }: FunctionCall, of: SizeOf): ValueSize {
  const facts = functionNamed(name)?.facts;
  if (facts === undefined) return 'any';
  if (SMALL_TYPES.has(facts.returns)) return 'small';
  return facts.cost === 'constant' ? largest(operands, of) : 'any';
}

/**
 * Tells whether a call is of constant cost. An aggregate is, per row; a function whose work is linear in the size of
 * arguments is, if all of its arguments are small; all others of more than constant work are not.
 */
function isConstantCall({ name, arguments: operands }: FunctionCall, of: SizeOf): boolean {
  const cost = functionNamed(name)?.facts.cost;
  if (cost === undefined || cost === 'constant') return true;
  return cost !== 'answer' && 'linearIn' in cost && largest(operands, of) === 'small';
}

const readsOf = (name: string): EntityRead => functionNamed(name)?.facts.reads ?? 'nothing';

/** The effects of a function that reads an entity among its arguments. The identifier and the type of an entity never change. */
const EFFECTS: Readonly<Record<EntityRead, Effects>> = {
  nothing: NO_EFFECTS,
  catalog: NO_EFFECTS,
  identifier: NO_EFFECTS,
  labels: reading({ labels: true }),
  type: NO_EFFECTS,
  properties: reading({ keys: 'all' }),
};

const noLoads = (): readonly Load[] => [];

/** The loads that must be in memory for a function to read an argument. */
export const ARGUMENT_LOADS: Readonly<Record<EntityRead, (argument: PlanExpression) => readonly Load[]>> = {
  nothing: noLoads,
  catalog: noLoads,
  identifier: (of) => [{ kind: 'identifier', of }],
  labels: (of) => [{ kind: 'labels', of }],
  type: noLoads,
  properties: (of) => [{ kind: 'properties', of }],
};

function mayReturnEntity({ name, arguments: operands }: FunctionCall, known: EntityKnowledge): boolean {
  const called = functionNamed(name);
  if (called === undefined) return operands.some(known.of);
  return returnsNodes(called.facts) || (canReturnEntities(called.facts) && operands.some(known.of));
}

/** The facts of `count(*)`. */
export const countStar: ExpressionFacts<CountStar> = {
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
  isConstantForm: false,
};

/** The facts of CASE. */
export const caseExpression: ExpressionFacts<CaseExpression> = {
  mapChildren: (choice, map) =>
    changed(choice, {
      subject: mapOptional(choice.subject, map),
      branches: mapList(choice.branches, (branch) => changed(branch, { when: map(branch.when), then: map(branch.then) })),
      otherwise: mapOptional(choice.otherwise, map),
    }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ branches, otherwise }, known) =>
    branches.some(({ then }) => known.of(then)) || (otherwise !== null && known.of(otherwise)),
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: always,
  isConstantForm: false,
};

/** The facts of list comprehensions. */
export const listComprehension: ExpressionFacts<ListComprehension> = {
  mapChildren: (comprehension, map) =>
    changed(comprehension, {
      list: map(comprehension.list),
      where: mapOptional(comprehension.where, map),
      projection: mapOptional(comprehension.projection, map),
    }),
  reads: null,
  binds: ({ variable }) => [variable.name],
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: never,
  isConstantForm: false,
};

/** The facts of quantifiers. */
export const quantifier: ExpressionFacts<Quantifier> = {
  mapChildren: (test, map) => changed(test, { list: map(test.list), where: mapOptional(test.where, map) }),
  reads: null,
  binds: ({ variable }) => [variable.name],
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: unknownSelectivity,
  size: alwaysSmall,
  isConstant: never,
  isConstantForm: false,
};

/** The facts of `reduce()`. */
export const reduce: ExpressionFacts<Reduce> = {
  mapChildren: (fold, map) => changed(fold, { initial: map(fold.initial), list: map(fold.list), expression: map(fold.expression) }),
  reads: null,
  binds: ({ variable, accumulator }) => [variable.name, accumulator.name],
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: never,
  isConstantForm: false,
};
