/** Dates with their parts and as JavaScript dates, durations, and Integers in the type that a program chooses. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  GraphDBError,
  type OpenOptions,
  open,
} from 'graphdb';

interface Event {
  readonly day: CypherDate;
  readonly at: CypherDateTime;
  readonly lasts: CypherDuration;
}

await using db = await open('memory://pattern-values');
const event: Event = {
  day: CypherDate.fromString('2024-02-29'),
  at: CypherDateTime.fromString('2024-02-29T20:15:00.5+01:00[Europe/Stockholm]'),
  lasts: CypherDuration.fromString('PT1H30M'),
};
await db.query('CREATE (:Event {day: $day, at: $at, lasts: $lasts})', event);
const read = await db.first<Event & { ends: CypherDateTime }>(
  'MATCH (e:Event) RETURN e.day AS day, e.at AS at, e.lasts AS lasts, e.at + e.lasts AS ends',
);
assert.ok(read);
assert.deepEqual([read.day.year, read.day.month, read.day.day], [2024, 2, 29]);
assert.deepEqual(
  [read.at.hour, read.at.minute, read.at.second, read.at.nanosecond, read.at.zone],
  [20, 15, 0, 500_000_000, 'Europe/Stockholm'],
);
assert.equal(read.at.toDate().toISOString(), '2024-02-29T19:15:00.500Z');
assert.equal(read.day.toDate().getTime(), Date.UTC(2024, 1, 29));
assert.equal(read.ends.toDate().getTime() - read.at.toDate().getTime(), 90 * 60_000);
assert.equal(inspect(read.day), "date('2024-02-29')");
assert.equal(inspect({ lasts: read.lasts }), "{ lasts: duration('PT1H30M') }");
assert.equal(CypherLocalDateTime.fromString('2024-01-01T00:00').toDate().getUTCFullYear(), 2024);
assert.deepEqual([CypherLocalTime.fromString('12:31').minute, CypherTime.fromString('12:31+02:00').offsetSeconds], [31, 7_200]);
assert.throws(() => CypherDate.fromString('2023-02-29'), GraphDBError);

const big = 'RETURN 1 AS one, 9007199254740993 AS big, 0.5 AS half';
const rowWith = async (integers: NonNullable<OpenOptions['integers']>) => {
  await using other = await open('memory://pattern-integers', { integers });
  return other.first(big);
};
assert.deepEqual(await rowWith('auto'), { one: 1, big: 9007199254740993n, half: 0.5 });
assert.deepEqual(await rowWith('bigint'), { one: 1n, big: 9007199254740993n, half: 0.5 });
assert.deepEqual(await rowWith('number'), { one: 1, big: 9007199254740992, half: 0.5 });
await assert.rejects(rowWith('error'), { code: 'TYPE_ERROR' });
console.log('values: done');
