/** Facts about sizes of values, and about the cost of working with them, that several kinds of expression share. */
import type { PlanExpression } from '../../plan.ts';
import type { SizeOf, ValueSize } from '../facts.ts';

/** The fact that something always holds. */
export const always = (): boolean => true;

/** The fact that something never holds. */
export const never = (): boolean => false;

/** The size of values that are small always. */
export const alwaysSmall = (): ValueSize => 'small';

/** Longest text that counts as small, in characters. */
export const SMALL_LENGTH = 1024;
/** Most items or operands that are written out and still of constant cost. */
export const FEW_ITEMS = 128;

/** Returns the largest size among those of the parts. */
export function largest(parts: readonly PlanExpression[], of: SizeOf): ValueSize {
  const sizes = parts.map(of);
  if (sizes.includes('any')) return 'any';
  return sizes.includes('stored') ? 'stored' : 'small';
}

/** Tells whether the operators can make a value that is larger than each operand. */
export function joins(operators: readonly string[]): boolean {
  return operators.some((operator) => operator === '+' || operator === '||');
}

/**
 * Tells whether joining the operands costs no more than reading the stored ones. At most one may have any size; from
 * row to row it can then grow only by small or stored values.
 */
export function isCheapJoin(operands: readonly PlanExpression[], of: SizeOf): boolean {
  return operands.length <= FEW_ITEMS && operands.filter((operand) => of(operand) === 'any').length <= 1;
}

/**
 * Tells whether a chain of comparisons is cheap: two neighbours are compared up to the end of the smaller one, so only
 * one may be of any size.
 */
export function isCheapComparison(operands: readonly PlanExpression[], of: SizeOf): boolean {
  return (
    operands.length <= FEW_ITEMS && operands.every((operand, at) => at === 0 || of(operand) !== 'any' || of(operands[at - 1]!) !== 'any')
  );
}
