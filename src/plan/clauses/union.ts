/**
 * UNION and UNION ALL. Every part is projected to common variables: those of the first part, or a new one where the
 * parts do not agree on its type (the compiler may rely on types). A distinct union covers everything before it.
 */

import { assert } from '../../base/index.ts';
import type { VariableType } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { variable } from '../expressions/build.ts';
import type { Operator } from '../plan.ts';
import type { PlannedQuery, QueryColumn } from '../row-state.ts';

/** Plans UNION. */
export function planUnion(context: PlanContext, parts: readonly PlannedQuery[], unions: readonly ('all' | 'distinct')[]): PlannedQuery {
  const [first, ...others] = parts;
  assert(first !== undefined, 'a union has parts');
  if (!first.returns) return unitUnion(first, parts);
  const columns = first.columns.map((column) => commonColumn(context, column, parts));
  const joined = others.reduce(
    (before, part, at) => {
      const together = concatenate(before, project(part, columns), columns);
      return unions[at] === 'distinct' ? distinct(together, columns) : together;
    },
    project(first, columns),
  );
  const names = new Set(columns.map((column) => column.variable));
  return { plan: joined, scope: names, nonNull: new Set(), single: false, outer: first.outer, columns, returns: true };
}

/** Unites parts without RETURN. Their rows hand on no variables; only EXISTS and COUNT use how many rows there are. */
function unitUnion(first: PlannedQuery, parts: readonly PlannedQuery[]): PlannedQuery {
  const inputs = parts.map((part) => part.plan);
  const estimatedRows = inputs.reduce((rows, input) => rows + input.estimatedRows, 0);
  return { ...first, plan: { kind: 'unionAll', inputs, variables: [], estimatedRows }, scope: first.outer, single: false };
}

function commonColumn(context: PlanContext, column: QueryColumn, parts: readonly PlannedQuery[]): QueryColumn {
  const sources = parts.map((part) => sourceOf(part, column.name));
  const types = new Set(sources.map((source): VariableType => context.types.get(source) ?? 'any'));
  // The outer query refers to the name of the first part; it keeps the name when that promises no more than every part holds.
  if (types.size > 1) context.types.set(column.variable, 'any');
  return column;
}

function sourceOf(part: PlannedQuery, name: string): string {
  const column = part.columns.find((each) => each.name === name);
  assert(column !== undefined, 'the parts of a union have the same columns');
  return column.variable;
}

function project(part: PlannedQuery, columns: readonly QueryColumn[]): Operator {
  const items = columns.map((column) => ({ variable: column.variable, expression: variable(sourceOf(part, column.name)) }));
  if (items.every((item) => item.variable === item.expression.name) && items.length === part.columns.length) return part.plan;
  return { kind: 'project', input: part.plan, items, discard: true, estimatedRows: part.plan.estimatedRows };
}

function concatenate(left: Operator, right: Operator, columns: readonly QueryColumn[]): Operator {
  const inputs = left.kind === 'unionAll' ? [...left.inputs, right] : [left, right];
  const estimatedRows = left.estimatedRows + right.estimatedRows;
  return { kind: 'unionAll', inputs, variables: columns.map((column) => column.variable), estimatedRows };
}

function distinct(input: Operator, columns: readonly QueryColumn[]): Operator {
  return { kind: 'distinct', input, variables: columns.map((column) => column.variable), estimatedRows: input.estimatedRows };
}
