/**
 * Cardinality estimates for one query graph: how many rows a scan, an expand or a filter leaves. All figures come from
 * `GraphStatistics`; where it knows nothing, from the constants below. Estimates may be wrong by orders of magnitude;
 * nothing but speed depends on them.
 */
import { unreachable } from '../../base/index.ts';
import { isNamed } from '../../functions/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';
import type { Estimates } from '../expressions/facts.ts';
import { AREA_SELECTIVITY } from '../expressions/kinds/common.ts';
import { expressionFacts } from '../expressions/table.ts';
import { requiredLabels } from '../pattern/predicates.ts';
import type { Predicate, QueryRelationship } from '../pattern/query-graph.ts';
import type { PlanExpression } from '../plan.ts';
import { labelSelectivity, share } from './labels.ts';

/** Shares of rows that predicates leave when nothing is known about the values. */
const UNKNOWN_EQUALITY = 0.1;
const RANGE = 0.3;
const PREFIX = 0.05;
const SUBSTRING = 0.1;
/** Estimated elements of a list that is not written down. */
const UNKNOWN_LIST = 10;
/** Relationships beyond its lower bound that a variable-length pattern is taken to walk at most. */
const DEPTH_LIMIT = 6;
/** Largest estimate of rows, so that products stay finite. */
const ROWS_LIMIT = 1e15;

/** Estimates cardinalities. */
export class Estimator {
  readonly #statistics: GraphStatistics;
  /** Labels that variables are known to have, from earlier clauses or from this graph. */
  readonly #labels: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #estimates: Estimates = {
    selectivity: (child) => this.selectivity(child),
    ofComparison: (expression) => this.#ofComparison(expression),
    ofBinary: (expression) => this.#ofBinary(expression),
    ofLabels: (labels) => labelSelectivity(this.#statistics, labels),
  };

  constructor(statistics: GraphStatistics, labels: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#statistics = statistics;
    this.#labels = labels;
  }

  get statistics(): GraphStatistics {
    return this.#statistics;
  }

