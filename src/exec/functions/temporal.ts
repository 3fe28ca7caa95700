/** Constructors of temporal values and durations, truncation, and durations between. */
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
import { define, optional, parameter } from './define.ts';
import type { FunctionContext, FunctionDefinition, TypeHint } from './definition.ts';

const POINTS: readonly TypeHint[] = ['Date', 'Time', 'LocalTime', 'DateTime', 'LocalDateTime'];
const RETURNS: Readonly<Record<TemporalKind, TypeHint>> = {
  date: 'Date',
  localtime: 'LocalTime',
  time: 'Time',
  localdatetime: 'LocalDateTime',
  datetime: 'DateTime',
};

type Clock = (context: FunctionContext) => Instant;
const statementClock: Clock = (context) => context.statementTime;
const CLOCKS: Readonly<Record<string, Clock>> = {
  statement: statementClock,
  transaction: (context) => context.transactionTime,
  realtime: (context) => context.realTime(),
};

/** No argument: now. A map with nothing but a time zone: now, there. */
function construct(kind: TemporalKind, context: FunctionContext, input: Value | undefined): Temporal {
  const now = context.statementTime;
  if (input === undefined) return temporalFromInstant(kind, now, UTC);
  if (typeof input === 'string') return parseTemporal(kind, input);
  if (isTemporal(input)) return temporalFromTemporal(kind, input, now);
  if (!(input instanceof Map)) throw wrongArgument(kind, 'a String, a Map or a temporal value', input);
  if (input.size === 1 && input.has('timezone'))
    return temporalFromInstant(kind, now, parseZone(stringArgument(kind, input.get('timezone') as Value)));
  return temporalFromMap(kind, input, now);
}

/** What a clock shows, in UTC or in a zone given as text or as `{timezone: …}`. */
function readClock(name: string, kind: TemporalKind, now: Instant, zone: Value | undefined): Temporal {
  const text = zone instanceof Map ? (zone.get('timezone') ?? null) : zone;
  return temporalFromInstant(kind, now, text === undefined ? UTC : parseZone(stringArgument(name, text)));
}

function truncate(kind: TemporalKind, context: FunctionContext, unit: Value, value: Value | undefined, fields: Value | undefined): Value {
  const name = `${kind}.truncate`;
  const now = context.statementTime;
  const input = value ?? temporalFromInstant(kind, now, UTC);
  if (!isTemporal(input)) throw wrongArgument(name, 'a temporal value', input);
  if (fields !== undefined && !(fields instanceof Map)) throw wrongArgument(name, 'a Map', fields);
  return truncateTemporal(kind, stringArgument(name, unit), input, fields ?? new Map(), now);
}

function functionsOf(kind: TemporalKind): FunctionDefinition[] {
  const returns = RETURNS[kind];
  return [
    define({
      name: kind,
      parameters: [optional('input', 'String', 'Map', ...POINTS)],
      returns,
      category: 'Temporal',
      description: `A ${returns} from text, from a map of components or from another temporal value; without argument, now.`,
      volatile: true,
      evaluate: (context, input) => construct(kind, context, input),
    }),
    ...Object.entries(CLOCKS).map(([clock, read]) =>
      define({
        name: `${kind}.${clock}`,
        parameters: [optional('timezone', 'String', 'Map')],
        returns,
        category: 'Temporal',
        description: `The current ${returns} by the ${clock} clock.`,
        volatile: true,
        evaluate: (context, zone) => readClock(`${kind}.${clock}`, kind, read(context), zone),
      }),
    ),
    define({
      name: `${kind}.truncate`,
      parameters: [parameter('unit', 'String'), optional('input', ...POINTS), optional('fields', 'Map')],
      returns,
      category: 'Temporal',
      description: 'The start of a unit of time, with single components set.',
      volatile: true,
      evaluate: (context, unit, value, fields) => truncate(kind, context, unit, value, fields),
    }),
  ];
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

function epochNumber(name: string, value: Value): number {
  const integer = integerArgument(name, value);
  if (typeof integer === 'bigint') throw argumentFault(`${integer} is out of the range of ${name}()`, 'NumberOutOfRange');
  return integer;
}

function between(name: string, description: string, compute: (from: Temporal, to: Temporal) => CypherDuration): FunctionDefinition {
  return define({
    name,
    parameters: [parameter('from', ...POINTS), parameter('to', ...POINTS)],
    returns: 'Duration',
    category: 'Duration',
    description,
    evaluate: (_, from, to) => compute(pointArgument(name, from), pointArgument(name, to)),
  });
}

function pointArgument(name: string, value: Value): Temporal {
  if (!isTemporal(value)) throw wrongArgument(name, 'a temporal value', value);
  return value;
}

export const temporalFunctions: readonly FunctionDefinition[] = [
  ...(['date', 'localtime', 'time', 'localdatetime', 'datetime'] as const).flatMap(functionsOf),
  define({
    name: 'datetime.fromepoch',
    parameters: [parameter('seconds', 'Integer'), parameter('nanoseconds', 'Integer')],
    returns: 'DateTime',
    category: 'Temporal',
    description: 'The DateTime so many seconds and nanoseconds after 1970-01-01T00:00Z.',
    evaluate: (_, seconds, nanoseconds) => fromEpoch(seconds, nanoseconds),
  }),
  define({
    name: 'datetime.fromepochmillis',
    parameters: [parameter('milliseconds', 'Integer')],
    returns: 'DateTime',
    category: 'Temporal',
    description: 'The DateTime so many milliseconds after 1970-01-01T00:00Z.',
    evaluate: (_, milliseconds) => fromEpochMillis(milliseconds),
  }),
  define({
    name: 'duration',
    parameters: [parameter('input', 'String', 'Map', 'Duration')],
    returns: 'Duration',
    category: 'Duration',
    description: 'A duration from text or from a map of components.',
    evaluate: (_, input) => durationFrom(input),
  }),
  between('duration.between', 'The duration in months, days and seconds.', durationBetween),
  between('duration.inMonths', 'The duration in whole months.', durationInMonths),
  between('duration.inDays', 'The duration in whole days.', durationInDays),
  between('duration.inSeconds', 'The duration in seconds.', durationInSeconds),
];
