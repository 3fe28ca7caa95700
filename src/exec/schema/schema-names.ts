/** The names and options of schema commands as values: what parameters stand for, checked. */
import { GraphDBError } from '../../base/index.ts';
import type { Expression, SchemaName } from '../../cypher/index.ts';
import { type ConstraintDefinition, type IndexDefinition, indexKinds } from '../../graph/index.ts';
import { argumentFault, aType, isNumber, quoted, typeFault, type Value } from '../../value/index.ts';
import { ownsIndex } from './constraint-types.ts';

export type Parameters = ReadonlyMap<string, Value>;

/** Errors: PARAMETER_MISSING; TYPE_ERROR for what is no string; ARGUMENT_ERROR for an empty one. */
export function schemaNameOf(name: SchemaName, what: 'index' | 'constraint' | 'database', parameters: Parameters): string {
  const value = typeof name === 'string' ? name : parameterValue(name.name, parameters);
  if (typeof value !== 'string') throw typeFault(`the name of the ${what} must be a String, and it is ${aType(value)}`);
  if (value === '') throw argumentFault(`the name of the ${what} cannot be empty`);
  return value;
}

/** Errors: TYPE_ERROR for what is no map of options, ARGUMENT_ERROR for options that an index of this kind does not have. */
export function checkIndexOptions(kind: IndexDefinition['kind'], options: Expression | null, parameters: Parameters): void {
  if (options !== null) checkOptions(kind, valueOf(options, parameters));
}

/** Options of a constraint are those of its index. */
export function checkConstraintOptions(
  { entity, kind }: Pick<ConstraintDefinition, 'entity' | 'kind'>,
  options: Expression | null,
  parameters: Parameters,
): void {
  if (options === null) return;
  const value = valueOf(options, parameters);
  if (ownsIndex({ kind })) checkOptions('range', value);
  else if (!(value instanceof Map)) throw typeFault(`OPTIONS takes a Map, not ${aType(value)}`);
  else if (value.size > 0) {
    const rule = kind === 'type' ? 'the type of a property' : 'the existence of a property';
    throw argumentFault(`a constraint on ${rule} of a ${entity} has no index, and no options`);
  }
}

function checkOptions(kind: IndexDefinition['kind'], options: Value): void {
  if (!(options instanceof Map)) throw typeFault(`OPTIONS takes a Map, not ${aType(options)}`);
  for (const [name, value] of options) {
    if (name.toLowerCase() === 'indexprovider') checkProvider(kind, value);
    else if (name.toLowerCase() === 'indexconfig') checkConfiguration(kind, value);
    else throw argumentFault(`there is no option ${quoted(name)}: an index has indexProvider and indexConfig`);
  }
}

function checkProvider(kind: IndexDefinition['kind'], provider: Value): void {
  if (typeof provider !== 'string') throw typeFault(`indexProvider is a String, not ${aType(provider)}`);
  const known = indexKinds[kind].providers;
  if (!known.includes(provider.toLowerCase()))
    throw argumentFault(`the provider of a ${kind} index is ${known.join(' or ')}, not ${quoted(provider)}`);
}

function checkConfiguration(kind: IndexDefinition['kind'], configuration: Value): void {
  if (!(configuration instanceof Map)) throw typeFault(`indexConfig is a Map, not ${aType(configuration)}`);
  for (const [name, value] of configuration) {
    const setting = indexKinds[kind].settings.find(({ pattern }) => pattern.test(name.toLowerCase()));
    if (setting === undefined) throw argumentFault(`a ${kind} index has no setting ${quoted(name)}`);
    if (!Array.isArray(value) || value.length !== setting.numbers || !value.every(isNumber))
      throw argumentFault(`${name} is a list of ${setting.numbers} numbers`);
  }
}

function valueOf(expression: Expression, parameters: Parameters): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'parameter':
      return parameterValue(expression.name, parameters);
    case 'list':
      return expression.items.map((item) => valueOf(item, parameters));
    case 'map':
      return new Map(expression.entries.map(({ key, value }) => [key, valueOf(value, parameters)]));
    default:
      throw argumentFault('OPTIONS takes literals and parameters');
  }
}

function parameterValue(name: string, parameters: Parameters): Value {
  const value = parameters.get(name);
  if (value !== undefined) return value;
  throw new GraphDBError('PARAMETER_MISSING', `the parameter $${name} is used in the statement but was not given`);
}
