/** Reads the logical changes of a commit (`change-log.ts` says how they are laid out) and tells them to a visitor, in order. Bytes that no log wrote: CORRUPTION. */
import { ByteReader } from '../../base/index.ts';
import { decodeValue, type Value } from '../../value/index.ts';
import { CHANGE, CHANGES_FORMAT, type RelationshipName } from './change-log.ts';

export interface Properties {
  readonly keys: number[];
  readonly values: Value[];
}

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
}

/** Ordinals and symbol ids are 32-bit numbers. */
const LARGEST_NUMBER = 0xfffffffe;

export function readChanges(changes: Uint8Array, source: string, visitor: ChangeVisitor): void {
  new ChangeReader(changes, source, visitor).read();
}

class ChangeReader {
  readonly #reader: ByteReader;
  readonly #visitor: ChangeVisitor;

  constructor(changes: Uint8Array, source: string, visitor: ChangeVisitor) {
    this.#reader = new ByteReader(changes, source);
    this.#visitor = visitor;
  }

  read(): void {
    const format = this.#reader.byte();
    if (format !== CHANGES_FORMAT) throw this.#reader.corrupt(`changes of the unknown format ${format}`);
    while (!this.#reader.atEnd) this.#record(this.#reader.byte());
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
      default:
        throw this.#reader.corrupt(`a change of the unknown kind ${record}`);
    }
  }

  #createNode(): void {
    const ordinal = this.#number();
    const labels = this.#numbers();
    const hasId = this.#reader.byte();
    if (hasId > 1) throw this.#reader.corrupt('a node neither with nor without an identifier');
    const id = hasId === 1 ? this.#reader.utf8() : null;
    this.#visitor.createNode(ordinal, labels, this.#properties(), id);
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
