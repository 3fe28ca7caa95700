/** Rows of APOC's functions in one line each: most are determined by their arguments, and answer something of their own for null. */
import type { Cost, FunctionCategory, Parameter, TypeName } from '../facts.ts';
import { PURE } from '../parameters.ts';

const OWN = { nulls: 'own', determinism: 'pure', reads: 'nothing' } as const;

/** The facts that all rows of APOC's functions have. */
export interface Common {
  readonly category: FunctionCategory;
  readonly parameters: readonly Parameter[];
  readonly returns: TypeName;
  readonly cost: Cost;
  readonly description: string;
}

type RowMaker<Kind> = (parameters: readonly Parameter[], returns: TypeName, cost: Cost, description: string) => Kind & Common;

/** Rows of a category for functions that decide by themselves what a null argument means. */
export function takingNulls(category: FunctionCategory): RowMaker<typeof OWN> {
  return (parameters, returns, cost, description) => ({ ...OWN, category, parameters, returns, cost, description });
}

/** Rows of a category for functions that give null for any null argument. */
export function propagating(category: FunctionCategory): RowMaker<typeof PURE> {
  return (parameters, returns, cost, description) => ({ ...PURE, category, parameters, returns, cost, description });
}
