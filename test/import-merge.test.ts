/** `--merge-on`: imports into a namespace that holds a graph, and what queries see afterwards; failures leave it as it was. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { type Engine, openEngine } from '../src/engine/index.ts';
import { csvField } from '../src/formats/index.ts';
import { Destination } from '../src/import/destination.ts';
import { type ImportOptions, importFiles } from '../src/import/index.ts';
import { displayText, type ResultValue } from '../src/value/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-import-merge-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

function file(content: string, ending = 'csv'): string {
  const path = join(folder, `input-${++count}.${ending}`);
  writeFileSync(path, content);
  return path;
}

async function withEngine<T>(store: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(store, { flushIntervalMs: 0 });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function rowsOf(engine: Engine, query: string): Promise<string[]> {
  return (await engine.execute(query, new Map())).rows.map((row) => row.map(displayText).join(' | '));
}

const rows = (store: string, query: string): Promise<string[]> => withEngine(store, (engine) => rowsOf(engine, query));

/** A store with three persons, of whom the last two stand in the log only. */
async function newStore(...more: string[]): Promise<string> {
  const store = `memory://import-merge-${++count}`;
  await withEngine(store, async (engine) => {
    const run = (query: string) => engine.execute(query, new Map());
    await run('CREATE CONSTRAINT FOR (p:Person) REQUIRE p.id IS UNIQUE');
    await run("CREATE (:Person {id: 'a', name: 'Ada', age: 36})");
    await engine.flush();
    await run(
      "MATCH (a:Person {id: 'a'}) CREATE (b:Person:Author {id: 'b', name: 'Bob'})-[:KNOWS {since: 1}]->(a), (:Place {name: 'Paris'})",
    );
    for (const query of more) await run(query);
  });
  return store;
}

const MERGE = [{ space: null, label: 'Person', key: 'id' }];
const EVERYTHING =
  'MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN id(n), labels(n), properties(n), type(r), properties(r), id(m) ORDER BY id(n), ' +
  'id(m), type(r)';

function merge(store: string, nodes: string | null, relationships: string | null, options: Partial<ImportOptions> = {}) {
  return importFiles({
    store,
    nodes: nodes === null ? [] : [{ labels: [], files: [file(nodes)] }],
    relationships: relationships === null ? [] : [{ type: 'KNOWS', files: [file(relationships)] }],
    mergeOn: MERGE,
    ...options,
  });
}

test('rows update the nodes that have their key and create the others; relationships name both', async () => {
  const store = await newStore();
  const summary = await merge(
    store,
    'id:ID(Person),name,age:int,tags:string[],:LABEL\na,,37,x;y,Author\nc,"",5,,\nb,Robert,,,\n',
    ':START_ID(Person),:END_ID(Person),since:int\nc,a,2\na,b,3\nb,c,\n',
  );
  assert.deepEqual([summary.nodes, summary.nodesUpdated, summary.relationships], [1, 2, 3]);
  assert.deepEqual(await rows(store, 'MATCH (p:Person) RETURN p.id, p.name, p.age, p.tags, labels(p) ORDER BY p.id'), [
    "a | Ada | 37 | ['x', 'y'] | ['Person', 'Author']",
    "b | Robert | null | null | ['Person', 'Author']",
    "c |  | 5 | null | ['Person']",
  ]);
  assert.deepEqual(await rows(store, 'MATCH (a:Person)-[k:KNOWS]->(b) RETURN a.id, k.since, b.id ORDER BY a.id, b.id'), [
    'a | 3 | b',
    'b | 1 | a',
    'b | null | c',
    'c | 2 | a',
  ]);
  assert.deepEqual(await rows(store, 'MATCH (n) RETURN count(n), count(DISTINCT id(n))'), ['4 | 4']);
  // Indexes, counts and later writes stand on what was merged.
  await withEngine(store, async (engine) => {
    await assert.rejects(engine.execute("CREATE (:Person {id: 'c'})", new Map()), { code: 'CONSTRAINT_VIOLATION' });
    await engine.execute("CREATE (:Person {id: 'd'})", new Map());
    await engine.compact();
    assert.deepEqual(await rowsOf(engine, "MATCH (p:Person {id: 'c'})<-[:KNOWS]-(q) RETURN q.name"), ['Robert']);
    assert.deepEqual(await rowsOf(engine, 'MATCH (p:Person) WITH p.id AS id ORDER BY id RETURN collect(id)'), ["['a', 'b', 'c', 'd']"]);
    assert.deepEqual(await rowsOf(engine, 'MATCH ()-[k]->() RETURN count(k), sum(k.since)'), ['4 | 6']);
  });
});

