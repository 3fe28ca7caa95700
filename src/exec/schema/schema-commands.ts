/** Runs CREATE and DROP of indexes and constraints on the catalog of a transaction. */
import { GraphDBError, unreachable } from '../../base/index.ts';
import type { CreateConstraint, CreateIndex, DropSchema, SchemaCommand } from '../../cypher/index.ts';
import { type GraphTransaction, type IndexDefinition, type IndexSettings, indexKinds } from '../../graph/index.ts';
import type { ValueType } from '../../value/index.ts';
import { type DistributiveOmit, isNameTaken, type Obstacle, obstacleToConstraint, obstacleToIndex, type Schema } from './conflicts.ts';
import { checkConstraintOptions, indexSettings, type Parameters, schemaNameOf } from './schema-names.ts';

/**
 * Runs a schema command. Existing entities are checked in pieces: each yielded number is the steps of the next piece,
 * before which other statements may run. Returns whether anything changed: IF [NOT] EXISTS may leave nothing to do.
 *
 * @throws CONSTRAINT_VIOLATION if a definition stands in the way, ENTITY_NOT_FOUND if there is none to drop
 */
export function* applySchemaCommand(
  transaction: GraphTransaction,
  command: SchemaCommand,
  parameters: Parameters,
): Generator<number, boolean, void> {
  switch (command.kind) {
    case 'createIndex':
      return createIndex(transaction, command, parameters);
    case 'createConstraint':
      return yield* createConstraint(transaction, command, parameters);
    case 'dropSchema':
      return drop(transaction, command, parameters);
    default:
      return unreachable(command, 'schema command');
  }
}

/** Returns the given name, or one made from the subject of the index or constraint, with a number if that name is taken. */
function nameFor(schema: Schema, given: string | null, parts: readonly string[]): string {
  if (given !== null) return given;
  const stem = parts.join('_').toLowerCase();
  let name = stem;
  for (let number = 2; isNameTaken(schema, name); number++) name = `${stem}_${number}`;
  return name;
}

/** Tells whether a definition can be created; false if IF NOT EXISTS leaves nothing to do. @throws CONSTRAINT_VIOLATION */
function isClear(obstacle: Obstacle | null, ifNotExists: boolean): boolean {
  if (obstacle === null) return true;
  if (obstacle.kind === 'same' && ifNotExists) return false;
  throw new GraphDBError('CONSTRAINT_VIOLATION', obstacle.problem);
}

function createIndex(transaction: GraphTransaction, command: CreateIndex, parameters: Parameters): boolean {
  const { indexType: kind, entity, labelsOrTypes, properties, ifNotExists } = command;
  const takesOne = indexKinds[kind].keys === 'one' || indexKinds[kind].keys === 'one and filters';
  if (takesOne && properties.length !== 1) throw new GraphDBError('SEMANTIC_ERROR', `a ${kind} index is on one property`);
  const given = command.name === null ? null : schemaNameOf(command.name, 'index', parameters);
  const subject = subjectOf(command, indexSettings(kind, command.options, parameters));
  if (!isClear(obstacleToIndex(transaction.view.schema, { ...subject, ...named(given) }), ifNotExists)) return false;
  const about = indexKinds[kind].keys === 'none' ? [`${entity}_lookup`] : labelsOrTypes;
  return transaction.createIndex({ ...subject, name: nameFor(transaction.view.schema, given, ['index', ...about, ...subject.keys]) });
}

function subjectOf(command: CreateIndex, settings: IndexSettings): DistributiveOmit<IndexDefinition, 'name'> {
  const { indexType: kind, entity, labelsOrTypes, properties, filters } = command;
  const keys = [...properties, ...filters];
  if (kind === 'vector' || kind === 'fulltext') return { entity, labelsOrTypes, keys, kind, settings };
  return { entity, labelOrType: labelsOrTypes[0] ?? '', keys, kind };
}

function* createConstraint(
  transaction: GraphTransaction,
  command: CreateConstraint,
  parameters: Parameters,
): Generator<number, boolean, void> {
  const { constraint: kind, entity, labelOrType, properties: keys, propertyType, options, ifNotExists } = command;
  const given = command.name === null ? null : schemaNameOf(command.name, 'constraint', parameters);
  checkConstraintOptions({ entity, kind }, options, parameters);
  const subject = { entity, labelOrType, keys };
  const rule = kind === 'type' ? ({ kind, propertyType: stored(propertyType!) } as const) : { kind };
  if (!isClear(obstacleToConstraint(transaction.view.schema, { ...subject, ...rule, ...named(given) }), ifNotExists)) return false;
  const name = nameFor(transaction.view.schema, given, ['constraint', labelOrType, ...keys]);
  return yield* transaction.createConstraint({ ...subject, ...rule, name });
}

const named = (name: string | null): { readonly name?: string } => (name === null ? {} : { name });

const NEVER_STORED: ReadonlySet<string> = new Set(['MAP', 'NODE', 'RELATIONSHIP', 'PATH', 'NULL', 'NOTHING']);

/** Returns the type without NOT NULL, which means nothing since null is no property. @throws SEMANTIC_ERROR if it cannot be stored */
function stored(type: ValueType): ValueType {
  const inner = [type, ...(type.alternatives ?? []), ...(type.element === null ? [] : [type.element])];
  const wrong = inner.find(({ name }) => NEVER_STORED.has(name));
  if (wrong !== undefined)
    throw new GraphDBError(
      'SEMANTIC_ERROR',
      `no property can be ${wrong.name}; a constraint takes types that can be stored, such as STRING or LIST<INTEGER NOT NULL>`,
    );
  return { ...type, notNull: false };
}

/**
 * The error codes of Neo4j for dropping an unknown name. They are database errors, by which clients tell them from
 * errors of the statement.
 */
const DROP_FAILED = {
  index: 'Neo.DatabaseError.Schema.IndexDropFailed',
  constraint: 'Neo.DatabaseError.Schema.ConstraintDropFailed',
} as const;

function drop(transaction: GraphTransaction, command: DropSchema, parameters: Parameters): boolean {
  const name = schemaNameOf(command.name, command.what, parameters);
  const dropped = command.what === 'index' ? transaction.dropIndex(name) : transaction.dropConstraint(name);
  if (!dropped && !command.ifExists)
    throw new GraphDBError('ENTITY_NOT_FOUND', `there is no ${command.what} named ${name}`, { neo4jCode: DROP_FAILED[command.what] });
  return dropped;
}
