/**
 * The state before the changes of a transaction, for readers of changes (decision 0039): a node or relationship is
 * written to the log as it was, once, before the first change of it; so are identifiers, labels and key properties of
 * the nodes at the ends of a relationship that changes. A commit then tells by itself all that its change events need.
 */
import type { Value } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { GraphData } from '../data/graph-data.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import type { NodeTable } from '../tables/node-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import { CHANGE, type ChangeLog, type RelationshipName } from './change-log.ts';

/** Writes the state before changes to the log. */
export class ImageLog {
  readonly #reader: NodeReader;
  readonly #data: GraphData;
  readonly #log: ChangeLog;
  /** Ordinals of nodes that were created here, or whose state before is written. */
  readonly #nodes = new Set<number>();
  /** Those of which only is written what a relationship needs. */
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

  /** To be called while the row still has what was there before. */
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

  /** The properties that make up keys of nodes with these labels. */
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
