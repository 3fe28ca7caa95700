/**
 * Statements of LangChain (`Neo4jGraph`) and LlamaIndex (`Neo4jPropertyGraphStore`), in the words and shapes that they
 * use; and those of drivers' tools when they connect.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { Node, Relationship, type ResultValue, type Value } from '../../src/value/index.ts';

type Row = Record<string, unknown>;

let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://tools-${databases++}`);
  context.after(() => engine.close());
  return engine;
}

/** As drivers hand out records: maps as objects. */
async function ask(engine: Engine, query: string, params: Record<string, Value> = {}): Promise<Row[]> {
  const { columns, rows } = await engine.execute(query, new Map(Object.entries(params)));
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, plain(row[i]!)])));
}

function plain(value: ResultValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  return value;
}

const map = (entries: Record<string, Value>): Value => new Map(Object.entries(entries));

const PEOPLE = `CREATE (a:Person {name: 'Ann', age: 30, born: date('1990-01-01')})-[:KNOWS {since: 2010}]->(b:Person:Admin {name: 'Bob'}),
  (b)-[:KNOWS]->(:Person {name: 'Cid', age: 1.5}), (b)-[:OWNS]->(:Dog {name: 'Dot', tags: ['a', 'b']}), (:Empty)`;

test('LangChain reads the schema', async (context) => {
  const engine = await opened(context);
  await ask(engine, PEOPLE);
  const parameters = { SAMPLE: 1000, EXCLUDED_LABELS: ['Admin'] };
  const nodes = await ask(
    engine,
    'CALL apoc.meta.data({sample: $SAMPLE}) YIELD label, other, elementType, type, property ' +
      "WHERE NOT type = 'RELATIONSHIP' AND elementType = 'node' AND NOT label IN $EXCLUDED_LABELS " +
      'WITH label AS nodeLabel, collect({property:property, type:type}) AS properties RETURN {label: nodeLabel, properties: ' +
      'properties} AS output',
    parameters,
  );
  assert.deepEqual(
    nodes.map((row) => row['output']),
    [
      {
        label: 'Person',
        properties: [
          { property: 'name', type: 'STRING' },
          { property: 'age', type: 'INTEGER' },
          { property: 'born', type: 'DATE' },
        ],
      },
      {
        label: 'Dog',
        properties: [
          { property: 'name', type: 'STRING' },
          { property: 'tags', type: 'LIST' },
        ],
      },
    ],
  );
  const relationships = await ask(
    engine,
    'CALL apoc.meta.data({sample: $SAMPLE}) YIELD label, other, elementType, type, property ' +
      "WHERE NOT type = 'RELATIONSHIP' AND elementType = 'relationship' AND NOT label in $EXCLUDED_LABELS " +
      'WITH label AS relType, collect({property:property, type:type}) AS properties RETURN {type: relType, properties: ' +
      'properties} AS output',
    parameters,
  );
  assert.deepEqual(relationships, [{ output: { type: 'KNOWS', properties: [{ property: 'since', type: 'INTEGER' }] } }]);
  const ends = await ask(
    engine,
    'CALL apoc.meta.data({sample: $SAMPLE}) YIELD label, other, elementType, type, property ' +
      "WHERE type = 'RELATIONSHIP' AND elementType = 'node' UNWIND other AS other_node " +
      'WITH * WHERE NOT label IN $EXCLUDED_LABELS AND NOT other_node IN $EXCLUDED_LABELS ' +
      'RETURN {start: label, type: property, end: toString(other_node)} AS output',
    parameters,
  );
  assert.deepEqual(
    ends.map((row) => row['output']),
    [
      { start: 'Person', type: 'KNOWS', end: 'Person' },
      { start: 'Person', type: 'OWNS', end: 'Dog' },
    ],
  );
});

