/**
 * Finds the form of an operator that can spill, for statements that need more than their memory. Each such operator
 * keeps its rows in an object of `runtime/spill/`, which writes them to files when it has to, and charges and releases
 * their memory itself.
 */
import type { Operator, OperatorKind, OperatorsByKind } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { produceSpilledAggregate, produceSpilledDistinct } from './grouping.ts';
import { produceSpilledJoin } from './hash-join.ts';
import { produceCartesianProduct, produceEager, produceSort, produceTop, produceUnionAll } from './row-operators.ts';

type Producer<O> = (cg: Codegen, operator: O, outer: Environment, needed: ReadonlySet<string>, consume: Consume) => void;

/** The forms that can spill, by kind of operator; kinds that are not here hold little. */
const SPILLED_PRODUCERS: { readonly [Kind in OperatorKind]?: Producer<OperatorsByKind[Kind]> } = {
  sort: produceSort,
  top: produceTop,
  eager: produceEager,
  cartesianProduct: produceCartesianProduct,
  unionAll: produceUnionAll,
  aggregate: produceSpilledAggregate,
  distinct: produceSpilledDistinct,
  hashJoin: produceSpilledJoin,
};

/** Tells whether an operator can write what it holds to files. */
export function hasSpilledForm(kind: OperatorKind): boolean {
  return SPILLED_PRODUCERS[kind] !== undefined;
}

/** Returns the form of an operator that can spill; undefined when it has none. */
export function spilledProducerOf<O extends Operator>(operator: O): Producer<O> | undefined {
  // The producer found under its kind is for operators of that kind: the compiler does not follow the two through a union.
  return SPILLED_PRODUCERS[operator.kind] as Producer<Operator> | undefined as Producer<O> | undefined;
}
