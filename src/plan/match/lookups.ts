/** Recognises predicates that an index or the identifier map can answer: what is looked up, and in which value. */

import type { ComparisonOperator, FunctionCall } from '../../cypher/index.ts';
import { isNamed } from '../../functions/index.ts';
import { isIdentity } from '../estimates/estimator.ts';
import { list } from '../expressions/build.ts';
import { isRandomExpression } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Predicate } from '../pattern/query-graph.ts';
import type { PlanExpression } from '../plan.ts';

/**
 * A condition `subject.key <operator> value`, whose value does not depend on the subject. `box` and `circle` are
 * conditions on points: `point.withinBBox(subject.key, a, b)` with the list [a, b],
 * `point.distance(subject.key, a) < b` with the list [a, b].
 */
export interface Lookup {
  readonly predicate: Predicate;
  /** The variable of the node or relationship. */
  readonly subject: string;
  /** Null for the internal identifier. */
  readonly key: string | null;
  readonly operator: '=' | 'in' | '<' | '<=' | '>' | '>=' | 'startsWith' | 'box' | 'circle';
  readonly value: PlanExpression;
  /** The subject is written `id(x)` or `elementId(x)`, which relationships have too. */
  readonly byFunction: boolean;
}

const FLIPPED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Returns the lookups that a predicate allows: none, one, or for `a.x = b.y` one in each direction. */
export function lookupsOf(predicate: Predicate): readonly Lookup[] {
  const { expression } = predicate;
  if (expression.kind === 'comparison') {
    const [left, right] = expression.operands;
    const [operator] = expression.operators;
    if (operator === undefined || operator === '<>') return [];
    const flipped = FLIPPED[operator] as typeof operator;
    return [
      ...lookup(predicate, left!, operator, right!),
      ...lookup(predicate, right!, flipped, left!),
      ...circleLookups(predicate, left!, operator, right!),
      ...circleLookups(predicate, right!, flipped, left!),
    ];
  }
  if (expression.kind === 'function') return boxLookups(predicate, expression);
  if (expression.kind === 'binary' && (expression.operator === 'in' || expression.operator === 'startsWith')) {
    return lookup(predicate, expression.left, expression.operator, expression.right);
  }
  return [];
}

/** Returns the lookups of `point.distance(n.p, centre) < radius`, with the points in either order. */
function circleLookups(
  predicate: Predicate,
  distance: PlanExpression,
  operator: ComparisonOperator,
  radius: PlanExpression,
): readonly Lookup[] {
  if ((operator !== '<' && operator !== '<=') || distance.kind !== 'function' || !isNamed(distance.name, 'point.distance')) return [];
  const [a, b] = distance.arguments;
  return [...areaLookup(predicate, a!, 'circle', [b!, radius]), ...areaLookup(predicate, b!, 'circle', [a!, radius])];
}

function boxLookups(predicate: Predicate, { name, arguments: [point, ...corners] }: FunctionCall): readonly Lookup[] {
  return isNamed(name, 'point.withinBBox') ? areaLookup(predicate, point!, 'box', corners) : [];
}

function areaLookup(
  predicate: Predicate,
  subject: PlanExpression,
  shape: 'box' | 'circle',
  area: readonly PlanExpression[],
): readonly Lookup[] {
  return subject.kind === 'property' ? lookup(predicate, subject, shape, list(...area)) : [];
}

/** A disjunction of which each part can be looked up for the same subject: `n.x = 1 OR n.y = 2 AND n.z`. */
export interface Alternatives {
  readonly predicate: Predicate;
  readonly subject: string;
  /** For each part its lookups; each of them finds all that satisfies the part, so one is enough. */
  readonly parts: readonly (readonly Lookup[])[];
}

/** Returns the alternatives of a disjunction, one for each subject for which every part can be looked up. */
export function alternativesOf(predicate: Predicate): readonly Alternatives[] {
  const { expression } = predicate;
  if (expression.kind !== 'logical' || expression.operator !== 'or') return [];
  const parts = expression.operands.map((part) =>
    conjunctsOf(part).flatMap((conjunct) => lookupsOf({ ...predicate, expression: conjunct })),
  );
  const subjects = new Set(parts[0]!.map(({ subject }) => subject));
  return [...subjects]
    .map((subject) => ({ predicate, subject, parts: parts.map((part) => part.filter((each) => each.subject === subject)) }))
    .filter((alternatives) => alternatives.parts.every((part) => part.length > 0));
}

function conjunctsOf(expression: PlanExpression): readonly PlanExpression[] {
  return expression.kind === 'logical' && expression.operator === 'and' ? expression.operands.flatMap(conjunctsOf) : [expression];
}

function lookup(predicate: Predicate, subject: PlanExpression, operator: Lookup['operator'], value: PlanExpression): readonly Lookup[] {
  const name = subjectOf(subject);
  if (name === null || freeVariables(value).has(name) || isRandomExpression(value)) return [];
  const byFunction = subject.kind === 'function';
  if (isIdentity(subject))
    return operator === '=' || operator === 'in' ? [{ predicate, subject: name, key: null, operator, value, byFunction }] : [];
  return subject.kind === 'property' ? [{ predicate, subject: name, key: subject.key, operator, value, byFunction }] : [];
}

function subjectOf(expression: PlanExpression): string | null {
  if (expression.kind === 'property' && expression.subject.kind === 'variable') return expression.subject.name;
  if (!isIdentity(expression) || expression.kind !== 'function') return null;
  const [argument] = expression.arguments;
  return argument?.kind === 'variable' ? argument.name : null;
}
