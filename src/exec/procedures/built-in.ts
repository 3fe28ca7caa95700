/** The procedures that tools call when they connect, with the names and columns of Neo4j, and the list of all procedures. */
import { GraphDBError, REPORTED_VERSION, REPORTED_VERSION_SETTING, type ShownSetting, VERSION } from '../../base/index.ts';
import { quoted, type Value } from '../../value/index.ts';
import { wrongArgument } from '../functions/arguments.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { ownsIndex } from '../schema/constraint-types.ts';
import { BOLT_ADDRESS, boltAddressOf } from '../schema/database-description.ts';
import { changeProcedures } from './change-procedures.ts';
import { checkingProcedures } from './checking-procedures.ts';
import { creatingProcedures } from './creating-procedures.ts';
import { fulltextProcedures } from './fulltext-procedures.ts';
import { gdsProcedures } from './gds/index.ts';
import { hybridProcedure } from './hybrid-procedure.ts';
import { neighbourProcedures } from './neighbour-procedures.ts';
import { nestedStatements } from './nested-statements.ts';
import { pathProcedures } from './paths/index.ts';
import { refactoringProcedures } from './refactoring-procedures.ts';
import { reshapingProcedures } from './reshaping-procedures.ts';
import { schemaAssertion } from './schema-assertion.ts';
import { schemaProcedures } from './schema-procedures.ts';
import { vectorProcedures } from './vector-procedures.ts';
import { writingProcedures } from './writing-procedures.ts';

const one = (name: string, type: string) => [{ name, type }];

/**
 * Yields the names in a table of symbols that are in use.
 *
 * @param uses returns the possible uses of a name; it is in use if `isInUse` holds for one of them
 */
function* names<Use>(
  { worked }: ProcedureContext,
  table: { readonly size: number; name(id: number): string },
  uses: (id: number) => readonly Use[],
  isInUse: (use: Use) => boolean,
): Generator<string[] | null> {
  for (let id = 0; id < table.size; id++) {
    const found = uses(id);
    if (worked(1 + found.length)) yield null;
    if (found.some(isInUse)) yield [table.name(id)];
  }
}

const hasRows = (table: { readonly liveCount: number } | undefined): boolean => table !== undefined && table.liveCount > 0;

/** Yields the property keys that some table has a column of. Keys that only statements which failed have used have none. */
function* propertyKeys(context: ProcedureContext): Generator<string[] | null> {
  const { view, worked } = context;
  const present = new Set<number>();
  for (const table of [...view.nodeTables, ...view.relationshipTables]) {
    const keys = table?.presentKeys ?? [];
    if (worked(1 + keys.length)) yield null;
    for (const key of keys) present.add(key);
  }
  const isPresent = (id: number): boolean => present.has(id);
  yield* names(context, view.keys, (id) => [id], isPresent);
}

function reportedVersionOf({ settings }: Pick<ProcedureContext, 'settings'>): string {
  return settings().find(({ name }) => name === REPORTED_VERSION_SETTING)?.value ?? REPORTED_VERSION;
}

function checkedSetting(settings: readonly ShownSetting[], name: Value | undefined, value: Value | undefined): Value[] {
  if (typeof name !== 'string') throw wrongArgument('dbms.checkConfigValue', 'a String', name ?? null);
  if (typeof value !== 'string') throw wrongArgument('dbms.checkConfigValue', 'a String', value ?? null);
  const setting = settings.find((each) => each.name === name);
  if (setting === undefined) return [false, `there is no setting ${quoted(name)}; SHOW SETTINGS lists them`];
  try {
    setting.check(value);
  } catch (error) {
    if (error instanceof GraphDBError && error.code === 'ARGUMENT_ERROR') return [false, error.message];
    throw error;
  }
  return [true, 'requires restart'];
}

/** Returns no rows. @throws ENTITY_NOT_FOUND if there is no index of that name, TYPE_ERROR if the name is no String */
function rowsOfKnownIndex(procedure: string, { view: { schema } }: ProcedureContext, name: Value | undefined): Value[][] {
  if (typeof name !== 'string') throw wrongArgument(procedure, 'a String', name ?? null);
  const owners = schema.constraints.filter(ownsIndex);
  if (![...schema.indexes, ...owners].some((index) => index.name === name))
    throw new GraphDBError('ENTITY_NOT_FOUND', `there is no index named ${name}`);
  return [];
}

