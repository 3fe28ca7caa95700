/** The context of the parts of the oracle: the graph, the parameters, and rows as maps from variable to value. */

import { GraphDBError } from '../../../src/base/index.ts';
import type { Query } from '../../../src/cypher/index.ts';
import type { Value } from '../../../src/value/index.ts';
import type { ModelGraph } from './model.ts';

export type Row = ReadonlyMap<string, Value>;

export interface Context {
  readonly graph: ModelGraph;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Set by the clauses, which the expressions call for subqueries. */
  readonly runQuery: (query: Query, row: Row) => Row[];
  /** Bounds the work of one statement: a case that is too large is skipped, not waited for. */
  readonly budget: { steps: number };
}

/** The oracle does not know the construct, or would take too long: the case says nothing. */
export class Unknown extends Error {}

export function step(context: Context): void {
  if (--context.budget.steps < 0) throw new Unknown('too much work');
}

export function extend(row: Row, name: string, value: Value): Row {
  return new Map(row).set(name, value);
}

export function fault(message: string): never {
  throw new GraphDBError('TYPE_ERROR', message);
}
