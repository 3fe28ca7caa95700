/**
 * The kinds of operator and the facts of each. A kind is added here and in a file of its own; the walkers of `operators/` fold the facts, and `exec/` has a table of
 * the code that it generates for each kind. Deleting an entry of any of these does not compile.
 */

import { type Aggregate, aggregate } from './breakers/aggregate.ts';
import { type Distinct, distinct } from './breakers/distinct.ts';
import { type Eager, eager } from './breakers/eager.ts';
import { type Sort, sort, type Top, top } from './breakers/sort.ts';
import { type LoadCsv, loadCsv } from './calls/load-csv.ts';
import { type ProcedureCall, procedureCall } from './calls/procedure-call.ts';
import { type Schema, type Show, schema, show } from './calls/schema.ts';
import { type TransactionApply, transactionApply } from './calls/transaction-apply.ts';
import { type Expand, expand } from './expand/expand.ts';
import { type MultiwayJoin, multiwayJoin } from './expand/multiway-join.ts';
import { type PathSearch, pathSearch } from './expand/path-search.ts';
import { type ShortestPath, shortestPath } from './expand/shortest-path.ts';
import { type VariableExpand, variableExpand } from './expand/variable-expand.ts';
import type { OperatorFacts } from './facts.ts';
import { type Apply, apply, type OptionalApply, optionalApply, type SemiApply, semiApply } from './joins/apply.ts';
import { type CartesianProduct, cartesianProduct } from './joins/cartesian-product.ts';
import { type CountedJoin, countedJoin } from './joins/counted-join.ts';
import { type HashJoin, hashJoin } from './joins/hash-join.ts';
import { type UnionAll, unionAll } from './joins/union-all.ts';
import { type Argument, argument } from './leaves/argument.ts';
import { type AllNodesScan, allNodesScan, type LabelScan, labelScan } from './leaves/node-scans.ts';
import {
  type NodeByIdSeek,
  type NodeIndexRange,
  type NodeIndexSeek,
  nodeByIdSeek,
  nodeIndexRange,
  nodeIndexSeek,
} from './leaves/node-seeks.ts';
import { type RelationshipScan, relationshipScan } from './leaves/relationship-scan.ts';
import {
  type RelationshipByIdSeek,
  type RelationshipIndexRange,
  type RelationshipIndexSeek,
  relationshipByIdSeek,
  relationshipIndexRange,
  relationshipIndexSeek,
} from './leaves/relationship-seeks.ts';
import { type Filter, filter } from './rows/filter.ts';
import { type Project, project } from './rows/project.ts';
import { type Limit, limit, type Skip, skip } from './rows/skip-limit.ts';
import { type Unwind, unwind } from './rows/unwind.ts';
import { type Create, create } from './updates/create.ts';
import { type Delete, deletion } from './updates/delete.ts';
import { type EmptyResult, emptyResult } from './updates/empty-result.ts';
import { type Foreach, foreach } from './updates/foreach.ts';
import { type Merge, merge } from './updates/merge.ts';
import { type RemoveItems, removeItems, type SetProperties, setProperties } from './updates/set-remove.ts';

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

export interface OperatorsByKind {
  readonly argument: Argument;
  readonly allNodesScan: AllNodesScan;
  readonly labelScan: LabelScan;
  readonly nodeByIdSeek: NodeByIdSeek;
  readonly nodeIndexSeek: NodeIndexSeek;
  readonly nodeIndexRange: NodeIndexRange;
  readonly relationshipScan: RelationshipScan;
  readonly relationshipByIdSeek: RelationshipByIdSeek;
  readonly relationshipIndexSeek: RelationshipIndexSeek;
  readonly relationshipIndexRange: RelationshipIndexRange;
  readonly expand: Expand;
  readonly multiwayJoin: MultiwayJoin;
  readonly variableExpand: VariableExpand;
  readonly shortestPath: ShortestPath;
  readonly pathSearch: PathSearch;
  readonly filter: Filter;
  readonly project: Project;
  readonly unwind: Unwind;
  readonly skip: Skip;
  readonly limit: Limit;
  readonly aggregate: Aggregate;
  readonly distinct: Distinct;
  readonly sort: Sort;
  readonly top: Top;
  readonly eager: Eager;
  readonly apply: Apply;
  readonly optionalApply: OptionalApply;
  readonly semiApply: SemiApply;
  readonly countedJoin: CountedJoin;
  readonly cartesianProduct: CartesianProduct;
  readonly hashJoin: HashJoin;
  readonly unionAll: UnionAll;
  readonly create: Create;
  readonly merge: Merge;
  readonly setProperties: SetProperties;
  readonly removeItems: RemoveItems;
  readonly delete: Delete;
  readonly foreach: Foreach;
  readonly emptyResult: EmptyResult;
  readonly procedureCall: ProcedureCall;
  readonly transactionApply: TransactionApply;
  readonly loadCsv: LoadCsv;
  readonly schema: Schema;
  readonly show: Show;
}

export type OperatorKind = keyof OperatorsByKind;

/** One operator of a plan. */
export type Operator = OperatorsByKind[OperatorKind];

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
  schema,
  show,
};

/** The facts of an operator's kind. */
export function factsOf<O extends Operator>(operator: O): OperatorFacts<O> {
  // The record found under its kind is for operators of that kind: the compiler does not follow the two through a union.
  return OPERATOR_FACTS[operator.kind] as unknown as OperatorFacts<O>;
}
