/**
 * Export → import → the same graph: identifiers, labels, types, every value, indexes and constraints; generated graphs,
 * and every format that import reads.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { type Engine, openEngine } from '../../engine/index.ts';
import { importFiles, readExportFolder } from '../../import/index.ts';
import { Node, Relationship, type ResultValue, type Value, writeJson } from '../../value/index.ts';
import { storedProperty } from '../../value/testing/property.fixture.ts';
import { exportGraph, parseExportFormat } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-round-trip-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let runs = 0;

interface GeneratedNode {
  readonly id: string | null;
  readonly labels: readonly string[];
  readonly properties: ReadonlyMap<string, Value>;
}

interface GeneratedGraph {
  readonly nodes: readonly GeneratedNode[];
  readonly relationships: readonly {
    readonly type: string;
    readonly from: number;
    readonly to: number;
    readonly properties: ReadonlyMap<string, Value>;
  }[];
}

const label = fc.constantFrom('Person', 'A', 'Möbel', 'Od d', '`', 'person', 'x:y', '😀');
const key = fc.constantFrom('name', 'a', 'b', 'a:b', 'x:int', 'n:ID', ' ', '"q"', 'k,;\n', '__proto__', '😀', 'constructor', '{x}', 'Name');
const properties = fc.array(fc.tuple(key, storedProperty), { maxLength: 5 }).map((entries) => new Map(entries));
const graph: fc.Arbitrary<GeneratedGraph> = fc
  .array(fc.record({ id: fc.boolean(), labels: fc.uniqueArray(label, { maxLength: 3 }), properties }), { maxLength: 8 })
  .chain((nodes) =>
    fc
      .array(
        fc.record({
          type: fc.constantFrom('KNOWS', 'likes', 'T y', 'a:b', ';', '😀'),
          from: fc.nat(Math.max(nodes.length - 1, 0)),
          to: fc.nat(Math.max(nodes.length - 1, 0)),
          properties,
        }),
        { maxLength: nodes.length === 0 ? 0 : 10 },
      )
      .map((relationships) => ({
        nodes: nodes.map((node, index) => ({ ...node, id: node.id ? `id "${index}",😀` : null })),
        relationships,
      })),
  );

/** Statements that leave several versions of rows behind, in files and in the log. */
const changes = fc.array(
  fc.constantFrom(
    'flush',
    "MATCH (n:Person) SET n.a = 'changed', n.b = null",
    'MATCH (n:A) SET n.name = 7',
    'MATCH (n:person) DETACH DELETE n',
    'MATCH (n:A) SET n:Extra',
    "MATCH ()-[r:KNOWS|likes]->() SET r.a = [1, 2], r.name = date('2020-01-01')",
    'MATCH ()-[r:KNOWS]->() DELETE r',
    'MATCH (a:Person), (b:A) CREATE (a)-[:KNOWS {b: 1.5}]->(b), (:Person {a: true})',
  ),
  { maxLength: 6 },
);

