/** The arguments of tools. One set of facts describes them to models, as JSON Schema, and checks them. */
import { GraphDBError } from '../../base/index.ts';
import { CypherFloat, type Value, type ValueMap } from '../../value/index.ts';

/** The facts of an argument. */
export interface ArgumentFacts {
  readonly type: 'string' | 'integer' | 'object' | 'numbers' | 'strings' | 'any';
  readonly description: string;
  /** The value if the argument is left out. Absent: the argument is required, unless `optional`. */
  readonly default?: Value;
  /** The argument may be left out, and is null then. */
  readonly optional?: true;
  /** Bounds of an integer, both inclusive. */
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly string[];
}

type Facts = Readonly<Record<string, ArgumentFacts>>;

const SCHEMAS: Readonly<Record<ArgumentFacts['type'], Readonly<Record<string, unknown>>>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  object: { type: 'object', additionalProperties: true },
  numbers: { type: 'array', items: { type: 'number' } },
  strings: { type: 'array', items: { type: 'string' } },
  any: {},
};

/** Returns the JSON Schema of arguments. */
export function schemaOf(facts: Facts): unknown {
  const properties = Object.entries(facts).map(([name, { type, description, default: usual, min, max, oneOf }]) => [
    name,
    {
      ...SCHEMAS[type],
      description,
      ...(usual === undefined ? {} : { default: usual }),
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      ...(oneOf === undefined ? {} : { enum: oneOf }),
    },
  ]);
  const required = Object.entries(facts)
    .filter(([, { default: usual, optional }]) => usual === undefined && optional !== true)
    .map(([name]) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** Checks the arguments of a call and fills in defaults. @throws ARGUMENT_ERROR for one that is missing, unknown or invalid. */
export function argumentsOf(facts: Facts, given: ValueMap): Map<string, Value> {
  const unknown = [...given.keys()].find((name) => !Object.hasOwn(facts, name));
  if (unknown !== undefined) throw fault(`there is no argument "${unknown.slice(0, 100)}"; there are ${Object.keys(facts).join(', ')}`);
  return new Map(Object.entries(facts).map(([name, each]) => [name, checked(name, each, given.get(name) ?? null)]));
}

function checked(name: string, facts: ArgumentFacts, value: Value): Value {
  if (value === null) {
    if (facts.default !== undefined) return facts.default;
    if (facts.optional === true) return null;
    throw fault(`the argument "${name}" is missing`);
  }
  if (!isOfType(facts.type, value)) throw fault(`the argument "${name}" must be ${WORDS[facts.type]}`);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, oneOf } = facts;
  if (typeof value === 'number' && (value < min || value > max)) throw fault(`the argument "${name}" must be from ${min} to ${max}`);
  // as: of this type
  if (oneOf !== undefined && !oneOf.includes(value as string)) throw fault(`the argument "${name}" must be one of ${oneOf.join(', ')}`);
  return value;
}

const WORDS: Readonly<Record<ArgumentFacts['type'], string>> = {
  string: 'a text',
  integer: 'an integer',
  object: 'an object',
  numbers: 'a list of numbers',
  strings: 'a list of texts',
  any: 'a value',
};

function isOfType(type: ArgumentFacts['type'], value: Value): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'object':
      return value instanceof Map;
    case 'numbers':
      return (
        Array.isArray(value) && value.every((each) => typeof each === 'number' || typeof each === 'bigint' || each instanceof CypherFloat)
      );
    case 'strings':
      return Array.isArray(value) && value.every((each) => typeof each === 'string');
    case 'any':
      return true;
    default:
      return type satisfies never;
  }
}

function fault(message: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message);
}
