/**
 * One operator → loops around what its consumer writes (data-centric code generation after Neumann, "Efficiently Compiling Efficient Query Plans", 2011).
 *
 * `outer`: variables of the rows around a sub-plan; they stay visible to everything inside. `needed`: what the consumer reads, so that breakers keep no more.
 */

import { unreachable } from '../../../base/index.ts';
import type { Operator } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
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

export function produce(cg: Codegen, operator: Operator, outer: Environment, needed: ReadonlySet<string>, consume: Consume): void {
  if (!cg.profile) return dispatch(cg, operator, outer, needed, consume);
  const consumer = cg.profiledNow;
  const index = cg.profiled.push(operator) - 1;
  const enter = (entered: number): void => {
    cg.profiledNow = entered;
    cg.f.emit(`rt.profile.enter(${entered});`);
  };
  enter(index);
  dispatch(cg, operator, outer, needed, (environment) => {
    cg.profiledNow = consumer;
    cg.f.emit(`rt.profile.row(${index}, ${consumer});`);
    consume(environment);
    enter(index);
  });
  enter(consumer);
}

function dispatch(cg: Codegen, operator: Operator, outer: Environment, needed: ReadonlySet<string>, consume: Consume): void {
  switch (operator.kind) {
    case 'argument':
      return consume(outer);
    case 'allNodesScan':
      return produceAllNodesScan(cg, operator, outer, needed, consume);
    case 'labelScan':
      return produceLabelScan(cg, operator, outer, needed, consume);
    case 'nodeByIdSeek':
      return produceNodeByIdSeek(cg, operator, outer, needed, consume);
    case 'nodeIndexSeek':
      return produceNodeIndexSeek(cg, operator, outer, needed, consume);
    case 'nodeIndexRange':
      return produceNodeIndexRange(cg, operator, outer, needed, consume);
    case 'relationshipScan':
      return produceRelationshipScan(cg, operator, outer, needed, consume);
    case 'relationshipByIdSeek':
      return produceRelationshipByIdSeek(cg, operator, outer, needed, consume);
    case 'relationshipIndexSeek':
      return produceRelationshipIndexSeek(cg, operator, outer, needed, consume);
    case 'relationshipIndexRange':
      return produceRelationshipIndexRange(cg, operator, outer, needed, consume);
    case 'expand':
      return produceExpand(cg, operator, outer, needed, consume);
    case 'multiwayJoin':
      return produceMultiwayJoin(cg, operator, outer, needed, consume);
    case 'variableExpand':
      return produceVariableExpand(cg, operator, outer, needed, consume);
    case 'pathSearch':
      return producePathSearch(cg, operator, outer, needed, consume);
    case 'shortestPath':
      return produceShortestPath(cg, operator, outer, needed, consume);
    case 'filter':
      return produceFilter(cg, operator, outer, needed, consume);
    case 'project':
      return produceProject(cg, operator, outer, needed, consume);
    case 'aggregate':
      return produceAggregate(cg, operator, outer, needed, consume);
    case 'distinct':
      return produceDistinct(cg, operator, outer, needed, consume);
    case 'sort':
      return produceSort(cg, operator, outer, needed, consume);
    case 'top':
      return produceTop(cg, operator, outer, needed, consume);
    case 'skip':
      return produceSkip(cg, operator, outer, needed, consume);
    case 'limit':
      return produceLimit(cg, operator, outer, needed, consume);
    case 'unwind':
      return produceUnwind(cg, operator, outer, needed, consume);
    case 'apply':
      return produceApply(cg, operator, outer, needed, consume);
    case 'optionalApply':
      return produceOptionalApply(cg, operator, outer, needed, consume);
    case 'semiApply':
      return produceSemiApply(cg, operator, outer, needed, consume);
    case 'countedJoin':
      return produceCountedJoin(cg, operator, outer, needed, consume);
    case 'cartesianProduct':
      return produceCartesianProduct(cg, operator, outer, needed, consume);
    case 'hashJoin':
      return produceHashJoin(cg, operator, outer, needed, consume);
    case 'unionAll':
      return produceUnionAll(cg, operator, outer, consume);
    case 'eager':
      return produceEager(cg, operator, outer, needed, consume);
    case 'create':
      return produceCreate(cg, operator, outer, needed, consume);
    case 'merge':
      return produceMerge(cg, operator, outer, needed, consume);
    case 'setProperties':
      return produceSet(cg, operator, outer, needed, consume);
    case 'removeItems':
      return produceRemove(cg, operator, outer, needed, consume);
    case 'delete':
      return produceDelete(cg, operator, outer, needed, consume);
    case 'foreach':
      return produceForeach(cg, operator, outer, needed, consume);
    case 'procedureCall':
      return produceProcedureCall(cg, operator, outer, needed, consume);
    case 'transactionApply':
      return produceTransactionApply(cg, operator, outer, needed, consume);
    case 'loadCsv':
      return produceLoadCsv(cg, operator, outer, needed, consume);
    case 'schema':
      return produceSchema(cg, operator);
    case 'show':
      return produceShow(cg, operator, outer, consume);
    case 'emptyResult':
      return produceEmptyResult(cg, operator, outer);
    default:
      return unreachable(operator, 'operator');
  }
}
