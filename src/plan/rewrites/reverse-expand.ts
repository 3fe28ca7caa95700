/**
 * A pattern of one relationship, found from its other end: the same rows, starting with a scan of the node that the
 * caller wants to start from.
 */

import type { PlanContext } from '../context.ts';
import { nodesWith } from '../estimates/labels.ts';
import { and, hasLabels, labelAnd } from '../expressions/build.ts';
import { hasSubplans, isVolatile } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Expand, RelationshipScan } from '../operators/kinds/table.ts';
import { isDynamic } from '../pattern/predicates.ts';
import { reverse } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { conjunctsOf } from './counted-expand.ts';

/** Most rows of the new start, as a multiple of the rows of the plan. */
const WORTH = 2;

/**
 * Returns the plan with `center` as its start; null if it is more than filters over one relationship between plain
 * scans, already starts at `center`, or would scan too many nodes there.
 */
export function reverseExpand(context: PlanContext, plan: Operator, center: string): Operator | null {
  const filters: PlanExpression[] = [];
  let below = plan;
  for (; below.kind === 'filter'; below = below.input) filters.unshift(...conjunctsOf(below.predicate));
  if (filters.some((filter) => isVolatile(filter) || hasSubplans(filter))) return null;
  const edge = edgeOf(below, center, filters);
  if (edge === null || edge.to !== center || edge.uniqueAgainst.length > 0) return null;
  const start = scanOf(context, edge.start, center, filters);
  if (start.estimatedRows > WORTH * plan.estimatedRows) return null;
  const expand: Operator = {
    kind: 'expand',
    input: start,
    from: center,
    relationship: edge.relationship,
    to: edge.from,
    types: edge.types,
    direction: reverse(edge.direction),
    into: false,
    relationshipBound: false,
    uniqueAgainst: [],
    estimatedRows: plan.estimatedRows,
  };
  const rest = filters.filter((filter) => !isAbout(filter, center));
  return rest.length === 0 ? expand : { kind: 'filter', input: expand, predicate: and(rest), estimatedRows: plan.estimatedRows };
}

type Edge = Pick<Expand, 'from' | 'relationship' | 'to' | 'types' | 'direction' | 'uniqueAgainst'> & {
  /** The argument leaf of the plan. */
  readonly start: Operator;
};

/** Returns the relationship of a plan; null if the plan is more than that. Adds to `filters` the conditions on the scan of its start. */
function edgeOf(operator: Operator, center: string, filters: PlanExpression[]): Edge | null {
  if (operator.kind === 'relationshipScan') return scannedEdge(operator, center);
  if (operator.kind !== 'expand' || operator.into || operator.relationshipBound) return null;
  let leaf = operator.input;
  for (; leaf.kind === 'filter'; leaf = leaf.input) filters.unshift(...conjunctsOf(leaf.predicate));
  if ((leaf.kind !== 'labelScan' && leaf.kind !== 'allNodesScan') || leaf.input.kind !== 'argument' || leaf.variable !== operator.from)
    return null;
  if (leaf.kind === 'labelScan') {
    if (isDynamic(leaf.labels)) return null;
    filters.unshift(hasLabels(leaf.variable, leaf.labels));
  }
  return { ...oriented(operator), start: leaf.input };
}

/** Returns a scanned relationship so that it ends at `center`; null if rows come before the scan. */
function scannedEdge(scan: RelationshipScan, center: string): Edge | null {
  if (scan.input.kind !== 'argument') return null;
  const edge = oriented(scan);
  const ended = scan.from === center ? { ...edge, from: edge.to, to: edge.from, direction: reverse(edge.direction) } : edge;
  return { ...ended, start: scan.input };
}

function oriented({ from, relationship, to, types, direction, uniqueAgainst }: Expand | RelationshipScan): Omit<Edge, 'start'> {
  return { from, relationship, to, types, direction, uniqueAgainst };
}

function isAbout(filter: PlanExpression, variable: string): boolean {
  const free = freeVariables(filter);
  return free.size === 1 && free.has(variable);
}

/** Scans the nodes of `center`: its labels go into the scan, its other filters above. */
function scanOf(context: PlanContext, start: Operator, center: string, filters: readonly PlanExpression[]): Operator {
  const own = filters.filter((filter) => isAbout(filter, center));
  const labels = own.flatMap((filter) =>
    filter.kind === 'hasLabels' && filter.subject.kind === 'variable' && !isDynamic(filter.labels) ? [filter.labels] : [],
  );
  const others = own.filter((filter) => !(filter.kind === 'hasLabels' && labels.includes(filter.labels)));
  const scan: Operator =
    labels.length === 0
      ? { kind: 'allNodesScan', input: start, variable: center, estimatedRows: context.statistics.nodeCount }
      : {
          kind: 'labelScan',
          input: start,
          variable: center,
          labels: labelAnd(labels),
          estimatedRows: nodesWith(context.statistics, labelAnd(labels)),
        };
  return others.length === 0 ? scan : { kind: 'filter', input: scan, predicate: and(others), estimatedRows: scan.estimatedRows };
}
