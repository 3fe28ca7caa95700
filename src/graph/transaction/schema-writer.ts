/**
 * Creates and drops indexes and constraints, in the data and in the log of changes. Whether the graph satisfies a
 * constraint is not its affair.
 */

import type { GraphData } from '../data/graph-data.ts';
import { hasConstraint, hasIndex, type Schema, withConstraint, withIndex, withoutConstraint, withoutIndex } from '../data/schema.ts';
import { addIndexOf, removeIndex } from '../data/schema-indexes.ts';
import type { ConstraintDefinition, IndexDefinition } from '../view/view.ts';
import { CHANGE, type ChangeLog } from './change-log.ts';

/** Changes the schema. */
export class SchemaWriter {
  readonly #data: GraphData;
  readonly #log: ChangeLog;

  constructor(data: GraphData, log: ChangeLog) {
    this.#data = data;
    this.#log = log;
  }

  /** @returns false when there is one of that name or for the same properties */
  createIndex(definition: IndexDefinition): boolean {
    const { schema } = this.#data;
    if (hasIndex(schema, definition)) return false;
    this.#log.createDefinition(CHANGE.createIndex, definition);
    this.#add(withIndex(schema, definition), definition);
    return true;
  }

  createConstraint(definition: ConstraintDefinition): boolean {
    const { schema } = this.#data;
    if (hasConstraint(schema, definition)) return false;
    this.#log.createDefinition(CHANGE.createConstraint, definition);
    this.#add(withConstraint(schema, definition), definition);
    return true;
  }

  /** @returns false when there is none */
  dropIndex(name: string): boolean {
    const { schema } = this.#data;
    if (!schema.indexes.some((index) => index.name === name)) return false;
    this.#log.dropDefinition(CHANGE.dropIndex, name);
    this.#remove(withoutIndex(schema, name), name);
    return true;
  }

  dropConstraint(name: string): boolean {
    const { schema } = this.#data;
    if (!schema.constraints.some((constraint) => constraint.name === name)) return false;
    this.#log.dropDefinition(CHANGE.dropConstraint, name);
    this.#remove(withoutConstraint(schema, name), name);
    return true;
  }

  #add(schema: Schema, definition: IndexDefinition | ConstraintDefinition): void {
    this.#data.schema = schema;
    addIndexOf(definition, this.#data);
    this.#data.shape.version++;
  }

  #remove(schema: Schema, name: string): void {
    this.#data.schema = schema;
    removeIndex(name, this.#data);
    this.#data.shape.version++;
  }
}
