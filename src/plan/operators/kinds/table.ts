/**
 * The kinds of operator and the facts of each. A kind is added here and in a file of its own; the walkers of
 * `operators/` fold the facts, and `exec/` has a table of the code that it generates for each kind. Deleting an entry
 * of any of these does not compile.
 */

import type { Operator, OperatorKind, OperatorsByKind } from '../../plan.ts';
import { aggregate } from './breakers/aggregate.ts';
import { distinct } from './breakers/distinct.ts';
import { eager } from './breakers/eager.ts';
import { sort, top } from './breakers/sort.ts';
import { loadCsv } from './calls/load-csv.ts';
import { procedureCall } from './calls/procedure-call.ts';
import { database, schema, show } from './calls/schema.ts';
import { transactionApply } from './calls/transaction-apply.ts';
import { expand } from './expand/expand.ts';
import { multiwayJoin } from './expand/multiway-join.ts';
import { pathSearch } from './expand/path-search.ts';
import { shortestPath } from './expand/shortest-path.ts';
import { variableExpand } from './expand/variable-expand.ts';
import type { OperatorFacts } from './facts.ts';
import { apply, optionalApply, semiApply } from './joins/apply.ts';
import { cartesianProduct } from './joins/cartesian-product.ts';
import { countedJoin } from './joins/counted-join.ts';
import { hashJoin } from './joins/hash-join.ts';
import { unionAll } from './joins/union-all.ts';
import { argument } from './leaves/argument.ts';
import { allNodesScan, labelScan } from './leaves/node-scans.ts';
import { nodeByIdSeek, nodeIndexRange, nodeIndexSeek } from './leaves/node-seeks.ts';
import { relationshipScan } from './leaves/relationship-scan.ts';
import { relationshipByIdSeek, relationshipIndexRange, relationshipIndexSeek } from './leaves/relationship-seeks.ts';
import { filter } from './rows/filter.ts';
import { project } from './rows/project.ts';
import { limit, skip } from './rows/skip-limit.ts';
import { unwind } from './rows/unwind.ts';
import { create } from './updates/create.ts';
import { deletion } from './updates/delete.ts';
import { emptyResult } from './updates/empty-result.ts';
import { foreach } from './updates/foreach.ts';
import { merge } from './updates/merge.ts';
import { removeItems, setProperties } from './updates/set-remove.ts';

export type * from './breakers/aggregate.ts';
export type * from './breakers/distinct.ts';
export type * from './breakers/eager.ts';
export type * from './breakers/sort.ts';
export type * from './calls/load-csv.ts';
export type * from './calls/procedure-call.ts';
export type * from './calls/schema.ts';
export type * from './calls/transaction-apply.ts';
export type * from './expand/expand.ts';
export type * from './expand/multiway-join.ts';
export type * from './expand/path-search.ts';
export type * from './expand/shortest-path.ts';
export type * from './expand/variable-expand.ts';
export type * from './joins/apply.ts';
export type * from './joins/cartesian-product.ts';
export type * from './joins/counted-join.ts';
export type * from './joins/hash-join.ts';
export type * from './joins/union-all.ts';
export type * from './leaves/argument.ts';
export type * from './leaves/node-scans.ts';
export type * from './leaves/node-seeks.ts';
export type * from './leaves/relationship-scan.ts';
export type * from './leaves/relationship-seeks.ts';
export type * from './rows/filter.ts';
export type * from './rows/project.ts';
export type * from './rows/skip-limit.ts';
export type * from './rows/unwind.ts';
export type * from './updates/create.ts';
export type { CreateNode, CreateRelationship } from './updates/create-items.ts';
export type * from './updates/delete.ts';
export type * from './updates/empty-result.ts';
export type * from './updates/foreach.ts';
export type * from './updates/merge.ts';
export type * from './updates/set-remove.ts';

const OPERATOR_FACTS: { readonly [Kind in OperatorKind]: OperatorFacts<OperatorsByKind[Kind]> } = {
  argument,
  allNodesScan,
  labelScan,
  nodeByIdSeek,
  nodeIndexSeek,
  nodeIndexRange,
  relationshipScan,
  relationshipByIdSeek,
  relationshipIndexSeek,
  relationshipIndexRange,
  expand,
  multiwayJoin,
  variableExpand,
  shortestPath,
  pathSearch,
  filter,
  project,
  unwind,
  skip,
  limit,
  aggregate,
  distinct,
  sort,
  top,
  eager,
  apply,
  optionalApply,
  semiApply,
  countedJoin,
  cartesianProduct,
  hashJoin,
  unionAll,
  create,
  merge,
  setProperties,
  removeItems,
  delete: deletion,
  foreach,
  emptyResult,
  procedureCall,
  transactionApply,
  loadCsv,
  database,
  schema,
  show,
};

/** All kinds of operators. */
// as: the keys of a record are its names
export const operatorKinds: readonly OperatorKind[] = Object.keys(OPERATOR_FACTS) as OperatorKind[];

/** Returns the facts of an operator's kind. */
export function factsOf<O extends Operator>(operator: O): OperatorFacts<O> {
  // The record found under its kind is for operators of that kind: the compiler does not follow the two through a union.
  return OPERATOR_FACTS[operator.kind] as unknown as OperatorFacts<O>;
}
