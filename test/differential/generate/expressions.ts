/**
 * Random expressions of a kind over the variables of a scope. They never raise: arithmetic stays on small Integers and
 * Floats, and values of any type meet operators only that take all of them. And they never tell equal values apart (1
 * from 1.0) except where the value comes straight from a property, so that it does not matter which of several equal
 * values DISTINCT kept.
 */

import { makeFloat } from '../../../src/value/index.ts';
import { anyValue, BIG_INTEGERS, LABELS, MAKERS, randomVector, TYPES, WORDS } from './graph.ts';
import { floats, iterable, strings, vectorOrFloats } from './iterables.ts';
import { literal } from './literals.ts';
import { roundedNumber } from './numbers.ts';
import { relationshipText } from './patterns.ts';
import { pointComponent, pointLiteral, pointPredicate, randomPoint } from './points.ts';
import { type Kind, namesOf, type Scope, type Writer } from './scope.ts';
import { comprehensionPattern, countSubquery, existsSubquery } from './subqueries.ts';
import { temporal } from './temporals.ts';

export function expression(kind: Kind, scope: Scope, depth: number, writer: Writer): string {
  switch (kind) {
    case 'int':
      return integer(scope, depth, writer);
    case 'big':
      return simple('big', 'big', scope, writer);
    case 'float':
      return float(scope, depth, writer);
    case 'string':
      return string(scope, depth, writer);
    case 'bool':
      return predicate(scope, depth, writer);
    case 'date':
      return simple('date', 'd', scope, writer);
    case 'any':
      return any(scope, depth, writer);
    case 'ints':
      return integers(scope, depth, writer);
    case 'vector':
    case 'point':
      return source(kind, scope, writer);
    case 'floats':
      return floats(scope, depth, writer);
    default:
      return namesOf(scope, kind)[0] ?? 'null';
  }
}

type Choice = (() => string) | false;

function choose({ random }: Writer, choices: readonly Choice[]): string {
  return random.pick(choices.filter((choice) => choice !== false))();
}

function constant(kind: Kind, { random }: Writer): string {
  if (random.chance(0.04)) return 'null';
  switch (kind) {
    case 'int':
      return literal(random.between(-3, 9));
    case 'big':
      return literal(random.pick(BIG_INTEGERS));
    case 'float':
      return literal(MAKERS['f']!(random));
    case 'string':
      return literal(random.pick(WORDS));
    case 'bool':
      return literal(random.chance(0.5));
    case 'date':
      return literal(MAKERS['d']!(random));
    case 'ints':
      return literal(MAKERS['l']!(random));
    case 'vector':
      return random.chance(0.3) ? '$vector' : literal(randomVector(random));
    case 'point':
      return pointLiteral(randomPoint(random), random) ?? 'null';
    case 'floats':
      return `[${Array.from(randomVector(random), (component) => literal(makeFloat(component))).join(', ')}]`;
    default:
      return literal(anyValue(random));
  }
}

const NODE_KEYS: Partial<Record<Kind, readonly string[]>> = {
  int: ['i', 'k'],
  big: ['big'],
  float: ['f'],
  string: ['s'],
  bool: ['b'],
  date: ['d'],
  ints: ['l'],
  vector: ['v'],
  point: ['p'],
  any: ['m'],
};
const RELATIONSHIP_KEYS: Partial<Record<Kind, readonly string[]>> = { int: ['i', 'k'], float: ['f'], string: ['s'], any: ['m'] };

/** Variables and properties of the kind. */
function sources(kind: Kind, scope: Scope): string[] {
  const nodes = namesOf(scope, 'node', 'map').flatMap((name) => (NODE_KEYS[kind] ?? []).map((key) => `${name}.${key}`));
  const relationships = namesOf(scope, 'relationship').flatMap((name) => (RELATIONSHIP_KEYS[kind] ?? []).map((key) => `${name}.${key}`));
  return [...namesOf(scope, kind), ...nodes, ...relationships];
}

