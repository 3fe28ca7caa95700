/** Subqueries of EXISTS, COUNT and COLLECT, and the lists without order that COLLECT and pattern comprehensions make. */
import { expression, labelTest, predicate } from './expressions.ts';
import { simplePattern } from './patterns.ts';
import { type Kind, namesOf, type Scope, type Writer } from './scope.ts';

/** The braces and what they hold. */
export function existsSubquery(scope: Scope, depth: number, writer: Writer): string {
  return `EXISTS { ${joins(scope, writer) ? union('exists', scope, depth, writer) : subpattern(scope, depth, writer)} }`;
}

export function countSubquery(scope: Scope, depth: number, writer: Writer): string {
  return `COUNT { ${joins(scope, writer) ? union('count', scope, depth, writer) : subpattern(scope, depth, writer)} }`;
}

/** Without a node in scope, only parts of a UNION begin anew. */
function joins(scope: Scope, writer: Writer): boolean {
  return writer.has('unions') && (namesOf(scope, 'node').length === 0 || writer.random.chance(0.4));
}

function subpattern(scope: Scope, depth: number, writer: Writer): string {
  const { text, scope: inside } = simplePattern(scope, writer);
  return `${writer.random.chance(0.5) ? 'MATCH ' : ''}${text}${where(0.5, inside, depth, writer)}`;
}

function where(chance: number, scope: Scope, depth: number, writer: Writer): string {
  return writer.random.chance(chance) ? ` WHERE ${predicate(scope, depth - 1, writer)}` : '';
}

/** COUNT of a UNION that leaves out duplicates needs columns; either all parts return some or none does. */
function union(mode: 'exists' | 'count', scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const all = random.chance(0.5);
  const returns = (mode === 'count' && !all) || random.chance(0.4);
  const columns = returns ? Array.from({ length: random.between(1, 2) }, () => column(writer)) : [];
  return joined(columns, { all, scope, depth }, writer);
}

interface Column {
  readonly name: string;
  readonly kind: Kind;
}

function column(writer: Writer): Column {
  return { name: writer.fresh('u'), kind: writer.random.pick(['int', 'any', 'string', 'float'] as const) };
}

interface Union {
  readonly all: boolean;
  readonly scope: Scope;
  readonly depth: number;
}

function joined(columns: readonly Column[], { all, scope, depth }: Union, writer: Writer): string {
  const parts = Array.from({ length: writer.random.between(2, 3) }, () => part(columns, scope, depth, writer));
  return parts.join(all ? ' UNION ALL ' : ' UNION ');
}

/** From a node outside, or from any node. */
function part(columns: readonly Column[], scope: Scope, depth: number, writer: Writer): string {
  const { random } = writer;
  const { text, scope: inside } =
    namesOf(scope, 'node').length > 0 && random.chance(0.7) ? simplePattern(scope, writer) : lonelyNode(scope, writer);
  const items = columns.map(({ name, kind }) => `${expression(kind, inside, Math.min(depth - 1, 1), writer)} AS ${name}`);
  return `MATCH ${text}${where(0.4, inside, depth, writer)}${items.length === 0 ? '' : ` RETURN ${items.join(', ')}`}`;
}

function lonelyNode(scope: Scope, writer: Writer): { text: string; scope: Scope } {
  const name = writer.fresh('n');
  const label = writer.random.chance(0.7) ? labelTest(writer) : '';
  const properties = writer.random.chance(0.4) ? ` {i: ${writer.random.between(0, 5)}}` : '';
  const text = `(${name}${label}${properties})`;
  return { text, scope: [...scope, { name, kind: 'node' }] };
}

export function comprehensionPattern(scope: Scope, depth: number, writer: Writer): string {
  const { text, scope: inside } = simplePattern(scope, writer);
  return `${text}${where(0.5, inside, depth, writer)}`;
}

/** A list without order, and the kind of what is in it. */
export function bag(scope: Scope, depth: number, writer: Writer): { text: string; kind: Kind } {
  const nodes = namesOf(scope, 'node');
  const { random } = writer;
  if (writer.has('unions') && random.chance(0.3)) {
    const { name, kind } = { name: writer.fresh('u'), kind: random.pick(['int', 'any', 'string'] as const) };
    return { text: `COLLECT { ${joined([{ name, kind }], { all: random.chance(0.5), scope, depth }, writer)} }`, kind: `bag of ${kind}` };
  }
  if (nodes.length === 0) return { text: '[1, 2]', kind: 'bag of int' };
  if (random.chance(0.2)) return { text: `${random.pick(['labels', 'keys'])}(${random.pick(nodes)})`, kind: 'bag of string' };
  const { text, scope: inside } = simplePattern(scope, writer);
  const condition = where(0.5, inside, depth, writer);
  const inner = random.pick(['int', 'any', 'string', 'node'] as const);
  const item = inner === 'node' ? random.pick(namesOf(inside, 'node')) : expression(inner, inside, depth - 1, writer);
  const asSubquery = random.chance(0.4);
  return {
    text: asSubquery ? `COLLECT { MATCH ${text}${condition} RETURN ${item} }` : `[${text}${condition} | ${item}]`,
    kind: `bag of ${inner}`,
  };
}
