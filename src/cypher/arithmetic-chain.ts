/** Chains of arithmetic operators, flat so that a sum of many terms is no deeper than one of two. All chains are made here. */
import type { ArithmeticChain, ArithmeticOperator, Expression, Span } from './ast.ts';

/** The precedence of arithmetic operators; operators of one level make one chain. */
export const ARITHMETIC_LEVELS: Readonly<Record<ArithmeticOperator, 1 | 2 | 3>> = {
  '+': 1,
  '-': 1,
  '||': 1,
  '*': 2,
  '/': 2,
  '%': 2,
  '^': 3,
};

interface Links {
  /** The operators after the first operand: one or more, all of one level. */
  readonly operators: readonly ArithmeticOperator[];
  /** The operands after the first, as many as there are operators. */
  readonly operands: readonly Expression[];
}

/**
 * Makes a chain that applies operators to `first` from left to right. `(a + b) + c` becomes the chain `a + b + c`,
 * since both group to the left.
 */
export function arithmeticChain(first: Expression, { operators, operands }: Links, span: Span): ArithmeticChain {
  const continues = first.kind === 'arithmetic' && ARITHMETIC_LEVELS[first.operators[0]!] === ARITHMETIC_LEVELS[operators[0]!];
  return {
    kind: 'arithmetic',
    operands: [...(continues ? first.operands : [first]), ...operands],
    operators: [...(continues ? first.operators : []), ...operators],
    span,
  };
}

/** Returns the chain of the first `operands` operands, of which there must be at least two. */
export function chainPrefix(chain: ArithmeticChain, operands: number): ArithmeticChain {
  return { ...chain, operands: chain.operands.slice(0, operands), operators: chain.operators.slice(0, operands - 1) };
}