export function source(kind: Kind, scope: Scope, writer: Writer): string {
  const all = sources(kind, scope);
  return all.length === 0 || writer.random.chance(0.15) ? constant(kind, writer) : writer.random.pick(all);
}

function simple(kind: Kind, _key: string, scope: Scope, writer: Writer): string {
  const { random } = writer;
  if (random.chance(0.8)) return source(kind, scope, writer);
  if (random.chance(0.5)) return `coalesce(${source(kind, scope, writer)}, ${source(kind, scope, writer)})`;
  return `CASE WHEN ${predicate(scope, 0, writer)} THEN ${source(kind, scope, writer)} ELSE ${source(kind, scope, writer)} END`;
}

function integer(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  if (depth <= 0) return source('int', scope, writer);
  const inner = (): string => integer(scope, depth - 1, writer);
  const nodes = namesOf(scope, 'node');
  const collections = [
    ...namesOf(scope, 'nodes', 'relationships', 'ints'),
    ...scope.filter(({ kind }) => kind.startsWith('bag')).map(({ name }) => name),
  ];
  const paths = namesOf(scope, 'path');
  return choose(writer, [
    () => source('int', scope, writer),
    () => `${inner()} ${random.pick(['+', '-'])} ${inner()}`,
    () => `(${inner()} * ${random.between(-2, 3)})`,
    () => `(${inner()} % ${random.pick([2, 3, 5])})`,
    () => `(${inner()} / ${random.pick([2, 3])})`,
    () => `-(${inner()})`,
    () => `abs(${inner()})`,
    () => `coalesce(${inner()}, ${inner()})`,
    () => `size(${integers(scope, depth - 1, writer)})`,
    () => `size(${string(scope, depth - 1, writer)})`,
    () => `CASE ${inner()} WHEN ${inner()} THEN ${inner()} ${random.chance(0.5) ? `ELSE ${inner()} ` : ''}END`,
    () => `CASE WHEN ${predicate(scope, depth - 1, writer)} THEN ${inner()} ELSE ${inner()} END`,
    () => `head(${integers(scope, depth - 1, writer)})`,
    () => `${integers(scope, 0, writer)}[${random.between(-2, 2)}]`,
    () => `reduce(${accumulate('int', scope, depth, writer)})`,
    collections.length > 0 && (() => `size(${random.pick(collections)})`),
    paths.length > 0 && (() => `length(${random.pick(paths)})`),
    (nodes.length > 0 || writer.has('unions')) && (() => countSubquery(scope, depth - 1, writer)),
    writer.has('vectors') && (() => `size(${vectorOrFloats(scope, depth - 1, writer)})`),
    nodes.length > 0 && (() => `size([${comprehensionPattern(scope, depth - 1, writer)} | 1])`),
  ]);
}

function accumulate(kind: 'int' | 'float' | 'string', scope: Scope, depth: number, writer: Writer): string {
  const [sum, item] = [writer.fresh('s'), writer.fresh('e')];
  const { text, kind: itemKind } = iterable(scope, 0, writer);
  const inside: Scope = [...scope, { name: item, kind: itemKind }];
  const initial = kind === 'int' ? writer.random.between(0, 3) : constant(kind, writer);
  return `${sum} = ${initial}, ${item} IN ${text} | ${sum} + ${expression(kind, inside, depth - 2, writer)}`;
}

function float(scope: Scope, depth: number, writer: Writer): string {
  if (depth <= 0) return source('float', scope, writer);
  const { random } = writer;
  const inner = (): string => float(scope, depth - 1, writer);
  return choose(writer, [
    () => source('float', scope, writer),
    () => `(${inner()} ${random.pick(['+', '-', '*'])} ${random.pick(['1', '0.5', '2.0', '-1'])})`,
    () => `(${inner()} / ${random.pick(['2', '4.0'])})`,
    () => `(${inner()} + ${integer(scope, depth - 1, writer)})`,
    () => `toFloat(${integer(scope, depth - 1, writer)})`,
    () => `abs(${inner()})`,
    () => `-(${inner()})`,
    () => `coalesce(${inner()}, ${inner()})`,
    writer.has('vectors') && (() => `reduce(${accumulate('float', scope, depth, writer)})`),
    writer.has('vectors') && (() => component(scope, depth, writer)),
    writer.has('vectors') && (() => component(scope, depth, writer)),
    writer.has('points') && (() => pointComponent(scope, writer)),
  ]);
}

