/**
 * Counting cycles of four or five relationships from both sides: the ways round from `a` to `c` and back are those on
 * the one side times those on the other, so those of the one side are counted by their end, and for each row of the
 * other side the count is looked up.
 *
 *     Aggregate(count(*))                             Aggregate(sum(n))
 *       Expand(into, from d, to a)                      CountedJoin(n ways from a to c)
 *         Expand(from c, to d)                            ├ Expand(from b, to c)
 *           Expand(from b, to c)                          │ └ Expand(from a, to b) over an argument
 *             Expand(from a, to b)                        └ Expand(from d, to c)
 *               Scan(a)                                     └ Expand(from a, to d)
 *                                                             └ Scan(a)
 *
 * A relationship on the one side must differ from those on the other. Where two are the same, two nodes of the pattern
 * are the same too (`a = c`, for instance). The rows in which a relationship is taken twice, which are few, are found
 * by walking the pattern with these nodes as one, and subtracted.
 */
import type { PlanContext } from '../context.ts';
import { Estimator } from '../estimates/estimator.ts';
import { compare, equals, literal, NOWHERE, not, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/mapping.ts';
import { replaceExpressions } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Aggregate } from '../operators/kinds/table.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { type Cycle, cycleOf, type Edge, filtered, isCountOfRows, readsOnly, turned, turnedCycle, walk } from './cycle.ts';
import { mapOperators } from './traverse.ts';

/** Relationships of the other side: two, so that each touches a node that both sides know. */
const OTHER_SIDE = 2;
/** Most relationships of a cycle. */
const LONGEST = 5;
/** Most nodes of the graph per counted row: counts lie in an array over all nodes, which few rows do not pay for. */
const NODES_PER_ROW = 16;

/** Rewrites counts of cycles of four or five relationships. */
export function countCycles(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => (operator.kind === 'aggregate' ? (rewrite(context, operator) ?? operator) : operator));
}

function rewrite(context: PlanContext, aggregate: Aggregate): Operator | null {
  // Counts are kept from row to row, and arrays are as long as there are nodes: neither holds in a statement that writes.
  if (context.bound.writes) return null;
  if (aggregate.input.kind !== 'filter' && aggregate.input.kind !== 'expand') return null;
  const cycle = cycleOf(aggregate.input, context.statistics.nodeCount);
  if (cycle === null || cycle.edges.length <= OTHER_SIDE + 1 || cycle.edges.length > LONGEST) return null;
  const bound = new Set(cycle.edges.flatMap((edge) => [edge.relationship, edge.to]));
  if (!aggregate.aggregations.every((each) => isCountOfRows(each, bound))) return null;
  const read = new Set(aggregate.grouping.flatMap((item) => [...freeVariables(item.expression)]));
  for (const way of [cycle, turnedCycle(cycle)]) {
    const sides = sidesOf(way);
    if (sides === null || ![...read].every((name) => sides.otherNames.has(name))) continue;
    const plan = new Builder(context, sides).plan(aggregate);
    if (plan !== null) context.rewrites.add('counted cycles');
    return plan;
  }
  return null;
}

/** Two nodes of the pattern that are one: `kept` takes the place of `gone`. */
interface Same {
  readonly gone: string;
  readonly kept: string;
}

interface Sides {
  readonly cycle: Cycle;
  /** The relationships from the start to the node where the sides meet, whose ways are counted. */
  readonly counted: readonly Edge[];
  /** The relationships from the start to that node on the other side. */
  readonly other: readonly Edge[];
  readonly otherNames: ReadonlySet<string>;
  readonly filters: {
    readonly start: readonly PlanExpression[];
    readonly counted: readonly PlanExpression[];
    readonly other: readonly PlanExpression[];
  };
  /** Relationships of one side and of the other that must differ. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Whenever the two relationships of a pair are the same one, the two nodes of one of these are the same, too. */
  readonly sames: readonly Same[];
}

