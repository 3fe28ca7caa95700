/**
 * The code that is generated for each kind of operator, as files that are read as a diff when it changes (`golden/`):
 * over tables that were loaded from files and have not changed (`flat`), over the same tables after changes
 * (`changed`), with operators that write to files (`spilled`), and over pages (`paged`).
 * `UPDATE_GOLDEN=1 node --test test/codegen/golden.test.ts` writes them anew. What the code does is tested elsewhere.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CompiledPlan } from '../../src/exec/compile.ts';
import { createGraphStore } from '../../src/graph/index.ts';
import { type Database, open } from '../../src/index.ts';
import type { OperatorKind } from '../../src/plan/index.ts';
import { planOf } from '../../src/plan/testing/plan-of.ts';

/** An operator: its name in EXPLAIN, and statements whose plans have it. */
interface Case {
  readonly name: string;
  readonly statements: readonly string[];
  /** It needs a switch of the engine (GRAPHDB_WCOJ). */
  readonly isFolded?: boolean;
  /** It keeps rows, and can write them to files. */
  readonly spills?: boolean;
}

const PATTERN = '(a:Person)-[:KNOWS]->(b:Person)';

const CASES: Readonly<Record<OperatorKind, Case>> = {
  aggregate: {
    name: 'Aggregation',
    statements: [
      'MATCH (p:Person) RETURN count(*), sum(p.born), avg(p.score)',
      'MATCH (p:Person) RETURN p.name AS name, max(p.born), collect(p.id)',
    ],
    spills: true,
  },
  allNodesScan: { name: 'AllNodesScan', statements: ['MATCH (n) RETURN n.name'] },
  apply: {
    name: 'Apply',
    statements: ['MATCH (p:Person) CALL (p) { MATCH (p)-[:KNOWS]->(f) RETURN count(f) AS friends } RETURN p.id, friends'],
  },
  argument: { name: 'Argument', statements: ['UNWIND [1, 2] AS x CALL (x) { RETURN x + 1 AS y } RETURN x, y'] },
  cartesianProduct: {
    name: 'CartesianProduct',
    statements: ['MATCH (a:Person)-[:KNOWS]->(b), (c:Person)-[:LIVES_IN]->(d) RETURN a.id, b.id, c.id, d.name'],
    spills: true,
  },
  countedJoin: { name: 'CountedJoin', statements: ['MATCH (a)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d)-[:KNOWS]->(a) RETURN count(*)'] },
  create: { name: 'Create', statements: ["CREATE (p:Person {id: 9, name: 'Mary'})-[:LIVES_IN]->(:City {name: 'Jedburgh'})"] },
  database: { name: 'Database', statements: [] },
  delete: { name: 'Delete', statements: ['MATCH (p:Person {id: 3}) DETACH DELETE p'] },
  distinct: {
    name: 'Distinct',
    statements: ['MATCH (p:Person) RETURN DISTINCT p.born', `MATCH ${PATTERN} RETURN DISTINCT a.name, b.born`],
    spills: true,
  },
  eager: { name: 'Eager', statements: ['MATCH (p:Person) CREATE (q:Person {id: p.id + 10}) RETURN count(q)'], spills: true },
  emptyResult: { name: 'EmptyResult', statements: ['CREATE (:Person {id: 10})'] },
  expand: {
    name: 'Expand',
    statements: [`MATCH ${PATTERN} WHERE a.born > b.born RETURN a.id, b.id`, 'MATCH (a:Person {id: 1})-[r]-(b) RETURN type(r), b.name'],
  },
  filter: {
    name: 'Filter',
    statements: [
      "MATCH (p:Person) WHERE p.born > 1800 AND p.name STARTS WITH 'A' RETURN p.id",
      'MATCH (p:Person) WHERE p.score IS NULL RETURN p.id',
    ],
  },
  foreach: { name: 'Foreach', statements: ['MATCH (p:Person {id: 1}) FOREACH (x IN [1, 2] | SET p.score = x)'] },
  hashJoin: {
    name: 'HashJoin',
    statements: ['MATCH (a:Person), (b:Person) WHERE a.score = b.score AND a.id < b.id RETURN a.id, b.id'],
    spills: true,
  },
  labelScan: { name: 'NodeByLabelScan', statements: ['MATCH (p:Person) RETURN p.name, p.score'] },
  limit: { name: 'Limit', statements: ['MATCH (p:Person) RETURN p.id LIMIT 2'] },
  loadCsv: { name: 'LoadCSV', statements: ["LOAD CSV WITH HEADERS FROM 'file:///people.csv' AS row RETURN row.name"] },
  merge: { name: 'Merge', statements: ['MERGE (p:Person {id: 1}) ON CREATE SET p.born = 0 ON MATCH SET p.score = 1.0'] },
  multiwayJoin: {
    name: 'MultiwayJoin',
    statements: ['MATCH (a)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(a) RETURN a, b, c'],
    isFolded: true,
  },
  nodeByIdSeek: { name: 'NodeByElementIdSeek', statements: ["MATCH (p:Person) WHERE elementId(p) = 'n0' RETURN p.name"] },
  nodeIndexRange: { name: 'NodeIndexSeekByRange', statements: ['MATCH (p:Person) WHERE p.born > 1800 AND p.born < 1900 RETURN p.id'] },
  nodeIndexSeek: {
    name: 'IndexSeek',
    statements: ['MATCH (p:Person {id: 1}) RETURN p.name', 'MATCH (p:Person) WHERE p.id IN [1, 2] RETURN p.name'],
  },
  optionalApply: { name: 'OptionalApply', statements: ['MATCH (p:Person) OPTIONAL MATCH (p)-[:LIVES_IN]->(c) RETURN p.id, c.name'] },
  pathSearch: { name: 'PathSearch', statements: ['MATCH SHORTEST 2 (a:Person {id: 1})-[:KNOWS]->+(b:Person) RETURN b.id'] },
  procedureCall: { name: 'ProcedureCall', statements: ['CALL db.labels() YIELD label RETURN label'] },
  project: {
    name: 'Projection',
    statements: ['MATCH (p:Person) RETURN p.born + 1, p.score * 2, toUpper(p.name), {id: p.id}, [p.born, p.score]'],
  },
  relationshipByIdSeek: {
    name: 'RelationshipByElementIdSeek',
    statements: ["MATCH (a)-[r]->(b) WHERE elementId(r) = 'r0' RETURN type(r)"],
  },
  relationshipIndexRange: {
    name: 'RelationshipIndexSeekByRange',
    statements: ['MATCH (a)-[r:KNOWS]->(b) WHERE r.since > 1830 RETURN a.id, b.id'],
  },
  relationshipIndexSeek: { name: 'RelationshipIndexSeek', statements: ['MATCH (a)-[r:KNOWS {since: 1833}]->(b) RETURN a.id, b.id'] },
  relationshipScan: { name: 'RelationshipTypeScan', statements: ['MATCH (a)-[r:LIVES_IN]->(b) RETURN a.id, b.name'] },
  removeItems: { name: 'Remove', statements: ['MATCH (p:Person {id: 1}) REMOVE p.score, p:Writer'] },
  schema: { name: 'Schema', statements: ['CREATE INDEX FOR (c:City) ON (c.name)'] },
  semiApply: {
    name: 'SemiApply',
    statements: ['MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]->(f:Person) WHERE f.born < p.born } RETURN p.id'],
  },
  setProperties: { name: 'SetProperty', statements: ["MATCH (p:Person {id: 1}) SET p.score = 2.5, p += {name: 'Ada'}, p:Writer"] },
  shortestPath: {
    name: 'ShortestPath',
    statements: ['MATCH p = shortestPath((a:Person {id: 1})-[:KNOWS*]->(b:Person {id: 3})) RETURN length(p)'],
  },
  show: { name: 'Show', statements: ['SHOW INDEXES YIELD name RETURN name'] },
  skip: { name: 'Skip', statements: ['MATCH (p:Person) RETURN p.id SKIP 1'] },
  sort: { name: 'Sort', statements: ['MATCH (p:Person) RETURN p.id ORDER BY p.name DESC, p.born'], spills: true },
  top: { name: 'Top', statements: ['MATCH (p:Person) RETURN p.id ORDER BY p.born LIMIT 2'], spills: true },
  transactionApply: {
    name: 'TransactionApply',
    statements: ['UNWIND range(1, 4) AS x CALL (x) { CREATE (:City {name: toString(x)}) } IN TRANSACTIONS OF 2 ROWS'],
  },
  unionAll: {
    name: 'Union',
    statements: ['MATCH (p:Person) RETURN p.name AS name UNION ALL MATCH (c:City) RETURN c.name AS name'],
    spills: true,
  },
  unwind: { name: 'Unwind', statements: ['UNWIND range(1, 3) AS x RETURN x * x'] },
  variableExpand: {
    name: 'VarLengthExpand',
    statements: [
      'MATCH (a:Person {id: 1})-[:KNOWS*1..3]->(b) RETURN count(*)',
      'MATCH (a:Person {id: 1})-[:KNOWS*1..3]->(b) RETURN count(DISTINCT b)',
    ],
  },
};

