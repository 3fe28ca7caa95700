/**
 * Encodes the logical changes of a commit for the WAL: records in the order of execution, numbers as varints, names as
 * symbol ids. A name whose id no earlier commit has defined is defined by a record before its first use. Nodes are named
 * by ordinal, relationships by (type, source, target, ordinal). `change-reader.ts` decodes the records.
 *
 *   format byte, then records:
 *   01 label id name   02 type id name   03 key id name
 *   10 create node: ordinal, labels, has id, [id], properties      11 create relationship: type, ordinal, source, target, properties
 *   12 set node property: ordinal, key, value (null: remove)       13 set relationship property: type, source, target, ordinal, key, value
 *   14 add labels: ordinal, labels    15 remove labels    16 delete node: ordinal    17 delete relationship: type, source, target, ordinal
 *   20 create index: JSON    21 drop index: name    22 create constraint: JSON    23 drop constraint: name
 *   labels: count, ids        properties: count, (key, value) pairs
 *
 * When changes are captured (decision 0039) the format byte is 2, and there are records that change nothing; each comes
 * before the first change of its entity:
 *   30 facts of the commit: a map    31 a node as it was: ordinal, labels, has id, [id], properties
 *   32 a relationship as it was: type, source, target, ordinal, properties
 *   33 a node at the end of a relationship: as 31, with the properties of key constraints only
 */
import { assert, ByteWriter } from '../../base/index.ts';
import { encodeValue, type Value, type ValueMap } from '../../value/index.ts';
import type { GraphData } from '../data/graph-data.ts';
import { namesIn } from '../data/schema.ts';
import type { Symbols } from '../data/symbols.ts';
import type { ConstraintDefinition, IndexDefinition } from '../view/view.ts';

/** The format byte of changes without captured states. */
export const CHANGES_FORMAT = 1;
/** The format byte of changes that also hold the states before them. */
export const CAPTURED_FORMAT = 2;

/** The kinds of records, by the byte that each begins with. */
export const CHANGE = {
  defineLabel: 0x01,
  defineType: 0x02,
  defineKey: 0x03,
  createNode: 0x10,
  createRelationship: 0x11,
  setNodeProperty: 0x12,
  setRelationshipProperty: 0x13,
  addLabels: 0x14,
  removeLabels: 0x15,
  deleteNode: 0x16,
  deleteRelationship: 0x17,
  createIndex: 0x20,
  dropIndex: 0x21,
  createConstraint: 0x22,
  dropConstraint: 0x23,
  commitFacts: 0x30,
  nodeImage: 0x31,
  relationshipImage: 0x32,
  endImage: 0x33,
} as const;

/** The name of a relationship in the log: symbol id of the type, ordinals of the ends, and its own ordinal. */
export interface RelationshipName {
  readonly type: number;
  readonly source: number;
  readonly target: number;
  readonly ordinal: number;
}

/** A node with its labels and properties, by symbol ids. */
export interface NodeImage {
  readonly ordinal: number;
  readonly labels: readonly number[];
  readonly keys: readonly number[];
  readonly values: readonly Value[];
  /** The identifier that the user set; null when it is the computed one. */
  readonly id: string | null;
}

/** Encodes the changes of one commit. */
export class ChangeLog {
  readonly #data: GraphData;
  readonly #writer = new ByteWriter();
  /** The symbols that this log has defined, which are undefined again when the commit fails. */
  readonly #defined: { readonly symbols: Symbols; readonly id: number }[] = [];

  constructor(data: GraphData, isCaptured = false) {
    this.#data = data;
    this.#writer.byte(isCaptured ? CAPTURED_FORMAT : CHANGES_FORMAT);
  }

  get isEmpty(): boolean {
    return this.#writer.length === 1;
  }

  bytes(): Uint8Array {
    return this.#writer.toBytes();
  }

  /** Writes the facts of the commit, which are no changes of the graph. */
  commitFacts(facts: ValueMap): void {
    this.#writer.byte(CHANGE.commitFacts);
    encodeValue(facts, this.#writer);
  }

  /** Writes the state of a node before the commit, as a changed node or as an end of a relationship; defines names where needed. */
  nodeImage(record: typeof CHANGE.nodeImage | typeof CHANGE.endImage, image: NodeImage): void {
    const { ordinal, labels, keys, values, id } = image;
    this.#defineLabels(labels);
    this.#defineKeys(keys, values);
    this.#node(record, ordinal, labels, id);
    this.#properties(keys, values);
  }

  relationshipImage(name: RelationshipName, keys: readonly number[], values: readonly Value[]): void {
    this.#defineKeys(keys, values);
    this.#writer.byte(CHANGE.relationshipImage);
    this.#relationship(name);
    this.#properties(keys, values);
  }

  undefineSymbols(): void {
    for (const { symbols, id } of this.#defined) symbols.setLogged(id, false);
  }

  #define(record: number, symbols: Symbols, id: number): void {
    if (symbols.isLogged(id)) return;
    for (const each of symbols.definedWith(id)) {
      symbols.setLogged(each, true);
      this.#defined.push({ symbols, id: each });
      this.#writer.byte(record);
      this.#writer.varint(each);
      this.#writer.utf8(symbols.name(each));
    }
  }

  #defineLabels(labels: readonly number[]): void {
    for (const label of labels) this.#define(CHANGE.defineLabel, this.#data.labels, label);
  }

