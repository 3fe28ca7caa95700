/**
 * Random statements that write. What they leave does not depend on the order of their rows: a value that is set is made from constants
 * or from the very entity that it is set on, and MERGE looks for properties that it does not change.
 */
import { condition, expression } from './expressions.ts';
import { LABELS, TYPES, WORDS } from './graph.ts';
import { literal } from './literals.ts';
import { clauses, match } from './query.ts';
import { namesOf, type Scope, type Writer } from './scope.ts';

type Pick = (writer: Writer) => string;

const STATEMENTS: readonly Pick[] = [
  createAlone,
  createAlone,
  createFromRows,
  createFromRows,
  setOnRows,
  setOnRows,
  setOnRows,
  removeOnRows,
  deleteRows,
  deleteRows,
  deleteNodes,
  mergeNodes,
  mergeNodes,
  mergeRelationships,
  mergeRelationships,
  foreach,
  moveLabels,
  replaceRelationships,
  chained,
  failing,
  anyMatch,
];

export function randomUpdate(writer: Writer): string {
  return writer.random.pick(STATEMENTS)(writer);
}

const LABEL_SETS = ['', ':A', ':A', ':B', ':C', ':A:B', ':B:C', ':A:B:C', ':D'] as const;

function properties(writer: Writer, keys: readonly ('i' | 's' | 'm' | 'f' | 'k' | 'l' | 'd' | 'b' | 'v' | 'p')[]): string {
  const { random } = writer;
  const kinds = {
    i: 'int',
    s: 'string',
    m: 'any',
    f: 'float',
    k: 'int',
    l: 'ints',
    d: 'date',
    b: 'bool',
    v: 'vector',
    p: 'point',
  } as const;
  const entries = keys.filter(() => random.chance(0.5)).map((key) => `${key}: ${expression(kinds[key], [], 0, writer)}`);
  return entries.length === 0 ? '' : ` {${entries.join(', ')}}`;
}

/** Keys of what may be switched off. */
function further(writer: Writer): ('v' | 'p')[] {
  return [...(writer.has('vectors') ? (['v'] as const) : []), ...(writer.has('points') ? (['p'] as const) : [])];
}

function newNode(writer: Writer, name = ''): string {
  return `(${name}${writer.random.pick(LABEL_SETS)}${properties(writer, ['k', 'i', 's', 'm', 'f', 'l', 'd', 'b', ...further(writer)])})`;
}

function newRelationship(writer: Writer, name = ''): string {
  const { random } = writer;
  const brackets = `[${name}:${random.pick(TYPES)}${properties(writer, ['k', 'i', 'm'])}]`;
  return random.pick([`-${brackets}->`, `<-${brackets}-`]);
}

function createAlone(writer: Writer): string {
  const { random } = writer;
  const unwind = random.chance(0.4) ? `UNWIND range(1, ${random.between(0, 3)}) AS x ` : '';
  const chain = [newNode(writer, 'a')];
  for (let i = random.between(0, 2); i > 0; i--) chain.push(newRelationship(writer), random.chance(0.3) ? '(a)' : newNode(writer));
  return `${unwind}CREATE ${chain.join('')}${ending(['a'], writer)}`;
}

/** Rows of a pattern with two nodes, few of them. */
function rows(writer: Writer): { text: string; scope: Scope } {
  const { random } = writer;
  const texts = [
    'MATCH (a)-[r]->(b)',
    'MATCH (a)-[r:R]->(b)',
    'MATCH (a:A)-[r]-(b)',
    'MATCH (a:A), (b:B)',
    'MATCH (a {i: 1}), (b:C)',
    'MATCH (a:A) MATCH (a)-[r]->(b)',
    'MATCH (a:B) OPTIONAL MATCH (a)-[r]->(b:A)',
    'MATCH (a)-[r:R|S]->(b)-->(c)',
  ];
  const text = random.pick(texts);
  const kindOf = (name: string): 'relationship' | 'node' => (name === 'r' ? 'relationship' : 'node');
  const scope = ['a', 'b', 'r', 'c']
    .filter((name) => new RegExp(`[([]${name}\\b`).test(text))
    .map((name) => ({ name, kind: kindOf(name) }));
  const where = random.chance(0.6) ? ` WHERE ${condition(scope, random.between(0, 2), writer)}` : '';
  return { text: `${text}${where}`, scope };
}

