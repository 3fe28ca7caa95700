/** Functions: the part of the library that random queries use. */
import type { Expression } from '../../../src/cypher/index.ts';
import {
  CypherFloat,
  compareStrings,
  floatText,
  isInteger,
  isNumber,
  makeFloat,
  makeInteger,
  NodeValue,
  PathValue,
  RelationshipValue,
  toNumber,
  type Value,
} from '../../../src/value/index.ts';
import { type Context, fault, type Row, Unknown } from './context.ts';
import { rounded } from './exact.ts';
import { evaluate, propertiesOf } from './expressions.ts';
import { asList } from './lists.ts';
import { nodeValue } from './model.ts';
import { POINT_FUNCTIONS } from './points.ts';
import { TEMPORALS, textOfTemporal } from './texts.ts';

type Call = Extract<Expression, { kind: 'function' }>;

export function callFunction(call: Call, row: Row, context: Context): Value {
  const name = call.name.toLowerCase();
  const values = call.arguments.map((argument) => evaluate(argument, row, context));
  if (name === 'coalesce') return values.find((value) => value !== null) ?? null;
  if (name === 'exists') return call.arguments[0]!.kind === 'patternExpression' ? values[0]! : values[0] !== null;
  const [first = null] = values;
  const graphFunction = GRAPH[name];
  if (graphFunction !== undefined) return first === null ? null : graphFunction(first, context);
  const plain = PLAIN[name];
  if (plain === undefined) throw new Unknown(`the function ${name}`);
  return values.includes(null) ? null : plain(...values);
}

const GRAPH: Record<string, (value: Value, context: Context) => Value> = {
  labels: (value, { graph }) => (value instanceof NodeValue ? [...graph.node(value).labels].sort(compareStrings) : fault('labels')),
  type: (value, { graph }) => (value instanceof RelationshipValue ? graph.relationship(value).type : fault('type')),
  keys: (value, context) => [...propertiesOf(value, context)!.keys()].sort(compareStrings),
  properties: propertiesOf,
  startnode: (value) => (value instanceof RelationshipValue ? nodeValue({ key: value.source }) : fault('startNode')),
  endnode: (value) => (value instanceof RelationshipValue ? nodeValue({ key: value.target }) : fault('endNode')),
  nodes: (value) => (value instanceof PathValue ? value.nodes.map((key) => nodeValue({ key })) : fault('nodes')),
  relationships: (value) => (value instanceof PathValue ? [...value.relationships] : fault('relationships')),
  length: (value) => (value instanceof PathValue ? value.relationships.length : fault('length')),
};

const PLAIN: Record<string, (...values: Value[]) => Value> = {
  size: (value) => (typeof value === 'string' ? [...value].length : list(value!).length),
  head: (value) => list(value!)[0] ?? null,
  last: (value) => list(value!).at(-1) ?? null,
  tail: (value) => list(value!).slice(1),
  reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...list(value!)].reverse()),
  range: (from, to, by = 1) => range(Number(from), Number(to), Number(by)),
  abs: (value) => (isInteger(value) ? makeInteger(magnitude(BigInt(value))) : makeFloat(Math.abs(number(value!)))),
  sign: (value) => Math.sign(number(value!)) || 0,
  tofloat: (value) => (isNumber(value) ? makeFloat(toNumber(value)) : unknown('toFloat')),
  tostring: (value) => text(value!),
  toupper: (value) => string(value!).toUpperCase(),
  tolower: (value) => string(value!).toLowerCase(),
  substring: (value, from, length) =>
    [...string(value!)].slice(Number(from), length === undefined ? undefined : Number(from) + Number(length)).join(''),
  left: (value, length) => [...string(value!)].slice(0, Number(length)).join(''),
  split: (value, by) => string(value!).split(string(by!)),
  replace: (value, search, by) => string(value!).replaceAll(string(search!), () => string(by!)),
  vector: (value) => Float32Array.from(list(value!), number),
  tofloatlist: (value) => list(value!).map((item) => makeFloat(number(item))),
  tointegerlist: (value) => list(value!).map((item) => makeInteger(BigInt(Math.trunc(number(item))))),
  tostringlist: (value) => list(value!).map(text),
  isempty: (value) => list(value!).length === 0,
  round: (value, places, mode) => round(number(value!), places, mode),
  ...POINT_FUNCTIONS,
  ...Object.fromEntries(Object.entries(TEMPORALS).map(([name, of]) => [name, (value: Value = null) => of(string(value))])),
};

/** Ties go towards positive infinity, with places away from zero. */
function round(x: number, places: Value = 0, mode?: Value): Value {
  const how = mode === undefined ? (places === 0 ? 'HALF_CEILING' : 'HALF_UP') : string(mode);
  const result = rounded(x, Number(places), how);
  return result === undefined ? fault('a mode of rounding') : makeFloat(result);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function range(from: number, to: number, by: number): Value[] {
  const numbers: Value[] = [];
  if (by === 0) return fault('range');
  for (let i = from; by > 0 ? i <= to : i >= to; i += by) numbers.push(i);
  return numbers;
}

function list(value: Value): Value[] {
  return asList(value) ?? fault('not a list');
}

function string(value: Value): string {
  return typeof value === 'string' ? value : fault('not a string');
}

function number(value: Value): number {
  return isNumber(value) ? toNumber(value) : fault('not a number');
}

function text(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || isInteger(value)) return String(value);
  if (typeof value === 'number') return floatText(value);
  return value instanceof CypherFloat ? floatText(value.value) : (textOfTemporal(value) ?? unknown('toString'));
}

function unknown(what: string): never {
  throw new Unknown(what);
}
