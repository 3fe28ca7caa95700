/**
 * Counting cycles that look the same from each of their nodes: `(a)-->(b)-->(c)-->(a)` is found three times, begun at
 * each of its nodes, and without directions six times. Only the one that begins at the least node (by ordinal) is
 * walked, and counts for all of them.
 *
 * The relationships of a match all differ, so the ways to turn a cycle make as many different matches of it. The set of
 * places at which the least node stands turns with the cycle. So it is enough to count the matches for one set of
 * places of each kind, and each of these stands for several:
 *
 *     places of the least node    for a cycle of four with directions    stands for
 *     a                           a < b, a < c, a < d                    4
 *     a, b                        a = b, a < c, a < d                    4
 *     a, c                        a = c, a < b, a < d                    2: turned half round it is one of the same kind
 *     a, b, c                     a = b = c, a < d                       4
 *     a, b, c, d                  a = b = c = d                          1
 *
 * Without directions a cycle can be turned over too. If the least node stands at `a` alone, that leaves its place and
 * swaps the two nodes beside it: `b < d` counts twice, and `b = d` once.
 */
import type { PlanContext } from '../context.ts';
import { Estimator } from '../estimates/estimator.ts';
import { arithmetic, hasLabels, literal, nodeOrder, variable } from '../expressions/build.ts';
import { fingerprint } from '../expressions/fingerprint.ts';
import { replaceExpressions } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Aggregate } from '../operators/kinds/table.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { type Cycle, cycleOf, type Edge, filtered, isCountOfRows, walk } from './cycle.ts';
import { mapOperators } from './traverse.ts';

/** Most relationships of a cycle: a cycle of five has seven kinds of equal nodes. */
const LONGEST = 4;

/** Rewrites counts of cycles that look the same from each of their nodes. */
export function countSymmetricCycles(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => (operator.kind === 'aggregate' ? (rewrite(context, operator) ?? operator) : operator));
}

function rewrite(context: PlanContext, aggregate: Aggregate): Operator | null {
  if (aggregate.grouping.length > 0 || (aggregate.input.kind !== 'filter' && aggregate.input.kind !== 'expand')) return null;
  const cycle = cycleOf(aggregate.input, context.statistics.nodeCount);
  if (cycle === null || cycle.edges.length > LONGEST || !isSymmetric(cycle)) return null;
  const bound = new Set(cycle.edges.flatMap((edge) => [edge.relationship, edge.to]));
  if (!aggregate.aggregations.every((each) => isCountOfRows(each, bound))) return null;
  context.rewrites.add('symmetric cycles');
  const estimator = new Estimator(context.statistics, context.labels);
  const inputs = kindsOf(cycle).map((kind) => times(countOf(aggregate, rowsOf(estimator, cycle, kind)), kind.standsFor));
  const variables = aggregate.aggregations.map((each) => each.variable);
  return {
    ...aggregate,
    input: { kind: 'unionAll', inputs, variables, estimatedRows: inputs.length },
    aggregations: aggregate.aggregations.map((each) => ({ ...each, function: 'sum', arguments: [variable(each.variable)] })),
  };
}

/** Tells whether all relationships of a cycle are alike, and the conditions on each of its nodes are the same. */
function isSymmetric({ leaf, edges, filters, pairs }: Cycle): boolean {
  const count = edges.length;
  const [{ direction, types }] = edges as [Edge];
  if (count < (direction === 'both' ? 3 : 2) || (leaf.kind !== 'labelScan' && leaf.kind !== 'allNodesScan')) return false;
  const typesText = JSON.stringify(types?.toSorted());
  if (!edges.every((edge) => edge.direction === direction && JSON.stringify(edge.types?.toSorted()) === typesText)) return false;
  const names = edges.map((edge) => edge.relationship);
  const differ = (one: string, other: string): boolean => pairs.some((pair) => pair.includes(one) && pair.includes(other));
  if (!names.every((one, at) => names.slice(at + 1).every((other) => differ(one, other)))) return false;
  const asked = new Map(edges.map((edge) => [edge.from, new Set<string>()]));
  const ofLeaf = leaf.kind === 'labelScan' ? [hasLabels(leaf.variable, leaf.labels)] : [];
  for (const filter of [...ofLeaf, ...filters]) {
    const [node, ...others] = [...freeVariables(filter)];
    if (node === undefined || others.length > 0 || !asked.has(node)) return false;
    asked.get(node)!.add(fingerprint(renamed(filter, (name) => (name === node ? '' : name))));
  }
  const [first, ...rest] = [...asked.values()];
  return rest.every((other) => other.size === first!.size && [...other].every((text) => first!.has(text)));
}

