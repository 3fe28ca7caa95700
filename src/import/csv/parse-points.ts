/**
 * Parses points from the text of a field, as neo4j-admin writes them: `{latitude: 12.0, longitude: 55.0}`, `{x: 1, y:
 * 2, crs: cartesian}`. Keys and the name of the system may stand in quotes. Values that the header gives
 * (`at:point{crs:WGS-84}`) apply to fields that do not give them.
 */
import { GraphDBError } from '../../base/index.ts';
import { makeFloat, pointFromMap, type Value } from '../../value/index.ts';
import { floatOf } from './parse-floats.ts';
import { integerOf } from './parse-integers.ts';

/** Keys of a point that a header may give. */
export const POINT_OPTIONS = ['crs', 'srid', 'x', 'y', 'z', 'longitude', 'latitude', 'height'] as const;

/** The defaults that a header gives for points, by key. */
export type PointDefaults = ReadonlyMap<string, string>;

/** Parses a point. @throws ARGUMENT_ERROR that says what is wrong with the text */
export function pointOf(text: string, defaults: PointDefaults): Value {
  const body = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (body === undefined) throw refusal(text);
  const members = membersOf(text, body);
  const statesSystem = members.has('crs') || members.has('srid');
  for (const [key, value] of defaults) {
    const isOverridden = members.has(key) || (statesSystem && (key === 'crs' || key === 'srid'));
    if (!isOverridden) members.set(key, value);
  }
  return pointFromMap(new Map(Array.from(members, ([key, value]) => [key, memberOf(text, key, value)])));
}

function membersOf(text: string, body: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const part of body.split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf(':');
    if (at < 0) throw refusal(text);
    const key = unquoted(part.slice(0, at)).toLowerCase();
    if (members.has(key)) throw new GraphDBError('ARGUMENT_ERROR', `${JSON.stringify(text)} has its ${key} twice`);
    members.set(key, unquoted(part.slice(at + 1)));
  }
  return members;
}

function memberOf(text: string, key: string, value: string): Value {
  if (key === 'srid') return integerOf(value) ?? refuse(text);
  if (key === 'crs' || !(POINT_OPTIONS as readonly string[]).includes(key)) return value;
  const number = floatOf(value);
  return number === null ? refuse(text) : makeFloat(number);
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^(['"`])(.*)\1$/s.exec(trimmed)?.[2] ?? trimmed;
}

function refuse(text: string): never {
  throw refusal(text);
}

function refusal(text: string): GraphDBError {
  return new GraphDBError(
    'ARGUMENT_ERROR',
    `${JSON.stringify(text)} is not a Point such as {x: 1.0, y: 2.0} or {longitude: 12.5, latitude: 55.0}`,
  );
}
