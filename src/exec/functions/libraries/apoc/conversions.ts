/** `apoc.convert.*`, `apoc.json.*`, and functions for identifiers, checks and the version. */
import type { conversionsFacts, FunctionName } from '../../../../functions/index.ts';
import {
  argumentFault,
  displayText,
  NodeValue,
  PathValue,
  parseJson,
  quoted,
  RelationshipValue,
  type ResultValue,
  type Value,
  writeJson,
} from '../../../../value/index.ts';
import { listArgument, stringArgument, wrongArgument } from '../../arguments.ts';
import type { Allowed, GraphReads, Implementations } from '../../definition.ts';
import { isVirtual } from '../../virtual.ts';

const APOC_VERSION = '5.26.0';
/** Bytes of the text of a value for each byte of the value. */
const TEXT_BYTES = 2;
/** Bytes per character of JSON in the worst case, which is deeply nested lists. */
const BYTES_PER_CHARACTER = 16;

// ---------------------------------------------------------------- JSON

/** Throws TYPE_ERROR if a value contains entities, which have no form in JSON; their properties do. */
function checkPlain(value: Value): void {
  if (value instanceof NodeValue || value instanceof RelationshipValue || value instanceof PathValue || isVirtual(value))
    throw wrongArgument('apoc.convert.toJson', 'a value without nodes and relationships, such as properties(n)', value);
  if (Array.isArray(value)) value.forEach(checkPlain);
  if (value instanceof Map) value.forEach(checkPlain);
}

function toJson({ allowance }: Allowed, value: Value): string {
  checkPlain(value);
  allowance.hold(allowance.bytesOf(value));
  return writeJson(value as ResultValue);
}

/** Parses JSON and returns the value at a path: `$`, followed by `.key`, `['key']` and `[0]`; null if there is none. */
function fromJson({ allowance }: Allowed, name: FunctionName, json: Value, path: Value): Value {
  const given = stringArgument(name, json);
  allowance.hold(BYTES_PER_CHARACTER * given.length);
  let value = parsed(name, given);
  for (const step of stepsOf(name, stringArgument(name, path))) {
    if (typeof step === 'number') value = Array.isArray(value) ? (value.at(step) ?? null) : null;
    else value = value instanceof Map ? (value.get(step) ?? null) : null;
  }
  return value;
}

function parsed(name: FunctionName, json: string): Value {
  try {
    return parseJson(json);
  } catch (error) {
    throw argumentFault(`${name}() expects a text in JSON: ${(error as Error).message}`);
  }
}

function stepsOf(name: FunctionName, path: string): (string | number)[] {
  if (path === '') return [];
  const steps: (string | number)[] = [];
  const form = /\.([\p{L}_][\p{L}\d_-]*)|\['([^']*)'\]|\[(-?\d+)\]/uy;
  form.lastIndex = path.startsWith('$') ? 1 : 0;
  while (form.lastIndex < path.length) {
    const found = form.exec(path);
    if (found === null) throw argumentFault(`${name}() takes paths of keys and places such as $.a['b'][0], not ${quoted(path)}`);
    steps.push(found[3] === undefined ? (found[1] ?? found[2]!) : Number(found[3]));
  }
  return steps;
}

function expected<T extends Value>(name: FunctionName, value: Value, what: string, is: (value: Value) => value is T): T | null {
  if (value === null || is(value)) return value;
  throw wrongArgument(name, `a text that holds ${what}`, value);
}

const isMap = (value: Value): value is Map<string, Value> => value instanceof Map;
const isList = (value: Value): value is Value[] => Array.isArray(value);

// ---------------------------------------------------------------- maps and lists

function propertiesOf({ graph }: GraphReads['properties'], name: FunctionName, value: Value): ReadonlyMap<string, Value> {
  if (value instanceof NodeValue) return graph.nodeProperties(value);
  if (value instanceof RelationshipValue) return graph.relationshipProperties(value);
  if (isVirtual(value)) return value.properties;
  if (value instanceof Map) return value;
  throw wrongArgument(name, 'a Node, a Relationship or a Map', value);
}

function toList(value: Value): Value {
  if (Array.isArray(value)) return value;
  if (!(value instanceof PathValue)) return [value];
  return value.nodes.flatMap((node, i): Value[] => (i === 0 ? [new NodeValue(node)] : [value.relationships[i - 1]!, new NodeValue(node)]));
}

// ---------------------------------------------------------------- checks

function validate({ allowance }: Allowed, predicate: Value, message: Value, params: Value): boolean {
  const name = 'apoc.util.validatePredicate';
  if (predicate !== true) return true;
  const values = params === null ? [] : listArgument(name, params);
  allowance.hold(TEXT_BYTES * allowance.bytesOf(values));
  throw argumentFault(formatted(stringArgument(name, message), values));
}

/** Replaces each `%s` and `%d` of a message by the next value; those without a value stay. */
export function formatted(message: string, values: readonly Value[]): string {
  let at = 0;
  return message.replace(/%%|%[-+ 0#,]*(?:[1-9]\d*)?(?:\.\d+)?[sdfb]/g, (form) =>
    form === '%%' ? '%' : at < values.length ? displayText(values[at++]!) : form,
  );
}

/** The functions `apoc.convert.*` and `apoc.json.*`, and those for identifiers, checks and the version. */
export const conversionsFunctions: Implementations<typeof conversionsFacts> = {
  'apoc.convert.fromJsonList': (context, json, path = '') => {
    const name = 'apoc.convert.fromJsonList';
    return expected(name, fromJson(context, name, json, path), 'a List', isList);
  },
  'apoc.convert.fromJsonMap': (context, json, path = '') => {
    const name = 'apoc.convert.fromJsonMap';
    return expected(name, fromJson(context, name, json, path), 'a Map', isMap);
  },
  'apoc.convert.toJson': toJson,
  'apoc.convert.toList': (_, value) => toList(value),
  'apoc.convert.toMap': (context, value) => {
    const name = 'apoc.convert.toMap';
    return typeof value === 'string'
      ? expected(name, fromJson(context, name, value, ''), 'a Map', isMap)
      : new Map(propertiesOf(context, name, value));
  },
  'apoc.json.path': (context, json, path = '$') => fromJson(context, 'apoc.json.path', json, path),
  'apoc.create.uuid': (context) => context.randomUuid(),
  'apoc.util.validatePredicate': (context, predicate, message, params) => validate(context, predicate, message, params),
  'apoc.version': () => APOC_VERSION,
};
