/** Random patterns: nodes old and new, relationships of any direction, types and lengths, properties, conditions inside. */

import { expression, labelTest, predicate } from './expressions.ts';
import { TYPES } from './graph.ts';
import { namesOf, type Scope, type Variable, type Writer } from './scope.ts';

export interface Pattern {
  readonly text: string;
  /** With what the pattern binds. */
  readonly scope: Scope;
}

interface RelationshipOptions {
  readonly variable: string;
  readonly length?: string;
  readonly inside?: string;
}

export function relationshipText(writer: Writer, { variable, length = '', inside = '' }: RelationshipOptions): string {
  const { random } = writer;
  const [a, b] = [random.pick(TYPES), random.pick(TYPES)];
  const types = random.pick(['', '', '', `:${a}`, `:${a}`, `:${a}|${b}`, `:R|S|T`, length === '' ? `:!${a}` : `:${a}`]);
  const brackets = variable === '' && types === '' && length === '' && inside === '' ? '' : `[${variable}${types}${length}${inside}]`;
  return random.pick([`-${brackets}->`, `-${brackets}->`, `<-${brackets}-`, `-${brackets}-`]);
}

/** One relationship from a bound node, for predicates and subqueries. */
export function simplePattern(scope: Scope, writer: Writer): Pattern {
  const { random } = writer;
  const bound: Variable[] = [];
  const relationship = random.chance(0.5) ? writer.fresh('r') : '';
  const node = random.chance(0.7) ? writer.fresh('n') : '';
  if (relationship !== '') bound.push({ name: relationship, kind: 'relationship' });
  if (node !== '') bound.push({ name: node, kind: 'node' });
  const start = random.pick(namesOf(scope, 'node'));
  const further = random.chance(0.2) ? `${relationshipText(writer, { variable: '' })}()` : '';
  const label = random.chance(0.3) ? labelTest(writer) : '';
  return {
    text: `(${start})${relationshipText(writer, { variable: relationship })}(${node}${label})${further}`,
    scope: [...scope, ...bound],
  };
}

/** The variables that the patterns of one MATCH may still use; a relationship variable stands in them once. */
interface Budget {
  relationships: number;
  readonly used: Set<string>;
}

/** The patterns of a MATCH, comma-separated. */
export function matchPatterns(scope: Scope, writer: Writer): Pattern {
  const { random } = writer;
  const budget: Budget = { relationships: random.pick([0, 1, 1, 1, 2, 2, 3, 4]), used: new Set() };
  const parts: string[] = [];
  let known = scope;
  const count = random.chance(0.2) ? 2 : 1;
  for (let i = 0; i < count; i++) {
    const { text, scope: next } = path(known, budget, writer);
    parts.push(text);
    known = next;
  }
  return { text: parts.join(', '), scope: known };
}

/** A single path of a few relationships, all nodes named. */
export function chain(length: number, writer: Writer): Pattern {
  const { random } = writer;
  const nodes: Variable[] = [];
  const relationships: Variable[] = [];
  let text = '';
  for (let i = 0; i <= length; i++) {
    nodes.push({ name: writer.fresh('n'), kind: 'node' });
    text += `(${nodes.at(-1)!.name}${random.chance(0.4) ? labelTest(writer) : ''})`;
    if (i === length) break;
    relationships.push({ name: writer.fresh('r'), kind: 'relationship' });
    text += relationshipText(writer, { variable: relationships.at(-1)!.name });
  }
  return { text, scope: [...nodes, ...relationships] };
}

function path(scope: Scope, budget: Budget, writer: Writer): Pattern {
  const { random } = writer;
  // Conditions inside see what was bound before the pattern only: what is bound in it depends on the order of matching.
  const before = scope;
  let known = scope;
  let text = '';
  const add = ({ text: part, bound }: { text: string; bound: Variable | null }): void => {
    text += part;
    if (bound !== null && !known.some(({ name }) => name === bound.name)) known = [...known, bound];
  };
  add(nodeText(known, before, writer));
  while (budget.relationships > 0 && random.chance(0.8)) {
    budget.relationships--;
    add(relationship(budget, before, writer));
    add(nodeText(known, before, writer));
  }
  if (!random.chance(0.15)) return { text, scope: known };
  const name = writer.fresh('p');
  return { text: `${name} = ${text}`, scope: [...known, { name, kind: 'path' }] };
}

function nodeText(known: Scope, before: Scope, writer: Writer): { text: string; bound: Variable | null } {
  const { random } = writer;
  const old = namesOf(known, 'node');
  if (old.length > 0 && random.chance(0.3))
    return { text: `(${random.pick(old)}${random.chance(0.15) ? labelTest(writer) : ''})`, bound: null };
  const name = random.chance(0.8) ? writer.fresh('n') : '';
  const label = random.chance(0.3) ? labelTest(writer) : '';
  const bound: Variable | null = name === '' ? null : { name, kind: 'node' };
  return { text: `(${name}${label}${inside(bound, before, writer)})`, bound };
}

function inside(bound: Variable | null, before: Scope, writer: Writer): string {
  const { random } = writer;
  if (random.chance(0.06)) {
    const { key, kind } = random.pick([
      { key: 'i', kind: 'int' },
      { key: 's', kind: 'string' },
      { key: 'm', kind: 'any' },
    ] as const);
    return ` {${key}: ${expression(kind, before, 0, writer)}}`;
  }
  if (bound !== null && random.chance(0.08)) return ` WHERE ${predicate([...before, bound], 1, writer)}`;
  return '';
}

const LENGTHS = ['*1..2', '*0..1', '*2', '*..2', '*0..2', '*1..3', '*0', '*2..3'] as const;

function relationship({ used }: Budget, before: Scope, writer: Writer): { text: string; bound: Variable | null } {
  const { random } = writer;
  const old = namesOf(before, 'relationship').filter((name) => !used.has(name));
  if (old.length > 0 && random.chance(0.08)) {
    const name = random.pick(old);
    used.add(name);
    return { text: random.pick([`-[${name}]-`, `-[${name}]->`]), bound: null };
  }
  const variable = random.chance(0.5);
  if (random.chance(0.18)) {
    const name = variable ? writer.fresh('rs') : '';
    const properties = random.chance(0.1) ? ` {i: ${random.between(0, 5)}}` : '';
    return {
      text: relationshipText(writer, { variable: name, length: random.pick(LENGTHS), inside: properties }),
      bound: name === '' ? null : { name, kind: 'relationships' },
    };
  }
  const bound: Variable | null = variable ? { name: writer.fresh('r'), kind: 'relationship' } : null;
  if (bound !== null) used.add(bound.name);
  const text = relationshipText(writer, { variable: bound?.name ?? '', inside: insideRelationship(bound, before, writer) });
  return { text, bound };
}

function insideRelationship(bound: Variable | null, before: Scope, writer: Writer): string {
  const { random } = writer;
  if (random.chance(0.04)) return ` {i: ${expression('int', before, 0, writer)}}`;
  if (bound !== null && random.chance(0.06)) return ` WHERE ${predicate([...before, bound], 1, writer)}`;
  return '';
}
