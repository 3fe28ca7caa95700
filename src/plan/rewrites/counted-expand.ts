/**
 * The last expand of a pattern whose rows are only counted, as an expression: how many relationships does this row's
 * node have that fit?
 *
 *     COUNT { (from)-[r:T]->(to) WHERE filters } - CASE WHEN … THEN 1 ELSE 0 END - …
 *
 * The COUNT leaves out that `r` must differ from other relationships, so that a bare one can be read off the
 * adjacency's offsets; each of those is subtracted where it would have been counted: where it is among the node's own
 * and its far end passes the filters.
 */
import { and, arithmetic, call, equals, literal, NOWHERE, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/mapping.ts';
import { hasSubplans, isVolatile, replaceExpressions } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Expand, RelationshipScan } from '../operators/kinds/table.ts';
import { inputsOf } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';

/** An expand with the filters above it. */
export interface CountedExpand {
  readonly expand: Expand;
  readonly filters: readonly PlanExpression[];
  readonly below: Operator;
}

/** Returns an expand to a new node with the filters above it; null for any other operator, or if the filters cannot be moved. */
export function countedExpand(operator: Operator): CountedExpand | null {
  const filters: PlanExpression[] = [];
  let below = operator;
  for (; below.kind === 'filter'; below = below.input) filters.unshift(...conjunctsOf(below.predicate));
  if (below.kind !== 'expand' || below.into || below.relationshipBound) return null;
  return filters.some((filter) => isVolatile(filter) || hasSubplans(filter)) ? null : { expand: below, filters, below: below.input };
}

/** Returns the parts of a condition that must all be true. */
export function conjunctsOf(predicate: PlanExpression): readonly PlanExpression[] {
  return predicate.kind === 'logical' && predicate.operator === 'and' ? predicate.operands : [predicate];
}

/** Makes `COUNT { expand WHERE filters }`, in which the relationship need not differ from any other. */
export function countOf({ expand, filters }: Pick<CountedExpand, 'expand' | 'filters'>): PlanExpression {
  const read = new Set([expand.from, ...filters.flatMap((filter) => [...freeVariables(filter)])]);
  read.delete(expand.relationship);
  if (!expand.into) read.delete(expand.to);
  const input: Operator = { kind: 'argument', variables: [...read], estimatedRows: 1 };
  const walked: Operator = { ...expand, input, uniqueAgainst: [], estimatedRows: 1 };
  const plan: Operator = filters.length === 0 ? walked : { kind: 'filter', input: walked, predicate: and(filters), estimatedRows: 1 };
  return { kind: 'planSubquery', mode: 'count', plan, variable: null };
}

/** Returns the count with one more condition. A condition that both ends are the same node makes it a count of self-loops. */
export function countWhere({ expand, filters }: CountedExpand, condition: PlanExpression): PlanExpression {
  const conditions = conjunctsOf(condition).filter((part) => part.kind !== 'literal');
  const loop = conditions.find((part) => isSameNode(part, expand.from, expand.to));
  if (loop === undefined) return countOf({ expand, filters: [...filters, ...conditions] });
  const atStart = [...filters, ...conditions.filter((part) => part !== loop)].map((filter) =>
    replaceExpressions(filter, (part) => (part.kind === 'variable' && part.name === expand.to ? variable(expand.from) : null)),
  );
  return countOf({ expand: { ...expand, to: expand.from, into: true }, filters: atStart });
}

function isSameNode(condition: PlanExpression, left: string, right: string): boolean {
  if (condition.kind !== 'comparison' || condition.operators[0] !== '=') return false;
  const names = condition.operands.map((operand) => (operand.kind === 'variable' ? operand.name : null));
  return names.length === 2 && names.includes(left) && names.includes(right);
}

/**
 * Returns, for each relationship that the expand must differ from, the condition under which it is counted all the
 * same; null if one is not known.
 */
export function doublyCountedConditions(counted: CountedExpand): readonly PlanExpression[] | null {
  const conditions = counted.expand.uniqueAgainst.map((name) => isCounted(counted, name));
  return conditions.every((condition) => condition !== null) ? conditions : null;
}

function isCounted({ expand, filters }: CountedExpand, name: string): PlanExpression | null {
  const source = findSource(expand.input, name);
  if (source === null || expand.types?.length !== 1 || source.types?.length !== 1 || source.types[0] !== expand.types[0]) return null;
  const own = isOwn(expand, source);
  if (filters.length === 0) return own;
  const far = source.from === expand.from ? source.to : source.to === expand.from ? source.from : null;
  if (far === null) return null;
  const passes = filters.map((filter) =>
    replaceExpressions(filter, (part) => {
      if (part.kind !== 'variable') return null;
      return part.name === expand.to ? variable(far) : part.name === expand.relationship ? variable(name) : null;
    }),
  );
  return own.kind === 'literal' ? and(passes) : and([own, ...passes]);
}

/** Makes the condition that the relationship of `source` is one of those that the expand follows. */
function isOwn({ from, direction }: Expand, source: Expand | RelationshipScan): PlanExpression {
  const start = source.direction === 'out' ? source.from : source.direction === 'in' ? source.to : null;
  const end = source.direction === 'out' ? source.to : source.direction === 'in' ? source.from : null;
  const isAt = (node: string | null, endFunction: 'startNode' | 'endNode'): PlanExpression =>
    node === from
      ? literal(true)
      : equals(node === null ? call(endFunction, variable(source.relationship)) : variable(node), variable(from));
  if (direction === 'out') return isAt(start, 'startNode');
  if (direction === 'in') return isAt(end, 'endNode');
  if (source.from === from || source.to === from) return literal(true);
  const either = [isAt(start, 'startNode'), isAt(end, 'endNode')].map(asExpression);
  return { kind: 'logical', operator: 'or', operands: either, span: NOWHERE };
}

/** Finds the operator that binds a relationship; null if the relationship is bound outside of the plan. */
function findSource(plan: Operator, name: string): Expand | RelationshipScan | null {
  if (plan.kind === 'relationshipScan' && plan.relationship === name) return plan;
  if (plan.kind === 'expand' && plan.relationship === name) return plan.relationshipBound ? null : plan;
  for (const input of inputsOf(plan)) {
    const found = findSource(input, name);
    if (found !== null) return found;
  }
  return null;
}

/** Makes the difference of two expressions. */
export function minus(left: PlanExpression, right: PlanExpression): PlanExpression {
  return arithmetic(left, '-', right);
}

/** Makes the product of two expressions. */
export function times(left: PlanExpression, right: PlanExpression): PlanExpression {
  return arithmetic(left, '*', right);
}

/** Makes an expression that is 1 if the condition holds, else 0. */
export function oneIf(condition: PlanExpression): PlanExpression {
  if (condition.kind === 'literal') return literal(condition.value === true ? 1 : 0);
  return {
    kind: 'case',
    subject: null,
    branches: [{ when: asExpression(condition), then: literal(1) }],
    otherwise: literal(0),
    span: NOWHERE,
  };
}
