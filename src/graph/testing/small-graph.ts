/** Helpers that write and commit in tests. */
import { assert, finish } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { GraphStore } from '../graph-store.ts';
import type { IndexLookups, IndexQuestion } from '../view/index-view.ts';
import type { GraphTransaction, GraphView } from '../view/view.ts';

export type Properties = Readonly<Record<string, Value>>;

export function createNode(
  transaction: GraphTransaction,
  labels: readonly string[],
  properties: Properties = {},
  id: string | null = null,
): number {
  const keys = Object.keys(properties).map((key) => transaction.internKey(key));
  return transaction.createNode(
    labels.map((label) => transaction.internLabel(label)),
    keys,
    Object.values(properties),
    id,
  );
}

/** @returns the home row */
export function createRelationship(
  transaction: GraphTransaction,
  ends: readonly [number, number],
  type: string,
  properties: Properties = {},
): number {
  const keys = Object.keys(properties).map((key) => transaction.internKey(key));
  return transaction.createRelationship(transaction.internType(type), ends[0], ends[1], keys, Object.values(properties));
}

/** Writes in a transaction of its own, and publishes it. */
export function write<T>(store: GraphStore, work: (transaction: GraphTransaction) => T): T {
  const transaction = store.begin();
  try {
    const result = work(transaction);
    finish(transaction.checkConstraints());
    store.publish(transaction.commit());
    return result;
  } catch (error) {
    transaction.rollback();
    throw error;
  }
}

export function propertyOf(view: GraphView, node: number, key: string): Value {
  return view.nodeProperty(node, view.keys.find(key));
}

/** How an index of the view, by its position, is asked such questions. */
export function lookupAt<Question extends IndexQuestion>(view: GraphView, position: number, question: Question): IndexLookups[Question] {
  const lookup = view.indexes[position]?.answers[question]?.lookup;
  assert(lookup !== undefined, `index ${position} does not answer ${question}`);
  return lookup;
}
