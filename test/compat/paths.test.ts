/** `apoc.path.*`: filters of relationships, labels and nodes, levels, uniqueness, order and limits, as APOC has them. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';

let databases = 0;

/** a → b → c → d by KNOWS, a → c by OWNS, d → a by KNOWS, c → x (:Stop) → y. */
async function graph(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://paths-${databases++}`);
  context.after(() => engine.close());
  await ask(
    engine,
    `CREATE (a:P {name: 'a'})-[:KNOWS {since: 1}]->(b:P {name: 'b'})-[:KNOWS]->(c:P:Q {name: 'c'})-[:KNOWS]->(d:P {name: 'd'}),
     (a)-[:OWNS]->(c),
      (d)-[:KNOWS]->(a), (c)-[:KNOWS]->(x:Stop {name: 'x'})-[:KNOWS]->(:P {name: 'y'})`,
  );
  return engine;
}

async function ask(engine: Engine, query: string, params: Record<string, Value> = {}): Promise<unknown[]> {
  const { rows } = await engine.execute(query, new Map(Object.entries(params)));
  return rows.map((row) => (row.length === 1 ? row[0] : row));
}

const from = (call: string, rest: string): string => `MATCH (a:P {name: 'a'}) CALL apoc.path.${call} ${rest}`;
const names = "reduce(s = '', n IN nodes(path) | s + n.name)";

test('labels joined by colons stand for the nodes that have all of them', async (context) => {
  const engine = await graph(context);
  const nodes = (filter: string) =>
    ask(engine, from(`subgraphNodes(a, {relationshipFilter: 'KNOWS>', labelFilter: '${filter}'})`, 'YIELD node RETURN node.name'));
  assert.deepEqual(await nodes('-P:Q'), ['a', 'b']);
  assert.deepEqual(await nodes('-Q:Stop'), ['a', 'b', 'c', 'x', 'd', 'y']);
  assert.deepEqual(await nodes('>Q:P'), ['c']);
  assert.deepEqual(await nodes('/:P:Q|/Stop'), ['c']);
  assert.deepEqual(await nodes('+P:Q'), ['a']);
  assert.deepEqual(await nodes('P|Q:Stop|-P:`Q`'), ['a', 'b']);
  assert.deepEqual(await nodes('-`P:Q`'), ['a', 'b', 'c', 'x', 'd', 'y']);
});

test('nodes within so many levels, each once, in the order of their distance', async (context) => {
  const engine = await graph(context);
  const nodes = (config: string) => ask(engine, from(`subgraphNodes(a, ${config})`, 'YIELD node RETURN node.name'));
  assert.deepEqual(await nodes("{relationshipFilter: 'KNOWS>', maxLevel: 2}"), ['a', 'b', 'c']);
  assert.deepEqual(await nodes("{relationshipFilter: '<KNOWS', minLevel: 1}"), ['d', 'c', 'b']);
  assert.deepEqual((await nodes('{}')).sort(), ['a', 'b', 'c', 'd', 'x', 'y']);
  assert.deepEqual(await nodes("{relationshipFilter: 'KNOWS>|OWNS>', limit: 2}"), ['a', 'b']);
  assert.deepEqual(await nodes("{relationshipFilter: 'NONE>'}"), ['a']);
  assert.deepEqual(await nodes("{relationshipFilter: 'NONE>', minLevel: 1, optional: true}"), [null]);
});

