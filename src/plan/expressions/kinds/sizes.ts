/** Facts about sizes of values, and about the cost of working with them, that several kinds of expression share. */
import type { PlanExpression } from '../../plan.ts';
import type { SizeOf, ValueSize } from '../facts.ts';

/** The fact that something always holds. */
export const always = (): boolean => true;

/** The fact that something never holds. */
export const never = (): boolean => false;

/** The size of values that are small always. */
export const alwaysSmall = (): ValueSize => 'small';

/** Characters of a small text. */
export const SMALL_LENGTH = 1024;
/** Items of a list or a map that is written out and still of constant cost. */
export const FEW_ITEMS = 128;

/** Returns the largest size among those of the parts. */
export function largest(parts: readonly PlanExpression[], of: SizeOf): ValueSize {
  const sizes = parts.map(of);
  if (sizes.includes('any')) return 'any';
  return sizes.includes('stored') ? 'stored' : 'small';
}

/** Can the operators make a value that is larger than each operand? */
export function joins(operators: readonly string[]): boolean {
  return operators.some((operator) => operator === '+' || operator === '||');
}

/**
 * Joining them costs no more than reading those of them that are stored: at most one may have any size, which then
 * cannot grow from row to row but by what is small.
 */
export function isCheapJoin(operands: readonly PlanExpression[], of: SizeOf): boolean {
  return operands.length <= FEW_ITEMS && operands.filter((operand) => of(operand) === 'any').length <= 1;
}

/** Two neighbours are compared up to the end of the smaller one. */
export function isCheapComparison(operands: readonly PlanExpression[], of: SizeOf): boolean {
  return (
    operands.length <= FEW_ITEMS && operands.every((operand, at) => at === 0 || of(operand) !== 'any' || of(operands[at - 1]!) !== 'any')
  );
}
