/**
 * Neo4j's cypher-shell against a server (BOLT_URL, NEO4J_URL, TOKEN): a script with writes, reads, parameters, a
 * transaction that is rolled back, EXPLAIN and PROFILE, an error; both URL schemes. The folder for what Maven fetches
 * is the argument.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder = '.'] = process.argv;
const { BOLT_URL = '', NEO4J_URL = '', TOKEN = '' } = process.env;

mkdirSync(folder, { recursive: true });
const paths = join(folder, 'class-path');
const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
const maven = spawnSync('mvn', ['-q', '-B', '-f', join(import.meta.dirname, 'pom.xml'), goal, `-Dmdep.outputFile=${paths}`], {
  stdio: 'inherit',
});
assert.equal(maven.status, 0, 'maven has no cypher-shell');

function shell(url: string, args: readonly string[], input = '') {
  const connection = ['-a', url, '-u', 'neo4j', '-p', TOKEN, '--format', 'plain'];
  const command = ['-cp', readFileSync(paths, 'utf8').trim(), 'org.neo4j.shell.Main', ...connection, ...args];
  const { status, stdout, stderr } = spawnSync('java', command, { input, encoding: 'utf8', timeout: 120_000 });
  return { status, stdout, stderr };
}

const script = `CREATE (:Person {name: 'Ada', born: date('1815-12-10')})-[:KNOWS {since: 1842}]->(:Person {name: 'Bob'});
MATCH (p)-[k:KNOWS]->(q) RETURN p, k, q.name;
CALL db.labels();
:begin
CREATE (:Temp);
:rollback
MATCH (t:Temp) RETURN count(t) AS temps;
:begin
CREATE (:Kept);
:commit
MATCH (t:Kept) RETURN count(t) AS kept;
:param x => 3
RETURN $x + 1 AS four;
EXPLAIN MATCH (n:Person) RETURN count(n);
PROFILE MATCH (n:Person) RETURN n.name;
`;
const run = shell(BOLT_URL, [], script);
assert.equal(run.status, 0, run.stderr);
for (const shown of [
  '(:Person {name: "Ada", born: 1815-12-10}), [:KNOWS {since: 1842}], "Bob"',
  'label\n"Person"',
  'temps\n0',
  'kept\n1',
  'four\n4',
  'Plan: "EXPLAIN"',
  'Plan: "PROFILE"',
]) {
  assert.ok(run.stdout.includes(shown), `${shown}\nis not in\n${run.stdout}`);
}

assert.equal(shell(NEO4J_URL, ['MATCH (p:Person) RETURN p.name AS name ORDER BY name']).stdout, 'name\n"Ada"\n"Bob"\n');
const failing = shell(BOLT_URL, ['RETURN 1 / 0']);
assert.equal(failing.status, 1);
assert.match(failing.stderr, /division by zero/);
const refused = spawnSync(
  'java',
  ['-cp', readFileSync(paths, 'utf8').trim(), 'org.neo4j.shell.Main', '-a', BOLT_URL, '-u', 'neo4j', '-p', 'wrong', 'RETURN 1'],
  { encoding: 'utf8', timeout: 120_000 },
);
assert.equal(refused.status, 1, 'a wrong token is refused');
