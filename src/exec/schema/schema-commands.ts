/** CREATE and DROP of indexes and constraints, on the catalog of a transaction. */
import { GraphDBError } from '../../base/index.ts';
import type { CreateConstraint, CreateIndex, DropSchema, SchemaCommand } from '../../cypher/index.ts';
import type { GraphTransaction, GraphView } from '../../graph/index.ts';

/** Says whether anything was changed: IF NOT EXISTS and IF EXISTS may have left nothing to do. */
export function applySchemaCommand(view: GraphView, transaction: GraphTransaction, command: SchemaCommand): boolean {
  switch (command.kind) {
    case 'createIndex':
      return createIndex(view, transaction, command);
    case 'createConstraint':
      return createConstraint(transaction, command);
    case 'dropSchema':
      return drop(transaction, command);
  }
}

function defaultName(prefix: string, labelOrType: string, keys: readonly string[]): string {
  return [prefix, labelOrType, ...keys].join('_').toLowerCase();
}

function createIndex(view: GraphView, transaction: GraphTransaction, command: CreateIndex): boolean {
  if (command.indexType !== 'range' && command.indexType !== 'text') {
    throw new GraphDBError('UNSUPPORTED', `there are no ${command.indexType} indexes; CREATE INDEX makes a range index`);
  }
  if (command.entity === 'relationship')
    throw new GraphDBError('UNSUPPORTED', 'indexes are on nodes; relationships are found from their nodes');
  const name = command.name ?? defaultName('index', command.labelOrType, command.properties);
  const exists = view.indexes.some((index) => index.name === name);
  const created =
    !exists &&
    transaction.createIndex({
      name,
      entity: command.entity,
      labelOrType: command.labelOrType,
      keys: command.properties,
      kind: command.indexType,
    });
  if (!created && !command.ifNotExists)
    throw new GraphDBError('CONSTRAINT_VIOLATION', `there is an index like that, or one named ${name}, already`);
  return created;
}

function createConstraint(transaction: GraphTransaction, command: CreateConstraint): boolean {
  if (command.constraint === 'type') throw new GraphDBError('UNSUPPORTED', 'constraints on the type of a property are not supported');
  const kind = command.constraint;
  const name = command.name ?? defaultName('constraint', command.labelOrType, command.properties);
  const created = transaction.createConstraint({
    name,
    entity: command.entity,
    labelOrType: command.labelOrType,
    keys: command.properties,
    kind,
  });
  if (!created && !command.ifNotExists)
    throw new GraphDBError('CONSTRAINT_VIOLATION', `there is a constraint like that, or one named ${name}, already`);
  return created;
}

function drop(transaction: GraphTransaction, command: DropSchema): boolean {
  const dropped = command.what === 'index' ? transaction.dropIndex(command.name) : transaction.dropConstraint(command.name);
  if (!dropped && !command.ifExists) throw new GraphDBError('ENTITY_NOT_FOUND', `there is no ${command.what} named ${command.name}`);
  return dropped;
}
