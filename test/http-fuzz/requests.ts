/** Random HTTP requests against the API, from a seed: right ones, nearly right ones, and nonsense. */
import type { Random } from '../support/random.ts';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const METHODS = ['POST', 'GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;
const STATEMENT_PATHS = ['/v0/cypher', '/v0/cypher', '/v0/cypher/stream', '/v0/cypher/arrow'];
const PATHS = [
  '/v0/cypher',
  '/v0/cypher/stream',
  '/v0/cypher/arrow',
  '/v0/admin/flush',
  '/v0/health',
  '/v0/version',
  '/v0/openapi.json',
  '/v0/cypher/',
  '/v0/CYPHER',
  '/v0//cypher',
  '/v0/cypher?x=%00&y=%ff',
  '/v0/%63ypher',
  '/v0/%',
  '/v0/%2e%2e/%2e%2e/etc/passwd',
  '/../../etc/passwd',
  '/__proto__',
  '/constructor',
  '//',
  '/',
];
const TYPES = ['application/json', 'application/json', 'application/json', 'application/json; charset=utf-8', 'text/plain', '', 'a/b/c;;='];

const QUERIES = [
  'RETURN 1 AS x',
  'RETURN $p AS p',
  'RETURN $`__proto__` AS p',
  'UNWIND $p AS x RETURN x, x + 1 AS y',
  'UNWIND range(1, 300) AS x RETURN x, toString(x) AS t, [x, null] AS l, {a: x} AS m',
  'UNWIND [1, 0] AS x RETURN 1 / x AS y',
  'CREATE (n:Fuzz {p: $p}) RETURN n',
  'MERGE (n:Fuzz {_id: "one"}) SET n += $p RETURN n',
  'MATCH (n:Fuzz) WHERE n.p = $p RETURN n LIMIT 5',
  'MATCH (n:Fuzz) WITH n LIMIT 3 DETACH DELETE n',
  'MATCH (a:Fuzz), (b:Fuzz) WITH a, b LIMIT 1 CREATE (a)-[r:TO {p: 1}]->(b) RETURN r, a, b',
  'MATCH p = (:Fuzz)-[:TO]->() RETURN p LIMIT 3',
  'RETURN date($p) AS d, duration($p) AS e',
  'RETURN 9223372036854775807 + $p AS x',
  'RETURN reduce(s = "a", x IN range(1, 40) | s + s) AS s',
  'RETURN vector($p) AS v',
  'RETURN $p["__proto__"] AS x, $p.constructor AS y, keys($p) AS k',
  'RETURN substring("abc", $p) AS s, left("abc", $p) AS l, "abc" =~ $p AS m',
  'RETURN toInteger($p) AS i, toFloat($p) AS f, size($p) AS n',
  'EXPLAIN MATCH (n) RETURN n',
  'PROFILE RETURN 1 AS x',
  'CALL db.labels()',
  'SHOW INDEXES',
  '',
  ';',
];

const JSON_VALUES = [
  'null',
  '1',
  '-1',
  '0',
  '-0.0',
  '1e308',
  '1e400',
  '9223372036854775807',
  '9223372036854775808',
  '123456789012345678901234567890',
  '"text"',
  '"2024-02-29"',
  '"\\ud800"',
  '"\\u0000"',
  '"(a+)+$"',
  '[]',
  '[1,"a",null,[true]]',
  '[0.5,1,2]',
  '{}',
  '{"__proto__":{"polluted":1},"constructor":1}',
  '{"a":1,"a":2}',
  '{"_id":"two"}',
  'true',
];

export function randomRequest(random: Random): FuzzRequest {
  const method = random.chance(0.8) ? 'POST' : random.pick(METHODS);
  const headers: Record<string, string> = {};
  const type = random.pick(TYPES);
  if (type !== '') headers['content-type'] = type;
  if (random.chance(0.9))
    headers['authorization'] = random.chance(0.9) ? 'Bearer token' : random.pick(['Bearer', 'bearer  token ', 'Basic x', 'Bearer a b']);
  if (random.chance(0.02)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'x']);
  if (random.chance(0.02)) headers[random.pick(['__proto__', 'constructor', 'x-forwarded-for'])] = 'x'.repeat(random.between(0, 2_000));
  const hasBody = method !== 'GET' && method !== 'HEAD' && random.chance(0.95);
  return {
    method,
    path: random.chance(0.8) ? random.pick(STATEMENT_PATHS) : random.pick(PATHS),
    headers,
    body: hasBody ? randomBody(random) : undefined,
  };
}

function randomBody(random: Random): string | Buffer {
  const body = statementBody(random);
  if (random.chance(0.7)) return body;
  const bytes = Buffer.from(body);
  const changes = random.between(1, 4);
  for (let i = 0; i < changes; i++) {
    const at = random.between(0, Math.max(0, bytes.length - 1));
    if (random.chance(0.3)) return bytes.subarray(0, at);
    bytes[at] = random.between(0, 255);
  }
  return bytes;
}

function statementBody(random: Random): string {
  const nested = random.chance(0.02) ? random.between(1, 5_000) : 0;
  const value = `${'['.repeat(nested)}${random.pick(JSON_VALUES)}${']'.repeat(nested)}`;
  const name = random.chance(0.9) ? 'p' : '__proto__';
  const params = random.chance(0.9) ? `{"${name}":${value}}` : value;
  return `{"query":${JSON.stringify(mutated(random, random.pick(QUERIES)))},"params":${params}}`;
}

function mutated(random: Random, query: string): string {
  if (random.chance(0.7)) return query;
  const at = random.between(0, query.length);
  const insertion = random.pick(['(', ')', "'", '"', '`', '\\', '\u0000', '😀', '$', '//', '/*', '[', '}', ' RETURN ', '-', '1e999', '\n']);
  return query.slice(0, at) + insertion + query.slice(at + random.between(0, 3));
}
