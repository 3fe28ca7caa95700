/** The metadata of SUCCESS after the last record: type, counters, plan, warnings. */
import type { StatementNotification, StatementSummary } from '../engine/index.ts';
import type { PlanDescription } from '../plan/index.ts';
import type { ResultValue } from '../value/index.ts';
import type { NotificationFilter } from './messages.ts';

type Entry = [string, ResultValue];

const TYPES = { read: 'r', 'read-write': 'rw', write: 'w', schema: 's' } as const;

/** Returns the category by which clients switch a warning off: unknown names, deprecated forms, or others. */
function categoryOf({ code }: StatementNotification): string {
  if (code.includes('.Unknown')) return 'UNRECOGNIZED';
  return code.endsWith('.FeatureDeprecationWarning') ? 'DEPRECATION' : 'GENERIC';
}

/** The options of a summary. */
export interface SummaryOptions {
  readonly lastMs: number;
  readonly filter: NotificationFilter;
  readonly database: string;
}

/** Returns the metadata of a finished statement. */
export function summaryMetadata(summary: StatementSummary, { lastMs, filter, database }: SummaryOptions): Entry[] {
  const { type, planTree, notifications = [] } = summary;
  const counters = countersOf(summary);
  const told = notifications.filter((notification) => isWanted(notification, filter));
  return [
    ['type', TYPES[type]],
    ['t_last', lastMs],
    ['db', database],
    ...(counters === null ? [] : [['stats', counters] satisfies Entry]),
    ...(planTree === undefined ? [] : [[planTree.rows === undefined ? 'plan' : 'profile', planMap(planTree, database)] satisfies Entry]),
    ...(told.length === 0 ? [] : [['notifications', told.map(notificationMap)] satisfies Entry]),
  ];
}

/** Returns the counts of changes; null if nothing was changed. */
function countersOf({ writeOutcome, schemaOutcome }: StatementSummary): Map<string, ResultValue> | null {
  const counts: [string, number][] = [
    ['nodes-created', writeOutcome?.nodesCreated ?? 0],
    ['nodes-deleted', writeOutcome?.nodesDeleted ?? 0],
    ['relationships-created', writeOutcome?.edgesCreated ?? 0],
    ['relationships-deleted', writeOutcome?.edgesDeleted ?? 0],
    ['properties-set', writeOutcome?.propertiesSet ?? 0],
    ['labels-added', writeOutcome?.labelsAdded ?? 0],
    ['labels-removed', writeOutcome?.labelsRemoved ?? 0],
    ['indexes-added', schemaOutcome?.indexesAdded ?? 0],
    ['indexes-removed', schemaOutcome?.indexesRemoved ?? 0],
    ['constraints-added', schemaOutcome?.constraintsAdded ?? 0],
    ['constraints-removed', schemaOutcome?.constraintsRemoved ?? 0],
  ];
  const changed = counts.filter(([, count]) => count > 0);
  return changed.length === 0 ? null : new Map<string, ResultValue>([...changed, ['contains-updates', true]]);
}

/**
 * Returns a plan or, with the rows of each operator and its time in nanoseconds, a profile. Accesses to the store are
 * not counted, so they are left out.
 */
function planMap(
  { operator, details, estimatedRows, rows, timeMs, children }: PlanDescription,
  database: string,
): Map<string, ResultValue> {
  const time = timeMs === undefined ? null : Math.round(timeMs * 1e6);
  const args = new Map<string, ResultValue>([
    ['Details', details],
    ['EstimatedRows', estimatedRows],
    ...(rows === undefined ? [] : [['Rows', rows] satisfies Entry]),
    ...(time === null ? [] : [['Time', time] satisfies Entry]),
  ]);
  return new Map<string, ResultValue>([
    ['operatorType', `${operator}@${database}`],
    ['args', args],
    ['identifiers', []],
    ...(rows === undefined ? [] : [['rows', rows] satisfies Entry]),
    ...(time === null ? [] : [['time', time] satisfies Entry]),
    ['children', children.map((child) => planMap(child, database))],
  ]);
}

function notificationMap(notification: StatementNotification): Map<string, ResultValue> {
  const { code, title, description, severity, offset, line, column } = notification;
  return new Map<string, ResultValue>([
    ['code', code],
    ['title', title],
    ['description', description],
    ['severity', severity],
    ['category', categoryOf(notification)],
    [
      'position',
      new Map([
        ['offset', offset],
        ['line', line],
        ['column', column],
      ]),
    ],
  ]);
}

function isWanted(notification: StatementNotification, { minimumSeverity, disabledCategories }: NotificationFilter): boolean {
  if (minimumSeverity === 'OFF' || (minimumSeverity === 'WARNING' && notification.severity !== 'WARNING')) return false;
  return disabledCategories?.includes(categoryOf(notification)) !== true;
}