test('relationships alone, NDJSON, integer keys, internal identifiers', async () => {
  const store = await newStore(
    'CREATE INDEX FOR (c:City) ON (c.code)',
    "UNWIND range(1, 5) AS i CREATE (:City {code: i, _id: 'city-' + toString(i)})",
  );
  const summary = await importFiles({
    store,
    nodes: [
      {
        labels: [],
        files: [
          file('{"code:ID(City){id-type: long}": 5, "name": "Rome"}\n{"code:ID(City){id-type: long}": 6, "name": "Oslo"}\n', 'ndjson'),
        ],
      },
    ],
    relationships: [{ type: 'LIVES_IN', files: [file(':START_ID(Person),:END_ID(City)\na,5\nb,6\n')] }],
    mergeOn: [...MERGE, { space: 'City', label: 'City', key: 'code' }],
  });
  assert.deepEqual([summary.nodes, summary.nodesUpdated, summary.relationships], [1, 1, 2]);
  assert.deepEqual(await rows(store, 'MATCH (p)-[:LIVES_IN]->(c:City) RETURN p.id, c.code, c.name ORDER BY p.id'), [
    'a | 5 | Rome',
    'b | 6 | Oslo',
  ]);
  await importFiles({
    store,
    nodes: [{ labels: ['Big'], files: [file('_id:ID,size:int\ncity-1,7\nn0,1\nnew,2\n')] }],
    relationships: [{ type: 'NEAR', files: [file(':START_ID,:END_ID\ncity-1,city-2\nnew,n0\n')] }],
    mergeOn: [{ space: null, label: null, key: '_id' }],
  });
  assert.deepEqual(await rows(store, 'MATCH (n:Big) RETURN id(n), n.size, labels(n) ORDER BY id(n)'), [
    "city-1 | 7 | ['City', 'Big']",
    "n0 | 1 | ['Person', 'Big']",
    "new | 2 | ['Big']",
  ]);
  assert.deepEqual(await rows(store, 'MATCH (n)-[:NEAR]->(m) RETURN id(n), id(m) ORDER BY id(n)'), ['city-1 | city-2', 'new | n0']);
});