const GRAPH = [
  'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE',
  'CREATE INDEX FOR (p:Person) ON (p.born)',
  'CREATE INDEX FOR ()-[r:KNOWS]-() ON (r.since)',
  "UNWIND range(1, 500) AS i CREATE (:Person {id: i, name: 'Person ' + (i % 50), born: 1700 + i % 300, score: i / 2.0})",
  'MATCH (a:Person) UNWIND range(1, 10) AS x MATCH (b:Person {id: (a.id * x * 7) % 500 + 1}) ' +
    'CREATE (a)-[:KNOWS {since: 1800 + (a.id + x) % 200}]->(b)',
  "UNWIND range(1, 20) AS i CREATE (:City {name: 'City ' + i})",
  "MATCH (p:Person) MATCH (c:City {name: 'City ' + (p.id % 20 + 1)}) CREATE (p)-[:LIVES_IN]->(c)",
];
const CHANGES = [
  'MATCH (p:Person {id: 3}) SET p.score = null, p.born = 1781',
  "CREATE (:Person {id: 501, name: 'Grace'})",
  'MATCH (a:Person {id: 501}), (b:Person {id: 1}) CREATE (a)-[:KNOWS {since: 1850}]->(b)',
  "MATCH (c:City {name: 'City 7'}) DETACH DELETE c",
];
/** They bring all columns and adjacencies into memory. */
const READS = [
  'MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN count(n.name), count(r.since), count(m)',
  'MATCH (p:Person) RETURN p.id, p.born, p.score, p.name',
  'MATCH (a)<-[r]-(b) RETURN count(*)',
];
const FOR_EVER = Number.POSITIVE_INFINITY;