/** All procedures: those that tools call when they connect, and those of the other files of this folder. */
export const builtInProcedures: readonly Procedure[] = [
  {
    name: 'db.labels',
    inputs: [],
    outputs: one('label', 'STRING'),
    mode: 'READ',
    description: 'Every label that a node has.',
    call: (context) => names(context, context.view.labels, (id) => context.view.tablesWithLabel(id), hasRows),
  },
  {
    name: 'db.relationshipTypes',
    inputs: [],
    outputs: one('relationshipType', 'STRING'),
    mode: 'READ',
    description: 'Every type that a relationship has.',
    call: (context) => names(context, context.view.types, (id) => [context.view.relationshipTables[id]], hasRows),
  },
  {
    name: 'db.propertyKeys',
    inputs: [],
    outputs: one('propertyKey', 'STRING'),
    mode: 'READ',
    description: 'Every property key that a node or relationship has; one that none has any more may stay for a while.',
    call: propertyKeys,
  },
  {
    name: 'db.ping',
    inputs: [],
    outputs: one('success', 'BOOLEAN'),
    mode: 'READ',
    description: 'Answers true.',
    call: () => [[true]],
  },
  {
    name: 'dbms.components',
    inputs: [],
    outputs: [
      { name: 'name', type: 'STRING' },
      { name: 'versions', type: 'LIST<STRING>' },
      { name: 'edition', type: 'STRING' },
    ],
    mode: 'DBMS',
    description: 'What this server is: first the version of Neo4j whose features it has, then its own.',
    readsSettings: true,
    call: (context): Value[][] => [
      ['Neo4j Kernel', [reportedVersionOf(context)], 'community'],
      ['GraphDB', [VERSION], 'community'],
    ],
  },
  {
    name: 'dbms.licenseAgreementDetails',
    inputs: [],
    outputs: [
      { name: 'status', type: 'STRING' },
      { name: 'daysLeftOnTrial', type: 'INTEGER' },
      { name: 'totalTrialDays', type: 'INTEGER' },
    ],
    mode: 'DBMS',
    description: 'Whether a license has been agreed to: none is needed.',
    call: (): Value[][] => [['yes', 0, 0]],
  },
  {
    name: 'dbms.clientConfig',
    inputs: [],
    outputs: [
      { name: 'name', type: 'STRING' },
      { name: 'description', type: 'STRING' },
      { name: 'value', type: 'STRING' },
      { name: 'dynamic', type: 'BOOLEAN' },
    ],
    mode: 'DBMS',
    readsSettings: true,
    description: 'What browsers are to do.',
    call: ({ settings }): Value[][] => [
      ['browser.allow_outgoing_connections', 'Whether browsers may load what lies elsewhere.', 'false', false],
      ['browser.credential_timeout', 'How long browsers keep credentials; 0: until they are closed.', '0', false],
      ['browser.remote_content_hostname_whitelist', 'Where browsers may load guides from.', '', false],
      ['browser.retain_connection_credentials', 'Whether browsers keep credentials.', 'true', false],
      ['browser.retain_editor_history', 'Whether browsers keep what was typed.', 'true', false],
      [BOLT_ADDRESS, 'Where Bolt is served.', boltAddressOf(settings()) ?? '', false],
    ],
  },
  {
    name: 'dbms.checkConfigValue',
    inputs: [
      { name: 'setting', type: 'STRING' },
      { name: 'value', type: 'STRING' },
    ],
    outputs: [
      { name: 'valid', type: 'BOOLEAN' },
      { name: 'message', type: 'STRING' },
    ],
    mode: 'DBMS',
    readsSettings: true,
    description: 'Whether a setting could have a value; it would have it from the next start on.',
    call: ({ settings }, [name, value]) => [checkedSetting(settings(), name, value)],
  },
  {
    name: 'dbms.showCurrentUser',
    inputs: [],
    outputs: [
      { name: 'username', type: 'STRING' },
      { name: 'roles', type: 'LIST<STRING>' },
      { name: 'flags', type: 'LIST<STRING>' },
    ],
    mode: 'DBMS',
    description: 'Who is asking: there is one user.',
    call: (): Value[][] => [['neo4j', ['admin'], []]],
  },
  {
    name: 'db.awaitIndexes',
    inputs: [{ name: 'timeOutSeconds', type: 'INTEGER', default: 300 }],
    outputs: [],
    mode: 'READ',
    description: 'Waits until indexes are ready, which they are when they have been created.',
    call: () => [],
  },
  {
    name: 'db.awaitIndex',
    inputs: [
      { name: 'indexName', type: 'STRING' },
      { name: 'timeOutSeconds', type: 'INTEGER', default: 300 },
    ],
    outputs: [],
    mode: 'READ',
    description: 'Waits until an index is ready, which it is when it has been created.',
    call: (context, [name]) => rowsOfKnownIndex('db.awaitIndex', context, name),
  },
  {
    name: 'db.resampleIndex',
    inputs: [{ name: 'indexName', type: 'STRING' }],
    outputs: [],
    mode: 'READ',
    description: 'Has the statistics of an index made again, which are always those of the data.',
    call: (context, [name]) => rowsOfKnownIndex('db.resampleIndex', context, name),
  },
  {
    name: 'db.resampleOutdatedIndexes',
    inputs: [],
    outputs: [],
    mode: 'READ',
    description: 'Has outdated statistics of indexes made again; none are ever outdated.',
    call: () => [],
  },
  ...neighbourProcedures,
  ...schemaProcedures,
  ...vectorProcedures,
  ...writingProcedures,
  ...fulltextProcedures,
  hybridProcedure,
  ...refactoringProcedures,
  ...creatingProcedures,
  ...changeProcedures,
  schemaAssertion,
  ...nestedStatements,
  ...pathProcedures,
  ...reshapingProcedures,
  ...checkingProcedures,
  ...gdsProcedures,
];