test('a failure is told by file and line and leaves the store as it was', async () => {
  const store = await newStore(
    'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.email IS UNIQUE',
    "MATCH (p:Person {id: 'a'}) SET p.email = 'a@x'",
  );
  const before = await rows(store, EVERYTHING);
  const failures: [string | null, string | null, RegExp, Partial<ImportOptions>?][] = [
    ['id:ID(Person),age:int\na,1\nc,x\n', null, /input-\d+\.csv:3: column age:int/],
    ['id:ID(Person),age:int\na,x\n', null, /input-\d+\.csv:2: column age:int/],
    ['id:ID(Person)\na\nc\na\n', null, /input-\d+\.csv:4: the id "a" is taken by another row/],
    ['id:ID(Person)\nc\nc\n', null, /input-\d+\.csv:3: the id "c" is taken/],
    [null, ':START_ID(Person),:END_ID(Person)\na,b\na,zzz\n', /input-\d+\.csv:3: column :END_ID\(Person\): no node has the id "zzz"/],
    ['id:ID(Person),_id\na,other\n', null, /:2: the node has the _id "n0", which cannot become "other"/],
    ['id:ID(Person),_id\nc,n1\n', null, /:2: the _id "n1" is taken/],
    [
      'id:ID(Person),email\nc,a@x\n',
      null,
      /input-\d+\.csv:2: two .* same email \(constraint .*\); the other is in the store; nothing was imported/,
    ],
    ['id:ID(Person),email\nb,a@x\n', null, /input-\d+\.csv:2: two .* same email .*; the other is in the store/],
    ['id:ID(Person),email\nd,\nc,c@x\nb,c@x\n', null, /input-\d+\.csv:4: two .* same email .*; the other is .*input-\d+\.csv:3;/],
    ['id:ID(Person),email\nb,b@x\na,b@x\n', null, /input-\d+\.csv:3: two .* same email .*; the other is .*input-\d+\.csv:2;/],
    ['pid:ID(Person)\nc\n', null, /the :ID column must be named "id"/],
    ['id:ID(Person){id-type: long}\n1\n', null, /the values of Person\.id are Strings/],
    ['id:ID(Place)\n1\n', null, /no column holds ids to merge on Person\.id/],
    ['name:ID(Place)\nParis\n', null, /Place\.name has no index/, { mergeOn: [{ space: null, label: 'Place', key: 'name' }] }],
    ['id:ID(Person)\nc\n', null, /needs an empty|holds data already/, { mergeOn: [] }],
  ];
  for (const [nodes, relationships, message, options = {}] of failures) {
    for (const dryRun of [true, false])
      await assert.rejects(merge(store, nodes, relationships, { ...options, dryRun }), message, nodes ?? relationships ?? '');
    assert.deepEqual(await rows(store, EVERYTHING), before);
  }
  const skipped = await merge(store, 'id:ID(Person),age:int\na,x\nb,1\nb,2\nc,3\n,4\n', null, { skipBadRows: true });
  assert.deepEqual([skipped.nodes, skipped.nodesUpdated, skipped.badRows], [1, 1, 3]);
  assert.deepEqual(await rows(store, 'MATCH (p:Person) RETURN p.id, p.age ORDER BY p.id'), ['a | 36', 'b | 1', 'c | 3']);
});

test('a dry run changes nothing; a failure disturbs no other writer, whose commits meanwhile end the import', async () => {
  const store = await newStore();
  const before = await rows(store, EVERYTHING);
  const { manifestVersion, nodes } = await merge(store, 'id:ID(Person)\nc\n', null, { dryRun: true });
  assert.deepEqual([manifestVersion, nodes], [null, 1]);
  assert.deepEqual(await rows(store, EVERYTHING), before);
  await withEngine(store, async (engine) => {
    await assert.rejects(merge(store, 'id:ID(Person),age:int\nc,x\n', null));
    await engine.execute("CREATE (:Person {id: 'd'})", new Map());
    const destination = await Destination.open(store, {
      bufferBytes: 2 ** 20,
      tablesUnderWay: 1,
      logger: undefined,
      purpose: 'import',
      merges: true,
      schema: [],
    });
    await engine.execute("CREATE (:Person {id: 'e'})", new Map());
    const nothing = { labels: [], nextNodeOrdinal: 0, nextRelationshipOrdinal: 0 };
    await assert.rejects(destination.publish(nothing), /somebody wrote to namespace .* while the files were read/);
    await destination.close();
    await assert.rejects(engine.execute("CREATE (:Person {id: 'f'})", new Map()), { code: 'WRITER_FENCED' });
  });
});

