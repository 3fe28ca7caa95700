/** Replays the changes of a commit of the log in a transaction. Changes that no writer can have logged fail with CORRUPTION. */
import { GraphDBError } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { GraphData } from '../data/graph-data.ts';
import { parseConstraint, parseIndex } from '../data/schema.ts';
import { LARGEST_SYMBOL_GAP, type Symbols } from '../data/symbols.ts';
import { tableOfNode } from '../tables/node-reader.ts';
import type { RelationshipName } from './change-log.ts';
import { type ChangeVisitor, type Properties, readChangesInSteps } from './change-reader.ts';
import type { Transaction } from './transaction.ts';

/** The largest gap between relationship ordinals. Few ordinals are ever skipped; a larger gap is damage, which must not allocate memory. */
const LARGEST_GAP = 1 << 20;
/** The largest gap between node ordinals, without those skipped because users had set their computed identifiers. */
const LARGEST_NODE_GAP = 1 << 12;

/** Replays changes in steps that yield how many records the next one reads. @throws CORRUPTION when the changes do not fit the data */
export function* replayChanges(
  changes: Uint8Array,
  source: string,
  data: GraphData,
  transaction: Transaction,
): Generator<number, void, void> {
  try {
    yield* readChangesInSteps(changes, source, new Replay(source, data, transaction));
  } catch (error) {
    if (error instanceof GraphDBError && error.code === 'CORRUPTION') throw error;
    throw new GraphDBError('CORRUPTION', `${source} holds changes that cannot be carried out`, { cause: error });
  }
}

class Replay implements ChangeVisitor {
  readonly #source: string;
  readonly #data: GraphData;
  readonly #transaction: Transaction;

  constructor(source: string, data: GraphData, transaction: Transaction) {
    this.#source = source;
    this.#data = data;
    this.#transaction = transaction;
  }

  #check(condition: boolean, problem: string): asserts condition {
    if (!condition) throw new GraphDBError('CORRUPTION', `${this.#source} is damaged: ${problem}`);
  }

  #checkSymbols(symbols: Symbols, ids: readonly number[]): void {
    for (const id of ids) this.#check(symbols.isLogged(id), 'a name is used that was never defined');
  }

  #checkProperties(properties: Properties): void {
    this.#checkSymbols(this.#data.keys, properties.keys);
    this.#check(new Set(properties.keys).size === properties.keys.length, 'a property is given twice');
  }

  define(space: 'labels' | 'types' | 'keys', id: number, name: string): void {
    const symbols = this.#data[space];
    this.#check(id <= symbols.size + LARGEST_SYMBOL_GAP, 'the number of a name is far beyond the others');
    symbols.define(id, name);
  }

  createNode(ordinal: number, labels: number[], properties: Properties, id: string | null): void {
    const limit = this.#transaction.nodeLimit;
    const isInTurn = ordinal >= limit && ordinal - limit <= LARGEST_NODE_GAP + this.#data.nodeIds.size;
    this.#check(isInTurn, `node ${ordinal} is created out of turn`);
    this.#checkSymbols(this.#data.labels, labels);
    this.#check(new Set(labels).size === labels.length, 'a label is given twice');
    this.#checkProperties(properties);
    this.#transaction.createNodeAs(ordinal, labels, properties.keys, properties.values, id);
  }

  createRelationship(name: RelationshipName, properties: Properties): void {
    const limit = this.#data.relationshipLimit;
    this.#check(name.ordinal >= limit && name.ordinal - limit < LARGEST_GAP, `relationship ${name.ordinal} is created out of turn`);
    this.#check(
      name.source < this.#transaction.nodeLimit && name.target < this.#transaction.nodeLimit,
      'a relationship joins nodes that never were',
    );
    this.#checkSymbols(this.#data.types, [name.type]);
    this.#checkProperties(properties);
    this.#transaction.createRelationshipAs(name, properties.keys, properties.values);
  }

  setNodeProperty(ordinal: number, key: number, value: Value): void {
    this.#checkNode(ordinal);
    this.#checkSymbols(this.#data.keys, [key]);
    this.#transaction.setNodeProperty(ordinal, key, value);
  }

  setRelationshipProperty(name: RelationshipName, key: number, value: Value): void {
    this.#checkSymbols(this.#data.keys, [key]);
    this.#transaction.setRelationshipProperty(name.type, this.#homeRow(name), key, value);
  }

  addLabels(ordinal: number, labels: number[]): void {
    this.#checkNode(ordinal);
    this.#checkSymbols(this.#data.labels, labels);
    this.#transaction.addLabels(ordinal, labels);
  }

  removeLabels(ordinal: number, labels: number[]): void {
    this.#checkNode(ordinal);
    this.#checkSymbols(this.#data.labels, labels);
    this.#transaction.removeLabels(ordinal, labels);
  }

  deleteNode(ordinal: number): void {
    this.#checkNode(ordinal);
    this.#transaction.deleteNode(ordinal);
  }

  deleteRelationship(name: RelationshipName): void {
    this.#transaction.deleteRelationship(name.type, this.#homeRow(name));
  }

  createIndex(definition: unknown): void {
    this.#transaction.createIndex(parseIndex(definition));
  }

  dropIndex(name: string): void {
    this.#transaction.dropIndex(name);
  }

  createConstraint(definition: unknown): void {
    this.#transaction.schema.createConstraint(parseConstraint(definition));
  }

  dropConstraint(name: string): void {
    this.#transaction.dropConstraint(name);
  }

  #checkNode(ordinal: number): void {
    this.#check(tableOfNode(this.#transaction, ordinal) !== undefined, `node ${ordinal} is changed, but does not exist`);
  }

  #homeRow(name: RelationshipName): number {
    const table = this.#data.relationshipTables[name.type];
    this.#check(table !== undefined, 'a relationship is changed whose type has none');
    const row = findRelationship(table, name);
    this.#check(row >= 0, `relationship ${name.ordinal} is changed, but does not exist`);
    return row;
  }
}

/** Finds the home row of a relationship through the lists of its source; -1 when it does not exist or is deleted. */
function findRelationship(table: RelationshipTable, name: RelationshipName): number {
  const isIt = (row: number): boolean => table.ordinalOf(row) === name.ordinal && table.targets[row] === name.target;
  const newest = Number.MAX_SAFE_INTEGER;
  const { outgoing } = table;
  const csr = outgoing.csr();
  if (name.source >= csr.base && name.source < csr.limit) {
    const at = name.source - csr.base;
    for (let i = csr.offsets[at] as number; i < (csr.offsets[at + 1] as number); i++) {
      if (csr.neighbours[i] !== name.target) continue;
      const row = csr.rows === null ? i : (csr.rows[i] as number);
      if (isIt(row)) return table.rowAt(row, newest) >= 0 ? row : -1;
    }
  }
  outgoing.catchUp(table.rowCount);
  let row = outgoing.head(name.source, table.rowCount);
  while (row >= 0 && !isIt(row)) row = outgoing.logNext[row - outgoing.logBase] as number;
  return row >= 0 && table.rowAt(row, newest) >= 0 ? row : -1;
}
