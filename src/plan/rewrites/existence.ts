/**
 * Where duplicates make no difference, replaces a stretch of the pattern by a test that it exists:
 * `MATCH (a:A)-[:R]->(b {x: 1}) RETURN DISTINCT a` needs one `b`, not all.
 *
 *     Distinct(a)                       Distinct(a)
 *       Filter(b.x = 1)                   SemiApply
 *         Expand(from a, to b)              ├ Filter(b.x = 1)
 *           X                               │ └ Expand(from a, to b) over an argument
 *                                           └ X
 *
 * The stretch goes down as far as nothing above reads what it binds. An OPTIONAL MATCH of which nothing is read goes
 * away altogether.
 */
import type { PlanContext } from '../context.ts';
import { isVolatile } from '../expressions/walk.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { freeVariables, variablesRead } from '../operators/free-variables.ts';
import type { Expand, Filter, Project, SemiApply, Sort, Unwind, VariableExpand } from '../operators/kinds/table.ts';
import { expressionsOf, namesBoundBy, namesReadBy } from '../operators/references.ts';
import { hasUpdates } from '../operators/updates.ts';
import type { Operator } from '../plan.ts';
import { ignoresDuplicates } from './distinct-ends.ts';
import { mapOperators } from './traverse.ts';

/** Rewrites stretches of a pattern that only have to exist. */
export function useExistence(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => {
    if (operator.kind === 'distinct') return { ...operator, input: reduce(context, operator.input, new Set(operator.variables)) };
    if (operator.kind !== 'aggregate' || !operator.aggregations.every(ignoresDuplicates)) return operator;
    return { ...operator, input: reduce(context, operator.input, readBy(operator, new Set())) };
  });
}

/** Returns the variables that are needed below an operator when `needed` are needed above it. */
function readBy(operator: Operator, needed: ReadonlySet<string>): ReadonlySet<string> {
  const read = new Set([...needed, ...namesReadBy(operator)]);
  for (const expression of expressionsOf(operator)) for (const name of freeVariables(expression)) read.add(name);
  return read;
}

function reduce(context: PlanContext, operator: Operator, needed: ReadonlySet<string>): Operator {
  if (expressionsOf(operator).some(isVolatile)) return operator;
  const stretch = stretchFrom(operator, needed);
  if (stretch !== null) {
    context.rewrites.add('existence');
    return semiApply(context, stretch, needed);
  }
  if (operator.kind === 'optionalApply') return reduceOptional(context, operator, needed);
  if (operator.kind === 'semiApply') {
    return { ...operator, input: reduce(context, operator.input, new Set([...needed, ...variablesRead(operator.plan)])) };
  }
  return isPassed(operator) ? { ...operator, input: reduce(context, operator.input, readBy(operator, needed)) } : operator;
}

type Passed = Filter | Project | Expand | VariableExpand | Unwind | Sort;

/** Tells whether an operator needs nothing of the rows below it but what is needed above it and what it reads. */
function isPassed(operator: Operator): operator is Passed {
  return ['filter', 'project', 'expand', 'variableExpand', 'unwind', 'sort'].includes(operator.kind);
}

function reduceOptional(
  context: PlanContext,
  operator: Extract<Operator, { kind: 'optionalApply' }>,
  needed: ReadonlySet<string>,
): Operator {
  if (operator.nullVariables.some((name) => needed.has(name)) || hasUpdates(operator.plan)) {
    return { ...operator, input: reduce(context, operator.input, new Set([...needed, ...variablesRead(operator.plan)])) };
  }
  context.rewrites.add('existence');
  return reduce(context, operator.input, needed);
}

type Link = Expand | VariableExpand | Filter | Project | SemiApply;

interface Stretch {
  /** The operators of the stretch, from the top down. */
  readonly links: readonly Link[];
  readonly below: Operator;
}

/** Returns the longest stretch from here down that binds nothing that is needed; null if it has no expand. */
function stretchFrom(operator: Operator, needed: ReadonlySet<string>): Stretch | null {
  const links: Link[] = [];
  let best: Stretch | null = null;
  for (let link = operator; isLink(link) && !namesBoundBy(link).some((name) => needed.has(name)); link = link.input) {
    links.push(link);
    if (link.kind === 'expand' || link.kind === 'variableExpand') best = { links: [...links], below: link.input };
  }
  return best === null || best.below.kind === 'argument' ? null : best;
}

function isLink(operator: Operator): operator is Link {
  if (expressionsOf(operator).some(isVolatile)) return false;
  if (operator.kind === 'project') return !operator.discard;
  return operator.kind === 'expand' || operator.kind === 'variableExpand' || operator.kind === 'filter' || operator.kind === 'semiApply';
}

function semiApply(context: PlanContext, { links, below }: Stretch, needed: ReadonlySet<string>): Operator {
  const bound = new Set(links.flatMap(namesBoundBy));
  const read = new Set(
    links.flatMap((link) => [...readBy(link, new Set()), ...(link.kind === 'semiApply' ? variablesRead(link.plan) : [])]),
  );
  const variables = [...read].filter((name) => !bound.has(name));
  const argument: Operator = { kind: 'argument', variables, estimatedRows: 1 };
  // Estimates become those for one row.
  const rows = Math.max(below.estimatedRows, 1e-9);
  const plan = links.reduceRight<Operator>((input, link) => ({ ...link, input, estimatedRows: link.estimatedRows / rows }), argument);
  return {
    kind: 'semiApply',
    input: reduce(context, below, new Set([...needed, ...variables])),
    plan: narrowArguments(plan),
    anti: false,
    estimatedRows: below.estimatedRows,
  };
}
