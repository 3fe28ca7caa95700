/**
 * Writes an operator as loops around the code of its consumer (data-centric code generation after Neumann, "Efficiently
 * Compiling Efficient Query Plans", 2011).
 *
 * `outer`: variables of the rows around a sub-plan; they stay visible to everything inside. `needed`: names that the
 * consumer reads, so that breakers keep no more.
 */
import type { Operator, OperatorKind, OperatorsByKind } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { isSource, openOneRow } from '../paged/sources.ts';
import { spilledProducerOf } from '../spilled/table.ts';
import { produceAggregate } from './aggregate.ts';
import { produceApply, produceOptionalApply, produceSemiApply } from './apply.ts';
import {
  produceCartesianProduct,
  produceDistinct,
  produceEager,
  produceHashJoin,
  produceSort,
  produceTop,
  produceUnionAll,
} from './breakers.ts';
import { produceCountedJoin } from './counted-join.ts';
import { produceExpand } from './expand.ts';
import {
  produceAllNodesScan,
  produceLabelScan,
  produceNodeByIdSeek,
  produceNodeIndexRange,
  produceNodeIndexSeek,
  produceRelationshipByIdSeek,
  produceRelationshipIndexRange,
  produceRelationshipIndexSeek,
  produceRelationshipScan,
} from './leaves.ts';
import { produceMultiwayJoin } from './multiway-join.ts';
import { producePathSearch } from './path-search.ts';
import { produceLoadCsv, produceProcedureCall, produceSchema, produceShow, produceTransactionApply } from './procedures.ts';
import { produceFilter, produceLimit, produceProject, produceSkip, produceUnwind } from './rows.ts';
import { produceCreate, produceDelete, produceEmptyResult, produceForeach, produceMerge, produceRemove, produceSet } from './updates.ts';
import { produceShortestPath, produceVariableExpand } from './variable-expand.ts';

/** Writes an operator: loops around the code of its consumer. */
export function produce(cg: Codegen, operator: Operator, outer: Environment, needed: ReadonlySet<string>, consume: Consume): void {
  if (cg.paged && outer.size === 0 && cg.endsPipeline(operator)) {
    produce(cg, { kind: 'eager', input: operator, estimatedRows: operator.estimatedRows }, outer, needed, consume);
    return;
  }
  const write = (cg.spills ? spilledProducerOf(operator) : undefined) ?? producerOf(operator);
  if (!cg.profile) return write(cg, operator, outer, needed, consume);
  const consumer = cg.profiledNow;
  const index = cg.profiled.push(operator) - 1;
  const enter = (entered: number): void => {
    cg.profiledNow = entered;
    cg.f.emit(`rt.profile.enter(${entered});`);
  };
  enter(index);
  write(cg, operator, outer, needed, (environment) => {
    cg.profiledNow = consumer;
    cg.f.emit(`rt.profile.row(${index}, ${consumer});`);
    consume(environment);
    enter(index);
  });
  enter(consumer);
}

type Producer<O extends Operator> = (cg: Codegen, operator: O, outer: Environment, needed: ReadonlySet<string>, consume: Consume) => void;

const PRODUCERS: { readonly [Kind in OperatorKind]: Producer<OperatorsByKind[Kind]> } = {
  argument: produceArgument,
  allNodesScan: produceAllNodesScan,
  labelScan: produceLabelScan,
  nodeByIdSeek: produceNodeByIdSeek,
  nodeIndexSeek: produceNodeIndexSeek,
  nodeIndexRange: produceNodeIndexRange,
  relationshipScan: produceRelationshipScan,
  relationshipByIdSeek: produceRelationshipByIdSeek,
  relationshipIndexSeek: produceRelationshipIndexSeek,
  relationshipIndexRange: produceRelationshipIndexRange,
  expand: produceExpand,
  multiwayJoin: produceMultiwayJoin,
  variableExpand: produceVariableExpand,
  pathSearch: producePathSearch,
  shortestPath: produceShortestPath,
  filter: produceFilter,
  project: produceProject,
  aggregate: produceAggregate,
  distinct: produceDistinct,
  sort: produceSort,
  top: produceTop,
  skip: produceSkip,
  limit: produceLimit,
  unwind: produceUnwind,
  apply: produceApply,
  optionalApply: produceOptionalApply,
  semiApply: produceSemiApply,
  countedJoin: produceCountedJoin,
  cartesianProduct: produceCartesianProduct,
  hashJoin: produceHashJoin,
  unionAll: (cg, operator, outer, _needed, consume) => produceUnionAll(cg, operator, outer, consume),
  eager: produceEager,
  create: produceCreate,
  merge: produceMerge,
  setProperties: produceSet,
  removeItems: produceRemove,
  delete: produceDelete,
  foreach: produceForeach,
  procedureCall: produceProcedureCall,
  transactionApply: produceTransactionApply,
  loadCsv: produceLoadCsv,
  database: () => {},
  schema: produceSchema,
  show: (cg, operator, outer, _needed, consume) => produceShow(cg, operator, outer, consume),
  emptyResult: produceEmptyResult,
};

/** Writes a single row, with the variables of the row around the sub-plan. */
function produceArgument(cg: Codegen, _argument: Operator, outer: Environment, _needed: ReadonlySet<string>, consume: Consume): void {
  const close = isSource(cg, outer) ? openOneRow(cg) : null;
  consume(outer);
  close?.();
}

function producerOf<O extends Operator>(operator: O): Producer<O> {
  // The producer found under its kind is for operators of that kind: the compiler does not follow the two through a union.
  return PRODUCERS[operator.kind] as Producer<Operator> as Producer<O>;
}