test('keys with values of several types, vectors and temporal values have the type of their first value', async (context) => {
  const engine = await opened(context);
  await ask(engine, "CREATE (:Node {foo: 'bar'}), (:Node {foo: 1}), (:Node {foo: [1, 2]}), (:EmptyNode)");
  await ask(
    engine,
    "MATCH (a:Node {foo: 'bar'}), (b:Node {foo: 1}), (c:Node {foo: [1, 2]}), (d:EmptyNode) " +
      "CREATE (a)-[:REL {foo: 'bar'}]->(b), (b)-[:REL {foo: 1}]->(c), (c)-[:REL {foo: [1, 2]}]->(a), (d)-[:EMPTY_REL {}]->(d)",
  );
  await ask(
    engine,
    "CREATE (:Chunk {e: vector([1, 2]), d: date('2024-01-01'), t: time('08:40'), lt: localtime('08:40'), " +
      "dt: datetime('2024-01-01T08:40Z'), " +
      "ldt: localdatetime('2024-01-01T08:40'), p: duration('P1D'), f: 1.5, b: true, _mixed: vector([1])}), " +
      '(:Chunk {e: [0.5, 1.5], d: 7, _mixed: 1})',
  );
  const types = await ask(
    engine,
    "CALL apoc.meta.data() YIELD label, property, type, array WHERE type <> 'RELATIONSHIP' RETURN label + '.' + property AS " +
      'key, type, array',
  );
  const scalar = { 'Node.foo': 'STRING', 'REL.foo': 'STRING', 'Chunk.d': 'DATE', 'Chunk.t': 'TIME', 'Chunk.lt': 'LOCAL_TIME' };
  const others = {
    'Chunk.dt': 'DATE_TIME',
    'Chunk.ldt': 'LOCAL_DATE_TIME',
    'Chunk.p': 'DURATION',
    'Chunk.f': 'FLOAT',
    'Chunk.b': 'BOOLEAN',
  };
  const lists = { 'Chunk.e': 'LIST', 'Chunk._mixed': 'LIST' };
  assert.deepEqual(
    new Map(types.map(({ key, type, array }) => [key, `${type} ${array}`])),
    new Map([
      ...Object.entries({ ...scalar, ...others }).map(([key, type]) => [key, `${type} false`] as const),
      ...Object.entries(lists).map(([key, type]) => [key, `${type} true`] as const),
    ]),
  );
  const sizes = await ask(
    engine,
    'MATCH (n:`Chunk`) WITH min(size(n.`e`)) AS least, max(size(n.`e`)) AS most RETURN {least: least, most: most} AS output',
  );
  assert.deepEqual(sizes, [{ output: { least: 2, most: 2 } }]);
  // What LangChain asks of text next fails as in Neo4j, which it takes for an answer.
  await assert.rejects(
    ask(engine, "MATCH (n:`Node`) WITH collect(distinct substring(toString(coalesce(n.`foo`, '')), 0, 50)) AS v RETURN v"),
    {
      code: 'TYPE_ERROR',
    },
  );
  const stored = await ask(
    engine,
    "CALL db.schema.nodeTypeProperties() YIELD nodeType, propertyName, propertyTypes WHERE propertyName IN ['foo', 'e'] RETURN " +
      'propertyName AS key, propertyTypes AS types ORDER BY key',
  );
  assert.deepEqual(stored, [
    { key: 'e', types: ['Vector', 'List'] },
    { key: 'foo', types: ['String', 'Long', 'List'] },
  ]);
  for (const call of [
    'db.schema.relTypeProperties',
    'db.schema.visualization',
    'apoc.meta.graph',
    'apoc.meta.graphSample',
    'apoc.meta.subGraph',
    'apoc.schema.nodes',
  ])
    await ask(engine, `CALL ${call}()`);
});

