/**
 * Node variables that a condition of the pattern keeps apart: `a <> b`, or a strict order of what is computed from each
 * of them alone, `a.id < b.id`, in one or several steps. In rows that pass such conditions two nodes of the pattern are
 * different ones, and so are relationships between different pairs of them: they need not be compared.
 *
 * `a.p <> b.p` tells nothing: a property that is NaN differs from itself.
 */
import { variable } from '../expressions/build.ts';
import { fingerprint } from '../expressions/fingerprint.ts';
import { isVolatile, replaceExpressions } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { QueryRelationship } from '../pattern/query-graph.ts';
import type { PlanExpression } from '../plan.ts';

/** Most node variables over which strict orders are followed: the closure is cubic. */
const MOST_ORDERED = 64;

/** Tells which node variables cannot be the same node. */
export class DistinctNodes {
  readonly #apart = new Map<string, Set<string>>();

  /** `conditions`: those that every row of the pattern passes. */
  constructor(conditions: Iterable<PlanExpression>) {
    const orders = new Map<string, Map<string, Set<string>>>();
    for (const condition of conditions) {
      if (condition.kind !== 'comparison' || isVolatile(condition)) continue;
      condition.operators.forEach((operator, at) => {
        const [left, right] = [condition.operands[at]!, condition.operands[at + 1]!];
        if (operator === '<>' && left.kind === 'variable' && right.kind === 'variable') this.#keepApart(left.name, right.name);
        else if (operator === '<') addOrder(orders, left, right);
        else if (operator === '>') addOrder(orders, right, left);
      });
    }
    for (const less of orders.values()) {
      close(less);
      for (const [low, greater] of less) for (const high of greater) if (low !== high) this.#keepApart(low, high);
    }
  }

  /** Tells whether two relationships of fixed length can be the same one, as far as the nodes at their ends tell. */
  mayCoincide(one: QueryRelationship, other: QueryRelationship): boolean {
    if (this.#apart.size === 0) return true;
    const isAlong = one.direction === 'both' || other.direction === 'both' || one.direction === other.direction;
    const isAgainst = one.direction === 'both' || other.direction === 'both' || one.direction !== other.direction;
    return (
      (isAlong && !this.#areApart(one.left, other.left) && !this.#areApart(one.right, other.right)) ||
      (isAgainst && !this.#areApart(one.left, other.right) && !this.#areApart(one.right, other.left))
    );
  }

  #areApart(one: string, other: string): boolean {
    return this.#apart.get(one)?.has(other) === true;
  }

  #keepApart(one: string, other: string): void {
    add(this.#apart, one, other);
    add(this.#apart, other, one);
  }
}

/** Notes `low < high` where both are the same expression, each over one variable. */
function addOrder(orders: Map<string, Map<string, Set<string>>>, low: PlanExpression, high: PlanExpression): void {
  const [lowName, ...moreLow] = freeVariables(low);
  const [highName, ...moreHigh] = freeVariables(high);
  if (lowName === undefined || highName === undefined || moreLow.length > 0 || moreHigh.length > 0) return;
  const measure = measureOf(low, lowName);
  if (measure !== measureOf(high, highName)) return;
  const less = orders.get(measure) ?? new Map<string, Set<string>>();
  orders.set(measure, less);
  add(less, lowName, highName);
}

function measureOf(expression: PlanExpression, name: string): string {
  return fingerprint(replaceExpressions(expression, (part) => (part.kind === 'variable' && part.name === name ? variable('') : null)));
}

/** Completes an order to its transitive closure, unless it has too many variables. */
function close(less: Map<string, Set<string>>): void {
  if (less.size > MOST_ORDERED) return;
  for (const middle of less.keys()) {
    for (const greater of less.values()) if (greater.has(middle)) for (const high of less.get(middle)!) greater.add(high);
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
