/** Random queries that read. */
import { wideQuery } from './chains.ts';
import { condition, expression } from './expressions.ts';
import { iterable } from './iterables.ts';
import { hugeNumbers } from './numbers.ts';
import { matchPatterns } from './patterns.ts';
import { distance } from './points.ts';
import { mapProjection } from './projections.ts';
import { freshOf, type Kind, namesOf, type Scope, type Variable, type Writer } from './scope.ts';
import { bag } from './subqueries.ts';
import { temporal } from './temporals.ts';

const CORE_KINDS = ['int', 'big', 'float', 'string', 'bool', 'date', 'any', 'ints'] as const;

function columnKinds(writer: Writer): readonly Kind[] {
  const vectors: readonly Kind[] = writer.has('vectors') ? ['vector', 'floats', 'floats'] : [];
  const points: readonly Kind[] = writer.has('points') ? ['point', 'point'] : [];
  return [...CORE_KINDS, ...vectors, ...points];
}

/** The share of wide queries: they take long. */
const WIDE = 0.012;

export function randomQuery(writer: Writer): string {
  const { random } = writer;
  if (writer.has('chains') && random.chance(WIDE)) return wideQuery(writer);
  if (random.chance(0.06)) return union(writer);
  const { text, scope } = clauses([], random.pick([1, 1, 2, 2, 3, 4]), writer);
  return `${text} ${returns(scope, writer)}`;
}

interface Part {
  readonly text: string;
  readonly scope: Scope;
}

export function clauses(start: Scope, count: number, writer: Writer): Part {
  const parts: string[] = [];
  let scope = start;
  for (let i = 0; i < count; i++) {
    const { text, scope: next } = clause(scope, i === 0, writer);
    parts.push(text);
    scope = next;
  }
  return { text: parts.join(' '), scope };
}

function clause(scope: Scope, first: boolean, writer: Writer): Part {
  const { random } = writer;
  const choice = random.between(1, 100);
  if (choice <= (first ? 75 : 35)) return match(scope, 'MATCH', writer);
  if (choice <= (first ? 85 : 60)) return match(scope, 'OPTIONAL MATCH', writer);
  if (choice <= (first ? 100 : 68)) return unwind(scope, writer);
  if (choice <= 76) return callSubquery(scope, writer);
  if (choice <= 88) return withClause(scope, writer);
  return withAggregates(scope, writer);
}

export function match(scope: Scope, keyword: string, writer: Writer): Part {
  const { text, scope: after } = matchPatterns(scope, writer);
  const where = writer.random.chance(0.4) ? ` WHERE ${condition(after, writer.random.between(1, 3), writer)}` : '';
  return { text: `${keyword} ${text}${where}`, scope: after };
}

function unwind(scope: Scope, writer: Writer): Part {
  const { random } = writer;
  const bags = scope.filter(isBag);
  if (bags.length > 0 && random.chance(0.7)) {
    const { name, kind } = random.pick(bags);
    const inner = kind.slice('bag of '.length) as Kind;
    const variable = { name: freshOf(writer, inner), kind: inner };
    return { text: `UNWIND ${name} AS ${variable.name}`, scope: [...scope, variable] };
  }
  const name = writer.fresh('x');
  if (random.chance(0.3)) {
    const items = Array.from({ length: random.between(0, 4) }, () => expression('any', [], 0, writer));
    return { text: `UNWIND [${items.join(', ')}] AS ${name}`, scope: [...scope, { name, kind: 'any' }] };
  }
  if (writer.has('points') && random.chance(0.2)) {
    const points = [1, 2].map(() => expression('point', scope, 0, writer));
    return { text: `UNWIND [${points.join(', ')}] AS ${name}`, scope: [...scope, { name, kind: 'point' }] };
  }
  if (writer.has('numbers') && random.chance(0.3)) {
    return { text: `UNWIND ${hugeNumbers(writer)} AS ${name}`, scope: [...scope, { name, kind: 'huge' }] };
  }
  const { text, kind } = iterable(scope, random.between(0, 2), writer);
  return { text: `UNWIND ${text} AS ${name}`, scope: [...scope, { name, kind }] };
}

/** Nothing in it may be called like a variable outside. */
function callSubquery(scope: Scope, outer: Writer): Part {
  const writer: Writer = { ...outer, has: (feature) => feature !== 'projection names' && outer.has(feature) };
  const { random } = writer;
  const imports = scope.filter(() => random.chance(0.4));
  const { text, scope: inside } = clauses(imports, random.between(1, 2), writer);
  const items = projectionItems(inside, { most: 2, aggregated: random.chance(0.4), variables: false }, writer);
  return {
    text: `CALL (${imports.map(({ name }) => name).join(', ')}) { ${text} RETURN ${items.map(({ text: item }) => item).join(', ')} }`,
    scope: [...scope, ...items.map(({ variable }) => variable)],
  };
}

