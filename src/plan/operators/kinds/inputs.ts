/** The few ways in which operators have inputs and sub-plans. */
import type { Operator, OperatorBase } from '../../plan.ts';
import type { Inputs, Subplan } from './facts.ts';

/** Operators without an input. */
export const NO_INPUT: Inputs<OperatorBase> = { of: () => [], with: (operator) => operator, othersFirst: false };

/** Operators with one input. */
export const ONE_INPUT: Inputs<{ readonly input: Operator }> = {
  of: ({ input }) => [input],
  with: (operator, inputs) => ({ ...operator, input: inputs[0]! }),
  othersFirst: false,
};

/** Operators with a left and a right input. The rows of the right one are made before the left one starts. */
export const LEFT_AND_RIGHT: Inputs<{ readonly left: Operator; readonly right: Operator }> = {
  of: ({ left, right }) => [left, right],
  with: (operator, inputs) => ({ ...operator, left: inputs[0]!, right: inputs[1]! }),
  othersFirst: true,
};

/** Operators with any number of inputs, which run one after the other. */
export const INPUTS_IN_TURN: Inputs<{ readonly inputs: readonly Operator[] }> = {
  of: ({ inputs }) => inputs,
  with: (operator, inputs) => ({ ...operator, inputs }),
  othersFirst: false,
};

/** Operators with a sub-plan. */
export const PLAN: Subplan<{ readonly plan: Operator }> = { of: ({ plan }) => plan, with: (operator, plan) => ({ ...operator, plan }) };
