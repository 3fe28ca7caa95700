/**
 * One relationship is walked from the end whose properties are read of every row, when the rows are as many as that
 * end's nodes: these are then read one after the other, as they lie in memory, and the nodes of the other end, which
 * are far fewer and stay in the processor's cache, at random. The rows are the same.
 *
 *     Aggregate(avg(m.length))                Aggregate(avg(m.length))
 *       Expand(from p, to m)                    Expand(from m, to p)
 *         Scan(p), 10,000 rows                    Scan(m), 150,000 rows
 */
import type { PlanContext } from '../context.ts';
import { forEachExpression } from '../expressions/walk.ts';
import type { Aggregate, Expand } from '../operators/kinds/table.ts';
import { expressionsOf } from '../operators/references.ts';
import type { Operator } from '../plan.ts';
import { reverseExpand } from './reverse-expand.ts';
import { mapOperators } from './traverse.ts';

/** Least nodes at the new start: fewer than this stay in the cache, in whatever order they are read. */
const MANY = 50_000;
/** Least number of nodes at the new start, as a multiple of those at the other end. */
const MORE = 4;
/** Most nodes that are scanned for each row. */
const WASTED = 1.2;

/** Rewrites the start of a walk, so that it reads rows in sequence. */
export function startSequentially(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => {
    if (operator.kind !== 'aggregate') return operator;
    const expand = singleExpand(operator.input);
    if (expand === null || !readsProperties(operator, expand.to)) return operator;
    const turned = reverseExpand(context, operator.input, expand.to);
    const start = turned === null ? null : singleExpand(turned);
    if (turned === null || start === null || !isBetter(expand, start)) return operator;
    context.rewrites.add('sequential start');
    return { ...operator, input: turned };
  });
}

function singleExpand(plan: Operator): Expand | null {
  let operator = plan;
  while (operator.kind === 'filter') operator = operator.input;
  return operator.kind === 'expand' && !operator.into ? operator : null;
}

/** Tells whether the second expand is the better start. Both starts must be plain scans: a lookup or a filter there would be lost. */
function isBetter(before: Expand, after: Expand): boolean {
  const [few, many] = [before.input, after.input];
  if (few.kind !== 'labelScan' || many.kind !== 'labelScan') return false;
  const nodes = many.estimatedRows;
  return nodes >= MANY && nodes >= MORE * few.estimatedRows && nodes <= WASTED * before.estimatedRows;
}

function readsProperties(aggregate: Aggregate, name: string): boolean {
  let reads = false;
  for (const expression of expressionsOf(aggregate)) {
    forEachExpression(expression, (part) => {
      if (part.kind === 'property' && part.subject.kind === 'variable' && part.subject.name === name) reads = true;
    });
  }
  return reads;
}
