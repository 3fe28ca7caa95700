/** Facts of APOC's functions in one line each. Most of these functions are pure, and handle null arguments themselves. */
import type { Cost, FunctionCategory, Parameter, TypeName } from '../facts.ts';
import { PURE } from '../parameters.ts';

const OWN = { nulls: 'own', determinism: 'pure', reads: 'nothing' } as const;

/** The facts that every APOC function has. */
export interface Common {
  readonly category: FunctionCategory;
  readonly parameters: readonly Parameter[];
  readonly returns: TypeName;
  readonly cost: Cost;
  readonly description: string;
}

type RowMaker<Kind> = (parameters: readonly Parameter[], returns: TypeName, cost: Cost, description: string) => Kind & Common;

/** Returns a maker of the facts of functions of a category that handle null arguments themselves. */
export function takingNulls(category: FunctionCategory): RowMaker<typeof OWN> {
  return (parameters, returns, cost, description) => ({ ...OWN, category, parameters, returns, cost, description });
}

/** Returns a maker of the facts of functions of a category that return null for any null argument. */
export function propagating(category: FunctionCategory): RowMaker<typeof PURE> {
  return (parameters, returns, cost, description) => ({ ...PURE, category, parameters, returns, cost, description });
}
