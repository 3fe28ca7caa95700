/** Uniqueness, existence, keys and types of properties: the checks over what a transaction changed, and over all that is there. */
import { GraphDBError } from '../../base/index.ts';
import { formatValueType, isOfType, typeName, type Value } from '../../value/index.ts';
import type { RelationshipTable } from '../adjacency/relationship-table.ts';
import type { GraphData } from '../data/graph-data.ts';
import type { PropertyIndex } from '../indexes/property-index.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import type { ConstraintDefinition } from '../view/view.ts';

/** The nodes or relationships that break a constraint: one, or, of uniqueness, the first two that share their values. Ordinals, ascending. */
export interface Violators {
  readonly entity: ConstraintDefinition['entity'];
  readonly labelOrType: string;
  readonly ordinals: readonly number[];
}

const violatorsByError = new WeakMap<GraphDBError, Violators>();

/** Of an error that the check of a constraint has thrown; null: of another one. */
export function violatorsOf(error: GraphDBError): Violators | null {
  return violatorsByError.get(error) ?? null;
}

/** Nodes or relationships: some two milliseconds, as the other is. */
const CHECKED_TOGETHER = 1024;
const ROWS_READ_TOGETHER = 8192;

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

  /** Does everything that is there satisfy a constraint? */
  checkAll(constraint: ConstraintDefinition, reader: NodeReader): void {
    if (constraint.entity === 'relationship') {
      this.#checkAllRelationships(constraint, reader);
      return;
    }
    if (constraint.kind === 'unique' || constraint.kind === 'key') {
      if (constraint.kind === 'key') this.#checkAllNodes({ ...constraint, kind: 'exists' }, reader);
      this.#checkAllValues(constraint, reader);
    } else this.#checkAllNodes(constraint, reader);
  }

  /** Looks at those nodes only of which the index says that another may have the same values. */
  #checkAllValues(constraint: ConstraintDefinition, reader: NodeReader): void {
    const index = this.#indexOf(constraint);
    index?.catchUp(reader.tables);
    for (const node of index?.nodesThatMayShareValues() ?? []) this.#checkNode(constraint, node, reader);
  }

  #checkAllNodes(constraint: ConstraintDefinition, reader: NodeReader): void {
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

  /** Does what the transaction changed satisfy all constraints? Yields where others may run, of many changes. */
  *checkChanged(reader: NodeReader): Generator<null, void, void> {
    for (const constraint of this.#data.schema.constraints) {
      if (constraint.entity === 'node') yield* this.#checkNodes(constraint, reader);
      else yield* this.#checkRelationships(constraint, reader);
    }
  }

  *#checkNodes(constraint: ConstraintDefinition, reader: NodeReader): Generator<null, void, void> {
    const nodes = this.#changedNodes;
    const label = this.#data.labels.find(constraint.labelOrType);
    let isCaughtUp = false;
    for (let i = 0; i < nodes.length; i++) {
      if (i % CHECKED_TOGETHER === CHECKED_TOGETHER - 1) yield null;
      const node = nodes[i] as number;
      if (tableOfNode(reader, node)?.labels.includes(label) !== true) continue;
      // Before the first look-up, which would read all new rows at once: after opening, those of all files.
      if (!isCaughtUp) while (this.#indexOf(constraint)?.catchUpBy(ROWS_READ_TOGETHER, reader.tables) === false) yield null;
      isCaughtUp = true;
      this.#checkNode(constraint, node, reader);
    }
  }

  *#checkRelationships(constraint: ConstraintDefinition, reader: NodeReader): Generator<null, void, void> {
    const relationships = this.#changedRelationships;
    for (let i = 0; i < relationships.length; i++) {
      if (i % CHECKED_TOGETHER === CHECKED_TOGETHER - 1) yield null;
      this.#checkRelationship(constraint, relationships[i] as ChangedRelationship, reader);
    }
  }

  #checkNode(constraint: ConstraintDefinition, node: number, reader: NodeReader): void {
    const table = tableOfNode(reader, node);
    if (table?.labels.includes(this.#data.labels.find(constraint.labelOrType)) !== true) return;
    const row = reader.directory.row;
    const values = constraint.keys.map((key) => table.get(row, this.#data.keys.find(key)));
    checkValues(constraint, node, values, () => this.#nodesWith(constraint, values, reader));
  }

  #indexOf({ name }: ConstraintDefinition): PropertyIndex | undefined {
    return this.#data.indexes.find((candidate) => candidate.properties.name === name);
  }

  #nodesWith(constraint: ConstraintDefinition, values: readonly Value[], reader: NodeReader): readonly number[] {
    const index = this.#indexOf(constraint);
    index?.catchUp(reader.tables);
    return index?.find(values, reader) ?? [];
  }

  #checkRelationship(constraint: ConstraintDefinition, { type, homeRow }: ChangedRelationship, reader: NodeReader): void {
    if (type !== this.#data.types.find(constraint.labelOrType)) return;
    const table = this.#data.relationshipTables[type];
    const row = table?.rowAt(homeRow, reader.sequence) ?? -1;
    if (table === undefined || row < 0) return;
    const values = constraint.keys.map((key) => table.get(row, this.#data.keys.find(key)));
    checkValues(constraint, table.ordinalOf(homeRow), values, () => this.#relationshipsWith(constraint, values, table, reader.sequence));
  }

  #relationshipsWith(
    constraint: ConstraintDefinition,
    values: readonly Value[],
    table: RelationshipTable,
    sequence: number,
  ): readonly number[] {
    const index = this.#data.relationshipIndexes.find((candidate) => candidate.properties.name === constraint.name);
    const homeRows = index?.find(values, { table, sequence, rowCount: table.rowCount }) ?? [];
    return homeRows.length < 2 ? homeRows : homeRows.map((homeRow) => table.ordinalOf(homeRow));
  }
}

/**
 * @param ordinal of the node or relationship that has the values
 * @param sharers those that have these values, itself among them, when none of the values is missing
 */
function checkValues(constraint: ConstraintDefinition, ordinal: number, values: readonly Value[], sharers: () => readonly number[]): void {
  const { kind, keys, entity, labelOrType } = constraint;
  const one = entity === 'node' ? `a node with the label ${labelOrType}` : `a relationship of the type ${labelOrType}`;
  const two = entity === 'node' ? `two nodes with the label ${labelOrType}` : `two relationships of the type ${labelOrType}`;
  if (kind === 'type') {
    const wrong = values.findIndex((value) => !isOfType(value, constraint.propertyType));
    if (wrong < 0) return;
    const found = `must be ${formatValueType(constraint.propertyType)}, and it is ${typeName(values[wrong] as Value)}`;
    throw violation(`the property ${keys[wrong]} of ${one} ${found}`, constraint, [ordinal]);
  }
  const missing = values.indexOf(null);
  if (missing >= 0) {
    if (kind !== 'unique') throw violation(`${one} must have the property ${keys[missing]}`, constraint, [ordinal]);
    return;
  }
  if (kind === 'exists') return;
  const equal = sharers();
  if (equal.length > 1) throw violation(`${two} have the same ${keys.join(', ')}`, constraint, equal);
}

function violation(problem: string, constraint: ConstraintDefinition, ordinals: readonly number[]): GraphDBError {
  const { name, entity, labelOrType } = constraint;
  const error = new GraphDBError('CONSTRAINT_VIOLATION', `${problem} (constraint ${name})`);
  violatorsByError.set(error, { entity, labelOrType, ordinals: ordinals.toSorted((a, b) => a - b).slice(0, 2) });
  return error;
}