function some(writer: Writer): { text: string; scope: Scope } {
  const { random } = writer;
  const text = random.pick([
    'MATCH (a)',
    'MATCH (a:A)',
    'MATCH (a:B)',
    'MATCH (a:A|C)',
    'MATCH (a:!A)',
    `MATCH (a:A {i: ${random.between(0, 5)}})`,
  ]);
  const scope: Scope = [{ name: 'a', kind: 'node' }];
  const where = random.chance(0.7) ? ` WHERE ${condition(scope, random.between(0, 2), writer)}` : '';
  return { text: `${text}${where}`, scope };
}

/** Nothing, or RETURN of what the writes left. */
function ending(nodes: readonly string[], { random }: Writer): string {
  if (random.chance(0.5)) return '';
  if (nodes.length === 0 || random.chance(0.3)) return ' RETURN count(*) AS c';
  const name = random.pick(nodes);
  return random.pick([
    ` RETURN ${name}`,
    ` RETURN ${name}.i AS x, ${name}.m AS y`,
    ` RETURN labels(${name}) AS bag0, count(*) AS c`,
    ` RETURN DISTINCT ${name}`,
  ]);
}

function createFromRows(writer: Writer): string {
  const { random } = writer;
  const { text, scope } = random.chance(0.5) ? rows(writer) : some(writer);
  const nodes = namesOf(scope, 'node');
  // OPTIONAL MATCH may have left nulls, from which nothing can be created.
  const guard = text.includes('OPTIONAL') ? ` WITH ${scope.map(({ name }) => name).join(', ')} WHERE b IS NOT NULL` : '';
  const from = `(${random.pick(nodes)})`;
  const to = random.chance(0.5)
    ? `(${random.pick(nodes)})`
    : `(x${random.pick(LABEL_SETS)} {k: ${expression('int', scope, 0, writer)}, m: ${expression('any', scope, 0, writer)}})`;
  return `${text}${guard} CREATE ${from}${newRelationship(writer)}${to}${ending(nodes, writer)}`;
}

/** Assignments that come out the same however often and in whatever order a row brings them. */
function assignment(name: string, writer: Writer): string {
  const { random } = writer;
  const self: Scope = [{ name, kind: 'node' }];
  const own = (kind: 'int' | 'string' | 'float' | 'bool' | 'any' | 'ints' | 'vector' | 'floats' | 'point'): string =>
    expression(kind, random.chance(0.5) ? self : [], 0, writer);
  return random.pick([
    () => `${name}.i = ${random.pick([own('int'), `coalesce(${name}.i, 0) + 1`])}`,
    () => `${name}.s = ${own('string')}`,
    () => `${name}.f = ${own('float')}`,
    () => `${name}.m = ${own('any')}`,
    () => `${name}.m = null`,
    () => `${name}.b = ${own('bool')}`,
    () => `${name}.l = ${own('ints')}`,
    () => `${name}.big = ${own('int')}`,
    () => `${name} += {i: ${own('int')}, extra: ${own('any')}, s: null}`,
    () => `${name} = {k: ${name}.k, i: ${own('int')}}`,
    () => `${name}:${random.pick(LABELS)}`,
    () => `${name}:${random.pick(LABELS)}:${random.pick(LABELS)}`,
    ...(writer.has('vectors') ? [() => `${name}.v = ${own('vector')}`, () => `${name}.m = ${own('floats')}`] : []),
    ...(writer.has('points') ? [() => `${name}.p = ${own('point')}`] : []),
  ])();
}

