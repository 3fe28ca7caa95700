/**
 * Creates and drops indexes and constraints, in the data and in the change log. It does not check whether the graph
 * satisfies a constraint.
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

  /** Creates an index. @returns false when the name is taken, or there is an index of this kind with the same subject */
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

  /** Drops an index by name. @returns false when there is none of that name */
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
