/** Facts of `apoc.date.*` and `apoc.temporal.*`: times as numbers since 1970, and as text by the patterns of Java's DateTimeFormatter. */
import type { FunctionTable } from '../facts.ts';
import { optional, parameter } from '../parameters.ts';
import { propagating, takingNulls } from './rows.ts';

const strict = propagating('Temporal');
const time = parameter('time', 'Integer');
const unit = optional('unit', 'String');
const text = parameter('text', 'String');
const format = optional('format', 'String');
const timezone = optional('timezone', 'String');
const ofText = { linearIn: ['text'] } as const;

/** The facts of `apoc.date.*` and `apoc.temporal.*`. */
export const dateFacts = {
  'apoc.date.add': strict(
    [time, parameter('unit', 'String'), parameter('addValue', 'Integer'), parameter('addUnit', 'String')],
    'Integer',
    'constant',
    'The time, with so many units added.',
  ),
  'apoc.date.convert': strict(
    [time, parameter('unit', 'String'), parameter('toUnit', 'String')],
    'Integer',
    'constant',
    'The time in another unit, rounded towards 0.',
  ),
  'apoc.date.convertFormat': strict(
    [text, parameter('currentFormat', 'String'), optional('convertTo', 'String')],
    'String',
    ofText,
    'The time that a text tells, by another pattern.',
  ),
  'apoc.date.currentTimestamp': {
    ...takingNulls('Temporal')([], 'Integer', 'constant', 'Milliseconds since 1970, now.'),
    determinism: 'clock',
  },
  'apoc.date.field': strict(
    [time, unit, timezone],
    'Integer',
    'constant',
    'One field of a time in milliseconds: year, month, day, hour, minute, second or ms.',
  ),
  'apoc.date.fields': strict([text, format], 'Map', ofText, 'The fields of the time that a text tells.'),
  'apoc.date.format': strict(
    [time, unit, optional('format', 'String'), timezone],
    'String',
    { linearIn: ['format'] },
    'The time as a text, by a pattern such as yyyy-MM-dd HH:mm:ss.',
  ),
  'apoc.date.fromISO8601': strict([text], 'Integer', ofText, 'Milliseconds since 1970 of a text such as 2021-01-01T00:00:00.000Z.'),
  'apoc.date.parse': strict(
    [text, unit, format, timezone],
    'Integer',
    ofText,
    'The time that a text tells by a pattern, in a unit, milliseconds where none is given.',
  ),
  'apoc.date.toISO8601': strict([time, unit], 'String', 'constant', 'The time as a text such as 2021-01-01T00:00:00.000Z.'),
  'apoc.temporal.format': strict(
    [parameter('temporal', 'Date', 'Time', 'LocalTime', 'DateTime', 'LocalDateTime'), format],
    'String',
    'constant',
    'A temporal value as a text, by a pattern.',
  ),
} as const satisfies FunctionTable;
