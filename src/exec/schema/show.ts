/** The rows of SHOW, with the field names and values that tools for Neo4j expect. */
import { type ShownSetting, unreachable } from '../../base/index.ts';
import type { ShowCommand, ShowField } from '../../cypher/index.ts';
import { apocFacts, describedAggregates, describedFunctions, syntaxFacts } from '../../functions/index.ts';
import {
  type ConstraintDefinition,
  type GraphView,
  type IndexDefinition,
  type IndexSettings,
  type IndexState,
  indexKinds,
  namesIn,
  type SearchIndexDefinition,
} from '../../graph/index.ts';
import { CypherDuration, formatValueType, literalText, makeFloat, type Value, type ValueMap } from '../../value/index.ts';
import { constraintType, ownsIndex } from './constraint-types.ts';
import { boltAddressOf, type DatabaseDescription } from './database-description.ts';
import { DATABASE_NAME } from './database-name.ts';
import type { Termination, TransactionDescription } from './transaction-description.ts';

/** A procedure as SHOW PROCEDURES lists it. */
interface ShownProcedure {
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly type: string }[];
  readonly outputs: readonly { readonly name: string; readonly type: string }[];
  readonly mode: string;
  readonly description: string;
}

/** The information about the database that SHOW lists. */
export interface ShownDatabase {
  readonly procedures: { all(): readonly ShownProcedure[] };
  readonly databaseRole: 'writer' | 'reader';
  /** The databases of SHOW DATABASES; null if there is only one, which is listed under `DATABASE_NAME`. */
  readonly databases: readonly DatabaseDescription[] | null;
  /** The transactions of SHOW TRANSACTIONS; `terminations` are the results of TERMINATE TRANSACTIONS. */
  readonly transactions: readonly TransactionDescription[];
  readonly terminations: readonly Termination[];
  /** Returns the settings that SHOW SETTINGS lists. */
  readonly settings: () => readonly ShownSetting[];
}

type Row = ReadonlyMap<string, Value>;

/** Makes a row; fields left out are null. */
function rowOf<What extends ShowCommand['what']>(_what: What, fields: { readonly [name in ShowField<What>]?: Value }): Row {
  return new Map(Object.entries<Value>(fields as Record<string, Value>));
}

/** Returns the rows of a SHOW command, by field name. */
export function showRows(view: GraphView, database: ShownDatabase, what: ShowCommand['what']): Row[] {
  switch (what) {
    case 'indexes':
      return shownIndexes(view).map(indexRow);
    case 'constraints':
      return view.schema.constraints.map(constraintRow);
    case 'databases':
      return (database.databases ?? [theOne(database)]).map((each) => databaseRow(each, boltAddressOf(database.settings())));
    case 'procedures':
      return database.procedures.all().map((procedure) => {
        const fields = (list: readonly { name: string; type: string }[]): string =>
          list.map((field) => `${field.name} :: ${field.type}`).join(', ');
        const signature = `${procedure.name}(${fields(procedure.inputs)}) :: (${fields(procedure.outputs)})`;
        const { name, description, mode } = procedure;
        return rowOf(what, { name, description, mode, worksOnSystem: false, signature });
      });
    case 'functions':
      return shownFunctions();
    case 'users':
      return [rowOf(what, { user: 'neo4j', roles: ['admin'], passwordChangeRequired: false, suspended: false })];
    case 'settings':
      return database
        .settings()
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(settingRow);
    case 'transactions':
      return database.transactions.map(transactionRow);
    case 'terminations':
      return database.terminations.map(terminationRow);
    default:
      return unreachable(what, 'list');
  }
}

interface ShownFunction {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly signature: string;
}

function shownFunctions(): Row[] {
  const aggregating = 'Aggregating';
  const shown: readonly ShownFunction[] = [
    ...describedFunctions.map(({ name, signature, facts: { category, description } }) => ({ name, category, description, signature })),
    ...describedAggregates.map(({ name, signature, facts: { description } }) => ({ name, category: aggregating, description, signature })),
    ...Object.entries(syntaxFacts).map(([name, facts]) => ({ name, ...facts })),
  ];
  return shown
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) =>
      rowOf('functions', {
        name: one.name,
        category: one.category,
        description: one.description,
        signature: one.signature,
        isBuiltIn: !Object.hasOwn(apocFacts, one.name),
        aggregating: one.category === aggregating,
        isDeprecated: false,
      }),
    );
}

