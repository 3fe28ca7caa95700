/**
 * The operators of a statement that needs more than its memory: each keeps what it holds in an object of
 * `runtime/spill/`, which writes it to files when it has to. These objects charge and release their memory themselves.
 */
import type { Operator, OperatorKind, OperatorsByKind } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { produceSpilledAggregate, produceSpilledDistinct } from './grouping.ts';
import { produceSpilledJoin } from './hash-join.ts';
import { produceCartesianProduct, produceEager, produceSort, produceTop, produceUnionAll } from './row-operators.ts';

type Producer<O> = (cg: Codegen, operator: O, outer: Environment, needed: ReadonlySet<string>, consume: Consume) => void;

/** Kinds that are not here hold little. */
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

/** The form of the operator that can write to files what it holds; undefined: it has none. */
export function spilledProducerOf<O extends Operator>(operator: O): Producer<O> | undefined {
  // The producer found under its kind is for operators of that kind: the compiler does not follow the two through a union.
  return SPILLED_PRODUCERS[operator.kind] as Producer<Operator> | undefined as Producer<O> | undefined;
}
