/** A column of a result whose values are entities, or hold some: all of these leaves the engine. */
import type { Load, PlanExpression } from '../../plan/index.ts';

/** The loads of a column of the result whose values are entities, or hold some. */
export const RESULT_LOADS: { readonly column: (variable: string) => readonly Load[] } = {
  column(name) {
    const of = { kind: 'variable', name } as PlanExpression; // as: it stands at no place of the text
    return [
      { kind: 'identifier', of },
      { kind: 'properties', of },
    ];
  },
};
