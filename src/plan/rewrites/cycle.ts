/** Reads a finished plan back as a pattern: a simple cycle of relationships from the node that its rows begin with. */
import type { Estimator } from '../estimates/estimator.ts';
import { and, hasLabels } from '../expressions/build.ts';
import { hasSubplans, isVolatile } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Aggregate, Expand, RelationshipScan } from '../operators/kinds/table.ts';
import { isDynamic } from '../pattern/predicates.ts';
import { reverse } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';

import { conjunctsOf } from './counted-expand.ts';

/** A relationship of a cycle. */
export type Edge = Pick<Expand, 'from' | 'relationship' | 'to' | 'types' | 'direction'>;

type Leaf = Extract<Operator, { readonly kind: 'labelScan' | 'allNodesScan' | 'nodeIndexSeek' | 'nodeIndexRange' | 'nodeByIdSeek' }>;

/** A cycle that a plan counts. */
export interface Cycle {
  /** Finds the nodes that the cycle begins and ends with. */
  readonly leaf: Leaf;
  /** The relationships in order: each goes on where the one before it ends, and the last ends where the first begins. */
  readonly edges: readonly Edge[];
  readonly filters: readonly PlanExpression[];
  /** Relationships that must differ from each other. */
  readonly pairs: readonly (readonly [string, string])[];
}

interface Parts {
  /** The number of nodes of the graph. */
  readonly nodes: number;
  readonly leaves: Leaf[];
  readonly edges: Edge[];
  readonly filters: PlanExpression[];
  readonly pairs: (readonly [string, string])[];
}

/** Reads a plan as a cycle; null if it is anything else. `nodes`: the number of nodes of the graph. */
export function cycleOf(plan: Operator, nodes: number): Cycle | null {
  const parts: Parts = { nodes, leaves: [], edges: [], filters: [], pairs: [] };
  if (!collect(plan, parts)) return null;
  const leaf = parts.leaves.reduce((least, other) => (other.estimatedRows < least.estimatedRows ? other : least));
  for (const other of parts.leaves) if (other !== leaf && !becomesFilter(other, parts)) return null;
  const edges = inOrder(parts.edges, leaf.variable);
  if (edges === null) return null;
  const names = new Set(edges.map((edge) => edge.relationship));
  const pairs: (readonly [string, string])[] = [];
  const filters: PlanExpression[] = [];
  for (const filter of parts.filters) {
    const pair = pairIn(filter, names);
    if (pair === null) filters.push(filter);
    else pairs.push(pair);
  }
  for (const pair of parts.pairs) {
    if (!pair.every((name) => names.has(name))) return null;
    pairs.push(pair);
  }
  return { leaf, edges, filters, pairs };
}

/** Collects the parts of a plan; false if it has more in it than scans, expands, filters and joins on nodes. */
function collect(operator: Operator, parts: Parts): boolean {
  if (operator.kind === 'filter') {
    const conjuncts = conjunctsOf(operator.predicate);
    if (conjuncts.some((each) => isVolatile(each) || hasSubplans(each))) return false;
    parts.filters.push(...conjuncts);
    return collect(operator.input, parts);
  }
  if (operator.kind === 'expand') {
    if (operator.relationshipBound) return false;
    addEdge(operator, parts);
    return collect(operator.input, parts);
  }
  if (operator.kind === 'relationshipScan') {
    const { from, input } = operator;
    addEdge(operator, parts);
    parts.leaves.push({ kind: 'allNodesScan', input, variable: from, estimatedRows: parts.nodes });
    return isTop(input);
  }
  if (operator.kind === 'hashJoin') {
    const isOnNodes = operator.leftKeys.every((key, at) => {
      const other = operator.rightKeys[at]!;
      return key.kind === 'variable' && other.kind === 'variable' && key.name === other.name;
    });
    return isOnNodes && collect(operator.left, parts) && collect(operator.right, parts);
  }
  if (!isLeaf(operator)) return false;
  parts.leaves.push(operator);
  return isTop(operator.input);
}

function addEdge({ from, relationship, to, types, direction, uniqueAgainst }: Expand | RelationshipScan, parts: Parts): void {
  parts.edges.push({ from, relationship, to, types, direction });
  parts.pairs.push(...uniqueAgainst.map((other) => [relationship, other] as const));
}

