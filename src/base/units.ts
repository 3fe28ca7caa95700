/** Parsers of durations, sizes and counts as users write them in flags and variables. Each throws ARGUMENT_ERROR for anything else. */
import { GraphDBError } from './errors.ts';

const MILLISECONDS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** The longest duration: timers take a signed 32-bit count of milliseconds, some 24 days. */
const LONGEST_DURATION_MS = 2 ** 31 - 1;

const BYTES = new Map([
  ['', 1],
  ['B', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

/** Parses `500ms`, `30s`, `5m`, `2h`, `0s`. Returns milliseconds. */
export function parseDurationMs(text: string): number {
  const match = /^(\d{1,12})(ms|s|m|h)$/.exec(text);
  const unit = MILLISECONDS.get(match?.[2] ?? '');
  if (unit === undefined) throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a duration (500ms, 30s, 5m, 0s)`);
  const duration = Number(match?.[1]) * unit;
  if (duration > LONGEST_DURATION_MS) throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is longer than 24 days`);
  return duration;
}

/** Parses `1048576`, `64MiB`. Returns bytes, at least one. */
export function parseSizeBytes(text: string): number {
  const match = /^(\d{1,16})(B|KiB|MiB|GiB|TiB)?$/.exec(text);
  const bytes = match === null ? Number.NaN : Number(match[1]) * (BYTES.get(match[2] ?? '') ?? Number.NaN);
  if (!Number.isSafeInteger(bytes) || bytes === 0) {
    throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a size (bytes, or 64KiB, 64MiB, 2GiB)`);
  }
  return bytes;
}

const MOST_THREADS = 256;

/** Parses a number of threads, `0` to `256`. */
export function parseThreadCount(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MOST_THREADS) return count;
  throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a number of threads (0 to ${MOST_THREADS})`);
}
