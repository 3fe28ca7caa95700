/** The effects of one operator, its sub-plans and expressions included, its inputs left out. */
import type { VariableType } from '../../cypher/index.ts';
import { type Effects, NO_EFFECTS, unite, uniteAll } from '../effects.ts';
import { forEachChild } from '../expressions/children.ts';
import { expressionFacts } from '../expressions/table.ts';
import { factsOf } from '../operators/kinds/table.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';

type Types = ReadonlyMap<string, VariableType>;

/** Returns the effects of an operator. */
export function effectsOf(operator: Operator, types: Types): Effects {
  const effects = uniteAll([factsOf(operator).effects(operator, types), ...expressionsOf(operator).map(expressionEffects)]);
  const subplan = subplanOf(operator);
  return subplan === null ? effects : unite(effects, planEffects(subplan, types));
}

/** Returns the effects of a whole plan. */
export function planEffects(plan: Operator, types: Types): Effects {
  return inputsOf(plan).reduce((effects, input) => unite(effects, planEffects(input, types)), effectsOf(plan, types));
}

/** Returns the effects of an expression. */
export function expressionEffects(expression: PlanExpression): Effects {
  let effects = partEffects(expression);
  forEachChild(expression, (child) => {
    effects = unite(effects, expressionEffects(child));
  });
  return effects;
}

function partEffects(expression: PlanExpression): Effects {
  const facts = expressionFacts(expression);
  const effects = facts.effects?.(expression) ?? NO_EFFECTS;
  return facts.subplan === null ? effects : unite(effects, planEffects(facts.subplan(expression), new Map()));
}
