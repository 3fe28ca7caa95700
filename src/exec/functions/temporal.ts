/** Constructors of temporal values and durations, truncation, and durations between. */
import type { FunctionName, temporalFacts } from '../../functions/index.ts';
import {
  argumentFault,
  type CypherDuration,
  durationBetween,
  durationFrom,
  durationInDays,
  durationInMonths,
  durationInSeconds,
  type Instant,
  isTemporal,
  parseTemporal,
  parseZone,
  type Temporal,
  type TemporalKind,
  temporalFromInstant,
  temporalFromMap,
  temporalFromTemporal,
  truncateTemporal,
  UTC,
  type Value,
} from '../../value/index.ts';
import { integerArgument, stringArgument, wrongArgument } from './arguments.ts';
import type { Evaluate, FunctionContext, Implementations } from './definition.ts';

/** Makes a temporal value from a text, a map or another one; without an argument, or with only a time zone, from `now`. */
function construct(kind: TemporalKind, now: Instant, input: Value | undefined): Temporal {
  if (input === undefined) return temporalFromInstant(kind, now, UTC);
  if (typeof input === 'string') return parseTemporal(kind, input);
  if (isTemporal(input)) return temporalFromTemporal(kind, input, now);
  if (!(input instanceof Map)) throw wrongArgument(kind, 'a String, a Map or a temporal value', input);
  if (input.size === 1 && input.has('timezone'))
    return temporalFromInstant(kind, now, parseZone(stringArgument(kind, input.get('timezone') as Value)));
  return temporalFromMap(kind, input, now);
}

/** Returns the time of a clock in UTC, or in a zone given as text or as `{timezone: …}`. */
function readClock(name: FunctionName, kind: TemporalKind, now: Instant, zone: Value | undefined): Temporal {
  const text = zone instanceof Map ? (zone.get('timezone') ?? null) : zone;
  return temporalFromInstant(kind, now, text === undefined ? UTC : parseZone(stringArgument(name, text)));
}

function truncate(kind: TemporalKind, now: Instant, unit: Value, value: Value | undefined, fields: Value | undefined): Value {
  const name: FunctionName = `${kind}.truncate`;
  const input = value ?? temporalFromInstant(kind, now, UTC);
  if (!isTemporal(input)) throw wrongArgument(name, 'a temporal value', input);
  if (fields !== undefined && !(fields instanceof Map)) throw wrongArgument(name, 'a Map', fields);
  return truncateTemporal(kind, stringArgument(name, unit), input, fields ?? new Map(), now);
}

type Stopped = Pick<FunctionContext, 'statementTime' | 'transactionTime'>;

function constructor(kind: TemporalKind): Evaluate<Stopped> {
  return (context, input) => construct(kind, context.statementTime, input);
}

function statementClock(kind: TemporalKind): Evaluate<Stopped> {
  return (context, zone) => readClock(`${kind}.statement`, kind, context.statementTime, zone);
}

function transactionClock(kind: TemporalKind): Evaluate<Stopped> {
  return (context, zone) => readClock(`${kind}.transaction`, kind, context.transactionTime, zone);
}

function realtimeClock(kind: TemporalKind): Evaluate<Pick<FunctionContext, 'realTime'>> {
  return (context, zone) => readClock(`${kind}.realtime`, kind, context.realTime(), zone);
}

function truncation(kind: TemporalKind): Evaluate<Stopped> {
  return (context, unit, value, fields) => truncate(kind, context.statementTime, unit, value, fields);
}

function fromEpoch(seconds: Value, nanoseconds: Value): Value {
  const nanos = epochNumber('datetime.fromepoch', nanoseconds);
  const carry = Math.floor(nanos / 1e9);
  const epochSecond = epochNumber('datetime.fromepoch', seconds) + carry;
  return temporalFromInstant('datetime', { epochSecond, nano: nanos - carry * 1e9 }, UTC);
}

function fromEpochMillis(milliseconds: Value): Value {
  const millis = epochNumber('datetime.fromepochmillis', milliseconds);
  const epochSecond = Math.floor(millis / 1000);
  return temporalFromInstant('datetime', { epochSecond, nano: (millis - epochSecond * 1000) * 1e6 }, UTC);
}

function epochNumber(name: FunctionName, value: Value): number {
  const integer = integerArgument(name, value);
  if (typeof integer === 'bigint') throw argumentFault(`${integer} is out of the range of ${name}()`, 'NumberOutOfRange');
  return integer;
}

function between(name: FunctionName, compute: (from: Temporal, to: Temporal) => CypherDuration): Evaluate<unknown> {
  return (_, from, to) => compute(pointArgument(name, from), pointArgument(name, to));
}

function pointArgument(name: FunctionName, value: Value): Temporal {
  if (!isTemporal(value)) throw wrongArgument(name, 'a temporal value', value);
  return value;
}

/** The functions on temporal values and durations. */
export const temporalFunctions: Implementations<typeof temporalFacts> = {
  date: constructor('date'),
  'date.statement': statementClock('date'),
  'date.transaction': transactionClock('date'),
  'date.realtime': realtimeClock('date'),
  'date.truncate': truncation('date'),
  localtime: constructor('localtime'),
  'localtime.statement': statementClock('localtime'),
  'localtime.transaction': transactionClock('localtime'),
  'localtime.realtime': realtimeClock('localtime'),
  'localtime.truncate': truncation('localtime'),
  time: constructor('time'),
  'time.statement': statementClock('time'),
  'time.transaction': transactionClock('time'),
  'time.realtime': realtimeClock('time'),
  'time.truncate': truncation('time'),
  localdatetime: constructor('localdatetime'),
  'localdatetime.statement': statementClock('localdatetime'),
  'localdatetime.transaction': transactionClock('localdatetime'),
  'localdatetime.realtime': realtimeClock('localdatetime'),
  'localdatetime.truncate': truncation('localdatetime'),
  datetime: constructor('datetime'),
  'datetime.statement': statementClock('datetime'),
  'datetime.transaction': transactionClock('datetime'),
  'datetime.realtime': realtimeClock('datetime'),
  'datetime.truncate': truncation('datetime'),
  'datetime.fromepoch': (_, seconds, nanoseconds) => fromEpoch(seconds, nanoseconds),
  'datetime.fromepochmillis': (_, milliseconds) => fromEpochMillis(milliseconds),
  duration: (_, input) => durationFrom(input),
  'duration.between': between('duration.between', durationBetween),
  'duration.inMonths': between('duration.inMonths', durationInMonths),
  'duration.inDays': between('duration.inDays', durationInDays),
  'duration.inSeconds': between('duration.inSeconds', durationInSeconds),
};