test('LangChain and LlamaIndex read indexes, constraints and counts', async (context) => {
  const engine = await opened(context);
  await ask(engine, PEOPLE);
  await ask(engine, 'CREATE INDEX FOR (n:Person) ON (n.name)');
  const indexes = await ask(
    engine,
    "CALL apoc.schema.nodes() YIELD label, properties, type, size, valuesSelectivity WHERE type = 'RANGE' RETURN *, size * " +
      'valuesSelectivity as distinctValues',
  );
  assert.deepEqual(
    indexes.map(({ label, properties, size, type }) => ({ label, properties, size, type })),
    [{ label: 'Person', properties: ['name'], size: 3, type: 'RANGE' }],
  );
  assert.deepEqual(await ask(engine, 'SHOW CONSTRAINTS'), []);
  for (const name of ['apoc.meta.graph', 'apoc.meta.subGraph', 'apoc.meta.graphSample']) {
    const [counts] = await ask(
      engine,
      `CALL ${name}({}) YIELD nodes, relationships RETURN nodes, ` +
        "[rel in relationships | {name:apoc.any.property(rel, 'type'), count: apoc.any.property(rel, 'count')}] AS relationships",
    );
    const nodes = counts!['nodes'] as Node[];
    assert.ok(nodes.every((node) => node instanceof Node));
    assert.deepEqual(
      nodes.map((node) => [node.properties.get('name'), node.properties.get('count')]),
      [
        ['Person', 3],
        ['Admin', 1],
        ['Dog', 1],
        ['Empty', 1],
      ],
    );
    assert.deepEqual((counts!['relationships'] as Row[])[0], { name: 'KNOWS', count: 2 });
  }
});

test('LangChain stores a graph document, twice without another trace', async (context) => {
  const engine = await opened(context);
  const nodes = [map({ id: 'ann', type: 'Person', properties: map({ age: 30 }) }), map({ id: 'oslo', type: 'City', properties: map({}) })];
  const links = [
    map({ source: 'ann', source_label: 'Person', target: 'oslo', target_label: 'City', type: 'LIVES_IN', properties: map({ since: 1 }) }),
  ];
  const document = map({ page_content: 'text', metadata: map({ id: 'd1' }) });
  for (let time = 0; time < 2; time++) {
    await ask(
      engine,
      'MERGE (d:Document {id:$document.metadata.id}) SET d.text = $document.page_content SET d += $document.metadata WITH d ' +
        'UNWIND $data AS row CALL apoc.merge.node([row.type], {id: row.id}, row.properties, {}) YIELD node MERGE (d)-[:MENTIONS]->(node) ' +
        "RETURN distinct 'done' AS result",
      { document, data: nodes },
    );
    await ask(
      engine,
      'UNWIND $data AS row CALL apoc.merge.node([row.source_label], {id: row.source},{}, {}) YIELD node as source ' +
        'CALL apoc.merge.node([row.target_label], {id: row.target},{}, {}) YIELD node as target ' +
        "CALL apoc.merge.relationship(source, row.type, {}, row.properties, target) YIELD rel RETURN distinct 'done'",
      { data: links },
    );
  }
  assert.deepEqual(await ask(engine, 'MATCH (n) RETURN labels(n) AS labels, n.id AS id, n.age AS age ORDER BY id'), [
    { labels: ['Person'], id: 'ann', age: 30 },
    { labels: ['Document'], id: 'd1', age: null },
    { labels: ['City'], id: 'oslo', age: null },
  ]);
  assert.deepEqual(await ask(engine, 'MATCH (a)-[r]->(b) RETURN a.id AS a, type(r) AS type, r.since AS since, b.id AS b ORDER BY a, b'), [
    { a: 'ann', type: 'LIVES_IN', since: 1, b: 'oslo' },
    { a: 'd1', type: 'MENTIONS', since: null, b: 'ann' },
    { a: 'd1', type: 'MENTIONS', since: null, b: 'oslo' },
  ]);
});