function setOnRows(writer: Writer): string {
  const { random } = writer;
  const { text, scope } = random.chance(0.5) ? rows(writer) : some(writer);
  const nodes = namesOf(scope, 'node');
  if (scope.some(({ kind }) => kind === 'relationship') && random.chance(0.4)) {
    const value = expression('any', [], 0, writer);
    const set = random.pick([
      `r.m = ${value}`,
      `r.i = ${random.between(0, 3)}`,
      `r.i = null`,
      `r += {m: ${value}, i: 1}`,
      `r = {k: r.k}`,
      'r.i = coalesce(r.i, 0) + 1',
    ]);
    return `${text} SET ${set}${random.chance(0.5) ? ' RETURN r' : ''}`;
  }
  const target = random.pick(nodes);
  return `${text} SET ${assignment(target, writer)}${ending(nodes, writer)}`;
}

function removeOnRows(writer: Writer): string {
  const { random } = writer;
  const { text, scope } = random.chance(0.5) ? rows(writer) : some(writer);
  const nodes = namesOf(scope, 'node');
  const target = random.pick(nodes);
  const what = random.pick([`${target}.i`, `${target}.m`, `${target}.s`, `${target}:A`, `${target}:B`, `${target}:A:C`]);
  return `${text} REMOVE ${what}${ending(nodes, writer)}`;
}

function deleteRows(writer: Writer): string {
  const { random } = writer;
  const where = random.chance(0.8)
    ? ` WHERE ${condition(
        [
          { name: 'a', kind: 'node' },
          { name: 'r', kind: 'relationship' },
          { name: 'b', kind: 'node' },
        ],
        1,
        writer,
      )}`
    : '';
  return random.pick([
    `MATCH (a)-[r]->(b)${where} DELETE r`,
    `MATCH (a)-[r:R]-(b)${where} DELETE r RETURN count(*) AS c`,
    `MATCH (a:A)<-[r:S|T]-(b)${where} DELETE r`,
    `MATCH p = (a)-[r:T]->(b)${where} DETACH DELETE p`,
    `MATCH (a)-[r]->(b)${where} DELETE r WITH count(*) AS c MATCH (a)-[r]->(b) RETURN count(*) AS c`,
  ]);
}

function deleteNodes(writer: Writer): string {
  const { text, scope } = some(writer);
  const { random } = writer;
  const narrow = `${text}${text.includes('WHERE') ? ' AND' : ' WHERE'} ${expression('bool', scope, 1, writer)}`;
  return random.pick([
    `${narrow} DETACH DELETE a`,
    `${narrow} DETACH DELETE a`,
    `${narrow} DETACH DELETE a RETURN count(*) AS c`,
    `${narrow} OPTIONAL MATCH (a)-[r]-() DELETE r, a`,
    `${narrow} DELETE a`,
    `${narrow} DETACH DELETE a WITH count(*) AS c CREATE (n:A {i: c}) RETURN n`,
  ]);
}

function mergeNodes(writer: Writer): string {
  const { random } = writer;
  const label = random.pick(LABELS);
  const onCreate = random.chance(0.5) ? ` ON CREATE SET ${random.pick(['n.f = 0.5', 'n:D', 'n.b = true'])}` : '';
  const matched = ['n.d = null', 'n.f = coalesce(n.f, 0.0) + 1.0', 'n:D', 'n.b = false'];
  const actions = `${onCreate}${random.chance(0.5) ? ` ON MATCH SET ${random.pick(matched)}` : ''}`;
  const word = literal(random.pick(WORDS));
  return random.pick([
    `MERGE (n:${label} {i: ${random.between(0, 9)}})${actions} RETURN n`,
    `MERGE (n:${label} {s: ${word}, i: ${random.between(0, 3)}})${actions}`,
    `MERGE (n:${label})${actions} RETURN count(*) AS c`,
    `UNWIND [1, 2, 1, ${random.between(0, 5)}] AS x MERGE (n:${label} {i: x})${actions} RETURN n`,
    `UNWIND [1, 1.0, '1', true, 9007199254740993] AS x MERGE (n:${label} {m: x})${actions}`,
    `MATCH (a:${random.pick(LABELS)}) WHERE a.i IS NOT NULL MERGE (n:${label} {i: a.i})${actions}`,
    `MATCH (a) WITH DISTINCT a.s AS s WHERE s IS NOT NULL MERGE (n:${label}:D {s: s})${actions} RETURN count(n) AS c`,
    `MERGE (n:${label} {i: 1}) MERGE (m:${label} {i: 1}) RETURN n = m AS same`,
  ]);
}

