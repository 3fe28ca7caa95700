/** The effects of one operator, its sub-plans and expressions included, its inputs left out. */
import { unreachable } from '../../base/index.ts';
import type { VariableType } from '../../cypher/index.ts';
import { type EntityRead, functionNamed } from '../../functions/index.ts';
import { forEachChild } from '../expressions/children.ts';
import { type Effects, NO_EFFECTS, reading, unite, uniteAll } from '../operators/effects.ts';
import { factsOf } from '../operators/kinds/table.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';

type Types = ReadonlyMap<string, VariableType>;

export function effectsOf(operator: Operator, types: Types): Effects {
  const effects = uniteAll([factsOf(operator).effects(operator, types), ...expressionsOf(operator).map(expressionEffects)]);
  const subplan = subplanOf(operator);
  return subplan === null ? effects : unite(effects, planEffects(subplan, types));
}

/** The effects of a whole plan. */
export function planEffects(plan: Operator, types: Types): Effects {
  return inputsOf(plan).reduce((effects, input) => unite(effects, planEffects(input, types)), effectsOf(plan, types));
}

/** What a function reads of an entity among its arguments. Neither identifiers nor types of what there is can change. */
const ENTITY_READS: Readonly<Record<EntityRead, Effects>> = {
  nothing: NO_EFFECTS,
  identifier: NO_EFFECTS,
  labels: reading({ labels: true }),
  type: NO_EFFECTS,
  properties: reading({ keys: 'all' }),
};

export function expressionEffects(expression: PlanExpression): Effects {
  let effects = partEffects(expression);
  forEachChild(expression, (child) => {
    effects = unite(effects, expressionEffects(child));
  });
  return effects;
}

function partEffects(expression: PlanExpression): Effects {
  switch (expression.kind) {
    case 'property':
      return reading({ keys: new Set([expression.key]) });
    case 'index': {
      const { index } = expression;
      if (index.kind === 'literal') return typeof index.value === 'string' ? reading({ keys: new Set([index.value]) }) : NO_EFFECTS;
      return reading({ keys: 'all' });
    }
    case 'mapProjection':
      return reading({ keys: expression.all ? 'all' : new Set(expression.entries.map((entry) => entry.key)) });
    case 'hasLabels':
      return reading({ labels: true });
    case 'function':
      return ENTITY_READS[functionNamed(expression.name)?.facts.reads ?? 'nothing'];
    case 'planSubquery':
      return planEffects(expression.plan, new Map());
    case 'literal':
    case 'parameter':
    case 'variable':
    case 'slice':
    case 'list':
    case 'map':
    case 'unary':
    case 'arithmetic':
    case 'binary':
    case 'logical':
    case 'comparison':
    case 'isNull':
    case 'isTyped':
    case 'isNormalized':
    case 'countStar':
    case 'case':
    case 'listComprehension':
    case 'quantifier':
    case 'reduce':
    case 'pathBuild':
    case 'nodeOrder':
    // Patterns have become sub-plans.
    case 'patternComprehension':
    case 'patternExpression':
    case 'subquery':
      return NO_EFFECTS;
    default:
      return unreachable(expression, 'expression');
  }
}