interface Item {
  readonly text: string;
  readonly variable: Variable;
}

interface ItemOptions {
  readonly most: number;
  readonly aggregated: boolean;
  /** Whole nodes, relationships and paths may be passed on. */
  readonly variables: boolean;
}

function projectionItems(scope: Scope, { most, aggregated, variables }: ItemOptions, writer: Writer): Item[] {
  const { random } = writer;
  const items: Item[] = [];
  const count = random.between(1, most);
  for (let i = 0; i < count; i++)
    items.push(
      aggregated && (i === count - 1 || random.chance(0.3))
        ? aggregateItem(scope, writer)
        : plainItem(scope, { aggregated, variables }, writer),
    );
  return items.filter((item, i) => items.findIndex((other) => other.variable.name === item.variable.name) === i);
}

/** Beside aggregates it is a grouping key: no bag, since lists in another order are other groups. */
function plainItem(scope: Scope, { aggregated, variables }: Omit<ItemOptions, 'most'>, writer: Writer): Item {
  const { random } = writer;
  const usable = variables ? scope.filter((variable) => !(aggregated && isOpen(variable))) : [];
  if (usable.length > 0 && random.chance(0.45)) {
    const variable = random.pick(usable);
    if (random.chance(0.7)) return { text: variable.name, variable };
    const renamed = { name: freshOf(writer, variable.kind), kind: variable.kind };
    return { text: `${variable.name} AS ${renamed.name}`, variable: renamed };
  }
  if (!aggregated && writer.has('points') && random.chance(0.08)) {
    const name = writer.fresh('approximate');
    return { text: `${distance(scope, writer)} AS ${name}`, variable: { name, kind: 'approximate' } };
  }
  if (writer.has('texts') && random.chance(0.05)) {
    const name = writer.fresh('x');
    return { text: `toString(${temporal(writer)}) AS ${name}`, variable: { name, kind: 'string' } };
  }
  if (writer.has('projections') && random.chance(0.1)) {
    const projection = mapProjection(scope, writer);
    if (projection !== null) return projection;
  }
  const depth = random.between(0, 2);
  if (!aggregated && random.chance(0.12)) {
    const { text, kind } = bag(scope, depth, writer);
    const name = freshOf(writer, kind);
    return { text: `${text} AS ${name}`, variable: { name, kind } };
  }
  const kind = random.pick(columnKinds(writer));
  const name = freshOf(writer, kind);
  return { text: `${expression(kind, scope, depth, writer)} AS ${name}`, variable: { name, kind } };
}

/** Bags that differ only in their order may be told apart, or not. */
function distinctOrNot(items: readonly Item[], chance: number, { random }: Writer): string {
  return random.chance(chance) && !items.some(({ variable }) => isOpen(variable)) ? 'DISTINCT ' : '';
}

function isBag({ kind }: Variable): boolean {
  return kind.startsWith('bag');
}

/** The language leaves open what it is to the last element or digit, so that nothing is grouped by it. */
function isOpen(variable: Variable): boolean {
  return isBag(variable) || variable.kind === 'approximate';
}

const INNER_KINDS = ['int', 'float', 'string', 'any', 'date', 'bool'] as const;

function aggregateItem(scope: Scope, writer: Writer): Item {
  const { random } = writer;
  const distinct = random.chance(0.3) ? 'DISTINCT ' : '';
  const nodes = namesOf(scope, 'node');
  const make = (text: string, kind: Kind): Item => {
    const name = freshOf(writer, kind);
    return { text: `${text} AS ${name}`, variable: { name, kind } };
  };
  const depth = random.between(0, 1);
  const huge = namesOf(scope, 'huge');
  if (huge.length > 0 && random.chance(0.6)) {
    return make(`${random.pick(['avg', 'stDev', 'stDevP'])}(${random.pick(huge)})`, 'approximate');
  }
  const inner = random.pick([
    ...INNER_KINDS,
    ...(writer.has('vectors') ? (['vector'] as const) : []),
    ...(writer.has('points') ? (['point'] as const) : []),
  ]);
  switch (random.between(0, 8)) {
    case 0:
      return make('count(*)', 'int');
    case 1:
      return make(
        `count(${distinct}${nodes.length > 0 && random.chance(0.5) ? random.pick(nodes) : expression(inner, scope, depth, writer)})`,
        'int',
      );
    case 2:
      return make(`sum(${distinct}${expression('int', scope, depth, writer)})`, 'int');
    case 3:
      return make(`${random.pick(['sum', 'avg'])}(${distinct}${expression('float', scope, 0, writer)})`, 'float');
    case 4:
      return make(`avg(${distinct}${expression('int', scope, depth, writer)})`, 'float');
    case 5:
    case 6:
      return make(`${random.pick(['min', 'max'])}(${expression(inner, scope, depth, writer)})`, inner);
    case 7:
      if (nodes.length > 0 && random.chance(0.4)) return make(`collect(${distinct}${random.pick(nodes)})`, 'bag of node');
      return make(`collect(${distinct}${expression(inner, scope, depth, writer)})`, `bag of ${inner}`);
    default:
      return make(`count(*) + ${random.between(0, 3)}`, 'int');
  }
}