function mergeRelationships(writer: Writer): string {
  const { random } = writer;
  const { text, scope } = rows(writer);
  const named = scope.map(({ name }) => name).join(', ');
  const guard = text.includes('OPTIONAL') ? ` WITH ${named} WHERE b IS NOT NULL` : '';
  const type = random.pick(TYPES);
  const actions = `${random.chance(0.4) ? ' ON CREATE SET e.f = 1.5' : ''}${random.chance(0.4) ? ' ON MATCH SET e.f = 2.5' : ''}`;
  const pattern = random.pick([
    `(a)-[e:${type}]->(b)`,
    `(a)-[e:${type}]->(b)`,
    `(b)-[e:${type} {i: ${random.between(0, 2)}}]->(a)`,
    `(a)<-[e:${type}]-(b)`,
    `(a)-[e:${type}]->(a)`,
    `(a)-[e:${type}]->(:${random.pick(LABELS)} {i: ${random.between(0, 2)}})`,
    `(a)-[e:${type}]->()-[:${random.pick(TYPES)}]->(b)`,
  ]);
  return `${text}${guard} MERGE ${pattern}${actions} RETURN count(*) AS c`;
}

function foreach(writer: Writer): string {
  const { random } = writer;
  return random.pick([
    `FOREACH (x IN range(1, ${random.between(0, 3)}) | CREATE (:A {i: x})-[:R {i: x}]->(:B))`,
    `FOREACH (x IN [1, 2, 2] | MERGE (:C {i: x}))`,
    `MATCH (a:A) FOREACH (x IN a.l | CREATE (a)-[:S {i: x}]->(:D {i: x}))`,
    `MATCH p = (a)-[:R]->(b) FOREACH (n IN nodes(p) | SET n.f = 7.5, n:C)`,
    `MATCH (a) WITH collect(a) AS all FOREACH (n IN all | SET n.i = coalesce(n.i, 0) + 1 REMOVE n.s)`,
    `MATCH (a)-[r:T]->() WITH collect(r) AS all FOREACH (e IN all | DELETE e)`,
    `MATCH (a:B) FOREACH (ignored IN CASE WHEN a.i > 2 THEN [1] ELSE [] END | SET a:A)`,
    ...(writer.has('singles')
      ? ['MATCH (a:A) FOREACH (x IN a.i | CREATE (:D {i: x}))', 'FOREACH (x IN $single | CREATE (:D {i: x}))']
      : []),
    ...(writer.has('vectors')
      ? [`MATCH (a:A) FOREACH (x IN a.v | CREATE (a)-[:S {f: x / 2}]->(:D))`, 'FOREACH (x IN $vector | CREATE (:D {f: x / 2}))']
      : []),
  ]);
}

/** Rows that move between tables while they are read. */
function moveLabels(writer: Writer): string {
  const [x, y] = [writer.random.pick(LABELS), writer.random.pick(LABELS)];
  return writer.random.pick([
    `MATCH (a:${x}) SET a:${y}`,
    `MATCH (a:${x}) REMOVE a:${x} SET a:${y}`,
    `MATCH (a:${x}), (b:${y}) REMOVE a:${x} SET b:${x}`,
    `MATCH (a:${x})-->(b:!${x}) SET b:${x} RETURN count(*) AS c`,
    `MATCH (a:${x}) WHERE a.i > 0 SET a.i = a.i + 1 RETURN a.i AS x`,
    `MATCH (a:${x}) REMOVE a:${x} WITH a MATCH (b:${x}) RETURN count(*) AS c`,
    `MATCH (a:${x}) SET a.s = 'moved', a:${y} WITH count(*) AS c MATCH (b:${y} {s: 'moved'}) RETURN c, b`,
    `MATCH (a:${x}) CREATE (b:${x}) SET b = a, b.k = 100 RETURN count(*) AS c`,
  ]);
}