test('schema comes with the data, in one manifest, or nothing comes', async () => {
  const store = `memory://import-merge-${++count}`;
  const twice = 'id:ID,name\n1,x\n2,x\n';
  const unique = 'CREATE CONSTRAINT FOR (n:N) REQUIRE n.name IS UNIQUE';
  const nodes = (content: string) => [{ labels: ['N'], files: [file(content)] }];
  for (const dryRun of [true, false]) {
    const options = { store, nodes: nodes(twice), relationships: [], dryRun };
    await assert.rejects(importFiles({ ...options, schema: ['CREATE INDEX FOR (n:N) ON (n.id)', unique] }), {
      code: 'CONSTRAINT_VIOLATION',
      message: /nothing was imported: CREATE CONSTRAINT/,
    });
    await assert.rejects(importFiles({ ...options, schema: ['MATCH (n) DELETE n'] }), /it creates neither an index nor a constraint/);
  }
  const summary = await importFiles({
    store,
    nodes: nodes('id:ID,name\n1,x\n2,y\n'),
    relationships: [],
    schema: [unique, 'CREATE INDEX FOR (n:N) ON (n.id)'],
  });
  assert.ok(summary.manifestVersion !== null);
  await withEngine(store, async (engine) => {
    assert.equal(engine.status().sequence, 0);
    assert.deepEqual(await rowsOf(engine, 'SHOW INDEXES YIELD labelsOrTypes, properties RETURN properties ORDER BY properties'), [
      "['id']",
      "['name']",
    ]);
    await assert.rejects(engine.execute("CREATE (:N {name: 'x'})", new Map()), { code: 'CONSTRAINT_VIOLATION' });
  });
  // Constraints that only the log holds do as well, and stay.
  const logged = `memory://import-merge-${++count}`;
  await withEngine(logged, (engine) => engine.execute(unique, new Map()));
  for (const dryRun of [true, false]) {
    await assert.rejects(importFiles({ store: logged, nodes: nodes(twice), relationships: [], dryRun }), {
      code: 'CONSTRAINT_VIOLATION',
      message: /csv:3: two nodes .*; the other is .*csv:2; nothing was imported$/,
    });
  }
  await importFiles({ store: logged, nodes: nodes('id:ID,_id,name\n1,n0,x\n2,b,y\n'), relationships: [] });
  await withEngine(logged, async (engine) => {
    await assert.rejects(engine.execute("CREATE (:N {name: 'x'})", new Map()), { code: 'CONSTRAINT_VIOLATION' });
    assert.deepEqual(await rowsOf(engine, 'MATCH (n:N) RETURN id(n), n.name ORDER BY n.name'), ['n0 | x', 'b | y']);
  });
  // Constraints of an empty namespace hold for what is imported into it.
  const constrained = `memory://import-merge-${++count}`;
  await withEngine(constrained, async (engine) => {
    await engine.execute(unique, new Map());
    await engine.flush();
  });
  await assert.rejects(importFiles({ store: constrained, nodes: nodes(twice), relationships: [], mergeOn: [] }), {
    code: 'CONSTRAINT_VIOLATION',
  });
});

test('constraints on relationships and on types hold for what is imported, against what is there too', async () => {
  const store = await newStore(
    'CREATE CONSTRAINT FOR ()-[k:KNOWS]-() REQUIRE k.since IS RELATIONSHIP KEY',
    'CREATE CONSTRAINT FOR (p:Person) REQUIRE p.age IS :: INTEGER',
    'CREATE INDEX FOR ()-[k:KNOWS]-() ON (k.until)',
  );
  const before = await rows(store, EVERYTHING);
  const known = ':START_ID(Person),:END_ID(Person),since:int,until:int\n';
  const refused = [
    [null, `${known}a,b,1,\n`, /csv:2: two relationships of the type KNOWS have the same since .*; the other is in the store/],
    [null, `${known}a,b,5,\nb,a,5,\n`, /csv:3: two relationships of the type KNOWS have the same since .*; the other is .*csv:2;/],
    [null, `${known}b,a,6,\nb,a,1,\n`, /csv:3: two relationships of the type KNOWS have the same since .*; the other is in the store/],
    [null, `${known}a,b,,9\n`, /csv:2: .* must have the property since/],
    ['id:ID(Person),age:float\nc,\na,1.5\n', null, /csv:3: the property age .* must be INTEGER, and it is Float/],
  ] as const;
  for (const [nodes, relationships, message] of refused) {
    await assert.rejects(merge(store, nodes, relationships), { code: 'CONSTRAINT_VIOLATION', message });
    assert.deepEqual(await rows(store, EVERYTHING), before);
  }
  await merge(store, null, `${known}a,b,2,7\nb,a,3,8\n`);
  assert.deepEqual(await rows(store, 'MATCH (a)<-[k:KNOWS {until: 8}]-(b) RETURN a.id, k.since, b.id'), ['a | 3 | b']);
  await withEngine(store, async (engine) => {
    await assert.rejects(engine.execute('MATCH (a:Person) CREATE (a)-[:KNOWS {since: 3}]->(a)', new Map()), {
      code: 'CONSTRAINT_VIOLATION',
    });
  });
});

