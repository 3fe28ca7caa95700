/**
 * An expand between two known nodes looks at the list of one of them for the other. It goes from the one that was found
 * first: in the loops that the plan becomes, that node and its list stay the same while the other changes, so the list
 * stays in the cache and can be marked once.
 *
 * Of two such expands in a row the one whose list stays the same for longer comes first: its marks are made the least
 * often, and few rows are left for the other. For the same reason a node that is a neighbour of two known ones is found
 * in the list of the younger, and looked for in that of the older.
 */
import type { PlanContext } from '../context.ts';
import { Estimator } from '../estimates/estimator.ts';
import type { Expand } from '../operators/kinds/table.ts';
import { inputsOf, namesBoundBy } from '../operators/references.ts';
import { reverse } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { Readers } from './readers.ts';
import { mapOperators } from './traverse.ts';

/** Most rows that an expand may find in the place of another one, as a multiple of the rows of that one. */
const MOST_MORE_ROWS = 1.5;

/** Orients and orders the expands between known nodes. `outputs`: the variables of the result. */
export function orientInto(context: PlanContext, root: Operator, outputs: readonly string[]): Operator {
  const estimator = new Estimator(context.statistics, context.labels);
  const readers = new Readers(root, outputs);
  return mapOperators(root, (operator) => {
    if (!isBetweenKnown(operator)) return operator;
    const expand = fromTheOlder(operator);
    return found(estimator, readers, expand) ?? inOrder(readers, expand);
  });
}

/**
 * Finds the node from the younger of its two neighbours, and looks for it in the list of the older one; null if that is
 * so already, or if it would find many more rows.
 */
function found(estimator: Estimator, readers: Readers, closing: Expand): Expand | null {
  const finding = closing.input;
  if (finding.kind !== 'expand' || finding.into || finding.relationshipBound || finding.to !== closing.to) return null;
  const differ = closing.uniqueAgainst.includes(finding.relationship);
  if (readers.of(closing.relationship) > 0 || readers.of(finding.relationship) > Number(differ)) return null;
  if (depthOf(finding.input, closing.from) >= depthOf(finding.input, finding.from)) return null;
  const estimatedRows = finding.input.estimatedRows * estimator.degree(closing, closing.from);
  if (estimatedRows > MOST_MORE_ROWS * finding.estimatedRows) return null;
  const uniqueAgainst = closing.uniqueAgainst.filter((name) => name !== finding.relationship);
  return {
    ...finding,
    input: { ...closing, into: false, input: finding.input, uniqueAgainst, estimatedRows },
    into: true,
    uniqueAgainst: differ ? [...finding.uniqueAgainst, closing.relationship] : finding.uniqueAgainst,
    estimatedRows: closing.estimatedRows,
  };
}

function isBetweenKnown(operator: Operator): operator is Expand {
  return operator.kind === 'expand' && operator.into && !operator.relationshipBound && operator.from !== operator.to;
}

function fromTheOlder(expand: Expand): Expand {
  if (depthOf(expand.input, expand.to) <= depthOf(expand.input, expand.from)) return expand;
  return { ...expand, from: expand.to, to: expand.from, direction: reverse(expand.direction) };
}

/** Lets the expand change places with those below it whose first node is younger. */
function inOrder(readers: Readers, upper: Expand): Operator {
  const lower = upper.input;
  if (!isBetweenKnown(lower) || readers.of(lower.relationship) > 0 || readers.of(upper.relationship) > 0) return upper;
  if (depthOf(lower.input, upper.from) <= depthOf(lower.input, lower.from)) return upper;
  const estimatedRows = (lower.input.estimatedRows * upper.estimatedRows) / Math.max(lower.estimatedRows, Number.MIN_VALUE);
  const moved = inOrder(readers, { ...upper, input: lower.input, estimatedRows: Math.min(estimatedRows, lower.input.estimatedRows) });
  return { ...lower, input: moved, estimatedRows: upper.estimatedRows };
}

/** Returns the number of operators above the one that binds a variable; Infinity if none does, so that it counts as the oldest. */
function depthOf(plan: Operator, variable: string): number {
  let depth = 0;
  for (let operator: Operator | undefined = plan; operator !== undefined; operator = inputsOf(operator)[0]) {
    if (namesBoundBy(operator).includes(variable)) return depth;
    depth += 1;
  }
  return Number.POSITIVE_INFINITY;
}
