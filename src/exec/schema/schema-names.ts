/** Evaluates the names and options of schema commands, with parameters replaced by their values, and checks them. */
import { GraphDBError } from '../../base/index.ts';
import type { Expression, SchemaName } from '../../cypher/index.ts';
import { type ConstraintDefinition, type IndexKindName, type IndexSettings, indexKinds, type SettingValue } from '../../graph/index.ts';
import { argumentFault, aType, isNumber, quoted, toNumber, typeFault, type Value } from '../../value/index.ts';
import { ownsIndex } from './constraint-types.ts';

/** The parameters of a statement, by name. */
export type Parameters = ReadonlyMap<string, Value>;

/** Returns a name. @throws PARAMETER_MISSING, TYPE_ERROR if it is no String, ARGUMENT_ERROR if it is empty */
export function schemaNameOf(name: SchemaName, what: 'index' | 'constraint' | 'database', parameters: Parameters): string {
  const value = typeof name === 'string' ? name : parameterValue(name.name, parameters);
  if (typeof value !== 'string') throw typeFault(`the name of the ${what} must be a String, and it is ${aType(value)}`);
  if (value === '') throw argumentFault(`the name of the ${what} cannot be empty`);
  return value;
}

/**
 * Returns the transaction ids that names and parameters stand for; a parameter may hold a list of them.
 *
 * @throws PARAMETER_MISSING, TYPE_ERROR if a parameter is neither a String nor a list of Strings
 */
export function transactionIdsOf(names: readonly SchemaName[], parameters: Parameters): string[] {
  const values = names.flatMap((name) => (typeof name === 'string' ? [name] : parameterValue(name.name, parameters)));
  return values.map((value) => {
    if (typeof value !== 'string') throw typeFault(`the id of a transaction must be a String, and it is ${aType(value)}`);
    return value;
  });
}

/**
 * Returns the settings of a new index: the initial ones of its kind, replaced by those that OPTIONS gives.
 *
 * @throws TYPE_ERROR if a part of the options has the wrong type, ARGUMENT_ERROR if an option is unknown or its value
 * invalid
 */
export function indexSettings(kind: IndexKindName, options: Expression | null, parameters: Parameters): IndexSettings {
  return checkedOptions(kind, options === null ? NO_OPTIONS : valueOf(options, parameters));
}

const NO_OPTIONS: Value = new Map();

/** Checks the options of a constraint, which are those of its index. @throws TYPE_ERROR, ARGUMENT_ERROR as `indexSettings` */
export function checkConstraintOptions(
  { entity, kind }: Pick<ConstraintDefinition, 'entity' | 'kind'>,
  options: Expression | null,
  parameters: Parameters,
): void {
  if (options === null) return;
  const value = valueOf(options, parameters);
  if (ownsIndex({ kind })) checkedOptions('range', value);
  else if (!(value instanceof Map)) throw typeFault(`OPTIONS takes a Map, not ${aType(value)}`);
  else if (value.size > 0) {
    const rule = kind === 'type' ? 'the type of a property' : 'the existence of a property';
    throw argumentFault(`a constraint on ${rule} of a ${entity} has no index, and no options`);
  }
}

function checkedOptions(kind: IndexKindName, options: Value): IndexSettings {
  if (!(options instanceof Map)) throw typeFault(`OPTIONS takes a Map, not ${aType(options)}`);
  let given: IndexSettings = {};
  for (const [name, value] of options) {
    if (name.toLowerCase() === 'indexprovider') checkProvider(kind, value);
    else if (name.toLowerCase() === 'indexconfig') given = configuration(kind, value);
    else throw argumentFault(`there is no option ${quoted(name)}: an index has indexProvider and indexConfig`);
  }
  const initial = indexKinds[kind].settings.flatMap(({ kept }) => (kept?.initial == null ? [] : [[kept.name, kept.initial] as const]));
  return { ...Object.fromEntries(initial), ...given };
}

function checkProvider(kind: IndexKindName, provider: Value): void {
  if (typeof provider !== 'string') throw typeFault(`indexProvider is a String, not ${aType(provider)}`);
  const known = indexKinds[kind].providers;
  if (!known.includes(provider.toLowerCase()))
    throw argumentFault(`the provider of a ${kind} index is ${known.join(' or ')}, not ${quoted(provider)}`);
}

/** Returns the settings in `indexConfig` that an index keeps. @throws TYPE_ERROR, ARGUMENT_ERROR */
function configuration(kind: IndexKindName, given: Value): IndexSettings {
  if (!(given instanceof Map)) throw typeFault(`indexConfig is a Map, not ${aType(given)}`);
  const settings: Record<string, SettingValue> = {};
  for (const [name, value] of given) {
    const setting = indexKinds[kind].settings.find(({ pattern }) => pattern.test(name.toLowerCase()));
    if (setting === undefined) throw argumentFault(`a ${kind} index has no setting ${quoted(name)}`);
    const read = setting.read(value);
    if (read === null) throw argumentFault(`${name} is ${setting.takes}`);
    if (setting.kept !== undefined) settings[setting.kept.name] = read;
  }
  return settings;
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
    case 'function':
      if (expression.name.toLowerCase() === 'tointeger' && expression.arguments.length === 1)
        return integerOf(valueOf(expression.arguments[0]!, parameters));
      throw argumentFault(`OPTIONS takes literals, parameters and toInteger(), not ${expression.name}()`);
    default:
      throw argumentFault('OPTIONS takes literals, parameters and toInteger()');
  }
}

/** Evaluates toInteger() of a number or a text; clients write it around a dimension given as a parameter. Null for any other value. */
function integerOf(value: Value): Value {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : isNumber(value) ? toNumber(value) : Number.NaN;
  return Number.isSafeInteger(Math.trunc(number)) ? Math.trunc(number) : null;
}

function parameterValue(name: string, parameters: Parameters): Value {
  const value = parameters.get(name);
  if (value !== undefined) return value;
  throw new GraphDBError('PARAMETER_MISSING', `the parameter $${name} is used in the statement but was not given`);
}
