/**
 * Decodes the logical changes of a commit (for the format see `change-log.ts`) and calls a visitor with each, in order.
 * Bytes that are not in this format fail with CORRUPTION.
 */
import { ByteReader } from '../../base/index.ts';
import { decodeValue, type Value } from '../../value/index.ts';
import { CAPTURED_FORMAT, CHANGE, CHANGES_FORMAT, type NodeImage, type RelationshipName } from './change-log.ts';

/** Properties as parallel arrays of symbol ids and values. */
export interface Properties {
  readonly keys: number[];
  readonly values: Value[];
}

/** Receives the changes of a commit, one call per record. */
export interface ChangeVisitor {
  define(space: 'labels' | 'types' | 'keys', id: number, name: string): void;
  createNode(ordinal: number, labels: number[], properties: Properties, id: string | null): void;
  createRelationship(name: RelationshipName, properties: Properties): void;
  setNodeProperty(ordinal: number, key: number, value: Value): void;
  setRelationshipProperty(name: RelationshipName, key: number, value: Value): void;
  addLabels(ordinal: number, labels: number[]): void;
  removeLabels(ordinal: number, labels: number[]): void;
  deleteNode(ordinal: number): void;
  deleteRelationship(name: RelationshipName): void;
  createIndex(definition: unknown): void;
  dropIndex(name: string): void;
  createConstraint(definition: unknown): void;
  dropConstraint(name: string): void;
  /** The methods from here on are called for captured changes only; a visitor that applies changes needs none of them. */
  commitFacts?(facts: Value): void;
  nodeImage?(image: NodeImage): void;
  relationshipImage?(name: RelationshipName, properties: Properties): void;
  endImage?(image: NodeImage): void;
}

/** The largest ordinal or symbol id that is accepted. */
const LARGEST_NUMBER = 0xfffffffe;

/** Reads changes in steps, each of which yields how many records the next one reads at most. @throws CORRUPTION when they are damaged */
export function readChangesInSteps(changes: Uint8Array, source: string, visitor: ChangeVisitor): Generator<number, void, void> {
  return new ChangeReader(changes, source, visitor).read();
}

const RECORDS_PER_STEP = 1_024;

class ChangeReader {
  readonly #reader: ByteReader;
  readonly #visitor: ChangeVisitor;

  constructor(changes: Uint8Array, source: string, visitor: ChangeVisitor) {
    this.#reader = new ByteReader(changes, source);
    this.#visitor = visitor;
  }

  *read(): Generator<number, void, void> {
    const format = this.#reader.byte();
    if (format !== CHANGES_FORMAT && format !== CAPTURED_FORMAT) throw this.#reader.corrupt(`changes of the unknown format ${format}`);
    for (;;) {
      for (let left = RECORDS_PER_STEP; left > 0; left--) {
        if (this.#reader.atEnd) return;
        this.#record(this.#reader.byte());
      }
      yield RECORDS_PER_STEP;
    }
  }

  #record(record: number): void {
    const visitor = this.#visitor;
    switch (record) {
      case CHANGE.defineLabel:
        return visitor.define('labels', this.#number(), this.#name());
      case CHANGE.defineType:
        return visitor.define('types', this.#number(), this.#name());
      case CHANGE.defineKey:
        return visitor.define('keys', this.#number(), this.#name());
      case CHANGE.createNode:
        return this.#createNode();
      case CHANGE.createRelationship:
        return this.#createRelationship();
      case CHANGE.setNodeProperty:
        return visitor.setNodeProperty(this.#number(), this.#number(), decodeValue(this.#reader));
      case CHANGE.setRelationshipProperty:
        return visitor.setRelationshipProperty(this.#relationship(), this.#number(), decodeValue(this.#reader));
      case CHANGE.addLabels:
        return visitor.addLabels(this.#number(), this.#numbers());
      case CHANGE.removeLabels:
        return visitor.removeLabels(this.#number(), this.#numbers());
      case CHANGE.deleteNode:
        return visitor.deleteNode(this.#number());
      case CHANGE.deleteRelationship:
        return visitor.deleteRelationship(this.#relationship());
      default:
        return this.#schemaRecord(record);
    }
  }

  #schemaRecord(record: number): void {
    switch (record) {
      case CHANGE.createIndex:
        return this.#visitor.createIndex(this.#json());
      case CHANGE.dropIndex:
        return this.#visitor.dropIndex(this.#reader.utf8());
      case CHANGE.createConstraint:
        return this.#visitor.createConstraint(this.#json());
      case CHANGE.dropConstraint:
        return this.#visitor.dropConstraint(this.#reader.utf8());
      case CHANGE.commitFacts:
        return this.#told(this.#visitor.commitFacts, decodeValue(this.#reader));
      case CHANGE.nodeImage:
        return this.#told(this.#visitor.nodeImage, this.#node());
      case CHANGE.relationshipImage:
        return this.#relationshipImage();
      case CHANGE.endImage:
        return this.#told(this.#visitor.endImage, this.#node());
      default:
        throw this.#reader.corrupt(`a change of the unknown kind ${record}`);
    }
  }

  #createNode(): void {
    const { ordinal, labels, keys, values, id } = this.#node();
    this.#visitor.createNode(ordinal, labels, { keys, values }, id);
  }

  #node(): { ordinal: number; labels: number[]; keys: number[]; values: Value[]; id: string | null } {
    const ordinal = this.#number();
    const labels = this.#numbers();
    const hasId = this.#reader.byte();
    if (hasId > 1) throw this.#reader.corrupt('a node neither with nor without an identifier');
    const id = hasId === 1 ? this.#reader.utf8() : null;
    return { ordinal, labels, ...this.#properties(), id };
  }

  #relationshipImage(): void {
    const name = this.#relationship();
    const properties = this.#properties();
    this.#visitor.relationshipImage?.(name, properties);
  }

  #told<T>(tell: ((what: T) => void) | undefined, what: T): void {
    tell?.call(this.#visitor, what);
  }

  #createRelationship(): void {
    const type = this.#number();
    const ordinal = this.#number();
    const source = this.#number();
    const target = this.#number();
    this.#visitor.createRelationship({ type, source, target, ordinal }, this.#properties());
  }

  #relationship(): RelationshipName {
    const type = this.#number();
    const source = this.#number();
    const target = this.#number();
    const ordinal = this.#number();
    return { type, source, target, ordinal };
  }

  #properties(): Properties {
    const keys: number[] = [];
    const values: Value[] = [];
    for (let left = this.#count(); left > 0; left--) {
      keys.push(this.#number());
      values.push(decodeValue(this.#reader));
    }
    return { keys, values };
  }

  #numbers(): number[] {
    const numbers: number[] = [];
    for (let left = this.#count(); left > 0; left--) numbers.push(this.#number());
    return numbers;
  }

  #number(): number {
    const number = this.#reader.varint();
    if (number > LARGEST_NUMBER) throw this.#reader.corrupt('a number beyond 32 bits');
    return number;
  }

  #count(): number {
    const count = this.#reader.varint();
    if (count > this.#reader.remaining) throw this.#reader.corrupt(`${count} elements do not fit into what is left`);
    return count;
  }

  #name(): string {
    const name = this.#reader.utf8();
    if (name === '') throw this.#reader.corrupt('an empty name');
    return name;
  }

  #json(): unknown {
    const text = this.#reader.utf8();
    try {
      return JSON.parse(text);
    } catch {
      throw this.#reader.corrupt('a definition that is not JSON');
    }
  }
}