interface Person {
  readonly id: string;
  readonly name: string | null;
  readonly age: number | null;
  readonly label: '' | 'Author' | 'Zoo';
}

const person: fc.Arbitrary<Person> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', '1', '😀', 'a long identifier of more than twelve bytes'),
  name: fc.constantFrom(null, 'x', 'y "z"', '1'),
  age: fc.constantFrom(null, 0, -1, 2 ** 40),
  label: fc.constantFrom('', 'Author', 'Zoo'),
});
const persons = fc.uniqueArray(person, { selector: ({ id }) => id, maxLength: 8 });
const pairs = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 8 });

const csv = (value: string | number | null): string => (value === null ? '' : csvField(String(value), ','));

/** Merges the persons by statements, or by an import. */
async function mergeRound(
  store: string,
  people: readonly Person[],
  links: readonly (readonly [string, string])[],
  how: 'statements' | 'import',
) {
  if (how === 'import') {
    const lines = people.map(({ id, name, age, label }) => [csv(id), csv(name), age ?? '', label].join());
    const nodes = `id:ID(Person),name,age:int,:LABEL\n${lines.join('\n')}\n`;
    const relationships = `:START_ID(Person),:END_ID(Person)\n${links.map(([from, to]) => `${csv(from)},${csv(to)}`).join('\n')}\n`;
    await merge(store, nodes, relationships, { bufferBytes: 100 });
    return;
  }
  await withEngine(store, async (engine) => {
    for (const { id, name, age, label } of people) {
      const set = `SET p += {name: coalesce($name, p.name), age: coalesce($age, p.age)}${label === '' ? '' : ` SET p:${label}`}`;
      await engine.execute(`MERGE (p:Person {id: $id}) ${set}`, new Map(Object.entries({ id, name, age })));
    }
    for (const [from, to] of links) {
      const query = 'MATCH (a:Person {id: $from}), (b:Person {id: $to}) CREATE (a)-[:KNOWS]->(b)';
      await engine.execute(query, new Map(Object.entries({ from, to })));
    }
  });
}

test('merging files is what MERGE does, row by row', async () => {
  const round = fc.record({ people: persons, pairs, flush: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
      const [byStatements, byImport] = [await newStore(), await newStore()];
      const known = new Set(['a', 'b']);
      for (const { people, pairs: places, flush } of rounds) {
        for (const { id } of people) known.add(id);
        const ids = [...known];
        const links = places.map(([from, to]) => [ids[from % ids.length]!, ids[to % ids.length]!] as const);
        await mergeRound(byStatements, people, links, 'statements');
        await mergeRound(byImport, people, links, 'import');
        if (flush) await withEngine(byImport, (engine) => engine.compact());
      }
      const nodes = 'MATCH (n) RETURN labels(n), properties(n), n.id ORDER BY n.id';
      const links = 'MATCH (a)-[r]->(b) RETURN a.id, r.since, b.id ORDER BY a.id, b.id, r.since';
      const sorted = async (store: string) => [...(await labelled(store, nodes)), ...(await rows(store, links))];
      assert.deepEqual(await sorted(byImport), await sorted(byStatements));
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

/** The first column as a sorted list: labels stand in the order in which a store came to know them. */
async function labelled(store: string, query: string): Promise<string[]> {
  const { rows: found } = await withEngine(store, (engine) => engine.execute(query, new Map()));
  return found.map(([labels, ...rest]) => [[...(labels as string[])].sort(), ...rest.map(propertiesText)].join(' | '));
}

function propertiesText(value: ResultValue): string {
  return value instanceof Map
    ? [...value]
        .map(([key, member]) => `${key}: ${displayText(member)}`)
        .sort()
        .join()
    : displayText(value);
}

test('no temporary folder is left by dry runs', () => {
  assert.deepEqual(
    readdirSync(tmpdir()).filter(
      (name) => /^graphdb-import-[A-Za-z0-9]{6}$/.test(name) && readdirSync(join(tmpdir(), name)).includes('draft'),
    ),
    [],
  );
});
