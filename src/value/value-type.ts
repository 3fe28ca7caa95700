/**
 * Types as statements write them, after `IS ::` and in constraints, and the values that belong to them. Null belongs to
 * every type that is not NOT NULL.
 */
import { GraphDBError } from '../base/index.ts';
import { elementsOf } from './collections.ts';
import { typeFault } from './faults.ts';
import { CypherFloat, isFloat, isInteger } from './numbers.ts';
import { Point } from './spatial/point.ts';
import { assertWellFormed } from './strings.ts';
import { typeName } from './type-name.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isTemporal,
  PathValue,
  type Value,
} from './values.ts';

/** A type of values. */
export interface ValueType {
  /** The name in capitals: `INTEGER`, `STRING`, `LIST`, `ANY`, `NODE`, `DATE`, `ZONED DATETIME`, … */
  readonly name: string;
  readonly notNull: boolean;
  readonly element: ValueType | null;
  /** The members of a closed union such as `INTEGER | FLOAT`; null for any other type. */
  readonly alternatives: readonly ValueType[] | null;
}

const TESTS: Readonly<Record<string, (value: Value) => boolean>> = {
  ANY: () => true,
  BOOLEAN: (value) => typeof value === 'boolean',
  STRING: (value) => typeof value === 'string',
  INTEGER: isInteger,
  FLOAT: isFloat,
  NUMBER: (value) => isInteger(value) || isFloat(value),
  BYTES: (value) => value instanceof Uint8Array,
  VECTOR: (value) => value instanceof Float32Array,
  MAP: (value) => value instanceof Map,
  LIST: (value) => Array.isArray(value) || value instanceof Float32Array,
  NODE: (value) => typeName(value) === 'Node',
  RELATIONSHIP: (value) => typeName(value) === 'Relationship',
  PATH: (value) => value instanceof PathValue,
  DATE: (value) => value instanceof CypherDate,
  'LOCAL TIME': (value) => value instanceof CypherLocalTime,
  'ZONED TIME': (value) => value instanceof CypherTime,
  'LOCAL DATETIME': (value) => value instanceof CypherLocalDateTime,
  'ZONED DATETIME': (value) => value instanceof CypherDateTime,
  DURATION: (value) => value instanceof CypherDuration,
  POINT: (value) => value instanceof Point,
  'PROPERTY VALUE': isPropertyValue,
  NULL: () => false,
  NOTHING: () => false,
};

/** Synonyms of type names. */
const SYNONYMS: Readonly<Record<string, string>> = {
  BOOL: 'BOOLEAN',
  VARCHAR: 'STRING',
  INT: 'INTEGER',
  'SIGNED INTEGER': 'INTEGER',
  INT64: 'INTEGER',
  INTEGER64: 'INTEGER',
  FLOAT64: 'FLOAT',
  DOUBLE: 'FLOAT',
  ARRAY: 'LIST',
  VERTEX: 'NODE',
  EDGE: 'RELATIONSHIP',
  'TIME WITHOUT TIMEZONE': 'LOCAL TIME',
  'TIME WITHOUT TIME ZONE': 'LOCAL TIME',
  'TIME WITH TIMEZONE': 'ZONED TIME',
  'TIME WITH TIME ZONE': 'ZONED TIME',
  TIME: 'ZONED TIME',
  'TIMESTAMP WITHOUT TIMEZONE': 'LOCAL DATETIME',
  'TIMESTAMP WITHOUT TIME ZONE': 'LOCAL DATETIME',
  'TIMESTAMP WITH TIMEZONE': 'ZONED DATETIME',
  'TIMESTAMP WITH TIME ZONE': 'ZONED DATETIME',
  DATETIME: 'ZONED DATETIME',
  'ANY VALUE': 'ANY',
  'ANY NODE': 'NODE',
  'ANY RELATIONSHIP': 'RELATIONSHIP',
  'ANY MAP': 'MAP',
  'ANY PROPERTY VALUE': 'PROPERTY VALUE',
};

type TypeTest = (value: Value) => boolean;

/** The tests of types. A list of a million elements tests its element type a million times, so each name is looked up once. */
const known = new WeakMap<ValueType, TypeTest>();

