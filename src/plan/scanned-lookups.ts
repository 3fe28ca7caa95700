/**
 * Equalities that an index would have answered: `Filter(n.id = $id)` over a scan of a label, and hash joins whose key
 * is a property of a scanned node. The code of such scans tells the engine how much they scan, and the engine makes an
 * index where one would have paid.
 */

import { lookupsOf } from './match/lookups.ts';
import { HASH_BUILD_ROW, HASH_PROBE_ROW } from './operators/cost-units.ts';
import { freeVariables } from './operators/free-variables.ts';
import type { Filter, LabelScan } from './operators/kinds/table.ts';
import { inputsOf, subplanOf } from './operators/references.ts';
import { makePredicate, requiredLabels } from './pattern/predicates.ts';
import type { Operator, PlanExpression } from './plan.ts';

/** An equality that a scan looks for. */
export interface ScannedLookup {
  readonly label: string;
  readonly key: string;
  /** Work for each row; 1 is a row that is compared with one value. */
  readonly rowCost: number;
}

/** The `rowCost` of a row that is looked for in a list. */
const LIST_ROW = 8;

/**
 * Returns the equalities of a plan and of the sub-plans of its operators, by the scan that looks for them; each
 * property of a scan once.
 */
export function scannedLookups(root: Operator): ReadonlyMap<LabelScan, readonly ScannedLookup[]> {
  const found = new Map<LabelScan, ScannedLookup[]>();
  const add = (scan: LabelScan, key: string, rowCost: number): void => {
    const [label] = requiredLabels(scan.labels);
    if (label === undefined) return;
    const lookups = found.get(scan) ?? [];
    found.set(scan, lookups);
    if (!lookups.some((lookup) => lookup.key === key)) lookups.push({ label, key, rowCost });
  };
  const visit = (operator: Operator): void => {
    if (operator.kind === 'filter') addFiltered(operator, add);
    if (operator.kind === 'hashJoin') {
      for (const key of operator.leftKeys) addJoinKey(operator.left, key, (scan, name) => add(scan, name, HASH_PROBE_ROW));
      for (const key of operator.rightKeys) addJoinKey(operator.right, key, (scan, name) => add(scan, name, HASH_BUILD_ROW));
    }
    for (const input of [...inputsOf(operator), subplanOf(operator)]) if (input !== null) visit(input);
  };
  visit(root);
  return found;
}

/** Adds the keys of the scanned nodes that a predicate compares with something else. */
function addFiltered({ predicate, input }: Filter, add: (scan: LabelScan, key: string, rowCost: number) => void): void {
  let scan = input;
  while (scan.kind === 'filter') scan = scan.input;
  if (scan.kind !== 'labelScan') return;
  const parts = predicate.kind === 'logical' && predicate.operator === 'and' ? predicate.operands : [predicate];
  for (const { subject, key, operator } of parts.flatMap((part) => lookupsOf(makePredicate(part)))) {
    if (subject !== scan.variable || key === null) continue;
    if (operator === '=') add(scan, key, 1);
    if (operator === 'in') add(scan, key, LIST_ROW);
  }
}

function addJoinKey(side: Operator, key: PlanExpression, add: (scan: LabelScan, key: string) => void): void {
  if (key.kind !== 'property' || freeVariables(key).size !== 1) return;
  const leaf = side.kind === 'filter' ? side.input : side;
  if (leaf.kind === 'labelScan' && key.subject.kind === 'variable' && key.subject.name === leaf.variable) add(leaf, key.key);
}
