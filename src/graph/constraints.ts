/** Uniqueness and existence: what the indexes behind them are, and the checks over what a transaction changed. */
import { GraphDBError } from '../base/index.ts';
import type { Value } from '../value/index.ts';
import type { GraphData } from './graph-data.ts';
import { type NodeReader, tableOfNode } from './node-reader.ts';
import { PropertyIndex } from './property-index.ts';
import type { ConstraintDefinition, IndexDefinition } from './view.ts';

/** The index that a definition asks for; null where it asks for none. */
export function indexOf(definition: IndexDefinition | ConstraintDefinition, data: GraphData): PropertyIndex | null {
  const { name, entity, kind } = definition;
  const unique = kind === 'unique' || kind === 'key';
  if (entity !== 'node' || !(unique || kind === 'range' || kind === 'text')) return null;
  const label = data.labels.intern(definition.labelOrType);
  const keys = definition.keys.map((key) => data.keys.intern(key));
  return new PropertyIndex({ name, label, keys, unique });
}

interface ChangedRelationship {
  readonly type: number;
  readonly homeRow: number;
}

export class ConstraintChecker {
  readonly #data: GraphData;
  readonly #changedNodes: number[] = [];
  readonly #changedRelationships: ChangedRelationship[] = [];

  constructor(data: GraphData) {
    this.#data = data;
  }

  nodeChanged(ordinal: number): void {
    if (this.#data.schema.constraints.length > 0) this.#changedNodes.push(ordinal);
  }

  relationshipChanged(type: number, homeRow: number): void {
    if (this.#data.schema.constraints.length > 0) this.#changedRelationships.push({ type, homeRow });
  }

  checkDefinition(definition: ConstraintDefinition): void {
    if (definition.entity === 'relationship' && definition.kind !== 'exists') {
      throw new GraphDBError('UNSUPPORTED', 'relationships can have existence constraints only, no uniqueness constraints and keys');
    }
  }

  /** Does everything that is there satisfy a constraint? */
  checkAll(constraint: ConstraintDefinition, reader: NodeReader): void {
    if (constraint.entity === 'relationship') {
      this.#checkAllRelationships(constraint, reader);
      return;
    }
    const label = this.#data.labels.find(constraint.labelOrType);
    for (const table of reader.tables) {
      if (!table.labels.includes(label)) continue;
      for (let row = 0; row < table.rowCount; row++) {
        if (table.isVisible(row, reader.sequence)) this.#checkNode(constraint, table.ordinalOf(row), reader);
      }
    }
  }

  #checkAllRelationships(constraint: ConstraintDefinition, reader: NodeReader): void {
    const table = this.#data.relationshipTables[this.#data.types.find(constraint.labelOrType)];
    if (table === undefined) return;
    for (let row = 0; row < table.rowCount; row++) {
      if (table.isHomeRow(row)) this.#checkRelationship(constraint, { type: table.type, homeRow: row }, reader);
    }
  }

  /** Does what the transaction changed satisfy all constraints? */
  checkChanged(reader: NodeReader): void {
    for (const constraint of this.#data.schema.constraints) {
      if (constraint.entity === 'node') for (const node of this.#changedNodes) this.#checkNode(constraint, node, reader);
      else for (const relationship of this.#changedRelationships) this.#checkRelationship(constraint, relationship, reader);
    }
  }

  #checkNode(constraint: ConstraintDefinition, node: number, reader: NodeReader): void {
    const table = tableOfNode(reader, node);
    if (table?.labels.includes(this.#data.labels.find(constraint.labelOrType)) !== true) return;
    const row = reader.directory.row;
    const values = constraint.keys.map((key) => table.get(row, this.#data.keys.find(key)));
    const missing = values.indexOf(null);
    if (missing < 0) {
      if (constraint.kind !== 'exists') this.#checkUnique(constraint, values, reader);
    } else if (constraint.kind !== 'unique') {
      throw violation(`a node with the label ${constraint.labelOrType} must have the property ${constraint.keys[missing]}`, constraint);
    }
  }

  #checkUnique(constraint: ConstraintDefinition, values: readonly Value[], reader: NodeReader): void {
    const index = this.#data.indexes.find((candidate) => candidate.properties.name === constraint.name);
    if (index === undefined) return;
    index.catchUp(reader.tables);
    if (index.find(values, reader).length < 2) return;
    const keys = constraint.keys.join(', ');
    throw violation(`two nodes with the label ${constraint.labelOrType} have the same ${keys}`, constraint);
  }

  #checkRelationship(constraint: ConstraintDefinition, relationship: ChangedRelationship, reader: NodeReader): void {
    const { type, homeRow } = relationship;
    if (type !== this.#data.types.find(constraint.labelOrType)) return;
    const table = this.#data.relationshipTables[type];
    const row = table?.rowAt(homeRow, reader.sequence) ?? -1;
    if (row < 0) return;
    const missing = constraint.keys.find((key) => table?.get(row, this.#data.keys.find(key)) === null);
    if (missing !== undefined)
      throw violation(`a relationship of the type ${constraint.labelOrType} must have the property ${missing}`, constraint);
  }
}

function violation(problem: string, constraint: ConstraintDefinition): GraphDBError {
  return new GraphDBError('CONSTRAINT_VIOLATION', `${problem} (constraint ${constraint.name})`);
}