function component(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const list = vectorOrFloats(scope, depth - 1, writer);
  return random.pick([`head(${list})`, `last(${list})`, `${list}[${random.between(-3, 3)}]`, `${list}[0] / 2`]);
}

function string(scope: Scope, depth: number, writer: Writer): string {
  if (depth <= 0) return source('string', scope, writer);
  const { random } = writer;
  const inner = (): string => string(scope, depth - 1, writer);
  const relationships = namesOf(scope, 'relationship');
  return choose(writer, [
    () => source('string', scope, writer),
    () => `(${inner()} + ${inner()})`,
    () => `toUpper(${inner()})`,
    () => `substring(${inner()}, ${random.between(0, 2)}${random.chance(0.5) ? `, ${random.between(0, 2)}` : ''})`,
    () => `left(${inner()}, ${random.between(0, 2)})`,
    () => `reverse(${inner()})`,
    () => `replace(${inner()}, 'a', ${inner()})`,
    () => `toString(${integer(scope, depth - 1, writer)})`,
    () => `head(split(${inner()}, 'b'))`,
    () => `coalesce(${inner()}, ${inner()})`,
    relationships.length > 0 && (() => `type(${random.pick(relationships)})`),
    writer.has('texts') && (() => `toString(${temporal(writer)})`),
    writer.has('texts') && (() => `(${inner()} + ${temporal(writer)})`),
    writer.has('singles') && (() => `reduce(${accumulate('string', scope, depth, writer)})`),
    writer.has('vectors') && (() => `${strings(scope, depth, writer)}[${random.between(-2, 2)}]`),
  ]);
}

function any(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  if (depth <= 0 || random.chance(0.5)) return source('any', scope, writer);
  const kind = random.pick(['int', 'big', 'float', 'string', 'bool', 'date', 'ints', 'any'] as const);
  return choose(writer, [
    () => expression(kind, scope, depth - 1, writer),
    () => `coalesce(${any(scope, depth - 1, writer)}, ${expression(kind, scope, depth - 1, writer)})`,
    () =>
      `CASE WHEN ${predicate(scope, depth - 1, writer)} THEN ${any(scope, depth - 1, writer)} ELSE ` +
      `${expression(kind, scope, depth - 1, writer)} END`,
    writer.has('numbers') && (() => roundedNumber(scope, writer)),
    () => `{a: ${any(scope, depth - 1, writer)}, b: 1}.a`,
    () => `[${any(scope, depth - 1, writer)}, ${expression(kind, scope, depth - 1, writer)}]`,
  ]);
}

function integers(scope: Scope, depth: number, writer: Writer): string {
  if (depth <= 0) return source('ints', scope, writer);
  const { random } = writer;
  const inner = (): string => integers(scope, depth - 1, writer);
  const paths = namesOf(scope, 'path');
  const item = writer.fresh('e');
  return choose(writer, [
    () => source('ints', scope, writer),
    () => `[${Array.from({ length: random.between(0, 3) }, () => integer(scope, depth - 1, writer)).join(', ')}]`,
    () => `range(${random.between(-1, 2)}, ${random.between(0, 4)}${random.chance(0.3) ? ', 2' : ''})`,
    () => `(${inner()} + ${inner()})`,
    () => `tail(${inner()})`,
    () => `reverse(${inner()})`,
    () => `${inner()}[${random.between(0, 1)}..${random.chance(0.5) ? random.between(-1, 3) : ''}]`,
    () => comprehension(scope, depth, writer),
    writer.has('vectors') && (() => `toIntegerList(${vectorOrFloats(scope, 0, writer)})`),
    paths.length > 0 &&
      (() => `[${item} IN nodes(${random.pick(paths)}) | ${integer([...scope, { name: item, kind: 'node' }], depth - 1, writer)}]`),
    paths.length > 0 &&
      (() =>
        `[${item} IN relationships(${random.pick(paths)}) | ` +
        `${integer([...scope, { name: item, kind: 'relationship' }], depth - 1, writer)}]`),
  ]);
}

