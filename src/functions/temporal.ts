/** Facts of constructors of temporal values and durations, truncation, and durations between two values. */
import type { FunctionTable, TypeName } from './facts.ts';
import { checkedWhenCalled, optional, PURE, parameter } from './parameters.ts';

const INSTANTS: readonly TypeName[] = ['Date', 'Time', 'LocalTime', 'DateTime', 'LocalDateTime'];

/** Facts of a constructor from a map. Components that the map leaves out come from the clock of the statement. */
function constructor(returns: TypeName) {
  return {
    ...PURE,
    determinism: 'statement',
    parameters: [checkedWhenCalled(optional('input', 'String', 'Map', ...INSTANTS))],
    returns,
    cost: { linearIn: ['input'] },
    category: 'Temporal',
    description: `A ${returns} from text, from a map of components or from another temporal value; without argument, now.`,
  } as const;
}

const ZONE = [checkedWhenCalled(optional('timezone', 'String', 'Map'))] as const;

/** Facts of a function that reads a clock which stands still during a statement or a transaction. */
function stoppedClock(clock: 'statement' | 'transaction', returns: TypeName) {
  return {
    ...PURE,
    determinism: 'statement',
    parameters: ZONE,
    returns,
    cost: 'constant',
    category: 'Temporal',
    description: `The current ${returns} by the ${clock} clock.`,
  } as const;
}

function runningClock(returns: TypeName) {
  return {
    ...PURE,
    determinism: 'clock',
    parameters: ZONE,
    returns,
    cost: 'constant',
    category: 'Temporal',
    description: `The current ${returns} by the realtime clock.`,
  } as const;
}

function truncation(returns: TypeName) {
  return {
    ...PURE,
    determinism: 'statement',
    parameters: [
      checkedWhenCalled(parameter('unit', 'String')),
      checkedWhenCalled(optional('input', ...INSTANTS)),
      checkedWhenCalled(optional('fields', 'Map')),
    ],
    returns,
    cost: { linearIn: ['fields'] },
    category: 'Temporal',
    description: 'The start of a unit of time, with single components set.',
  } as const;
}

function between(description: string) {
  return {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('from', ...INSTANTS)), checkedWhenCalled(parameter('to', ...INSTANTS))],
    returns: 'Duration',
    cost: 'constant',
    category: 'Duration',
    description,
  } as const;
}

/** The facts of functions on temporal values. */
export const temporalFacts = {
  date: constructor('Date'),
  'date.statement': stoppedClock('statement', 'Date'),
  'date.transaction': stoppedClock('transaction', 'Date'),
  'date.realtime': runningClock('Date'),
  'date.truncate': truncation('Date'),
  localtime: constructor('LocalTime'),
  'localtime.statement': stoppedClock('statement', 'LocalTime'),
  'localtime.transaction': stoppedClock('transaction', 'LocalTime'),
  'localtime.realtime': runningClock('LocalTime'),
  'localtime.truncate': truncation('LocalTime'),
  time: constructor('Time'),
  'time.statement': stoppedClock('statement', 'Time'),
  'time.transaction': stoppedClock('transaction', 'Time'),
  'time.realtime': runningClock('Time'),
  'time.truncate': truncation('Time'),
  localdatetime: constructor('LocalDateTime'),
  'localdatetime.statement': stoppedClock('statement', 'LocalDateTime'),
  'localdatetime.transaction': stoppedClock('transaction', 'LocalDateTime'),
  'localdatetime.realtime': runningClock('LocalDateTime'),
  'localdatetime.truncate': truncation('LocalDateTime'),
  datetime: constructor('DateTime'),
  'datetime.statement': stoppedClock('statement', 'DateTime'),
  'datetime.transaction': stoppedClock('transaction', 'DateTime'),
  'datetime.realtime': runningClock('DateTime'),
  'datetime.truncate': truncation('DateTime'),
  'datetime.fromepoch': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('seconds', 'Integer')), checkedWhenCalled(parameter('nanoseconds', 'Integer'))],
    returns: 'DateTime',
    cost: 'constant',
    category: 'Temporal',
    description: 'The DateTime so many seconds and nanoseconds after 1970-01-01T00:00Z.',
  },
  'datetime.fromepochmillis': {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('milliseconds', 'Integer'))],
    returns: 'DateTime',
    cost: 'constant',
    category: 'Temporal',
    description: 'The DateTime so many milliseconds after 1970-01-01T00:00Z.',
  },
  duration: {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('input', 'String', 'Map', 'Duration'))],
    returns: 'Duration',
    cost: { linearIn: ['input'] },
    category: 'Duration',
    description: 'A duration from text or from a map of components.',
  },
  'duration.between': between('The duration in months, days and seconds.'),
  'duration.inMonths': between('The duration in whole months.'),
  'duration.inDays': between('The duration in whole days.'),
  'duration.inSeconds': between('The duration in seconds.'),
} as const satisfies FunctionTable;