function withClause(scope: Scope, writer: Writer): Part {
  const { random } = writer;
  const items = projectionItems(scope, { most: 4, aggregated: false, variables: true }, writer);
  const after = items.map(({ variable }) => variable);
  const list = items.map(({ text }) => text).join(', ');
  const distinct = distinctOrNot(items, 0.25, writer);
  const order = random.chance(0.3) ? totalOrder(after, writer) : null;
  const where = random.chance(0.4) ? ` WHERE ${condition(after, random.between(0, 2), writer)}` : '';
  return { text: `WITH ${distinct}${list}${order ?? ''}${where}`, scope: after };
}

/**
 * ORDER BY all columns, then SKIP and LIMIT: whatever the order of what it does not tell apart, the same rows remain.
 * null: it cannot be had.
 */
function totalOrder(columns: Scope, { random, keysAreUnique }: Writer): string | null {
  const keys: string[] = [];
  for (const { name, kind } of columns) {
    if (keysAreUnique && (kind === 'node' || kind === 'relationship')) keys.push(`${name}.k`);
    else if (['int', 'big', 'string', 'bool', 'date', 'ints'].includes(kind)) keys.push(name);
    else return null;
  }
  const directed = keys.map((key) => `${key}${random.pick(['', ' DESC'])}`);
  return (
    ` ORDER BY ${directed.join(', ')}${random.chance(0.4) ? ` SKIP ${random.between(0, 3)}` : ''}` +
    (random.chance(0.8) ? ` LIMIT ${random.between(0, 5)}` : '')
  );
}

function withAggregates(scope: Scope, writer: Writer): Part {
  const items = projectionItems(scope, { most: 3, aggregated: true, variables: true }, writer);
  const after = items.map(({ variable }) => variable);
  const where = writer.random.chance(0.3) ? ` WHERE ${condition(after, 1, writer)}` : '';
  return { text: `WITH ${items.map(({ text }) => text).join(', ')}${where}`, scope: after };
}

export function returns(scope: Scope, writer: Writer): string {
  const { random } = writer;
  const items = projectionItems(scope, { most: 4, aggregated: random.chance(0.3), variables: true }, writer);
  const distinct = distinctOrNot(items, 0.15, writer);
  return `RETURN ${distinct}${items.map(({ text }) => text).join(', ')}${order(items, writer)}`;
}

function order(items: readonly Item[], writer: Writer): string {
  const { random } = writer;
  const sortable = items.flatMap(({ variable: { name, kind } }) =>
    kind === 'node' || kind === 'relationship' ? `${name}.k` : columnKinds(writer).includes(kind) ? name : [],
  );
  let text = '';
  if (sortable.length > 0 && random.chance(0.4)) {
    const keys = Array.from({ length: random.between(1, 2) }, () => `${random.pick(sortable)}${random.pick(['', ' DESC', ' ASC'])}`);
    text += ` ORDER BY ${keys.join(', ')}`;
  }
  if (random.chance(0.12)) text += ` SKIP ${random.between(0, 4)}`;
  if (random.chance(0.2)) text += ` LIMIT ${random.between(0, 6)}`;
  return text;
}

function union(writer: Writer): string {
  const { random } = writer;
  const kinds = Array.from({ length: random.between(1, 2) }, () => random.pick(columnKinds(writer)));
  const part = (): string => {
    const { text, scope } = clauses([], random.between(1, 2), writer);
    return `${text} RETURN ${kinds.map((kind, i) => `${expression(kind, scope, random.between(0, 2), writer)} AS u${i}`).join(', ')}`;
  };
  const parts = Array.from({ length: random.between(2, 3) }, part);
  const keyword = random.chance(0.5) ? ' UNION ALL ' : ' UNION ';
  return parts.join(keyword);
}