/** Writes a comprehension of Integers over values that need not be Integers. */
function comprehension(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const item = writer.fresh('e');
  const { text, kind } = iterable(scope, depth - 1, writer);
  const inside: Scope = [...scope, { name: item, kind }];
  const where = random.chance(0.6) ? ` WHERE ${predicate(inside, depth - 1, writer)}` : '';
  const projected = kind !== 'int' || random.chance(0.6);
  return `[${item} IN ${text}${where}${projected ? ` | ${integer(inside, depth - 1, writer)}` : ''}]`;
}

const OPERATORS = ['=', '<>', '<', '<=', '>', '>='] as const;

export function predicate(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  if (depth <= 0) return atom(scope, 0, writer);
  const inner = (): string => predicate(scope, depth - 1, writer);
  if (random.chance(0.6)) return atom(scope, depth, writer);
  return choose(writer, [
    () => `(${inner()} AND ${inner()})`,
    () => `(${inner()} OR ${inner()})`,
    () => `(${inner()} XOR ${inner()})`,
    () => `NOT (${inner()})`,
    () => `(${inner()}) IS ${random.chance(0.5) ? 'NOT ' : ''}NULL`,
    () => `CASE WHEN ${inner()} THEN ${inner()} ELSE ${inner()} END`,
    () => `coalesce(${inner()}, ${inner()})`,
  ]);
}

const COMPARED = ['int', 'int', 'big', 'float', 'string', 'date', 'any', 'any', 'bool', 'ints'] as const;

function atom(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const below = depth - 1;
  const nodes = namesOf(scope, 'node');
  const relationships = namesOf(scope, 'relationship');
  const operator = (): string => random.pick(OPERATORS);
  return choose(writer, [
    () => compared(scope, below, writer),
    () => compared(scope, below, writer),
    () => compared(scope, below, writer),
    () => `${integer(scope, below, writer)} ${operator()} ${float(scope, below, writer)}`,
    () =>
      `${integer(scope, below, writer)} ${random.pick(['<', '<='])} ${integer(scope, below, writer)} ` +
      `${random.pick(['<', '<=', '='])} ${integer(scope, below, writer)}`,
    () => `${source(random.pick(COMPARED), scope, writer)} IS ${random.chance(0.5) ? 'NOT ' : ''}NULL`,
    () => `${string(scope, below, writer)} ${random.pick(['STARTS WITH', 'ENDS WITH', 'CONTAINS'])} ${string(scope, below, writer)}`,
    () => `${source('int', scope, writer)} IN ${integers(scope, below, writer)}`,
    () => `${source('any', scope, writer)} IN [${[1, 2, 3].map(() => any(scope, below, writer)).join(', ')}]`,
    () => `${source('string', scope, writer)} IN [${[1, 2].map(() => constant('string', writer)).join(', ')}]`,
    () => source('bool', scope, writer),
    () => quantified(scope, depth, writer),
    writer.has('vectors') && (() => `${source('float', scope, writer)} IN ${vectorOrFloats(scope, below, writer)}`),
    writer.has('vectors') && (() => `isEmpty(${vectorOrFloats(scope, below, writer)})`),
    writer.has('vectors') && (() => `${source('string', scope, writer)} IN ${strings(scope, below, writer)}`),
    writer.has('vectors') && (() => `${source('vector', scope, writer)} ${random.pick(['=', '<>'])} ${source('vector', scope, writer)}`),
    writer.has('vectors') && (() => `${floats(scope, below, writer)} ${random.pick(['=', '<>'])} ${floats(scope, below, writer)}`),
    writer.has('points') && (() => pointPredicate(scope, writer)),
    writer.has('points') && (() => pointPredicate(scope, writer)),
    writer.has('numbers') && (() => `${roundedNumber(scope, writer)} ${operator()} ${source('int', scope, writer)}`),
    writer.has('texts') && (() => `${string(scope, below, writer)} ${operator()} toString(${temporal(writer)})`),
    nodes.length > 0 && (() => `(${random.pick(nodes)}${labelTest(writer)})`),
    nodes.length > 0 &&
      (() => `${random.pick(nodes)}.m IS ${random.chance(0.3) ? 'NOT ' : ''}:: ${random.pick(['INTEGER', 'FLOAT', 'STRING', 'BOOLEAN'])}`),
    nodes.length > 1 && (() => `${random.pick(nodes)} ${random.pick(['=', '<>'])} ${random.pick(nodes)}`),
    relationships.length > 1 && (() => `${random.pick(relationships)} ${random.pick(['=', '<>'])} ${random.pick(relationships)}`),
    relationships.length > 0 && (() => `type(${random.pick(relationships)}) = '${random.pick(TYPES)}'`),
    relationships.length > 0 &&
      nodes.length > 0 &&
      (() => `${random.pick(['startNode', 'endNode'])}(${random.pick(relationships)}) = ${random.pick(nodes)}`),
    nodes.length > 0 && (() => `exists(${barePattern(scope, writer)})`),
    (nodes.length > 0 || writer.has('unions')) && (() => existsSubquery(scope, below, writer)),
  ]);
}

