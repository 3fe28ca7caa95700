/** Patterns and queries inside expressions, and the expressions that only the planner writes. */
import { assert } from '../../../base/index.ts';
import type { PatternComprehension, PatternExpression, SubqueryExpression } from '../../../cypher/index.ts';
import type { NodeOrder, PathBuild, PlanSubquery } from '../../plan.ts';
import type { ExpressionFacts } from '../facts.ts';
import { changed } from '../mapping.ts';
import { noEntity, perhapsEntity, unknownSelectivity } from './common.ts';
import { always, alwaysSmall, never } from './sizes.ts';

/** The facts of patterns as conditions. */
export const patternExpression: ExpressionFacts<PatternExpression> = {
  mapChildren: null,
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: false,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  size: alwaysSmall,
  isConstant: never,
  isConstantForm: false,
};

/** The facts of pattern comprehensions. */
export const patternComprehension: ExpressionFacts<PatternComprehension> = {
  mapChildren: null,
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: false,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: never,
  isConstantForm: false,
};

/** The facts of EXISTS, COUNT and COLLECT before they are planned. */
export const subquery: ExpressionFacts<SubqueryExpression> = {
  mapChildren: null,
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: false,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: never,
  isConstantForm: false,
};

/** The facts of sub-plans as values. */
export const planSubquery: ExpressionFacts<PlanSubquery> = {
  mapChildren: null,
  reads: null,
  binds: null,
  subplan: ({ plan }) => plan,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ mode }) => mode === 'collect',
  selectivity: () => EXISTENCE_SELECTIVITY,
  size: () => 'any',
  isConstant: never,
  isConstantForm: false,
};

/** Share of rows for which a sub-plan finds something. */
const EXISTENCE_SELECTIVITY = 0.5;

/** The facts of named paths. */
export const pathBuild: ExpressionFacts<PathBuild> = {
  mapChildren: null,
  reads: ({ elements }) => elements,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: perhapsEntity,
  selectivity: unknownSelectivity,
  size: () => 'any',
  isConstant: always,
  isConstantForm: false,
};

/** The facts of the order of nodes, which the planner writes. */
export const nodeOrder: ExpressionFacts<NodeOrder> = {
  mapChildren: (order, map) => {
    const [low, high] = [map(order.low), map(order.high)];
    assert(low.kind === 'variable' && high.kind === 'variable', 'nodes are compared by their variables');
    return changed(order, { low, high });
  },
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
