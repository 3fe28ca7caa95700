/**
 * Equalities that an index would have answered: `Filter(n.id = $id)` over a scan of a label, and hash joins whose key is a property of a scanned node. The engine counts
 * how often plans with such lookups run, and builds the index when it would have paid.
 */

import { freeVariables } from './expressions/walk.ts';
import { lookupsOf } from './match/lookups.ts';
import { inputsOf, subplanOf } from './operators/references.ts';
import { makePredicate, requiredLabels } from './pattern/predicates.ts';
import type { LabelScan, Operator, PlanExpression } from './plan.ts';

type ScannedLookup = { readonly label: string; readonly key: string };

/** Each once. */
export function scannedLookups(root: Operator): readonly ScannedLookup[] {
  const found = new Map<string, ScannedLookup>();
  const add = (scan: LabelScan, key: string): void => {
    const [label] = requiredLabels(scan.labels);
    if (label !== undefined) found.set(JSON.stringify([label, key]), { label, key });
  };
  const visit = (operator: Operator): void => {
    if (operator.kind === 'filter' && operator.input.kind === 'labelScan')
      for (const key of keysOf(operator.predicate, operator.input.variable)) add(operator.input, key);
    if (operator.kind === 'hashJoin') {
      for (const key of operator.leftKeys) addJoinKey(operator.left, key, add);
      for (const key of operator.rightKeys) addJoinKey(operator.right, key, add);
    }
    for (const input of [...inputsOf(operator), subplanOf(operator)]) if (input !== null) visit(input);
  };
  visit(root);
  return [...found.values()];
}

/** Keys of the variable that the predicate compares with something else. */
function keysOf(predicate: PlanExpression, variable: string): readonly string[] {
  const parts = predicate.kind === 'logical' && predicate.operator === 'and' ? predicate.operands : [predicate];
  return parts
    .flatMap((part) => lookupsOf(makePredicate(part)))
    .filter((lookup) => lookup.subject === variable && lookup.key !== null && (lookup.operator === '=' || lookup.operator === 'in'))
    .map((lookup) => lookup.key!);
}

function addJoinKey(side: Operator, key: PlanExpression, add: (scan: LabelScan, key: string) => void): void {
  if (key.kind !== 'property' || freeVariables(key).size !== 1) return;
  const leaf = side.kind === 'filter' ? side.input : side;
  if (leaf.kind === 'labelScan' && key.subject.kind === 'variable' && key.subject.name === leaf.variable) add(leaf, key.key);
}