function compared(scope: Scope, depth: number, writer: Writer): string {
  const kind = writer.random.pick(COMPARED);
  return `${expression(kind, scope, depth, writer)} ${writer.random.pick(OPERATORS)} ${expression(kind, scope, depth, writer)}`;
}

function quantified(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const item = writer.fresh('e');
  const { text, kind: itemKind } = iterable(scope, depth - 1, writer);
  const lists: { list: string; kind: Kind }[] = [
    { list: text, kind: itemKind },
    ...namesOf(scope, 'path').map((name) => ({ list: `nodes(${name})`, kind: 'node' as const })),
    ...namesOf(scope, 'relationships').map((list) => ({ list, kind: 'relationship' as const })),
    ...namesOf(scope, 'bag of node').map((list) => ({ list, kind: 'node' as const })),
  ];
  const { list, kind } = random.pick(lists);
  const inside: Scope = [...scope, { name: item, kind }];
  return `${random.pick(['all', 'any', 'none', 'single'])}(${item} IN ${list} WHERE ${predicate(inside, depth - 1, writer)})`;
}

export function labelTest({ random }: Writer): string {
  const [a, b] = [random.pick(LABELS), random.pick(LABELS)];
  return random.pick([`:${a}`, `:${a}`, `:${a}`, `:${a}:${b}`, `:${a}|${b}`, `:!${a}`, `:${a}&!${b}`, ':%', `:!(${a}|${b})`]);
}

/** A condition behind WHERE, where a pattern may stand for its existence. */
export function condition(scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  if (namesOf(scope, 'node').length === 0 || random.chance(0.85)) return predicate(scope, depth, writer);
  const pattern = `${random.chance(0.4) ? 'NOT ' : ''}${barePattern(scope, writer)}`;
  return random.chance(0.5) ? pattern : `${pattern} ${random.pick(['AND', 'OR'])} ${predicate(scope, depth, writer)}`;
}

/** `(n)-[:R]->()`: its variables are all bound. */
function barePattern(scope: Scope, writer: Writer): string {
  const nodes = namesOf(scope, 'node');
  const { random } = writer;
  const other = random.chance(0.3) ? random.pick(nodes) : '';
  return `(${random.pick(nodes)})${relationshipText(writer, { variable: '' })}(${other}${random.chance(0.3) ? labelTest(writer) : ''})`;
}
