/** Checks constraints (uniqueness, existence, keys, property types) on what a transaction changed, or on the whole graph. */
import { GraphDBError } from '../../base/index.ts';
import { formatValueType, isOfType, typeName, type Value } from '../../value/index.ts';
import type { GraphData } from '../data/graph-data.ts';
import { type Entities, LabelledNodes, TypedRelationships } from '../indexes/entities.ts';
import type { IndexedGraph } from '../indexes/graph-index.ts';
import { type NodeReader, tableOfNode } from '../tables/node-reader.ts';
import type { EqualityLookup } from '../view/index-view.ts';
import type { ConstraintDefinition } from '../view/view.ts';

/**
 * The nodes or relationships that violate a constraint, by ordinal, ascending: one, or the first two that share their
 * values when the constraint demands unique values.
 */
export interface Violators {
  readonly entity: ConstraintDefinition['entity'];
  readonly labelOrType: string;
  readonly ordinals: readonly number[];
}

const violatorsByError = new WeakMap<GraphDBError, Violators>();

/** Returns the violators of an error that a constraint check has thrown; null for any other error. */
export function violatorsOf(error: GraphDBError): Violators | null {
  return violatorsByError.get(error) ?? null;
}

/** How many nodes or relationships are checked in one step; few, because their values may be long. */
const CHECKED_TOGETHER = 32;
const ROWS_TOGETHER = 1024;
const STEPS_PER_CHECK = 8;
const STEPS_PER_ROW = 4;
/** The `rowsRevision` of a check: the graph does not change while it runs. */
const CHECKED_REVISION = 0;

interface ChangedRelationship {
  readonly type: number;
  readonly homeRow: number;
}

/** Notes what a transaction changes, and checks constraints. */
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

  /** Checks the whole graph against a constraint. Yields the units of work of the next step. @throws CONSTRAINT_VIOLATION */
  *checkAll(constraint: ConstraintDefinition, reader: NodeReader): Generator<number, void, void> {
    const check = this.#begin(constraint, reader);
    yield* fill(check);
    if (constraint.entity === 'relationship') yield* this.#checkAllRelationships(check);
    else if (check.index === null) yield* this.#checkAllNodes(check);
    else {
      if (constraint.kind === 'key') yield* this.#checkAllNodes({ ...check, constraint: { ...constraint, kind: 'exists' } });
      let checked = 0;
      // Only nodes whose values another node may have too, according to the index.
      for (const node of check.index.lookup.repeated()) {
        if (checked++ % CHECKED_TOGETHER === 0) yield CHECKED_TOGETHER * STEPS_PER_CHECK;
        this.#checkNode(check, node);
      }
    }
  }

  /** Begins a check. The data must not change until it has ended. */
  #begin(constraint: ConstraintDefinition, reader: NodeReader): Check {
    const { entity, name, labelOrType } = constraint;
    const index = this.#data.indexes.find(({ subject }) => subject.name === name);
    const lookup = index?.seenBy(new CheckedGraph(this.#data, reader)).answers.equality?.lookup;
    const tables = entity === 'node' ? reader.tables : this.#data.relationshipTables.filter((table) => table !== undefined);
    return {
      constraint,
      reader,
      labelOrType: (entity === 'node' ? this.#data.labels : this.#data.types).find(labelOrType),
      keys: constraint.keys.map((key) => this.#data.keys.find(key)),
      index: index === undefined || lookup === undefined ? null : { lookup, fill: () => index.fill(ROWS_TOGETHER, tables) },
    };
  }

  *#checkAllNodes(check: Check): Generator<number, void, void> {
    const { reader, labelOrType } = check;
    for (const table of reader.tables) {
      if (!table.labels.includes(labelOrType)) continue;
      table.assertRows();
      for (let row = 0; row < table.rowCount; row++) {
        if (row % CHECKED_TOGETHER === 0) yield CHECKED_TOGETHER * STEPS_PER_CHECK;
        if (table.isVisible(row, reader.sequence)) this.#checkNode(check, table.ordinalOf(row));
      }
    }
  }

  *#checkAllRelationships(check: Check): Generator<number, void, void> {
    const table = this.#data.relationshipTables[check.labelOrType];
    if (table === undefined) return;
    table.assertRows();
    for (let row = 0; row < table.rowCount; row++) {
      if (row % CHECKED_TOGETHER === 0) yield CHECKED_TOGETHER * STEPS_PER_CHECK;
      if (table.isHomeRow(row)) this.#checkRelationship(check, { type: table.type, homeRow: row });
    }
  }

  /** Checks what the transaction changed against all constraints. Yields the work of the next step. @throws CONSTRAINT_VIOLATION */
  *checkChanged(reader: NodeReader): Generator<number, void, void> {
    for (const constraint of this.#data.schema.constraints) {
      if (constraint.entity === 'node') yield* this.#checkNodes(constraint, reader);
      else yield* this.#checkRelationships(constraint, reader);
    }
  }

  *#checkNodes(constraint: ConstraintDefinition, reader: NodeReader): Generator<number, void, void> {
    const nodes = this.#changedNodes;
    const label = this.#data.labels.find(constraint.labelOrType);
    let check: Check | null = null;
    for (let i = 0; i < nodes.length; i++) {
      if (i % CHECKED_TOGETHER === CHECKED_TOGETHER - 1) yield CHECKED_TOGETHER * STEPS_PER_CHECK;
      const node = nodes[i] as number;
      if (tableOfNode(reader, node)?.labels.includes(label) !== true) continue;
      if (check === null) {
        check = this.#begin(constraint, reader);
        yield* fill(check);
      }
      this.#checkNode(check, node);
    }
  }

  *#checkRelationships(constraint: ConstraintDefinition, reader: NodeReader): Generator<number, void, void> {
    const relationships = this.#changedRelationships;
    const type = this.#data.types.find(constraint.labelOrType);
    let check: Check | null = null;
    for (let i = 0; i < relationships.length; i++) {
      if (i % CHECKED_TOGETHER === CHECKED_TOGETHER - 1) yield CHECKED_TOGETHER * STEPS_PER_CHECK;
      const relationship = relationships[i] as ChangedRelationship;
      if (relationship.type !== type) continue;
      if (check === null) {
        check = this.#begin(constraint, reader);
        yield* fill(check);
      }
      this.#checkRelationship(check, relationship);
    }
  }

  #checkNode({ constraint, reader, labelOrType, keys, index }: Check, node: number): void {
    const table = tableOfNode(reader, node);
    if (table?.labels.includes(labelOrType) !== true) return;
    const row = reader.directory.row;
    const values = keys.map((key) => table.get(row, key));
    checkValues(constraint, node, values, () => index?.lookup.find(values) ?? []);
  }

  #checkRelationship({ constraint, reader, keys, index }: Check, { type, homeRow }: ChangedRelationship): void {
    const table = this.#data.relationshipTables[type];
    table?.assertRow(homeRow);
    const row = table?.rowAt(homeRow, reader.sequence) ?? -1;
    if (table === undefined || row < 0) return;
    const values = keys.map((key) => table.get(row, key));
    checkValues(constraint, table.ordinalOf(homeRow), values, () => {
      const homeRows = index?.lookup.find(values) ?? [];
      return homeRows.length < 2 ? homeRows : homeRows.map((each) => table.ordinalOf(each));
    });
  }
}

