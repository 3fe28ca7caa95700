/** Functions that the parser reads, since their arguments name variables: what SHOW FUNCTIONS tells of them. */
import type { FunctionDefinition } from './definition.ts';

type SyntaxFunction = Pick<FunctionDefinition, 'name' | 'category' | 'description' | 'signature'>;

const quantifier = (name: string, description: string): SyntaxFunction => ({
  name,
  category: 'Predicate',
  description,
  signature: `${name}(variable IN list :: List WHERE predicate :: Boolean) :: Boolean`,
});

export const syntaxFunctions: readonly SyntaxFunction[] = [
  quantifier('all', 'Whether the predicate holds for every element of the list.'),
  quantifier('any', 'Whether the predicate holds for at least one element of the list.'),
  quantifier('none', 'Whether the predicate holds for no element of the list.'),
  quantifier('single', 'Whether the predicate holds for exactly one element of the list.'),
  {
    name: 'reduce',
    category: 'List',
    description: 'What the accumulator is after the expression has been computed for each element of the list, in order.',
    signature: 'reduce(accumulator :: Variable = initial :: Any, variable IN list :: List | expression :: Any) :: Any',
  },
];