function isLeaf(operator: Operator): operator is Leaf {
  return ['labelScan', 'allNodesScan', 'nodeIndexSeek', 'nodeIndexRange', 'nodeByIdSeek'].includes(operator.kind);
}

/** Tells whether an operator is the empty row at the start of a statement. */
function isTop(operator: Operator): boolean {
  return operator.kind === 'argument' && operator.variables.length === 0;
}

/** Turns a scan into a filter, since its nodes are walked to; false if that cannot be done. */
function becomesFilter(leaf: Leaf, parts: Parts): boolean {
  if (leaf.kind === 'allNodesScan') return true;
  if (leaf.kind !== 'labelScan' || isDynamic(leaf.labels)) return false;
  parts.filters.push(hasLabels(leaf.variable, leaf.labels));
  return true;
}

function pairIn(filter: PlanExpression, names: ReadonlySet<string>): readonly [string, string] | null {
  if (filter.kind !== 'comparison' || filter.operators.length !== 1 || filter.operators[0] !== '<>') return null;
  const [left, right] = filter.operands;
  if (left?.kind !== 'variable' || right?.kind !== 'variable') return null;
  return names.has(left.name) && names.has(right.name) ? [left.name, right.name] : null;
}

/** Orders the relationships from `start` round to it again; null if they are no simple cycle. */
function inOrder(edges: readonly Edge[], start: string): readonly Edge[] | null {
  const rest = [...edges];
  const ordered: Edge[] = [];
  const met = new Set<string>();
  let node = start;
  do {
    if (met.has(node)) return null;
    met.add(node);
    const at = rest.findIndex((edge) => edge.from === node || edge.to === node);
    const edge = rest.splice(at, at < 0 ? 0 : 1)[0];
    if (edge === undefined || edge.from === edge.to) return null;
    ordered.push(edge.from === node ? edge : turned(edge));
    node = ordered.at(-1)!.to;
  } while (node !== start);
  return rest.length === 0 ? ordered : null;
}

/** Returns the relationship in the opposite direction. */
export function turned(edge: Edge): Edge {
  return { ...edge, from: edge.to, to: edge.from, direction: reverse(edge.direction) };
}

/** Returns the cycle in the opposite direction. */
export function turnedCycle(cycle: Cycle): Cycle {
  return { ...cycle, edges: cycle.edges.toReversed().map(turned) };
}

/** Tells whether a condition reads these variables only. */
export function readsOnly(filter: PlanExpression, known: ReadonlySet<string>): boolean {
  return [...freeVariables(filter)].every((name) => known.has(name));
}

/** Tells whether an aggregate is the number of rows; `bound`: variables that are never null in these rows. */
export function isCountOfRows(
  { function: name, distinct, arguments: [argument] }: Aggregate['aggregations'][number],
  bound: ReadonlySet<string>,
): boolean {
  if (name !== 'count' || distinct) return false;
  return argument === undefined || (argument.kind === 'variable' && bound.has(argument.name));
}

interface Walk {
  readonly filters: readonly PlanExpression[];
  readonly pairs: Cycle['pairs'];
}

/** Expands along all relationships, from rows that know the first node, with each filter as soon as it can be tested. */
export function walk(estimator: Estimator, from: Operator, edges: readonly Edge[], { filters, pairs }: Walk): Operator {
  const known = new Set([edges[0]!.from]);
  let rest = [...filters];
  let plan = from;
  for (const edge of edges) {
    const into = known.has(edge.to);
    const uniqueAgainst = [...known].filter((name) => pairs.some((pair) => pair.includes(name) && pair.includes(edge.relationship)));
    const found = into ? estimator.connections(edge, edge.from, edge.to) : estimator.degree(edge, edge.from);
    const estimatedRows = Math.min(plan.estimatedRows * found, 1e15);
    plan = { kind: 'expand', input: plan, ...edge, into, relationshipBound: false, uniqueAgainst, estimatedRows };
    known.add(edge.relationship).add(edge.to);
    const now = rest.filter((filter) => readsOnly(filter, known));
    rest = rest.filter((filter) => !now.includes(filter));
    plan = filtered(plan, now);
  }
  return plan;
}

/** Puts conditions on top of a plan. */
export function filtered(input: Operator, filters: readonly PlanExpression[]): Operator {
  return filters.length === 0 ? input : { kind: 'filter', input, predicate: and(filters), estimatedRows: input.estimatedRows };
}
