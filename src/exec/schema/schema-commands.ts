/** CREATE and DROP of indexes and constraints, on the catalog of a transaction. */
import { GraphDBError } from '../../base/index.ts';
import type { CreateConstraint, CreateIndex, DropSchema, SchemaCommand } from '../../cypher/index.ts';
import type { GraphTransaction, IndexDefinition } from '../../graph/index.ts';
import type { ValueType } from '../../value/index.ts';

/** Says whether anything was changed: IF NOT EXISTS and IF EXISTS may have left nothing to do. */
export function applySchemaCommand(transaction: GraphTransaction, command: SchemaCommand): boolean {
  switch (command.kind) {
    case 'createIndex':
      return createIndex(transaction, command);
    case 'createConstraint':
      return createConstraint(transaction, command);
    case 'dropSchema':
      return drop(transaction, command);
  }
}

function defaultName(prefix: string, labelOrType: string, keys: readonly string[]): string {
  return [prefix, labelOrType, ...keys].join('_').toLowerCase();
}

const ELSEWHERE: Readonly<Record<Exclude<CreateIndex['indexType'], IndexDefinition['kind']>, string>> = {
  point: 'there are no point indexes, and no points; keep coordinates as numbers, with a range index on each',
  vector:
    'there are no vector indexes; the nearest vectors are found by ORDER BY cosine_similarity(n.embedding, $vector) DESC LIMIT k, exactly and without one',
  fulltext: 'there are no fulltext indexes; a text index answers STARTS WITH, and CONTAINS works without an index',
};

function createIndex(transaction: GraphTransaction, command: CreateIndex): boolean {
  const { indexType: kind, entity, labelOrType, properties: keys } = command;
  if (kind === 'point' || kind === 'vector' || kind === 'fulltext') throw new GraphDBError('UNSUPPORTED', ELSEWHERE[kind]);
  const name = command.name ?? defaultName('index', kind === 'lookup' ? `${entity}_lookup` : labelOrType, keys);
  const created = transaction.createIndex({ name, entity, labelOrType, keys, kind });
  if (!created && !command.ifNotExists)
    throw new GraphDBError('CONSTRAINT_VIOLATION', `there is an index like that, or one named ${name}, already`);
  return created;
}

function createConstraint(transaction: GraphTransaction, command: CreateConstraint): boolean {
  const { constraint: kind, entity, labelOrType, properties: keys, propertyType } = command;
  const name = command.name ?? defaultName('constraint', labelOrType, keys);
  const subject = { name, entity, labelOrType, keys };
  const created = transaction.createConstraint(
    kind === 'type' ? { ...subject, kind, propertyType: stored(propertyType!) } : { ...subject, kind },
  );
  if (!created && !command.ifNotExists)
    throw new GraphDBError('CONSTRAINT_VIOLATION', `there is a constraint like that, or one named ${name}, already`);
  return created;
}

const NEVER_STORED: ReadonlySet<string> = new Set(['MAP', 'NODE', 'RELATIONSHIP', 'PATH', 'NULL', 'NOTHING', 'POINT']);

/** The type of a property that can be stored; null is no property, so NOT NULL says nothing. */
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

function drop(transaction: GraphTransaction, command: DropSchema): boolean {
  const dropped = command.what === 'index' ? transaction.dropIndex(command.name) : transaction.dropConstraint(command.name);
  if (!dropped && !command.ifExists) throw new GraphDBError('ENTITY_NOT_FOUND', `there is no ${command.what} named ${command.name}`);
  return dropped;
}