test('labels allow, keep out, end a path, and end it while it goes on', async (context) => {
  const engine = await graph(context);
  const nodes = (filter: string) =>
    ask(engine, from(`subgraphNodes(a, {relationshipFilter: 'KNOWS>', labelFilter: '${filter}'})`, 'YIELD node RETURN node.name'));
  assert.deepEqual(await nodes('P'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(await nodes('+P'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(await nodes('-Q'), ['a', 'b']);
  assert.deepEqual(await nodes('/Stop'), ['x']);
  assert.deepEqual(await nodes('>Q|/Stop'), ['c', 'x']);
  assert.deepEqual(await nodes('+P|-Q'), ['a', 'b']);
  const filtered = "subgraphNodes(a, {relationshipFilter: 'KNOWS>', labelFilter: '+Q', filterStartNode: true})";
  assert.deepEqual(await ask(engine, from(filtered, 'YIELD node RETURN node.name')), []);
});

test('paths are unique by what is asked for', async (context) => {
  const engine = await graph(context);
  const paths = (config: string) =>
    ask(engine, from(`expandConfig(a, {relationshipFilter: 'KNOWS>', ${config}})`, `YIELD path RETURN ${names}`));
  assert.deepEqual(await paths("minLevel: 4, labelFilter: '-Stop'"), ['abcda']);
  assert.deepEqual(await paths("minLevel: 3, uniqueness: 'NODE_PATH', labelFilter: '-Stop'"), ['abcd']);
  assert.deepEqual(await paths("minLevel: 5, maxLevel: 5, uniqueness: 'NONE', labelFilter: '-Stop'"), ['abcdab']);
  const deep = await paths("uniqueness: 'RELATIONSHIP_GLOBAL', bfs: false");
  assert.deepEqual(deep.toSorted(), ['a', 'ab', 'abc', 'abcd', 'abcda', 'abcx', 'abcxy']);
  assert.equal(deep.indexOf('abcda'), deep.indexOf('abcd') + 1, 'what begins with a path comes behind it');
  assert.equal(deep.indexOf('abcxy'), deep.indexOf('abcx') + 1);
  assert.deepEqual((await paths('bfs: true, maxLevel: 3, minLevel: 1')).slice(0, 2), ['ab', 'abc']);
  await assert.rejects(paths("uniqueness: 'NODE_RECENT'"), { code: 'ARGUMENT_ERROR', message: /NODE_GLOBAL/ });
});

test('sequences of relationships and labels, and lists of nodes', async (context) => {
  const engine = await graph(context);
  const expand = (config: string) => ask(engine, from(`expandConfig(a, ${config})`, `YIELD path RETURN ${names}`));
  assert.deepEqual(await expand("{relationshipFilter: 'OWNS>,KNOWS>', minLevel: 2, maxLevel: 2, labelFilter: '-Stop'}"), ['acd']);
  assert.deepEqual(await expand("{sequence: 'P, KNOWS>, Q, KNOWS>', minLevel: 1, maxLevel: 2}"), []);
  assert.deepEqual(await expand("{sequence: 'P, KNOWS>, P, KNOWS>', minLevel: 2, maxLevel: 2}"), ['abc']);
  const among = (list: string) =>
    ask(
      engine,
      `MATCH (a:P {name: 'a'}), (c:Q) CALL apoc.path.expandConfig(a, {relationshipFilter: 'KNOWS>', ${list}, uniqueness: ` +
        `'NODE_GLOBAL'}) YIELD path RETURN ${names}`,
    );
  assert.deepEqual(await among('endNodes: [c]'), ['abc']);
  assert.deepEqual(await among('terminatorNodes: [c]'), ['abc']);
  assert.deepEqual(await among('blacklistNodes: [c]'), ['a', 'ab']);
  assert.deepEqual(await among('allowlistNodes: [c]'), ['a']);
});

/** a → b → c → e → f by R, a → d by R, d → c by Q: a is an S, b and c are X, d is a Y, e and f are T. */
async function diamond(context: TestContext): Promise<(config: string) => Promise<unknown[]>> {
  const engine = await openEngine(`memory://paths-${databases++}`);
  context.after(() => engine.close());
  await ask(
    engine,
    `CREATE (a:S {name: 'a'})-[:R]->(:X {name: 'b'})-[:R]->(c:X {name: 'c'})-[:R]->(:T {name: 'e'})-[:R]->(:T {name: 'f'}),
      (a)-[:R]->(:Y {name: 'd'})-[:Q]->(c)`,
  );
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `(${name} {name: '${name}'})`).join(', ');
  return (config) =>
    ask(engine, `MATCH ${all} CALL apoc.path.expandConfig(a, {${config}}) YIELD path WITH ${names} AS p RETURN p ORDER BY p`);
}

const ALL_OF_DIAMOND = ['a', 'ab', 'abc', 'abce', 'abcef', 'ad', 'adc', 'adce', 'adcef'];

for (const [config, expected] of [
  ['endNodes: [c], allowlistNodes: [b]', ['abc']],
  ['terminatorNodes: [d], allowlistNodes: [b, c]', ['ad']],
  ['denylistNodes: [a]', ALL_OF_DIAMOND],
  ['denylistNodes: [a], filterStartNode: true', []],
  ['denylistNodes: [c], endNodes: [c, d]', ['ad']],
  ['terminatorNodes: [a, c]', ['abc', 'adc']],
  ['terminatorNodes: [a, c], filterStartNode: true', ['a']],
  ['endNodes: [a, c]', ['abc', 'adc']],
  ['endNodes: [a, c], filterStartNode: true', ['a', 'abc', 'adc']],
  ['allowlistNodes: [b]', ['a', 'ab']],
  ['allowlistNodes: [b], filterStartNode: true', []],
  ['allowlistNodes: [b], whitelistNodes: [d]', ['a', 'ab']],
  ['denylistNodes: [c, b], blacklistNodes: [d]', ['a', 'ad']],
  ['terminatorNodes: [e, f], minLevel: 4', ['abcef', 'adcef']],
  ['terminatorNodes: [e, f]', ['abce', 'adce']],
  ["labelFilter: '/T', minLevel: 4", ['abcef', 'adcef']],
  ["labelFilter: '/T'", ['abce', 'adce']],
  ["labelFilter: '-X|/T', minLevel: 4", []],
  ["labelFilter: '/T', endNodes: [e]", ['abce', 'adce']],
  ["labelFilter: '/T', endNodes: [f]", []],
  ["labelFilter: '>Y', endNodes: [c, d]", ['ad']],
  ["labelFilter: '+X|>Y', endNodes: [c]", []],
  ["labelFilter: '+X', endNodes: [c]", ['abc']],
] as const) {
  test(`lists of nodes, ends, levels and the start are judged together: ${config}`, async (context) => {
    const expand = await diamond(context);
    assert.deepEqual(await expand(`relationshipFilter: '>', ${config}`), expected);
  });
}

for (const [config, expected] of [
  ["sequence: 'R>, X, R>'", ['a', 'ab', 'abc']],
  ["sequence: 'R>, Y, Q>, X, R>, T'", ['a', 'ad', 'adc', 'adce']],
  ["sequence: 'R>, Y, Q>, X', minLevel: 1", ['ad', 'adc']],
  ["sequence: 'R>, X', maxLevel: 1", ['a', 'ab']],
  ["relationshipFilter: 'R>, Q>'", ['a', 'ab', 'ad', 'adc']],
  ["relationshipFilter: 'R>, Q>, R>'", ['a', 'ab', 'ad', 'adc', 'adce']],
  ["relationshipFilter: 'R>, R>|Q>', labelFilter: 'X'", ['a', 'ab', 'abc']],
  ["relationshipFilter: 'R>', maxLevel: 1", ['a', 'ab', 'ad']],
  ["labelFilter: 'X,X,T', uniqueness: 'NODE_GLOBAL'", ['a', 'ab', 'abc', 'abce']],
] as const) {
  test(`a sequence that begins behind the start: ${config}`, async (context) => {
    const expand = await diamond(context);
    assert.deepEqual(await expand(`${config}, beginSequenceAtStart: false`), expected);
  });
}

test('a sequence that begins behind the start has a step that repeats', async (context) => {
  const expand = await diamond(context);
  for (const config of ["relationshipFilter: 'R>'", "sequence: 'R>, X'"])
    await assert.rejects(
      expand(`${config}, beginSequenceAtStart: false`),
      { code: 'ARGUMENT_ERROR', message: /only the first step/ },
      config,
    );
});

test('a spanning tree, the positional form, and the subgraph with its relationships', async (context) => {
  const engine = await graph(context);
  assert.deepEqual(
    (
      await ask(
        engine,
        from("spanningTree(a, {relationshipFilter: 'KNOWS>|OWNS>', minLevel: 1, maxLevel: 2})", `YIELD path RETURN ${names}`),
      )
    ).toSorted(),
    ['ab', 'ac', 'acd', 'acx'],
  );
  assert.deepEqual(await ask(engine, from("expand(a, 'KNOWS>', '-Stop', 1, 2)", `YIELD path RETURN ${names}`)), ['ab', 'abc']);
  const all = `MATCH (start:P) WHERE start.name = $entity_id WITH start
    CALL apoc.path.subgraphAll(start, {relationshipFilter: '', labelFilter: $label_filter, minLevel: 0, maxLevel: $max_depth,
    bfs: true}) YIELD nodes, relationships
    WITH nodes, relationships, size(nodes) AS total_nodes UNWIND nodes AS node
    WITH collect({node: node}) AS node_info, relationships, total_nodes
    RETURN size(node_info), total_nodes, apoc.coll.sort([r IN relationships | type(r) + coalesce(r.since, '')])`;
  const [row] = await ask(engine, all, { entity_id: 'a', label_filter: 'P', max_depth: 1 });
  assert.deepEqual(row, [4, 4, ['KNOWS', 'KNOWS', 'KNOWS', 'KNOWS1', 'OWNS']]);
  await assert.rejects(ask(engine, from('subgraphNodes(a, {minLevel: 2})', 'YIELD node RETURN node')), { code: 'ARGUMENT_ERROR' });
  await assert.rejects(ask(engine, 'CALL apoc.path.subgraphNodes(1, {}) YIELD node RETURN node'), { code: 'TYPE_ERROR' });
});

test('what paths hand out has its properties in a process that has read nothing', async (context) => {
  const store = `memory://paths-cold-${databases++}`;
  const writer = await openEngine(store);
  await ask(writer, "CREATE (:P {name: 'a'})-[:KNOWS {since: 1}]->(:P {name: 'b'})");
  await writer.flush();
  await writer.close();
  const engine = await openEngine(store);
  context.after(() => engine.close());
  assert.deepEqual(
    await ask(
      engine,
      from('subgraphAll(a, {})', 'YIELD nodes, relationships RETURN [n IN nodes | n.name], [r IN relationships | r.since]'),
    ),
    [[['a', 'b'], [1]]],
  );
  assert.deepEqual(await ask(engine, from('expandConfig(a, {})', 'YIELD path RETURN [n IN nodes(path) | n.name]')), [['a'], ['a', 'b']]);
});
