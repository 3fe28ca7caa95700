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
    'createStatement',
  ],
  constraints: ['id', 'name', 'type', 'entityType', 'labelsOrTypes', 'properties', 'ownedIndex', 'propertyType', 'createStatement'],
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
      return shownIndexes(runtime).map((index, id) => rowOf(what, indexValues(index, id)));
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
    case 'users':
      return [rowOf(what, ['neo4j', ['admin'], false, false, null])];
    case 'transactions':
    case 'settings':
      throw new GraphDBError('UNSUPPORTED', `SHOW ${what.toUpperCase()} has nothing to show: this database keeps no such list`);
  }
}

interface ShownIndex extends IndexDefinition {
  readonly owner: string | null;
}

/** Those that were created, and those behind the constraints that need one. */
function shownIndexes({ view }: Runtime): ShownIndex[] {
  const owned = view.schema.constraints
    .filter((constraint) => constraint.kind !== 'exists')
    .map((constraint): ShownIndex => ({ ...constraint, kind: 'range', owner: constraint.name }));
  return [...view.schema.indexes.map((index): ShownIndex => ({ ...index, owner: null })), ...owned];
}

function indexValues(index: ShownIndex, id: number): Value[] {
  return [
    id,
    index.name,
    'ONLINE',
    makeFloat(100),
    index.kind.toUpperCase(),
    index.entity.toUpperCase(),
    [index.labelOrType],
    [...index.keys],
    `${index.kind}-1.0`,
    index.owner,
    index.owner === null ? indexStatement(index) : null,
  ];
}

const name = (text: string): string => `\`${text.replaceAll('`', '``')}\``;

function indexStatement(index: IndexDefinition): string {
  const keys = index.keys.map((key) => `n.${name(key)}`).join(', ');
  return `CREATE ${index.kind.toUpperCase()} INDEX ${name(index.name)} FOR (n:${name(index.labelOrType)}) ON (${keys})`;
}

const RULES = { unique: 'IS UNIQUE', exists: 'IS NOT NULL', key: 'IS NODE KEY' } as const;

function constraintStatement(constraint: ConstraintDefinition): string {
  const { entity, labelOrType, keys, kind } = constraint;
  const pattern = entity === 'node' ? `(n:${name(labelOrType)})` : `()-[n:${name(labelOrType)}]-()`;
  const required = keys.map((key) => `n.${name(key)}`).join(', ');
  return `CREATE CONSTRAINT ${name(constraint.name)} FOR ${pattern} REQUIRE (${required}) ${RULES[kind]}`;
}

const CONSTRAINT_TYPES = { unique: 'UNIQUENESS', exists: 'NODE_PROPERTY_EXISTENCE', key: 'NODE_KEY' } as const;

function constraintValues(constraint: ConstraintDefinition, id: number): Value[] {
  const { entity, kind } = constraint;
  const type = entity === 'relationship' ? 'RELATIONSHIP_PROPERTY_EXISTENCE' : CONSTRAINT_TYPES[kind];
  const owned = kind === 'exists' ? null : constraint.name;
  const statement = constraintStatement(constraint);
  return [id, constraint.name, type, entity.toUpperCase(), [constraint.labelOrType], [...constraint.keys], owned, null, statement];
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
