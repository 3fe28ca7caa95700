/** The rows of SHOW: field names and values as Neo4j's tools read them. */
import { GraphDBError } from '../../base/index.ts';
import type { ShowCommand, ShowField } from '../../cypher/index.ts';
import type { ConstraintDefinition, IndexDefinition } from '../../graph/index.ts';
import { makeFloat, type Value } from '../../value/index.ts';
import { aggregates, functions } from '../functions/index.ts';
import type { Runtime } from '../runtime/runtime.ts';

type Row = ReadonlyMap<string, Value>;

/** Fields that are left out are null. */
function rowOf<What extends ShowCommand['what']>(_what: What, fields: { readonly [name in ShowField<What>]?: Value }): Row {
  return new Map(Object.entries<Value>(fields as Record<string, Value>));
}

export function showRows(runtime: Runtime, what: ShowCommand['what']): Row[] {
  switch (what) {
    case 'indexes':
      return shownIndexes(runtime).map(indexRow);
    case 'constraints':
      return runtime.view.schema.constraints.map(constraintRow);
    case 'databases':
      return [databaseRow(runtime)];
    case 'procedures':
      return runtime.procedures.all().map((procedure) => {
        const fields = (list: readonly { name: string; type: string }[]): string =>
          list.map((field) => `${field.name} :: ${field.type}`).join(', ');
        const signature = `${procedure.name}(${fields(procedure.inputs)}) :: (${fields(procedure.outputs)})`;
        const { name, description, mode } = procedure;
        return rowOf(what, { name, description, mode, worksOnSystem: false, signature });
      });
    case 'functions':
      return [...functions.values(), ...aggregates.values()]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, category, description, signature }) =>
          rowOf(what, { name, category, description, signature, isBuiltIn: true, aggregating: category === 'Aggregating' }),
        );
    case 'users':
      return [rowOf(what, { user: 'neo4j', roles: ['admin'], passwordChangeRequired: false, suspended: false })];
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

function indexRow(index: ShownIndex, id: number): Row {
  return rowOf('indexes', {
    id,
    name: index.name,
    state: 'ONLINE',
    populationPercent: makeFloat(100),
    type: index.kind.toUpperCase(),
    entityType: index.entity.toUpperCase(),
    labelsOrTypes: [index.labelOrType],
    properties: [...index.keys],
    indexProvider: `${index.kind}-1.0`,
    owningConstraint: index.owner,
    createStatement: index.owner === null ? indexStatement(index) : null,
  });
}

const quoted = (text: string): string => `\`${text.replaceAll('`', '``')}\``;

function indexStatement(index: IndexDefinition): string {
  const keys = index.keys.map((key) => `n.${quoted(key)}`).join(', ');
  return `CREATE ${index.kind.toUpperCase()} INDEX ${quoted(index.name)} FOR (n:${quoted(index.labelOrType)}) ON (${keys})`;
}

const RULES = { unique: 'IS UNIQUE', exists: 'IS NOT NULL', key: 'IS NODE KEY' } as const;

function constraintStatement(constraint: ConstraintDefinition): string {
  const { entity, labelOrType, keys, kind } = constraint;
  const pattern = entity === 'node' ? `(n:${quoted(labelOrType)})` : `()-[n:${quoted(labelOrType)}]-()`;
  const required = keys.map((key) => `n.${quoted(key)}`).join(', ');
  return `CREATE CONSTRAINT ${quoted(constraint.name)} FOR ${pattern} REQUIRE (${required}) ${RULES[kind]}`;
}

const CONSTRAINT_TYPES = { unique: 'UNIQUENESS', exists: 'NODE_PROPERTY_EXISTENCE', key: 'NODE_KEY' } as const;

function constraintRow(constraint: ConstraintDefinition, id: number): Row {
  const { entity, kind, name } = constraint;
  return rowOf('constraints', {
    id,
    name,
    type: entity === 'relationship' ? 'RELATIONSHIP_PROPERTY_EXISTENCE' : CONSTRAINT_TYPES[kind],
    entityType: entity.toUpperCase(),
    labelsOrTypes: [constraint.labelOrType],
    properties: [...constraint.keys],
    ownedIndex: kind === 'exists' ? null : name,
    createStatement: constraintStatement(constraint),
  });
}

function databaseRow(runtime: Runtime): Row {
  const access = runtime.databaseRole === 'writer' ? 'read-write' : 'read-only';
  const role = runtime.databaseRole === 'writer' ? 'primary' : 'secondary';
  return rowOf('databases', {
    name: 'neo4j',
    type: 'standard',
    aliases: [],
    access,
    address: 'localhost:7687',
    role,
    writer: runtime.databaseRole === 'writer',
    requestedStatus: 'online',
    currentStatus: 'online',
    statusMessage: '',
    default: true,
    home: true,
    constituents: [],
  });
}
