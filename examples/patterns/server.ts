/**
 * A database behind a server: the calls are those of a store that this process opens. The first argument is the URL,
 * the token stands in GRAPHDB_AUTH_TOKEN.
 */
import assert from 'node:assert/strict';
import { CypherDate, GraphDBError, Node, open, Path } from 'graphdb';

interface Friend {
  readonly name: string;
  readonly since: CypherDate;
}

const url = process.argv[2] ?? 'http://127.0.0.1:8080';
await using db = await open(url);
const friends: Friend[] = [{ name: 'Grace', since: CypherDate.fromString('2020-02-29') }];
const { writeOutcome } = await db.query(
  "CREATE (a:Person {name: 'Ada'}) WITH a UNWIND $friends AS f CREATE (a)-[:KNOWS {since: f.since}]->(:Person {name: f.name})",
  { friends },
);
assert.deepEqual([writeOutcome?.nodesCreated, writeOutcome?.edgesCreated], [2, 1]);

const found = await db.first<{ a: Node; since: CypherDate; path: Path }>(
  'MATCH path = (a)-[k:KNOWS]->(b) RETURN a, k.since AS since, path',
);
assert.ok(found?.a instanceof Node && found.path instanceof Path && found.since instanceof CypherDate);
assert.deepEqual([found.path.nodes.length, found.path.relationships[0]?.type, found.since.year], [2, 'KNOWS', 2020]);

let sum = 0;
for await (const { x } of db.stream<{ x: number }>('UNWIND range(1, 100000) AS x RETURN x')) {
  sum += x;
  if (x === 1000) break;
}
assert.equal(sum, 500_500);

const names = await db.transaction(async (tx) => {
  await tx.query("CREATE (:Person {name: 'Zoe'})");
  for await (const { name } of tx.stream<{ name: string }>('MATCH (p:Person) RETURN p.name AS name ORDER BY name DESC')) {
    assert.equal(await tx.value('RETURN $name', { name }), name);
    if (name === 'Zoe') break;
  }
  return tx.value<string[]>('MATCH (p:Person) WITH p ORDER BY p.name RETURN collect(p.name)');
});
assert.deepEqual(names, ['Ada', 'Grace', 'Zoe']);
await assert.rejects(db.query('RETURN 1 +'), (error) => error instanceof GraphDBError && error.code === 'SYNTAX_ERROR' && error.line === 1);
await assert.rejects(db.query('UNWIND range(1, 1000000000) AS x RETURN max(x % 7)', {}, { timeoutMs: 100 }), { code: 'QUERY_TIMEOUT' });
assert.equal((await db.query('PROFILE MATCH (p:Person) RETURN p')).profile?.rows, 3);
assert.ok((await db.flush()).manifestVersion > 0);
console.log('server: done');
