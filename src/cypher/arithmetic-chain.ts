/** Chains of arithmetic operators: flat, so that a sum of many terms is no deeper than one of two. Whatever makes one makes it here. */
import type { ArithmeticChain, ArithmeticOperator, Expression, Span } from './ast.ts';

/** How tightly the operators hold: those of one level make one chain. */
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
  /** One or more, of one level. */
  readonly operators: readonly ArithmeticOperator[];
  /** As many. */
  readonly operands: readonly Expression[];
}

/** `first` and what is done with it from left to right. `(a + b) + c` is the chain `a + b + c`: both group to the left. */
export function arithmeticChain(first: Expression, { operators, operands }: Links, span: Span): ArithmeticChain {
  const continues = first.kind === 'arithmetic' && ARITHMETIC_LEVELS[first.operators[0]!] === ARITHMETIC_LEVELS[operators[0]!];
  return {
    kind: 'arithmetic',
    operands: [...(continues ? first.operands : [first]), ...operands],
    operators: [...(continues ? first.operators : []), ...operators],
    span,
  };
}

/** The chain of the first operands; there are at least two of them. */
export function chainPrefix(chain: ArithmeticChain, operands: number): ArithmeticChain {
  return { ...chain, operands: chain.operands.slice(0, operands), operators: chain.operators.slice(0, operands - 1) };
}
