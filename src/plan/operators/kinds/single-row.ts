/** Common answers to whether an operator gives at most one row. */
import type { Operator, PlanExpression } from '../../plan.ts';

type Below = (operator: Operator) => boolean;

/** The fact that an operator may give several rows. */
export const never = (): boolean => false;

/** The fact that an operator gives one row at most. */
export const always = (): boolean => true;
/** True of operators that give at most one row for each row of their input. */
export const asInput = ({ input }: { readonly input: Operator }, below: Below): boolean => below(input);
/** Is a count of rows the literal 0 or 1? */
export const atMostOne = (count: PlanExpression): boolean => count.kind === 'literal' && (count.value === 0 || count.value === 1);
