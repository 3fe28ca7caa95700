/** The columns of each SHOW command, in order, as Neo4j 5 names them; `shown` ones are returned without YIELD too. */
import type { Right } from '../../../base/index.ts';
import type { ShowCommand } from '../../ast.ts';

const NAMES = {
  indexes: {
    shown: [
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
      'lastRead',
      'readCount',
    ],
    hidden: ['trackedSince', 'options', 'failureMessage', 'createStatement'],
  },
  constraints: {
    shown: ['id', 'name', 'type', 'entityType', 'labelsOrTypes', 'properties', 'ownedIndex', 'propertyType'],
    hidden: ['options', 'createStatement'],
  },
  databases: {
    shown: [
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
    hidden: [
      'databaseID',
      'serverID',
      'requestedPrimariesCount',
      'requestedSecondariesCount',
      'currentPrimariesCount',
      'currentSecondariesCount',
      'creationTime',
      'lastStartTime',
      'lastStopTime',
      'store',
      'lastCommittedTxn',
      'replicationLag',
      'options',
    ],
  },
  procedures: {
    shown: ['name', 'description', 'mode', 'worksOnSystem'],
    hidden: [
      'signature',
      'argumentDescription',
      'returnDescription',
      'admin',
      'rolesExecution',
      'rolesBoostedExecution',
      'isDeprecated',
      'deprecatedBy',
      'option',
    ],
  },
  functions: {
    shown: ['name', 'category', 'description'],
    hidden: [
      'signature',
      'isBuiltIn',
      'argumentDescription',
      'returnDescription',
      'aggregating',
      'rolesExecution',
      'rolesBoostedExecution',
      'isDeprecated',
      'deprecatedBy',
    ],
  },
  transactions: {
    shown: [
      'database',
      'transactionId',
      'currentQueryId',
      'connectionId',
      'clientAddress',
      'username',
      'currentQuery',
      'startTime',
      'status',
      'elapsedTime',
    ],
    hidden: [
      'outerTransactionId',
      'metaData',
      'parameters',
      'planner',
      'runtime',
      'indexes',
      'currentQueryStartTime',
      'protocol',
      'requestUri',
      'statusDetails',
      'resourceInformation',
      'activeLockCount',
      'currentQueryActiveLockCount',
      'cpuTime',
      'waitTime',
      'idleTime',
    ],
  },
  terminations: { shown: ['transactionId', 'username', 'message'], hidden: [] },
  settings: {
    shown: ['name', 'value', 'isDynamic', 'defaultValue', 'description'],
    hidden: ['startupValue', 'isExplicitlySet', 'validValues', 'isDeprecated'],
  },
  users: { shown: ['user', 'roles', 'passwordChangeRequired', 'suspended', 'home'], hidden: [] },
} as const satisfies Readonly<Record<ShowCommand['what'], { readonly shown: readonly string[]; readonly hidden: readonly string[] }>>;

/** The column names of one SHOW command. */
export type ShowField<What extends ShowCommand['what']> = (typeof NAMES)[What]['shown' | 'hidden'][number];

/** The right that a caller needs for each listing. Callers see and terminate only the transactions that are theirs to see. */
export const SHOW_RIGHTS: Readonly<Record<ShowCommand['what'], Right>> = {
  indexes: 'read',
  constraints: 'read',
  databases: 'read',
  procedures: 'read',
  functions: 'read',
  transactions: 'read',
  terminations: 'read',
  settings: 'operate',
  users: 'read',
};

/** A column of SHOW. */
export interface ShowColumn {
  readonly name: string;
  readonly shown: boolean;
}

/** Returns the columns of a SHOW command. */
export function showColumns(what: ShowCommand['what']): readonly ShowColumn[] {
  const { shown, hidden } = NAMES[what];
  return [...shown.map((name) => ({ name, shown: true })), ...hidden.map((name) => ({ name, shown: false }))];
}