test('LlamaIndex upserts entities with embeddings and relations, and asks for the nearest', async (context) => {
  const engine = await opened(context);
  await ask(engine, 'CREATE CONSTRAINT IF NOT EXISTS FOR (n:`__Node__`) REQUIRE n.id IS UNIQUE;');
  const entity = (id: string, embedding: number[]): Value =>
    map({ id, label: 'PERSON', name: id, properties: map({ size: 1, gone: null, triplet_source_id: 'chunk' }), embedding });
  await ask(
    engine,
    `UNWIND $data AS row MERGE (e:__Node__ {id: row.id}) SET e += apoc.map.clean(row.properties, [], []) SET e.name = row.name,
     e:\`__Entity__\`
     WITH e, row CALL apoc.create.addLabels(e, [row.label]) YIELD node
     WITH e, row CALL (e, row) {
       WITH e, row WHERE row.embedding IS NOT NULL
       CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding) RETURN count(*) AS count }
     WITH e, row WHERE row.properties.triplet_source_id IS NOT NULL
     MERGE (c:__Node__ {id: row.properties.triplet_source_id}) MERGE (e)<-[:MENTIONS]-(c)`,
    { data: [entity('ann', [1, 0.5]), entity('bob', [0, 1])] },
  );
  await ask(
    engine,
    `UNWIND $data AS row MERGE (source: __Node__ {id: row.source_id}) ON CREATE SET source:Chunk
     MERGE (target: __Node__ {id: row.target_id}) ON CREATE SET target:Chunk WITH source, target, row
     CALL apoc.merge.relationship(source, row.label, {}, row.properties, target) YIELD rel RETURN count(*)`,
    { data: [map({ source_id: 'ann', target_id: 'bob', label: 'KNOWS', properties: map({ w: 1 }) })] },
  );
  assert.deepEqual(await ask(engine, 'MATCH (e:PERSON) RETURN labels(e) AS labels, keys(e) AS keys ORDER BY e.id LIMIT 1'), [
    { labels: ['__Node__', '__Entity__', 'PERSON'], keys: ['embedding', 'id', 'name', 'size', 'triplet_source_id'] },
  ]);
  assert.deepEqual(await ask(engine, 'MATCH (a:PERSON)-[r:KNOWS {w: 1}]->(b) RETURN a.id AS a, b.id AS b'), [{ a: 'ann', b: 'bob' }]);
  assert.deepEqual(
    await ask(
      engine,
      `MATCH (e:\`__Entity__\`) WHERE e.embedding IS NOT NULL AND size(e.embedding) = $dimension
       WITH e, vector.similarity.cosine(e.embedding, $embedding) AS score ORDER BY score DESC LIMIT toInteger($limit) RETURN e.id AS name`,
      { dimension: 2, embedding: [0, 2], limit: 1 },
    ),
    [{ name: 'bob' }],
  );
});

test('what browsers and shells ask when they connect has the columns that they read', async (context) => {
  const engine = await opened(context);
  await ask(engine, PEOPLE);
  const columns: Record<string, string[]> = {
    'CALL db.ping()': ['success'],
    'CALL dbms.components() YIELD name, versions, edition': ['name', 'versions', 'edition'],
    'CALL dbms.licenseAgreementDetails()': ['status', 'daysLeftOnTrial', 'totalTrialDays'],
    'CALL dbms.clientConfig()': ['name', 'description', 'value', 'dynamic'],
    'CALL dbms.showCurrentUser()': ['username', 'roles', 'flags'],
    'CALL db.labels()': ['label'],
    'CALL db.relationshipTypes()': ['relationshipType'],
    'CALL db.propertyKeys()': ['propertyKey'],
    'CALL db.schema.visualization()': ['nodes', 'relationships'],
    'CALL db.schema.nodeTypeProperties()': ['nodeType', 'nodeLabels', 'propertyName', 'propertyTypes', 'mandatory'],
    'CALL db.schema.relTypeProperties()': ['relType', 'propertyName', 'propertyTypes', 'mandatory'],
    'SHOW CURRENT USER': ['user', 'roles', 'passwordChangeRequired', 'suspended', 'home'],
    "SHOW DATABASES YIELD name, currentStatus, role WHERE name = 'neo4j' RETURN name, currentStatus AS status, role": [
      'name',
      'status',
      'role',
    ],
    'SHOW PROCEDURES': ['name', 'description', 'mode', 'worksOnSystem'],
    'SHOW FUNCTIONS YIELD name, signature, description': ['name', 'signature', 'description'],
  };
  for (const [query, expected] of Object.entries(columns)) {
    const [row] = await ask(engine, query);
    assert.deepEqual(Object.keys(row ?? {}), expected, query);
  }
  const [picture] = await ask(engine, 'CALL db.schema.visualization()');
  const relationships = picture!['relationships'] as Relationship[];
  const ids = new Set((picture!['nodes'] as Node[]).map((node) => node.id));
  assert.ok(relationships.length > 0);
  assert.ok(relationships.every((each) => each instanceof Relationship && ids.has(each.sourceId) && ids.has(each.targetId)));
  assert.deepEqual(await ask(engine, 'CALL db.awaitIndexes(10)'), []);
});