function renamed(expression: PlanExpression, rename: (name: string) => string): PlanExpression {
  return replaceExpressions(expression, (part) => (part.kind === 'variable' ? variable(rename(part.name)) : null));
}

/** A kind of matches, each of which stands for several. Places are counted from the start of the cycle. */
interface Kind {
  /** For each place the first place with the same node: itself, or one before it. */
  readonly nodes: readonly number[];
  /** Pairs of places: the ordinal of the node at the first is less than that of the node at the second. */
  readonly order: readonly (readonly [number, number])[];
  readonly standsFor: number;
}

function kindsOf({ edges }: Cycle): readonly Kind[] {
  const count = edges.length;
  const turnsOver = edges[0]!.direction === 'both';
  const places = edges.map((_, place) => place);
  const kinds: Kind[] = [];
  for (let set = 1; set < 1 << count; set += 2) {
    const turns = places.map((by) => turnedSet(set, count, by));
    const all = turnsOver ? [...turns, ...turns.map((turn) => turnedOver(turn, count))] : turns;
    if (all.some((turn) => (turn & 1) === 1 && turn < set)) continue;
    const standsFor = all.length / all.filter((turn) => turn === set).length;
    const isLeast = (place: number): boolean => ((set >> place) & 1) === 1;
    const nodes = places.map((place) => (isLeast(place) ? 0 : place));
    const order = places.filter((place) => !isLeast(place)).map((place): readonly [number, number] => [0, place]);
    if (!turnsOver || set !== 1) {
      kinds.push({ nodes, order, standsFor });
      continue;
    }
    const last = count - 1;
    const inOrder = order.filter(([, place]) => place !== last);
    kinds.push({ nodes, order: [...inOrder, [1, last]], standsFor: 2 * standsFor });
    kinds.push({ nodes: nodes.with(last, 1), order: inOrder, standsFor });
  }
  return kinds;
}

function turnedSet(set: number, count: number, by: number): number {
  return ((set << by) | (set >> (count - by))) & ((1 << count) - 1);
}

/** Mirrors a set of places: each place becomes the one as far from the start on the other side. */
function turnedOver(set: number, count: number): number {
  let turned = 0;
  for (let place = 0; place < count; place++) if ((set >> place) & 1) turned |= 1 << ((count - place) % count);
  return turned;
}

function rowsOf(estimator: Estimator, { leaf, edges, filters, pairs }: Cycle, { nodes, order }: Kind): Operator {
  const names = edges.map((edge) => edge.from);
  const nodeAt = (name: string): string => names[nodes[names.indexOf(name)]!]!;
  const merged = edges.map((edge) => ({ ...edge, from: nodeAt(edge.from), to: nodeAt(edge.to) }));
  const kept = filters.filter((filter) => [...freeVariables(filter)].every((name) => nodeAt(name) === name));
  const start = filtered(
    leaf,
    kept.filter((filter) => freeVariables(filter).has(leaf.variable)),
  );
  const others = kept.filter((filter) => !freeVariables(filter).has(leaf.variable));
  const ordered = order.map(([low, high]) => nodeOrder(names[low]!, names[high]!));
  return walk(estimator, start, merged, { filters: [...ordered, ...others], pairs });
}

function countOf(aggregate: Aggregate, input: Operator): Aggregate {
  return { ...aggregate, input, aggregations: aggregate.aggregations.map((each) => ({ ...each, arguments: [] })) };
}

function times(counts: Aggregate, factor: number): Operator {
  if (factor === 1) return counts;
  const items = counts.aggregations.map((each) => ({
    variable: each.variable,
    expression: arithmetic(variable(each.variable), '*', literal(factor)),
  }));
  return { kind: 'project', input: counts, items, discard: true, estimatedRows: 1 };
}