async function create(engine: Engine, { nodes, relationships }: GeneratedGraph): Promise<void> {
  const ids: string[] = [];
  for (const { id, labels, properties: values } of nodes) {
    const text = labels.map((name) => `:\`${name.replaceAll('`', '``')}\``).join('');
    const { rows } = await engine.execute(
      `CREATE (n${text}${id === null ? '' : ' {_id: $id}'}) SET n += $p RETURN id(n)`,
      new Map<string, Value>([
        ['id', id],
        ['p', new Map(values)],
      ]),
    );
    ids.push(String(rows[0]![0]));
  }
  for (const { type, from, to, properties: values } of relationships) {
    await engine.execute(
      `MATCH (a {_id: $a}), (b {_id: $b}) CREATE (a)-[r:\`${type}\`]->(b) SET r += $p`,
      new Map<string, Value>([
        ['a', ids[from]!],
        ['b', ids[to]!],
        ['p', new Map(values)],
      ]),
    );
  }
}

/** Everything in a graph as sorted text; parallel relationships as often as there are. */
async function contents(engine: Engine): Promise<string[]> {
  const lines: string[] = [];
  const sorted = (map: ReadonlyMap<string, Value>): string =>
    [...map]
      .map(([name, value]) => `${JSON.stringify(name)}=${writeJson(value as ResultValue, 'typed')}`)
      .sort()
      .join();
  for (const [node] of (await engine.execute('MATCH (n) RETURN n', new Map())).rows) {
    assert.ok(node instanceof Node);
    lines.push(`${JSON.stringify(node.id)} ${JSON.stringify([...node.labels].sort())} ${sorted(node.properties)}`);
  }
  for (const [relationship] of (await engine.execute('MATCH ()-[r]->() RETURN r', new Map())).rows) {
    assert.ok(relationship instanceof Relationship);
    const { sourceId, targetId, type } = relationship;
    lines.push(`${JSON.stringify([sourceId, type, targetId])} ${sorted(relationship.properties)}`);
  }
  const schema = (await engine.execute('SHOW INDEXES YIELD createStatement RETURN createStatement', new Map())).rows;
  return [...lines.sort(), ...schema.map(String).sort()];
}

async function roundTrip(uri: string, format: string, arrayDelimiter = '|'): Promise<string[]> {
  const to = join(folder, `export-${++runs}`);
  const target = parseExportFormat(format)!;
  await exportGraph({ store: uri }, { ...target, to, output: new PassThrough(), delimiter: ',', arrayDelimiter });
  const store = `memory://round-trip-${runs}`;
  const { nodes, relationships, schema } = await readExportFolder(to);
  await importFiles({ store, nodes, relationships, schema, arrayDelimiter });
  const imported = await openEngine(store, {});
  try {
    return await contents(imported);
  } finally {
    await imported.close();
    rmSync(to, { recursive: true });
  }
}

for (const format of ['ndjson', 'csv', 'parquet', 'ndjson.zst', 'csv.gz']) {
  test(`what ${format} carries is the same graph afterwards`, async () => {
    await fc.assert(
      fc.asyncProperty(graph, changes, async (generated, changed) => {
        const uri = `memory://round-trip-from-${++runs}`;
        const engine = await openEngine(uri, {});
        try {
          await create(engine, generated);
          await engine.execute('CREATE INDEX FOR (n:Person) ON (n.name)', new Map());
          for (const change of changed) await (change === 'flush' ? engine.flush() : engine.execute(change, new Map()));
          assert.deepEqual(await roundTrip(uri, format), await contents(engine));
        } finally {
          await engine.close();
        }
      }),
      { endOnFailure: true, numRuns: format.includes('.') ? 3 : Number(process.env['GRAPHDB_ROUND_TRIPS'] ?? 20) },
    );
  });
}

for (const format of ['csv', 'parquet']) {
  test(`more tables than files may be open share a file as ${format}`, async () => {
    const uri = `memory://round-trip-wide-${format}`;
    const engine = await openEngine(uri, {});
    for (let i = 0; i < 70; i++) {
      const value = i % 3 === 0 ? i : i % 3 === 1 ? `'${i}'` : `date('2020-01-01')`;
      await engine.execute(`CREATE (:L${i} {a: ${value}, b${i % 5}: ${i}})-[:R${i} {a: ${value}}]->()`, new Map());
    }
    await engine.flush();
    assert.deepEqual(await roundTrip(uri, format), await contents(engine));
    await engine.close();
  });
}

const ODD_SCHEMA = [
  'CREATE INDEX `a;\nb` FOR (n:`L;\r\nM`) ON (n.`k;\nx`)',
  'CREATE CONSTRAINT `c``;\n` FOR (n:`\0`) REQUIRE n.`p` IS UNIQUE',
];

for (const format of ['ndjson', 'parquet', 'csv']) {
  test(`odd names, empty values and the ends of numbers come back from ${format}`, async () => {
    const uri = `memory://round-trip-odd-${format}`;
    const engine = await openEngine(uri, {});
    for (const statement of ODD_SCHEMA) await engine.execute(statement, new Map());
    const vectors = [[1.5, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-45], [0]].map((each) => new Float32Array(each));
    await engine.execute(
      'CREATE (a:`nul\0l`:`con` {s: $s, v: $v, w: $w, e: $e, l: $l}), (b), (a)-[:`../x` {m: -0.0, b: 9223372036854775807}]->(b)',
      new Map<string, Value>([
        ['s', '\ufeffa\0b\u2028"\\\r\n '],
        ['v', vectors[0]!],
        ['w', vectors[1]!],
        ['e', new Uint8Array(0)],
        ['l', ['', 'a\0', ';', '|', '"', '\n']],
      ]),
    );
    await engine.execute("CREATE (:`..` {l: [], s: ''}), (:`A` {l: ['']}), (:`a` {f: 0.0/0.0, i: -9223372036854775808})", new Map());
    assert.deepEqual(await roundTrip(uri, format), await contents(engine));
    await engine.execute('MATCH (n) DETACH DELETE n', new Map());
    await engine.execute('DROP INDEX `a;\nb`', new Map());
    await engine.execute('DROP CONSTRAINT `c``;\n`', new Map());
    assert.deepEqual(await roundTrip(uri, format), []);
    await engine.close();
  });
}

for (const format of ['ndjson', 'csv', 'parquet']) {
  test(`no file of ${format} has its name before all are complete, and half an export is not imported`, async () => {
    const uri = `memory://round-trip-half-${format}`;
    const engine = await openEngine(uri, {});
    await engine.execute('CREATE (:A)-[:R]->(:B)', new Map());
    await engine.execute('CREATE INDEX FOR (n:A) ON (n.name)', new Map());
    await engine.close();
    const to = join(folder, `half-${format}`);
    const half = join(folder, `killed-${format}`);
    await exportGraph(
      { store: uri },
      {
        ...parseExportFormat(format)!,
        to,
        output: new PassThrough(),
        delimiter: ',',
        arrayDelimiter: ';',
        onProgress: ({ rows, phase }) => {
          const names = readdirSync(to);
          assert.ok(phase === 'looking' || names.every((name) => name.endsWith('.part')), names.join());
          if (rows === 3) cpSync(to, half, { recursive: true });
        },
      },
    );
    assert.ok(readdirSync(to).every((name) => !name.endsWith('.part')));
    // What a killed process leaves, and what it leaves while it gives the names.
    await assert.rejects(readExportFolder(half), { code: 'ARGUMENT_ERROR', message: /\.part belongs to an export that did not end/ });
    const last = readdirSync(to).sort().at(-1)!;
    renameSync(join(to, last), join(to, `${last}.part`));
    await assert.rejects(readExportFolder(to), { code: 'ARGUMENT_ERROR' });
  });
}

const POINTS = [
  "CREATE (:Place {name: 'a', at: point({x: -0.0, y: 1e300}), track: [point({longitude: 1, latitude: 2}), point({x: 1, y: 2, z: 3})]})",
  "CREATE (:Place {name: 'b', at: point({longitude: -180, latitude: 90, height: 5e-324}), track: []})-[:NEAR {via: point({x: " +
    "0.1, y: -2}), mixed: point({x: 1, y: 2})}]->(:Place {name: 'c'})",
  "CREATE (:Place {name: 'd'})-[:NEAR {mixed: 'nowhere'}]->(:Place {name: 'e', at: point({x: 1, y: 2})})",
  'CREATE POINT INDEX places FOR (p:Place) ON (p.at)',
];

for (const format of ['csv', 'parquet', 'ndjson']) {
  test(`points and their index come back from ${format}`, async () => {
    const uri = `memory://round-trip-points-${format}`;
    const engine = await openEngine(uri, {});
    for (const statement of POINTS) await engine.execute(statement, new Map());
    await engine.flush();
    assert.deepEqual(await roundTrip(uri, format), await contents(engine));
    await engine.close();
  });
}

const LISTS = [
  "CREATE (:A {time: [localtime('10:20'), localtime('11:00')], zoned: [datetime('2024-07-01T12:00[America/New_York]')]})",
  "CREATE (:A {date: [date('2020-10-11')], duration: [duration('P1Y-2M')], local: [localdatetime('2024-07-01T12:00')]})",
  'CREATE (:A {float: [1.5, 1e300, 0.0 / 0.0], integer: [-12, 345], vector: vector([1.5, 2.0, 1e30]), boolean: [true, false]})',
  "CREATE (:A {time: [time('10:20+01:00')], text: ['a:b', 'c-d'], point: [point({x: 1.5, y: -2})]})",
];

test('lists and vectors come back from CSV, whatever character stands between elements', async () => {
  const uri = 'memory://round-trip-delimiters';
  const engine = await openEngine(uri, {});
  for (const statement of LISTS) await engine.execute(statement, new Map());
  const expected = await contents(engine);
  for (const delimiter of [':', '.', '-', '+', '_', '/', '[', ']', '1', 'e', 'T', ' ', '|'])
    assert.deepEqual(await roundTrip(uri, 'csv', delimiter), expected, delimiter);
  await engine.close();
});

test('a property key that begins with U+FEFF comes back from CSV and NDJSON, and is refused by Parquet', async () => {
  const uri = 'memory://round-trip-marks';
  const engine = await openEngine(uri, {});
  await engine.execute('CREATE (:A {`\ufeffid`: 1, id: 2})-[:R {`\ufeffid`: 1}]->(:`\ufeffA`)', new Map());
  for (const format of ['csv', 'ndjson']) assert.deepEqual(await roundTrip(uri, format), await contents(engine));
  await assert.rejects(roundTrip(uri, 'parquet'), { code: 'UNSUPPORTED', message: /begins with U\+FEFF/ });
  await engine.close();
});

test('a Cypher script makes points and their index again', async () => {
  const uri = 'memory://round-trip-points-script';
  const engine = await openEngine(uri, {});
  for (const statement of POINTS) await engine.execute(statement, new Map());
  await engine.flush();
  const to = join(folder, 'points.cypher');
  await exportGraph(
    { store: uri },
    { ...parseExportFormat('cypher')!, to, output: new PassThrough(), delimiter: ',', arrayDelimiter: ';' },
  );
  const copy = await openEngine('memory://round-trip-points-copy', {});
  for (const statement of readFileSync(to, 'utf8').split(/;\n/)) if (statement !== '') await copy.execute(statement, new Map());
  assert.deepEqual(await contents(copy), await contents(engine));
  await copy.close();
  await engine.close();
});
