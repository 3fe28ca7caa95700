/** The columns of each SHOW command, in order, as Neo4j 5 names them; `shown`: without YIELD too. */
import type { ShowCommand } from '../ast.ts';

export interface ShowColumn {
  readonly name: string;
  readonly shown: boolean;
}

/** Names before the bar are shown, those behind it only when yielded. */
function columns(list: string): readonly ShowColumn[] {
  const [shown = '', hidden = ''] = list.split('|');
  const names = (part: string): string[] => part.split(' ').filter((name) => name !== '');
  return [...names(shown).map((name) => ({ name, shown: true })), ...names(hidden).map((name) => ({ name, shown: false }))];
}

export const SHOW_COLUMNS: Readonly<Record<ShowCommand['what'], readonly ShowColumn[]>> = {
  indexes: columns(
    'id name state populationPercent type entityType labelsOrTypes properties indexProvider owningConstraint lastRead readCount | trackedSince options failureMessage createStatement',
  ),
  constraints: columns('id name type entityType labelsOrTypes properties ownedIndex propertyType | options createStatement'),
  databases: columns(
    'name type aliases access address role writer requestedStatus currentStatus statusMessage default home constituents | databaseID serverID requestedPrimariesCount requestedSecondariesCount currentPrimariesCount currentSecondariesCount creationTime lastStartTime lastStopTime store lastCommittedTxn replicationLag options',
  ),
  procedures: columns(
    'name description mode worksOnSystem | signature argumentDescription returnDescription admin rolesExecution rolesBoostedExecution isDeprecated deprecatedBy option',
  ),
  functions: columns(
    'name category description | signature isBuiltIn argumentDescription returnDescription aggregating rolesExecution rolesBoostedExecution isDeprecated deprecatedBy',
  ),
  transactions: columns(
    'database transactionId currentQueryId connectionId clientAddress username currentQuery startTime status elapsedTime | outerTransactionId metaData parameters planner runtime indexes currentQueryStartTime protocol requestUri statusDetails resourceInformation activeLockCount currentQueryActiveLockCount cpuTime waitTime idleTime',
  ),
  settings: columns('name value isDynamic defaultValue description | startupValue isExplicitlySet validValues isDeprecated'),
  users: columns('user roles passwordChangeRequired suspended home'),
};