  /** Returns the rarest label that a variable is known to have; null if none is known. */
  label(variable: string): string | null {
    let rarest: string | null = null;
    for (const label of this.#labels.get(variable) ?? []) {
      if (rarest === null || this.#statistics.nodesWithLabel(label) < this.#statistics.nodesWithLabel(rarest)) rarest = label;
    }
    return rarest;
  }

  nodesOf(label: string | null): number {
    return label === null ? this.#statistics.nodeCount : this.#statistics.nodesWithLabel(label);
  }

  /** Estimates the relationships that fit types, direction and end labels (null: any); each counts once per direction in which it fits. */
  relationships(relationship: Pick<QueryRelationship, 'types' | 'direction'>, from: string | null, to: string | null): number {
    const types: readonly (string | null)[] = relationship.types ?? [null];
    const along = (source: string | null, target: string | null): number =>
      types.reduce((sum, type) => sum + this.#statistics.relationships(type, source, target), 0);
    switch (relationship.direction) {
      case 'out':
        return along(from, to);
      case 'in':
        return along(to, from);
      case 'both':
        return along(from, to) + along(to, from);
    }
  }

  /** Estimates the relationships per node when expanding from `from`, whatever the other end is. */
  degree(relationship: Pick<QueryRelationship, 'types' | 'direction'>, from: string): number {
    const label = this.label(from);
    return ratio(this.relationships(relationship, label, null), this.nodesOf(label));
  }

  /** Estimates how many relationships lie between two given nodes, on average. */
  connections(relationship: Pick<QueryRelationship, 'types' | 'direction'>, from: string, to: string): number {
    const fromLabel = this.label(from);
    const toLabel = this.label(to);
    return ratio(this.relationships(relationship, fromLabel, toLabel), this.nodesOf(fromLabel) * this.nodesOf(toLabel));
  }

  /** Estimates the share of the relationships of an expand whose far end has the labels that it is known to need. */
  farLabels(relationship: Pick<QueryRelationship, 'types' | 'direction'>, from: string, to: string): number {
    const toLabel = this.label(to);
    if (toLabel === null) return 1;
    const fromLabel = this.label(from);
    return share(this.relationships(relationship, fromLabel, toLabel), this.relationships(relationship, fromLabel, null));
  }

  /** Estimates the rows of a variable-length expand for one input row. `into`: both ends are given. */
  walks(relationship: QueryRelationship, from: string, to: string, into: boolean): number {
    const step =
      this.degree(relationship, from) * relationship.steps.reduce((product, each) => product * this.selectivity(each.expression), 1);
    const min = relationship.length?.min ?? 1;
    const max = Math.min(relationship.length?.max ?? Number.POSITIVE_INFINITY, min + DEPTH_LIMIT);
    const hops = relationship.quantified === null ? 1 : relationship.quantified.path.elements.length >> 1;
    let rows = 0;
    for (let depth = min; depth <= max; depth++) rows += step ** (depth * hops);
    if (into) rows = ratio(rows, this.nodesOf(this.label(to)));
    return Math.min(rows, ROWS_LIMIT);
  }

  /** Estimates the distinct values of a property of a variable's nodes; null if unknown. */
  distinctValues(variable: string, key: string): number | null {
    return this.#statistics.distinctValues(this.label(variable), key);
  }

  /** Estimates the share of rows, from 0 to 1, for which a predicate is true. */
  selectivity(expression: PlanExpression): number {
    return expressionFacts(expression).selectivity(expression, this.#estimates);
  }

  predicateSelectivity(predicate: Predicate): number {
    return this.selectivity(predicate.expression);
  }

  #ofComparison(expression: Extract<PlanExpression, { kind: 'comparison' }>): number {
    const [left, right] = expression.operands;
    const [operator] = expression.operators;
    if (operator === '=') return this.#equality(left!, right!);
    if (operator === '<>') return 1 - this.#equality(left!, right!);
    return isDistance(left!) || isDistance(right!) ? AREA_SELECTIVITY : RANGE;
  }

  #equality(left: PlanExpression, right: PlanExpression): number {
    if (isIdentity(left) || isIdentity(right)) return ratio(1, this.#statistics.nodeCount);
    const known = [left, right].map((side) => this.#distinct(side)).filter((count) => count !== null);
    return known.length === 0 ? UNKNOWN_EQUALITY : Math.min(1, 1 / Math.max(...known));
  }

  #distinct(side: PlanExpression): number | null {
    if (side.kind === 'variable') return this.#labels.has(side.name) ? Math.max(1, this.nodesOf(this.label(side.name))) : null;
    if (side.kind !== 'property' || side.subject.kind !== 'variable') return null;
    const distinct = this.distinctValues(side.subject.name, side.key);
    return distinct === null ? null : Math.max(1, distinct);
  }

  #ofBinary(expression: Extract<PlanExpression, { kind: 'binary' }>): number {
    switch (expression.operator) {
      case 'in': {
        const count = knownLength(expression.right) ?? UNKNOWN_LIST;
        const one = isIdentity(expression.left)
          ? ratio(1, this.#statistics.nodeCount)
          : ratio(1, this.#distinct(expression.left) ?? 1 / UNKNOWN_EQUALITY);
        return Math.min(1, count * one);
      }
      case 'startsWith':
        return PREFIX;
      case 'contains':
      case 'endsWith':
      case '=~':
        return SUBSTRING;
      default:
        return unreachable(expression.operator, 'operator');
    }
  }
}

/** Returns the number of elements of a list that is written down; null for any other list. */
export function knownLength(list: PlanExpression): number | null {
  if (list.kind === 'list') return list.items.length;
  return list.kind === 'literal' && Array.isArray(list.value) ? list.value.length : null;
}

function isDistance(expression: PlanExpression): boolean {
  return expression.kind === 'function' && isNamed(expression.name, 'point.distance');
}

/** Divides; a divisor of 0 or less gives 0. */
export function ratio(dividend: number, divisor: number): number {
  return divisor <= 0 ? 0 : dividend / divisor;
}

/** Tells whether an expression identifies a node: `n._id`, `id(n)`, `elementId(n)`. At most one node has a given value. */
export function isIdentity(expression: PlanExpression): boolean {
  if (expression.kind === 'property') return expression.key === '_id' && expression.subject.kind === 'variable';
  if (expression.kind !== 'function' || expression.arguments.length !== 1) return false;
  return (isNamed(expression.name, 'id') || isNamed(expression.name, 'elementId')) && expression.arguments[0]!.kind === 'variable';
}

/** Returns the labels that variables are known to have: those known before, and those that predicates require. */
export function knownLabels(
  before: ReadonlyMap<string, ReadonlySet<string>>,
  predicates: readonly Predicate[],
): Map<string, ReadonlySet<string>> {
  const added = new Map<string, Set<string>>();
  for (const { labels } of predicates) {
    if (labels === null) continue;
    const known = added.get(labels.variable) ?? new Set(before.get(labels.variable));
    added.set(labels.variable, known);
    for (const label of requiredLabels(labels.labels)) known.add(label);
  }
  return new Map([...before, ...added]);
}