/** A constraint that is being checked. */
interface Check {
  readonly constraint: ConstraintDefinition;
  readonly reader: NodeReader;
  /** The symbol id of the label or type. */
  readonly labelOrType: number;
  readonly keys: readonly number[];
  /** The index that finds equal values; null when the constraint is checked without one. */
  readonly index: { readonly lookup: EqualityLookup; fill(): boolean } | null;
}

/** Fills the index of a check in steps, so that the first look-up need not enter all rows (of all files, after opening) in one go. */
function* fill({ index }: Check): Generator<number, void, void> {
  while (index?.fill() === false) yield ROWS_TOGETHER * STEPS_PER_ROW;
}

/** The graph as the open transaction sees it; the transaction must not write until the check has ended. */
class CheckedGraph implements IndexedGraph {
  readonly #data: GraphData;
  readonly #reader: NodeReader;

  constructor(data: GraphData, reader: NodeReader) {
    this.#data = data;
    this.#reader = reader;
  }

  nodesWith(labels: readonly number[]): Entities {
    const { sequence, nodeLimit, directory, tables } = this.#reader;
    return new LabelledNodes(
      { sequence, nodeLimit, directory, tables, rowsRevision: CHECKED_REVISION, nodeRowCountOf: ({ rowCount }) => rowCount },
      labels,
    );
  }

  relationshipsOf(type: number): Entities {
    const table = this.#data.relationshipTables[type];
    const { sequence } = this.#reader;
    const rowCount = table?.rowCount ?? 0;
    return new TypedRelationships(
      { sequence, rowsRevision: CHECKED_REVISION, relationshipTable: () => table, rowCountOf: () => rowCount },
      type,
    );
  }
}

/**
 * Checks the values of one node or relationship. @throws CONSTRAINT_VIOLATION
 * @param sharers returns the ordinals of all with the same values, this one included; called only when no value is missing
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