interface ShownIndex {
  readonly index: IndexDefinition;
  readonly owner: string | null;
  readonly state: IndexState;
}

/** The state of an index that needs no building. */
const ONLINE: IndexState = { state: 'ONLINE', populationPercent: 100 };

/** Returns the created indexes, followed by those of constraints. */
function shownIndexes(view: GraphView): ShownIndex[] {
  const owned = view.schema.constraints
    .filter(ownsIndex)
    .map(({ name, entity, labelOrType, keys }) => ({ index: { name, entity, labelOrType, keys, kind: 'range' as const }, owner: name }));
  const states = new Map(view.indexes.map(({ subject, state }) => [subject.name, state]));
  const shown = [...view.schema.indexes.map((index) => ({ index, owner: null })), ...owned];
  return shown.map((each) => ({ ...each, state: states.get(each.index.name) ?? ONLINE }));
}

/** Returns the options of an index in the form of Neo4j. */
function optionsOf(kind: IndexDefinition['kind'], settings: IndexSettings = {}): ValueMap {
  return new Map<string, Value>([
    ['indexConfig', new Map<string, Value>(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)))],
    ['indexProvider', indexKinds[kind].providers[0]],
  ]);
}

const settingsOf = (index: IndexDefinition): IndexSettings => ('settings' in index ? index.settings : {});

function indexRow({ index, owner, state: { state, populationPercent } }: ShownIndex, id: number): Row {
  const isLookup = indexKinds[index.kind].keys === 'none';
  return rowOf('indexes', {
    id,
    name: index.name,
    state,
    populationPercent: makeFloat(populationPercent),
    type: index.kind.toUpperCase(),
    entityType: index.entity.toUpperCase(),
    labelsOrTypes: isLookup ? null : [...namesIn(index)],
    properties: isLookup ? null : [...index.keys],
    indexProvider: indexKinds[index.kind].providers[0],
    options: optionsOf(index.kind, settingsOf(index)),
    owningConstraint: owner,
    lastRead: null,
    readCount: null,
    trackedSince: null,
    failureMessage: '',
    createStatement: owner === null ? indexStatement(index) : null,
  });
}

/** Returns statements that recreate the indexes and constraints. Constraints recreate their own indexes. */
export function schemaStatements({ indexes, constraints }: GraphView['schema']): string[] {
  return [...constraints.map(constraintStatement), ...indexes.map(indexStatement)];
}

const quoted = (text: string): string => `\`${text.replaceAll('`', '``')}\``;

/** Returns the pattern behind FOR; an index on all labels or types names none. */
function patternText(definition: IndexDefinition | ConstraintDefinition): string {
  const named = ['n', namesIn(definition).map(quoted).join('|')].filter((part) => part !== '').join(':');
  return definition.entity === 'node' ? `(${named})` : `()-[${named}]-()`;
}

function indexStatement(index: IndexDefinition): string {
  const options = 'settings' in index ? ` OPTIONS ${optionsText(index)}` : '';
  return `CREATE ${index.kind.toUpperCase()} INDEX ${quoted(index.name)} FOR ${patternText(index)} ON ${indexedText(index)}${options}`;
}

function indexedText(index: IndexDefinition): string {
  const [first, ...others] = index.keys.map((key) => `n.${quoted(key)}`);
  switch (index.kind) {
    case 'lookup':
      return index.entity === 'node' ? 'EACH labels(n)' : 'EACH type(n)';
    case 'fulltext':
      return `EACH [${[first, ...others].join(', ')}]`;
    case 'vector':
      return others.length === 0 ? `(${first})` : `(${first}) WITH [${others.join(', ')}]`;
    case 'range':
    case 'text':
    case 'point':
      return `(${[first, ...others].join(', ')})`;
    default:
      return unreachable(index, 'index');
  }
}