let flat: Database;
let changed: Database;
let folded: Database;

/** A database whose tables were read from files. `environment`: switches of the engine, which are read when it opens. */
async function loaded(name: string, environment: Readonly<Record<string, string>> = {}): Promise<Database> {
  const writer = await open(`memory://${name}?ns=main`, { readWorkers: 0, flushIntervalMs: 0 });
  for (const statement of GRAPH) await writer.query(statement);
  await writer.flush();
  await writer.close();
  Object.assign(process.env, environment);
  const database = await open(`memory://${name}?ns=main`, { readWorkers: 0, flushIntervalMs: 0 });
  for (const variable of Object.keys(environment)) delete process.env[variable];
  for (const statement of READS) await database.query(statement);
  return database;
}

before(async () => {
  flat = await loaded('codegen-flat');
  changed = await loaded('codegen-changed');
  for (const statement of CHANGES) await changed.query(statement);
  folded = await loaded('codegen-folded', { GRAPHDB_FACTORIZE: '1', GRAPHDB_WCOJ: '1' });
});

after(async () => {
  await flat.close();
  await changed.close();
  await folded.close();
});

async function generated(database: Database, statement: string): Promise<string> {
  const text = await database.explain(statement, { verbose: true });
  return text.slice(text.indexOf('Generated code:') + 'Generated code:'.length).trim();
}

/** The forms of a statement's code; one that is equal to the form before it is named only. */
async function sections({ name, statements, isFolded = false, spills = false }: Case): Promise<string> {
  const view = createGraphStore().snapshot();
  const texts: string[] = [];
  for (const statement of statements) {
    const database = isFolded ? folded : flat;
    assert.ok((await database.explain(statement)).includes(name), `the plan of ${statement} has no ${name}`);
    const forms: [string, string][] = [['flat', await generated(database, statement)]];
    if (!isFolded) forms.push(['changed', await generated(changed, statement)]);
    const plan = planOf(statement);
    if (spills && !plan.writes) forms.push(['spilled', new CompiledPlan(plan).for(view, new Map(), FOR_EVER, true).source]);
    if (!plan.writes && name.endsWith('Scan')) forms.push(['paged', new CompiledPlan(plan).byPage(view, new Map(), FOR_EVER).source]);
    const shown = forms.map(([form, code], i) => (i > 0 && code === forms[i - 1]![1] ? `// ${form}: the same\n` : `// ${form}\n${code}\n`));
    texts.push(`// ${statement}\n${shown.join('\n')}`);
  }
  return texts.join('\n');
}

for (const [kind, each] of Object.entries(CASES)) {
  if (each.statements.length === 0) continue;
  test(`the code of ${kind} is that of golden/${kind}.txt`, async () => {
    const path = join(import.meta.dirname, `golden/${kind}.txt`);
    const code = await sections(each);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, code);
    assert.equal(code, readFileSync(path, 'utf8'));
  });
}
