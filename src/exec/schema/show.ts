/** The rows of SHOW: field names and values as Neo4j's tools read them. */
import { GraphDBError } from '../../base/index.ts';
import type { ShowCommand } from '../../cypher/index.ts';
import type { ConstraintDefinition, IndexDefinition } from '../../graph/index.ts';
import { makeFloat, type Value } from '../../value/index.ts';
import { aggregates, functions } from '../functions/index.ts';
import type { Runtime } from '../runtime/runtime.ts';

type Row = ReadonlyMap<string, Value>;

/** What the values of a row mean, in order. */
const FIELDS: Readonly<Record<ShowCommand['what'], readonly string[]>> = {
  indexes: [
    'id',
    'name',
    'state',
    'populationPercent',
    'type',
    'entityType',
    'labelsOrTypes',
    'properties',
    'indexProvider',
    'owningConstraint',
  ],
  constraints: ['id', 'name', 'type', 'entityType', 'labelsOrTypes', 'properties', 'ownedIndex', 'propertyType'],
  databases: [
    'name',
    'type',
    'aliases',
    'access',
    'address',
    'role',
    'writer',
    'requestedStatus',
    'currentStatus',
    'statusMessage',
    'default',
    'home',
    'constituents',
  ],
  procedures: ['name', 'description', 'mode', 'worksOnSystem', 'signature'],
  functions: ['name', 'category', 'description', 'signature', 'isBuiltIn', 'aggregating'],
  transactions: [
    'database',
    'transactionId',
    'currentQueryId',
    'connectionId',
    'username',
    'currentQuery',
    'startTime',
    'status',
    'elapsedTime',
  ],
  settings: ['name', 'value', 'isDynamic', 'defaultValue', 'description'],
  users: ['user', 'roles', 'passwordChangeRequired', 'suspended', 'home'],
};

function rowOf(what: ShowCommand['what'], values: readonly Value[]): Row {
  return new Map(FIELDS[what].map((name, i) => [name, values[i] ?? null]));
}

export function showRows(runtime: Runtime, what: ShowCommand['what']): Row[] {
  switch (what) {
    case 'indexes':
      return runtime.view.schema.indexes.map((index, id) => rowOf(what, indexValues(index, id, runtime.view.schema.constraints)));
    case 'constraints':
      return runtime.view.schema.constraints.map((constraint, id) => rowOf(what, constraintValues(constraint, id)));
    case 'databases':
      return [databaseRow(runtime)];
    case 'procedures':
      return runtime.procedures.all().map((procedure) => {
        const fields = (list: readonly { name: string; type: string }[]): string =>
          list.map((field) => `${field.name} :: ${field.type}`).join(', ');
        const signature = `${procedure.name}(${fields(procedure.inputs)}) :: (${fields(procedure.outputs)})`;
        return rowOf(what, [procedure.name, procedure.description, procedure.mode, false, signature]);
      });
    case 'functions':
      return [...functions.values(), ...aggregates.values()]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((each) => rowOf(what, [each.name, each.category, each.description, each.signature, true, each.category === 'Aggregating']));
    case 'transactions':
    case 'settings':
    case 'users':
      throw new GraphDBError('UNSUPPORTED', `SHOW ${what.toUpperCase()} has nothing to show: this database keeps no such list`);
  }
}

function indexValues(index: IndexDefinition, id: number, constraints: readonly ConstraintDefinition[]): Value[] {
  const owner = constraints.find((constraint) => constraint.name === index.name)?.name ?? null;
  const kind = index.kind.toUpperCase();
  return [
    id,
    index.name,
    'ONLINE',
    makeFloat(100),
    kind,
    index.entity.toUpperCase(),
    [index.labelOrType],
    [...index.keys],
    `${index.kind}-1.0`,
    owner,
  ];
}

const CONSTRAINT_TYPES = { unique: 'UNIQUENESS', exists: 'NODE_PROPERTY_EXISTENCE', key: 'NODE_KEY' } as const;

function constraintValues(constraint: ConstraintDefinition, id: number): Value[] {
  const type = CONSTRAINT_TYPES[constraint.kind];
  const owned = constraint.kind === 'exists' ? null : constraint.name;
  return [id, constraint.name, type, constraint.entity.toUpperCase(), [constraint.labelOrType], [...constraint.keys], owned, null];
}

function databaseRow(runtime: Runtime): Row {
  const access = runtime.databaseRole === 'writer' ? 'read-write' : 'read-only';
  const role = runtime.databaseRole === 'writer' ? 'primary' : 'secondary';
  return new Map<string, Value>([
    ['name', 'neo4j'],
    ['type', 'standard'],
    ['aliases', []],
    ['access', access],
    ['address', 'localhost:7687'],
    ['role', role],
    ['writer', runtime.databaseRole === 'writer'],
    ['requestedStatus', 'online'],
    ['currentStatus', 'online'],
    ['statusMessage', ''],
    ['default', true],
    ['home', true],
    ['constituents', []],
  ]);
}