/**
 * Splits a cycle into two sides; null if a filter is not about one side alone, or nothing tells where relationships of
 * both sides can be the same.
 */
function sidesOf(cycle: Cycle): Sides | null {
  const counted = cycle.edges.slice(0, -OTHER_SIDE);
  const other = cycle.edges.slice(-OTHER_SIDE).toReversed().map(turned);
  const start = cycle.leaf.variable;
  const namesOf = (edges: readonly Edge[]): Set<string> => new Set([start, ...edges.flatMap((edge) => [edge.relationship, edge.to])]);
  const [countedNames, otherNames] = [namesOf(counted), namesOf(other)];
  const filters = { start: [] as PlanExpression[], counted: [] as PlanExpression[], other: [] as PlanExpression[] };
  for (const filter of cycle.filters) {
    if (readsOnly(filter, new Set([start]))) filters.start.push(filter);
    else if (readsOnly(filter, countedNames)) filters.counted.push(filter);
    else if (readsOnly(filter, otherNames)) filters.other.push(filter);
    else return null;
  }
  const pairs: (readonly [string, string])[] = [];
  const sames: Same[] = [];
  for (const one of counted) {
    for (const two of other) {
      if (!mustDiffer(cycle, one, two)) continue;
      const same = sameNodes(one, two, [start, counted.at(-1)!.to]);
      if (same === null) return null;
      pairs.push([one.relationship, two.relationship]);
      if (!sames.some((known) => isBoth(known, same))) sames.push(same);
    }
  }
  return { cycle, counted, other, otherNames, filters, pairs, sames };
}

function isBoth({ gone, kept }: Same, other: Same): boolean {
  return (gone === other.gone && kept === other.kept) || (gone === other.kept && kept === other.gone);
}

function mustDiffer({ pairs }: Cycle, one: Edge, two: Edge): boolean {
  return pairs.some((pair) => pair.includes(one.relationship) && pair.includes(two.relationship));
}

/** Returns the nodes of the counted side that are the same if the two are one relationship; null if that side cannot tell. */
function sameNodes(one: Edge, two: Edge, shared: readonly [string, string]): Same | null {
  if (one.direction === 'both' || two.direction === 'both') return null;
  const ends = ({ from, to, direction }: Edge): readonly [string, string] => (direction === 'out' ? [from, to] : [to, from]);
  const [sources, targets] = [0, 1].map((end) => [ends(one)[end]!, ends(two)[end]!]) as [[string, string], [string, string]];
  for (const [mine, theirs] of [sources, targets]) {
    if (mine === theirs || !shared.includes(theirs)) continue;
    // The start is never the one that goes: the rows begin with it.
    return mine === shared[0] ? { gone: theirs, kept: mine } : { gone: mine, kept: theirs };
  }
  return null;
}

class Builder {
  readonly #context: PlanContext;
  readonly #sides: Sides;
  readonly #estimator: Estimator;
  readonly #start: Operator;

  constructor(context: PlanContext, sides: Sides) {
    this.#context = context;
    this.#sides = sides;
    this.#estimator = new Estimator(context.statistics, context.labels);
    this.#start = filtered(sides.cycle.leaf, sides.filters.start);
  }

  plan(aggregate: Aggregate): Operator | null {
    const isGrouped = aggregate.grouping.length > 0;
    const joined = this.#joined(!isGrouped);
    if (joined === null) return null;
    const all = summed(aggregate, joined.input, variable(joined.count));
    const { sames } = this.#sides;
    if (sames.length === 0) return all;
    const twice = sames.flatMap((same, at) => {
      const rows = this.#twice(same, sames.slice(0, at));
      return rows === null ? [] : [summed(aggregate, rows, literal(-1))];
    });
    if (twice.length === 0) return all;
    const outputs = [...aggregate.grouping, ...aggregate.aggregations].map((item) => item.variable);
    const { estimatedRows } = aggregate;
    const total: Aggregate = {
      ...aggregate,
      input: { kind: 'unionAll', inputs: [all, ...twice], variables: outputs, estimatedRows: estimatedRows * (1 + twice.length) },
      grouping: aggregate.grouping.map((item) => ({ variable: item.variable, expression: variable(item.variable) })),
      aggregations: aggregate.aggregations.map((each) => ({ ...each, function: 'sum', arguments: [variable(each.variable)] })),
    };
    return isGrouped ? filtered(total, [compare(variable(aggregate.aggregations[0]!.variable), '>', literal(0))]) : total;
  }

