/** Operators: arithmetic, comparisons, tests and logic. */
import { unreachable } from '../../../base/index.ts';
import type {
  ArithmeticChain,
  BinaryExpression,
  ComparisonChain,
  IsNormalized,
  IsNullExpression,
  IsTyped,
  LogicalExpression,
  UnaryExpression,
} from '../../../cypher/index.ts';
import type { Estimates, ExpressionFacts, SizeOf } from '../facts.ts';
import { changed, mapList } from '../mapping.ts';
import { noEntity, UNKNOWN_SELECTIVITY, unknownSelectivity } from './common.ts';
import { always, alwaysSmall, isCheapComparison, isCheapJoin, joins, largest } from './sizes.ts';

/** The facts of signs and NOT. */
export const unary: ExpressionFacts<UnaryExpression> = {
  mapChildren: (sign, map) => changed(sign, { operand: map(sign.operand) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: ({ operator, operand }, estimates) => (operator === 'not' ? 1 - estimates.selectivity(operand) : UNKNOWN_SELECTIVITY),
  size: ({ operand }, of) => of(operand),
  isConstant: always,
  isConstantForm: true,
};

/** The facts of chains of arithmetic. */
export const arithmetic: ExpressionFacts<ArithmeticChain> = {
  mapChildren: (chain, map) => changed(chain, { operands: mapList(chain.operands, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: ({ operators, operands }, known) =>
    operators.some((operator) => operator === '+' || operator === '||') && operands.some(known.of),
  selectivity: unknownSelectivity,
  size: ({ operands, operators }, of) => (joins(operators) ? largest(operands, of) : 'small'),
  isConstant: ({ operands, operators }, of) => !joins(operators) || isCheapJoin(operands, of),
  isConstantForm: false,
};

/** The facts of operators between two operands. */
export const binary: ExpressionFacts<BinaryExpression> = {
  mapChildren: (test, map) => changed(test, { left: map(test.left), right: map(test.right) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: (test, estimates) => estimates.ofBinary(test),
  size: alwaysSmall,
  isConstant: isConstantBinary,
  isConstantForm: false,
};

/** The facts of AND, OR and XOR. */
export const logical: ExpressionFacts<LogicalExpression> = {
  mapChildren: (chain, map) => changed(chain, { operands: mapList(chain.operands, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: logicalSelectivity,
  size: alwaysSmall,
  isConstant: always,
  isConstantForm: false,
};

function logicalSelectivity({ operator, operands }: LogicalExpression, estimates: Estimates): number {
  const parts = operands.map(estimates.selectivity);
  if (operator === 'and') return parts.reduce((product, part) => product * part, 1);
  if (operator === 'or') return 1 - parts.reduce((product, part) => product * (1 - part), 1);
  return UNKNOWN_SELECTIVITY;
}

/** The facts of chains of comparisons. */
export const comparison: ExpressionFacts<ComparisonChain> = {
  mapChildren: (chain, map) => changed(chain, { operands: mapList(chain.operands, map) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: (chain, estimates) => estimates.ofComparison(chain),
  size: alwaysSmall,
  isConstant: ({ operands }, of) => isCheapComparison(operands, of),
  isConstantForm: false,
};

/** The facts of IS NULL. */
export const isNull: ExpressionFacts<IsNullExpression> = {
  mapChildren: (test, map) => changed(test, { operand: map(test.operand) }),
  reads: null,
  binds: null,
  subplan: null,
  isPlanned: true,
  determinism: null,
  effects: null,
  loads: null,
  mayHoldEntity: noEntity,
  selectivity: ({ negated }) => (negated ? 0.9 : 0.1),
  size: alwaysSmall,
  isConstant: always,
  isConstantForm: false,
};

/** The facts of IS :: TYPE. */
export const isTyped: ExpressionFacts<IsTyped> = {
  mapChildren: (test, map) => changed(test, { operand: map(test.operand) }),
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
  isConstant: ({ operand }, of) => of(operand) === 'small',
  isConstantForm: false,
};

/** The facts of IS NORMALIZED. */
export const isNormalized: ExpressionFacts<IsNormalized> = {
  mapChildren: (test, map) => changed(test, { operand: map(test.operand) }),
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
  isConstant: ({ operand }, of) => of(operand) === 'small',
  isConstantForm: false,
};

/**
 * Tells whether an operator is of constant cost. Looking for a small operand at an end of the other one, or in a small
 * list, is; looking inside a text is only if both operands are small.
 */
function isConstantBinary({ operator, left, right }: BinaryExpression, of: SizeOf): boolean {
  switch (operator) {
    case 'startsWith':
    case 'endsWith':
    case 'in':
      return of(right) === 'small';
    case 'contains':
      return of(left) === 'small' && of(right) === 'small';
    case '=~':
      return false;
    default:
      return unreachable(operator, 'operator');
  }
}
