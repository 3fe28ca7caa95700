/** Common answers to whether an operator gives at most one row. */
import type { Operator, PlanExpression } from '../../plan.ts';

type Below = (operator: Operator) => boolean;

/** The fact that an operator may give several rows. */
export const never = (): boolean => false;

/** The fact that an operator gives one row at most. */
export const always = (): boolean => true;
/** The fact that an operator gives at most one row for each row of its input, so that the input decides. */
export const asInput = ({ input }: { readonly input: Operator }, below: Below): boolean => below(input);
/** Tells whether a count of rows is the literal 0 or 1. */
export const atMostOne = (count: PlanExpression): boolean => count.kind === 'literal' && (count.value === 0 || count.value === 1);
