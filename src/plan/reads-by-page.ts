/** Tells whether a plan can run over a graph of which parts are read by page, from the facts of its operators. */
import { aggregateNamed } from '../functions/index.ts';
import { givesWaySoon } from './constant-steps.ts';
import type { Names } from './effects.ts';
import { expressionFacts } from './expressions/table.ts';
import { someExpression } from './expressions/walk.ts';
import { factsOf } from './operators/kinds/table.ts';
import { expressionsOf, inputsOf, subplanOf } from './operators/references.ts';
import type { Operator, Plan, PlanExpression } from './plan.ts';

/** The tables that a plan scans as a whole when it runs over a graph that is read by page. */
export interface ReadByPage {
  /** Labels of the nodes that the plan scans. */
  readonly scans: Names;
  /** The plan scans all relationships of some type. */
  readonly scansRelationships: boolean;
  /** The plan stores graphs in the catalog of projected graphs, where a second run would find them. */
  readonly storesGraphs: boolean;
  /** The code of the plan gives way soon: see `givesWaySoon`. */
  readonly givesWay: boolean;
}

/** Returns the tables that a plan scans while it reads by page; null if it cannot read by page. */
export function readsByPage(plan: Plan): ReadByPage | null {
  const { root, writes, mode, variableTypes } = plan;
  if (writes || mode !== 'run') return null;
  const scans = new Set<string>();
  let scansAll = false;
  let scansRelationships = false;
  let storesGraphs = false;
  const doesByPage = (operator: Operator): boolean => {
    const facts = factsOf(operator);
    if (!(typeof facts.readsByPage === 'function' ? facts.readsByPage(operator) : facts.readsByPage)) return false;
    if (operator.kind === 'relationshipScan') scansRelationships = true;
    if (operator.kind === 'aggregate') storesGraphs ||= operator.aggregations.some(({ function: name }) => storesGraph(name));
    const { scans: labels } = facts.effects(operator, variableTypes).reads;
    // A search reads what its index leads to.
    if (operator.kind !== 'procedureCall') {
      if (labels === 'all') scansAll = true;
      else for (const label of labels) scans.add(label);
    }
    const subplan = subplanOf(operator);
    if (subplan !== null && !doesByPage(subplan)) return false;
    return inputsOf(operator).every(doesByPage) && !expressionsOf(operator).some((expression) => someExpression(expression, needsWhole));
  };
  const needsWhole = (part: PlanExpression): boolean => {
    const { subplan, determinism } = expressionFacts(part);
    const found = determinism?.(part) ?? 'pure';
    if (found !== 'pure' && found !== 'statement') return true;
    return subplan !== null && !doesByPage(subplan(part));
  };
  if (!doesByPage(root)) return null;
  return { scans: scansAll ? 'all' : scans, scansRelationships, storesGraphs, givesWay: givesWaySoon(plan) };
}

function storesGraph(name: string): boolean {
  return aggregateNamed(name)?.facts.usesCatalog === true;
}