test('an unknown procedure is told by its TCK detail, and the name that was meant', async (context) => {
  const engine = await opened(context);
  await assert.rejects(ask(engine, 'CALL db.label()'), (error: { code: string; message: string; tck: { detail: string } }) => {
    assert.equal(error.code, 'SEMANTIC_ERROR');
    assert.equal(error.tck.detail, 'ProcedureNotFound');
    assert.match(error.message, /db\.labels/);
    return true;
  });
});

test('procedures see deleted and changed rows as they are now', async (context) => {
  const engine = await opened(context);
  await ask(engine, PEOPLE);
  await engine.flush();
  await ask(engine, 'MATCH (n:Dog) DETACH DELETE n');
  await ask(engine, "MATCH (:Person {name: 'Ann'})-[r:KNOWS]->() SET r.note = 'x' REMOVE r.since");
  assert.deepEqual(await ask(engine, 'CALL db.schema.relTypeProperties()'), [
    { relType: ':`KNOWS`', propertyName: 'note', propertyTypes: ['String'], mandatory: false },
  ]);
  assert.deepEqual(
    (await ask(engine, 'CALL db.schema.nodeTypeProperties() YIELD nodeType RETURN DISTINCT nodeType')).map((row) => row['nodeType']),
    [':`Person`', ':`Person`:`Admin`', ':`Empty`'],
  );
  assert.deepEqual(await ask(engine, "CALL apoc.merge.node(['Dog'], {name: 'Dot'}) YIELD node RETURN node.tags AS tags"), [{ tags: null }]);
});

test('a procedure that writes ends what was read before it, and is refused where nothing may be written', async (context) => {
  const engine = await opened(context);
  await ask(engine, 'UNWIND range(1, 100) AS i CREATE (:P {id: i})');
  assert.deepEqual(await ask(engine, "MATCH (n:P) CALL apoc.merge.node(['P'], {id: n.id + 1}) YIELD node RETURN count(*) AS c"), [
    { c: 100 },
  ]);
  assert.deepEqual(await ask(engine, 'MATCH (n:P) RETURN count(n) AS c'), [{ c: 101 }]);
  const transaction = await engine.begin({ mode: 'read' });
  await assert.rejects(transaction.execute("CALL apoc.merge.node(['P'], {id: -1})", new Map()), { code: 'READ_ONLY' });
  await transaction.rollback();
  await assert.rejects(ask(engine, "CALL apoc.merge.node(['P'], {id: null})"), { code: 'SEMANTIC_ERROR' });
  await assert.rejects(ask(engine, "CALL apoc.merge.relationship(null, 'R', {}, {}, null)"), { code: 'TYPE_ERROR' });
  assert.deepEqual(await ask(engine, 'MATCH (n) RETURN count(n) AS c'), [{ c: 101 }]);
});