  #defineKeys(keys: readonly number[], values: readonly Value[]): void {
    for (let i = 0; i < keys.length; i++) {
      if (values[i] !== null) this.#define(CHANGE.defineKey, this.#data.keys, keys[i] as number);
    }
  }

  createNode(ordinal: number, labels: readonly number[], keys: readonly number[], values: readonly Value[], id: string | null): void {
    this.#defineLabels(labels);
    this.#defineKeys(keys, values);
    this.#node(CHANGE.createNode, ordinal, labels, id);
    this.#properties(keys, values);
  }

  #node(record: number, ordinal: number, labels: readonly number[], id: string | null): void {
    const writer = this.#writer;
    writer.byte(record);
    writer.varint(ordinal);
    this.#labels(labels);
    writer.byte(id === null ? 0 : 1);
    if (id !== null) writer.utf8(id);
  }

  createRelationship(name: RelationshipName, keys: readonly number[], values: readonly Value[]): void {
    this.#define(CHANGE.defineType, this.#data.types, name.type);
    this.#defineKeys(keys, values);
    const writer = this.#writer;
    writer.byte(CHANGE.createRelationship);
    writer.varint(name.type);
    writer.varint(name.ordinal);
    writer.varint(name.source);
    writer.varint(name.target);
    this.#properties(keys, values);
  }

  setNodeProperty(ordinal: number, key: number, value: Value): void {
    this.#define(CHANGE.defineKey, this.#data.keys, key);
    this.#writer.byte(CHANGE.setNodeProperty);
    this.#writer.varint(ordinal);
    this.#writer.varint(key);
    encodeValue(value, this.#writer);
  }

  setRelationshipProperty(name: RelationshipName, key: number, value: Value): void {
    this.#define(CHANGE.defineKey, this.#data.keys, key);
    this.#writer.byte(CHANGE.setRelationshipProperty);
    this.#relationship(name);
    this.#writer.varint(key);
    encodeValue(value, this.#writer);
  }

  changeLabels(record: typeof CHANGE.addLabels | typeof CHANGE.removeLabels, ordinal: number, labels: readonly number[]): void {
    this.#defineLabels(labels);
    this.#writer.byte(record);
    this.#writer.varint(ordinal);
    this.#labels(labels);
  }

  deleteNode(ordinal: number): void {
    this.#writer.byte(CHANGE.deleteNode);
    this.#writer.varint(ordinal);
  }

  deleteRelationship(name: RelationshipName): void {
    this.#writer.byte(CHANGE.deleteRelationship);
    this.#relationship(name);
  }

  createDefinition(
    record: typeof CHANGE.createIndex | typeof CHANGE.createConstraint,
    definition: IndexDefinition | ConstraintDefinition,
  ): void {
    const { labels, types, keys } = this.#data;
    if (definition.kind === 'lookup') assert(definition.labelOrType === '', 'an index of all labels or types');
    for (const name of namesIn(definition)) {
      if (definition.entity === 'node') this.#define(CHANGE.defineLabel, labels, labels.intern(name));
      else this.#define(CHANGE.defineType, types, types.intern(name));
    }
    for (const key of definition.keys) this.#define(CHANGE.defineKey, keys, keys.intern(key));
    this.#writer.byte(record);
    this.#writer.utf8(JSON.stringify(definition));
  }

  dropDefinition(record: typeof CHANGE.dropIndex | typeof CHANGE.dropConstraint, name: string): void {
    this.#writer.byte(record);
    this.#writer.utf8(name);
  }

  #labels(labels: readonly number[]): void {
    this.#writer.varint(labels.length);
    for (const label of labels) this.#writer.varint(label);
  }

  #properties(keys: readonly number[], values: readonly Value[]): void {
    const writer = this.#writer;
    let count = 0;
    for (let i = 0; i < keys.length; i++) if (values[i] !== null) count++;
    writer.varint(count);
    for (let i = 0; i < keys.length; i++) {
      const value = values[i] as Value;
      if (value === null) continue;
      assert(keys.indexOf(keys[i] as number) === i, 'a property is given twice');
      writer.varint(keys[i] as number);
      encodeValue(value, writer);
    }
  }

  #relationship(name: RelationshipName): void {
    this.#writer.varint(name.type);
    this.#writer.varint(name.source);
    this.#writer.varint(name.target);
    this.#writer.varint(name.ordinal);
  }
}
