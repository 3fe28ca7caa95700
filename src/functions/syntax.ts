/** Facts of functions that the parser reads, since their arguments name variables. */
import type { SyntaxFacts } from './facts.ts';

function quantifier(name: string, description: string): SyntaxFacts {
  return { category: 'Predicate', description, signature: `${name}(variable IN list :: List WHERE predicate :: Boolean) :: Boolean` };
}

/** The facts of functions that the parser reads. */
export const syntaxFacts: Readonly<Record<string, SyntaxFacts>> = {
  all: quantifier('all', 'Whether the predicate holds for every element of the list.'),
  any: quantifier('any', 'Whether the predicate holds for at least one element of the list.'),
  none: quantifier('none', 'Whether the predicate holds for no element of the list.'),
  single: quantifier('single', 'Whether the predicate holds for exactly one element of the list.'),
  reduce: {
    category: 'List',
    description: 'What the accumulator is after the expression has been computed for each element of the list, in order.',
    signature: 'reduce(accumulator :: Variable = initial :: Any, variable IN list :: List | expression :: Any) :: Any',
  },
};