  /** Joins every way of the one side with every way of the other; null if that does not pay. `keepsNone`: see `CountedJoin`. */
  #joined(keepsNone: boolean): { readonly input: Operator; readonly count: string } | null {
    const { cycle, counted, other, filters } = this.#sides;
    const from = cycle.leaf.variable;
    const one: Operator = { kind: 'argument', variables: [from], estimatedRows: 1 };
    const plan = walk(this.#estimator, one, counted, { filters: filters.counted, pairs: cycle.pairs });
    if (this.#start.estimatedRows * plan.estimatedRows * NODES_PER_ROW < this.#context.statistics.nodeCount) return null;
    const on = counted.at(-1)!.to;
    const count = this.#context.fresh('ways', 'integer');
    const shared = filters.counted.filter((filter) => readsOnly(filter, new Set([from, on])));
    const input = walk(this.#estimator, this.#start, other, { filters: [...filters.other, ...shared], pairs: cycle.pairs });
    return { input: { kind: 'countedJoin', input, plan, from, on, count, keepsNone, estimatedRows: input.estimatedRows }, count };
  }

  /**
   * Returns the rows of `#joined` that take a relationship twice, in which `gone` and `kept` are the same node, and
   * those of each of `others` are not; null if `gone` and `kept` must differ.
   */
  #twice({ gone, kept }: Same, others: readonly Same[]): Operator | null {
    const { cycle, counted, other, filters, pairs } = this.#sides;
    const merge = (name: string): string => (name === gone ? kept : name);
    const mergedIn = (expression: PlanExpression): PlanExpression =>
      replaceExpressions(expression, (part) => (part.kind === 'variable' && part.name === gone ? variable(kept) : null));
    const edges = [...counted, ...other.toReversed().map(turned)].map((edge) => ({ ...edge, from: merge(edge.from), to: merge(edge.to) }));
    const apart = others.map((each) => not(equals(variable(merge(each.gone)), variable(merge(each.kept)))));
    const across = pairs.map(([one, two]) => equals(variable(one), variable(two)));
    const isAcross = (pair: readonly [string, string]): boolean => pairs.some((each) => each.every((name) => pair.includes(name)));
    const merged = [...filters.counted, ...filters.other, ...apart].map(mergedIn);
    if (merged.some((filter) => filter.kind === 'nodeOrder' && filter.low.name === filter.high.name)) return null;
    const walked = walk(this.#estimator, this.#start, edges, {
      filters: merged,
      pairs: cycle.pairs.filter((pair) => !isAcross(pair)),
    });
    const rows = filtered(walked, [or(across)]);
    return { kind: 'project', input: rows, items: [{ variable: gone, expression: variable(kept) }], discard: false, estimatedRows: 1 };
  }
}

/** Returns the aggregate as a sum, in which each row counts `each` times. */
function summed(aggregate: Aggregate, input: Operator, each: PlanExpression): Aggregate {
  return { ...aggregate, input, aggregations: aggregate.aggregations.map((item) => ({ ...item, function: 'sum', arguments: [each] })) };
}

function or(operands: readonly PlanExpression[]): PlanExpression {
  return operands.length === 1 ? operands[0]! : { kind: 'logical', operator: 'or', operands: operands.map(asExpression), span: NOWHERE };
}