function optionsText(index: SearchIndexDefinition): string {
  const entries = Object.entries(index.settings)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${quoted(name)}: ${literalText(value)}`);
  return `{indexConfig: {${entries.join(', ')}}, indexProvider: ${literalText(indexKinds[index.kind].providers[0])}}`;
}

function ruleText(constraint: ConstraintDefinition): string {
  switch (constraint.kind) {
    case 'unique':
      return 'IS UNIQUE';
    case 'exists':
      return 'IS NOT NULL';
    case 'key':
      return constraint.entity === 'node' ? 'IS NODE KEY' : 'IS RELATIONSHIP KEY';
    case 'type':
      return `IS :: ${formatValueType(constraint.propertyType)}`;
    default:
      return unreachable(constraint, 'constraint');
  }
}

function constraintStatement(constraint: ConstraintDefinition): string {
  const required = constraint.keys.map((key) => `n.${quoted(key)}`).join(', ');
  return `CREATE CONSTRAINT ${quoted(constraint.name)} FOR ${patternText(constraint)} REQUIRE (${required}) ${ruleText(constraint)}`;
}

function constraintRow(constraint: ConstraintDefinition, id: number): Row {
  const { entity, kind, name } = constraint;
  return rowOf('constraints', {
    id,
    name,
    type: constraintType(constraint),
    entityType: entity.toUpperCase(),
    labelsOrTypes: [constraint.labelOrType],
    properties: [...constraint.keys],
    ownedIndex: ownsIndex(constraint) ? name : null,
    propertyType: kind === 'type' ? formatValueType(constraint.propertyType) : null,
    options: ownsIndex(constraint) ? optionsOf('range') : null,
    createStatement: constraintStatement(constraint),
  });
}

/** The text that Neo4j shows for a setting without a value. */
const NO_VALUE = 'No Value';

/** Makes the row of a setting; no setting can be changed while the server runs. */
function settingRow({ name, value, defaultValue, description, validValues, isExplicitlySet }: ShownSetting): Row {
  return rowOf('settings', {
    name,
    value: value ?? NO_VALUE,
    isDynamic: false,
    defaultValue: defaultValue ?? NO_VALUE,
    description,
    startupValue: value ?? NO_VALUE,
    isExplicitlySet,
    validValues,
    isDeprecated: false,
  });
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

/**
 * Makes the row of a transaction. The columns left out are null: transactions have no locks, and their elapsed time is
 * that of the clock.
 */
function transactionRow(transaction: TransactionDescription): Row {
  const { id, database, username, protocol, requestId, clientAddress, startedAtMs, elapsedMs, terminated, metadata, statement } =
    transaction;
  return rowOf('transactions', {
    database,
    transactionId: id,
    currentQueryId: statement?.id ?? null,
    connectionId: requestId,
    clientAddress,
    username,
    currentQuery: statement?.query ?? '',
    startTime: isoTime(startedAtMs),
    status: terminated === null ? 'Running' : `Terminated with reason: ${terminated}`,
    elapsedTime: new CypherDuration(0, 0, Math.floor(elapsedMs / 1_000), (elapsedMs % 1_000) * 1_000_000),
    metaData: metadata,
    currentQueryStartTime: statement === null ? null : isoTime(statement.startedAtMs),
    protocol,
    statusDetails: '',
  });
}

function terminationRow({ id, username }: Termination): Row {
  return rowOf('terminations', {
    transactionId: id,
    username,
    message: username === null ? 'Transaction not found.' : 'Transaction terminated.',
  });
}

const theOne = ({ databaseRole }: ShownDatabase): DatabaseDescription => ({
  name: DATABASE_NAME,
  aliases: [],
  isWriter: databaseRole === 'writer',
  isDefault: true,
});

function databaseRow({ name, aliases, isWriter, isDefault }: DatabaseDescription, address: string | null): Row {
  return rowOf('databases', {
    name,
    type: 'standard',
    aliases: [...aliases],
    access: isWriter ? 'read-write' : 'read-only',
    address,
    role: isWriter ? 'primary' : 'secondary',
    writer: isWriter,
    requestedStatus: 'online',
    currentStatus: 'online',
    statusMessage: '',
    default: isDefault,
    home: isDefault,
    constituents: [],
  });
}