/** Tells whether a value belongs to a type. */
export function isOfType(value: Value, type: ValueType): boolean {
  return testOf(type)(value);
}

function testOf(type: ValueType): TypeTest {
  let test = known.get(type);
  if (test === undefined) {
    test = makeTest(type);
    known.set(type, test);
  }
  return test;
}

function makeTest({ name: written, notNull, element, alternatives }: ValueType): TypeTest {
  if (alternatives !== null) {
    const tests = alternatives.map(testOf);
    return (value) => tests.some((test) => test(value));
  }
  const name = SYNONYMS[written] ?? written;
  const ofNull = !notNull && name !== 'NOTHING';
  const test = TESTS[name] ?? vectorTest(name) ?? refuseUnknown(written);
  if (element === null) return (value) => (value === null ? ofNull : test(value));
  const ofElement = testOf(element);
  return (value) => (value === null ? ofNull : test(value) && (elementsOf(value)?.every(ofElement) ?? true));
}

/** Returns the test for `VECTOR<FLOAT32>(3)` or a part of it; undefined for another name. Coordinates are FLOAT32 only. */
function vectorTest(name: string): TypeTest | undefined {
  const parts = /^VECTOR(?:<(\w+)>)?(?:\((\d+)\))?$/.exec(name);
  if (parts === null) return undefined;
  const [, coordinates = 'FLOAT32', dimension] = parts;
  return (value) =>
    value instanceof Float32Array && coordinates === 'FLOAT32' && (dimension === undefined || value.length === Number(dimension));
}

function refuseUnknown(name: string): TypeTest {
  return () => {
    throw new GraphDBError('SYNTAX_ERROR', `unknown type ${name}`);
  };
}

/** Writes a type as statements do: `LIST<STRING NOT NULL>`, `INTEGER | FLOAT`. */
export function formatValueType({ name, notNull, element, alternatives }: ValueType): string {
  const bare = alternatives === null ? name : alternatives.map(formatValueType).join(' | ');
  return `${bare}${element === null ? '' : `<${formatValueType(element)}>`}${notNull ? ' NOT NULL' : ''}`;
}

/** Tells whether a value of stored JSON is a type. */
export function isValueType(json: unknown): json is ValueType {
  if (typeof json !== 'object' || json === null) return false;
  const { name, notNull, element, alternatives } = json as { readonly [member in keyof ValueType]?: unknown };
  const isElement = element === null || isValueType(element);
  const areAlternatives = alternatives === null || (Array.isArray(alternatives) && alternatives.every(isValueType));
  return typeof name === 'string' && typeof notNull === 'boolean' && isElement && areAlternatives;
}

// ---------------------------------------------------------------- values that can be stored

/**
 * Checks that a property can hold a value: a Boolean, Integer, Float, String, Bytes, Vector, Point or temporal value,
 * or a list of those without Bytes and Vector. @throws TYPE_ERROR for any other value, ARGUMENT_ERROR for malformed
 * text
 */
export function assertStorable(value: Value): void {
  if (typeof value === 'string') assertWellFormed(value);
  else if (Array.isArray(value)) for (const element of value) assertListElement(element);
  else if (typeof value === 'object' && !isStorableObject(value)) throw notStorable(typeName(value));
}

/** Tells whether the type of a value is one that a property can hold. Every text has one, even if it is malformed. */
export function isPropertyValue(value: Value): boolean {
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? value.every((element) => typeof element !== 'object' || isScalarObject(element)) : isStorableObject(value);
}

function assertListElement(element: Value): void {
  if (typeof element === 'string') assertWellFormed(element);
  else if (typeof element === 'object' && !isScalarObject(element)) throw notStorable(`List that contains ${typeName(element)}`);
}

function isStorableObject(value: object | null): boolean {
  return isScalarObject(value) || value instanceof Uint8Array || value instanceof Float32Array;
}

function isScalarObject(value: object | null): boolean {
  return value instanceof CypherFloat || isTemporal(value) || value instanceof CypherDuration || value instanceof Point;
}

function notStorable(what: string): Error {
  return typeFault(
    `a ${what} cannot be stored as a property: properties hold Boolean, Integer, Float, String, Bytes, Vector, Point and ` +
      'temporal values and lists of scalars',
    'InvalidPropertyType',
  );
}