function replaceRelationships({ random }: Writer): string {
  const [x, y] = [random.pick(TYPES), random.pick(TYPES)];
  return random.pick([
    `MATCH (a)-[r:${x}]->(b) CREATE (b)-[e:${y}]->(a) SET e = r DELETE r`,
    `MATCH (a)-[r:${x}]->(b) DELETE r CREATE (a)-[:${y} {i: 5}]->(b)`,
    `MATCH (a)-[r:${x}]->(b) WITH DISTINCT a, b MERGE (a)-[e:${y}]->(b) RETURN count(e) AS c`,
    `MATCH (a)-[:${x}]->(b)-[:${y}]->(c) WITH DISTINCT a, c CREATE (a)-[:${x}]->(c)`,
    `MATCH (a)-[r]-(b) WHERE a.i > b.i DELETE r WITH a, count(*) AS gone SET a.i = gone RETURN a`,
  ]);
}

function chained(writer: Writer): string {
  const { random } = writer;
  const parts: string[] = [];
  for (let i = random.between(2, 3); i > 0; i--) {
    parts.push(
      random.pick([
        `CREATE (:A {i: ${random.between(0, 3)}})`,
        `CREATE (:B {i: 1})-[:R]->(:A {s: 'a'})`,
        `MATCH (n:A {i: 1}) SET n.s = 'one'`,
        `MATCH (n:B) WHERE n.i = 1 SET n:A`,
        `MATCH (n:A)-[r]->() DELETE r`,
        `MATCH (n:C) WHERE n.s = 'a' DETACH DELETE n`,
        `MERGE (n:C {i: 1})`,
        `MATCH (n:A) WHERE n.i >= 2 REMOVE n:A`,
        `OPTIONAL MATCH (n:B {s: 'a'}) SET n.i = 2`,
      ]),
    );
  }
  const glue = (part: string, i: number): string => `${part} WITH count(*) AS c${i}`;
  return `${parts.map(glue).join(' ')} MATCH (n:A) RETURN n.i AS x, count(*) AS c`;
}

/** Writes, then fails: nothing may remain. */
function failing(writer: Writer): string {
  const { random } = writer;
  return random.pick([
    `MATCH (a) SET a.i = 1000, a:C WITH count(*) AS c RETURN 1 / (c - c) AS x`,
    `CREATE (:A {i: 1})-[:R]->(:New {fresh: 1}) WITH 1 AS one UNWIND [1, 0] AS x CREATE (:B {i: 1 / x})`,
    `MATCH ()-[r]->() DELETE r WITH count(*) AS c UNWIND [2, 1, 0] AS x MERGE (:C {i: 1 / x})`,
    `MATCH (a:A) DETACH DELETE a WITH count(*) AS c RETURN 1 / (c - c) AS x`,
    `MATCH (a:A) REMOVE a:A SET a.m = 'changed' WITH count(*) AS c RETURN 1 % (c - c) AS x`,
    `MATCH (a:B) DELETE a`,
    `MATCH (a)-[r]->() SET r.m = 'changed', r.i = 1 / (r.k - 3)`,
  ]);
}

/** Whatever a read can find is marked. */
function anyMatch(writer: Writer): string {
  const { text, scope } = clauses([], writer.random.between(0, 1), writer);
  const { text: last, scope: after } = match(scope, 'MATCH', writer);
  const nodes = namesOf(after, 'node');
  if (nodes.length === 0) return createAlone(writer);
  const name = writer.random.pick(nodes);
  return `${text} ${last} SET ${name}.mark = true${ending([], writer)}`;
}
