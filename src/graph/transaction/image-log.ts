/**
 * Writes states before changes to the log, for change capture (decision 0039): the state of each node or relationship once,
 * before its first change; and for a new or changed relationship the identifiers, labels and key properties of the nodes at its
 * ends. A commit then contains all that its change events need.
 */
import type { Value } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { GraphData } from '../data/graph-data.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import type { NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import { CHANGE, type ChangeLog, type RelationshipName } from './change-log.ts';

/** Writes the states of entities before their changes to the log. */
export class ImageLog {
  readonly #reader: NodeReader;
  readonly #data: GraphData;
  readonly #log: ChangeLog;
  /** The ordinals of nodes that the transaction has created, or whose earlier state is written. */
  readonly #nodes = new Set<number>();
  /** The ordinals of nodes that are written only as ends of a relationship. */
  readonly #ends = new Set<number>();
  readonly #relationships = new Set<number>();

  constructor(reader: NodeReader, data: GraphData, log: ChangeLog) {
    this.#reader = reader;
    this.#data = data;
    this.#log = log;
  }

  nodeCreated(ordinal: number): void {
    this.#nodes.add(ordinal);
  }

  /** Notes that a node is about to change; must be called while `row` still has the state before. */
  nodeChanges(ordinal: number, table: NodeTable, row: number): void {
    if (this.#nodes.has(ordinal)) return;
    this.#nodes.add(ordinal);
    const keys = table.keysOf(row);
    this.#log.nodeImage(CHANGE.nodeImage, { ordinal, labels: table.labels, keys, values: valuesAt(table, row, keys), id: table.idAt(row) });
  }

  relationshipCreated(name: RelationshipName): void {
    this.#relationships.add(name.ordinal);
    this.#endsOf(name);
  }

  relationshipChanges(name: RelationshipName, table: RelationshipTable, row: number): void {
    if (this.#relationships.has(name.ordinal)) return;
    this.#relationships.add(name.ordinal);
    this.#endsOf(name);
    const keys = table.keysOf(row);
    this.#log.relationshipImage(name, keys, valuesAt(table, row, keys));
  }

  #endsOf({ source, target }: RelationshipName): void {
    this.#end(source);
    this.#end(target);
  }

  #end(ordinal: number): void {
    if (this.#nodes.has(ordinal) || this.#ends.has(ordinal)) return;
    this.#ends.add(ordinal);
    const table = tableOfNode(this.#reader, ordinal);
    if (table === undefined) return;
    const { row } = this.#reader.directory;
    const keys = this.#keysOf(table);
    this.#log.nodeImage(CHANGE.endImage, { ordinal, labels: table.labels, keys, values: valuesAt(table, row, keys), id: table.idAt(row) });
  }

  /** Returns the property keys of the key constraints on the labels of a table. */
  #keysOf(table: NodeTable): number[] {
    const { labels, keys, schema } = this.#data;
    const found = new Set<number>();
    for (const constraint of schema.constraints) {
      if (constraint.entity !== 'node' || constraint.kind !== 'key' || !table.labels.includes(labels.find(constraint.labelOrType)))
        continue;
      for (const key of constraint.keys) found.add(keys.find(key));
    }
    return [...found].filter((key) => key >= 0);
  }
}

function valuesAt(table: RowTable, row: number, keys: readonly number[]): Value[] {
  return keys.map((key) => table.get(row, key));
}
