/** The loads of a result column that may hold entities: identifiers and all properties leave the engine. */
import type { Load, PlanExpression } from '../../plan/index.ts';

/** Returns the loads of a result column whose values are, or contain, entities. */
export const RESULT_LOADS: { readonly column: (variable: string) => readonly Load[] } = {
  column(name) {
    const of = { kind: 'variable', name } as PlanExpression; // as: it stands at no place of the text
    return [
      { kind: 'identifier', of },
      { kind: 'properties', of },
    ];
  },
};
