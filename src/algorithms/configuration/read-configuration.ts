/** Reads a configuration by its table of fields: all of it is checked before anything is done. */
import { argumentFault, type Value, type ValueMap } from '../../value/index.ts';
import type { Configured, Fields } from './fields.ts';

/** A configuration that was read and checked. */
export interface ReadConfiguration<F extends Fields> {
  readonly values: Configured<F>;
  /** The configuration as it was given, together with the defaults. */
  readonly shown: ValueMap;
}

/** Reads and checks a configuration. @throws TYPE_ERROR, ARGUMENT_ERROR when a key is unknown or missing, or a value does not fit */
export function readConfiguration<F extends Fields>(fields: F, given: ReadonlyMap<string, Value>): ReadConfiguration<F> {
  checkKeys(Object.keys(fields), [...given.keys()]);
  const values: Record<string, unknown> = {};
  const shown: ValueMap = new Map();
  for (const [name, field] of Object.entries(fields)) {
    const value = given.get(name);
    if (value === undefined || (value === null && field.default !== undefined)) {
      if (field.default === undefined) throw missing(name, [...given.keys()]);
      values[name] = field.default;
      const value = field.show(field.default);
      if (value !== null) shown.set(name, value);
    } else {
      values[name] = field.read(name, value);
      shown.set(name, value);
    }
  }
  return { values: values as Configured<F>, shown }; // as: each field has read its own
}

function checkKeys(known: readonly string[], given: readonly string[]): void {
  const unknown = given.filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const described = unknown.map((key) => {
    const near = similar(key, known);
    return near.length === 0 ? key : `${key} (Did you mean [${near.join(', ')}]?)`;
  });
  throw argumentFault(`Unexpected configuration key${unknown.length === 1 ? '' : 's'}: ${described.join(', ')}`);
}

function missing(name: string, given: readonly string[]): Error {
  const near = similar(name, given);
  const hint = near.length === 0 ? '' : ` (a similar parameter exists: [${near.join(', ')}])`;
  return argumentFault(`No value specified for the mandatory configuration parameter \`${name}\`${hint}`);
}

/** Returns up to three names whose letter pairs resemble those of the name (Dice's coefficient of 0.6 or more), the nearest first. */
function similar(name: string, names: readonly string[]): string[] {
  return names
    .map((each) => ({ each, score: dice(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ each }) => each);
}

function dice(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2 || a.length > 64 || b.length > 64) return 0;
  const pairs = new Map<string, number>();
  for (let i = 1; i < a.length; i++) pairs.set(a.slice(i - 1, i + 1), (pairs.get(a.slice(i - 1, i + 1)) ?? 0) + 1);
  let common = 0;
  for (let i = 1; i < b.length; i++) {
    const left = pairs.get(b.slice(i - 1, i + 1)) ?? 0;
    if (left === 0) continue;
    pairs.set(b.slice(i - 1, i + 1), left - 1);
    common++;
  }
  return (2 * common) / (a.length + b.length - 2);
}
