/**
 * Many callers with different rights over many namespaces of one server, at random and all at once: over HTTP, Bolt,
 * MCP and the feed of changes. Whatever a namespace holds or is called has a mark of its own in it, so an answer tells
 * whose it is: none may have a mark of a namespace that its caller may not see, and what a caller may see shows that
 * namespace alone.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import { readConfiguration } from '../../src/server/configuration.ts';
import { startServer } from '../../src/server/server.ts';
import { type Random, seededRandom } from '../support/random.ts';

export interface TenantsOptions {
  readonly seed: number;
  readonly requests: number;
  readonly namespaces: number;
  readonly callers: number;
  readonly log: (line: string) => void;
}

export interface TenantsReport {
  readonly requests: number;
  /** For each kind of request the numbers of those that were answered, and refused. */
  readonly kinds: ReadonlyMap<string, { answered: number; refused: number }>;
  readonly leaks: readonly string[];
}

/** A namespace, there or not, and the mark in whatever is of it. */
interface Tenant {
  readonly name: string;
  readonly mark: string;
  readonly exists: boolean;
}

interface Caller {
  readonly token: string;
  readonly role: 'reader' | 'writer' | 'admin';
  readonly sees: ReadonlySet<Tenant>;
  /** Changes of whatever namespaces it has read. */
  readonly changeIds: string[];
}

interface Answer {
  readonly status: number | string;
  readonly text: string;
}

/** The text of a request besides the name of its namespace holds no mark, so whatever mark comes back has come from the server. */
interface Ask {
  readonly kind: string;
  send(caller: Caller, tenant: Tenant, random: Random): Promise<Answer>;
}

const MOST_LEAKS = 20;
const MARK = /zq[0-9a-f]{8}q/g;

export async function runTenants({ seed, requests, namespaces, callers, log }: TenantsOptions): Promise<TenantsReport> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-tenants-'));
  try {
    const all = Array.from({ length: namespaces + 5 }, (_, index): Tenant => {
      const mark = `zq${createHash('sha256').update(`${seed} ${index}`).digest('hex').slice(0, 8)}q`;
      return { name: `space-${mark}`, mark, exists: index < namespaces };
    });
    const there = all.filter(({ exists }) => exists);
    const people = Array.from({ length: callers }, (_, index): Caller => {
      const sees = new Set(all.filter(() => random.chance(index % 5 === 0 ? 0.05 : 0.3)));
      return { token: `token-${seed}-${index}`, role: random.pick(['reader', 'writer', 'admin']), sees, changeIds: [] };
    });
    const lines = people.map(({ token, role, sees }) => {
      const names = [...sees].map(({ name }) => name).join(',') || 'nothing-at-all';
      return `${createHash('sha256').update(token).digest('hex')} ${role} ${names}`;
    });
    writeFileSync(join(folder, 'tokens'), `${lines.join('\n')}\n`);
    const flags = [
      '--store',
      `memory://tenants-${process.pid}-${seed}`,
      '--listen',
      '127.0.0.1:0',
      '--bolt-listen',
      '127.0.0.1:0',
      '--auth-token',
      'root',
    ];
    const more = [
      '--auth-tokens-file',
      join(folder, 'tokens'),
      '--cdc-retention',
      '1h',
      '--mcp-write',
      '--read-workers',
      '1',
      '--watchdog',
      '0s',
    ];
    const server = await startServer(readConfiguration([...flags, ...more], {}), silentLogger);
    const connections = new Map<string, RawClient>();
    try {
      const url = server.url;
      await fill(url, there);
      const asks = asksOf(url, server.boltUrl!, connections);
      const kinds = new Map(asks.map(({ kind }) => [kind, { answered: 0, refused: 0 }]));
      const leaks: string[] = [];
      let sent = 0;
      const one = async (caller: Caller): Promise<void> => {
        const tenant = random.pick(all);
        const ask = random.pick(asks);
        const answer = await ask.send(caller, tenant, random);
        const count = kinds.get(ask.kind)!;
        const isRefused = answer.status === 403 || answer.status === 404 || answer.status === 401 || typeof answer.status === 'string';
        if (isRefused) count.refused++;
        else count.answered++;
        for (const leak of leaksOf(caller, tenant, { ask, answer })) if (leaks.length < MOST_LEAKS) leaks.push(leak);
      };
      await Promise.all(
        people.map(async (caller) => {
          while (sent < requests && leaks.length < MOST_LEAKS) {
            if (++sent % 10_000 === 0) log(`${sent} requests, ${leaks.length} leaks`);
            await one(caller);
          }
        }),
      );
      return { requests: sent, kinds, leaks };
    } finally {
      for (const client of connections.values()) client.socket.destroy();
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function leaksOf(caller: Caller, tenant: Tenant, { ask, answer }: { readonly ask: Ask; readonly answer: Answer }): string[] {
  const { status, text } = answer;
  const seen = new Set(Array.from(caller.sees, ({ mark }) => mark));
  // What the caller has said itself comes back in the words of a refusal.
  const foreign = [...new Set(text.match(MARK) ?? [])].filter((mark) => !seen.has(mark) && mark !== tenant.mark);
  const about = `${ask.kind} of ${caller.token} (${caller.role}) in ${tenant.name}`;
  const found: string[] = [];
  if (foreign.length > 0) found.push(`${about}: the answer has marks of others: ${foreign.join(', ')}: ${status} ${text.slice(0, 300)}`);
  const isPublic = ask.kind.startsWith('public');
  if (!caller.sees.has(tenant) && !isPublic) {
    // The same for what is there and what is not: the words of a refusal, and nothing else.
    const words = text.replaceAll(tenant.name, '<name>').replaceAll(/"request_id":"[^"]*"/g, '');
    const expected = new Set([
      '{"error":"this token is not for the namespace \\"<name>\\"","code":"FORBIDDEN"}',
      'this token is not for the namespace "<name>"',
    ]);
    const isForbidden = status === 403 || status === 'Neo.ClientError.Security.Forbidden';
    if (!isForbidden || !expected.has(words)) found.push(`${about}, which it may not see, is answered ${status} ${words.slice(0, 300)}`);
  }
  if (isPublic && text.includes(tenant.mark) && !seen.has(tenant.mark)) found.push(`${about}: ${text.slice(0, 300)}`);
  // A namespace shows what is its own, and nothing beside.
  if (caller.sees.has(tenant) && ask.kind.startsWith('own')) {
    const others = [...new Set(text.match(MARK) ?? [])].filter((mark) => mark !== tenant.mark);
    if (others.length > 0) found.push(`${about}: the answer has marks of ${others.join(', ')}: ${text.slice(0, 300)}`);
  }
  return found;
}

async function fill(url: string, tenants: readonly Tenant[]): Promise<void> {
  const run = async (path: string, query: string): Promise<void> => {
    const { status, text } = await cypher(url + path, 'root', query);
    if (status !== 200) throw new Error(`${query}: ${status} ${text}`);
  };
  for (const [index, { name, mark }] of tenants.entries()) {
    await run('', `CREATE DATABASE \`${name}\``);
    await run(
      `/${name}`,
      `UNWIND range(1, ${10 + index}) AS i CREATE (:L_${mark} {p_${mark}: '${mark}', word: 'text ${mark}'})-[:T_${mark} {i: ` +
        `i}]->(:Common {home: '${mark}'})`,
    );
    await run(`/${name}`, `CREATE INDEX i_${mark} FOR (n:Common) ON (n.home)`);
    await run(`/${name}`, 'CREATE FULLTEXT INDEX words FOR (n:Common) ON EACH [n.home]');
  }
}

async function http(
  url: string,
  token: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: unknown } = {},
): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, text: await response.text() };
}

function cypher(base: string, token: string, query: string, endpoint = ''): Promise<Answer> {
  return http(`${base}/v0/cypher${endpoint}`, token, { method: 'POST', body: { query } });
}

/** Statements that show rows, names, plans, counts, and errors with values in them. */
const STATEMENTS: Readonly<Record<string, string>> = {
  rows: 'MATCH (n) RETURN n LIMIT 5',
  relationships: 'MATCH (a)-[r]->(b) RETURN a, type(r), b LIMIT 3',
  homes: 'MATCH (n:Common) RETURN DISTINCT n.home AS home, count(*) AS n',
  labels: 'CALL db.labels()',
  types: 'CALL db.relationshipTypes()',
  keys: 'CALL db.propertyKeys()',
  indexes: 'SHOW INDEXES',
  schema: 'CALL db.schema.visualization()',
  plan: 'EXPLAIN MATCH (n:Common {home: "x"}) RETURN n',
  profile: 'PROFILE MATCH (n:Common) RETURN count(n) AS n',
  fault: 'MATCH (n:Common) RETURN n.home + date("2024-02-29") * 2 AS x',
  write: 'MATCH (n:Common) WITH n LIMIT 1 SET n.touched = n.home RETURN n.touched AS t',
  fulltext: "CALL db.index.fulltext.queryNodes('words', '*:*') YIELD node RETURN node.home AS home LIMIT 3",
};

function asksOf(url: string, boltUrl: string, connections: Map<string, RawClient>): Ask[] {
  const statement = (random: Random): string => random.pick(Object.values(STATEMENTS));
  const mcp = (name: string, given: (random: Random) => object): Ask => ({
    kind: `own mcp ${name}`,
    send: ({ token }, tenant, random) => {
      const params = { name, arguments: given(random) };
      return http(`${url}/${tenant.name}/mcp`, token, { method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    },
  });
  const get = (kind: string, path: string, method = 'GET'): Ask => ({
    kind,
    send: ({ token }, { name }) => http(`${url}/${name}${path}`, token, { method }),
  });
  const bolt: Ask = {
    kind: 'own bolt',
    async send({ token }, { name }, random) {
      // A connection has one message at a time here.
      const client = connections.get(token) ?? (await RawClient.ready(boltUrl, [5, 4], token));
      connections.set(token, client);
      client.send('run', statement(random), {}, { db: name });
      const begun = await client.answer();
      const said = (content: unknown): string =>
        JSON.stringify(content, (_, value: unknown) =>
          value instanceof Map ? Object.fromEntries(value) : typeof value === 'bigint' ? String(value) : value,
        );
      if (begun?.kind === 'success') {
        client.send('pull', { n: 1000n });
        const { records, answer } = await client.result();
        if (answer?.kind === 'success') return { status: 200, text: said([begun.content, records, answer.content]) };
        client.send('reset');
        await client.answer();
        return { status: 400, text: said(answer?.content) };
      }
      const { code, message } = begun!.content as { code: string; message: string };
      client.send('reset');
      await client.answer();
      return { status: code === 'Neo.ClientError.Security.Forbidden' || code.includes('Database') ? code : 400, text: message };
    },
  };
  return [
    {
      kind: 'own http',
      send: ({ token }, { name }, random) => cypher(`${url}/${name}`, token, statement(random), random.pick(['', '/stream'])),
    },
    { kind: 'own http again', send: ({ token }, { name }, random) => cypher(`${url}/${name}`, token, statement(random)) },
    bolt,
    {
      kind: 'own changes',
      async send(caller, { name }, random) {
        const from = random.pick(['earliest', 'current', ...caller.changeIds.slice(-3)]);
        const answer = await http(`${url}/${name}/v0/changes?from=${from}`, caller.token);
        const id = /"id":"([^"]+)"/.exec(answer.text)?.[1];
        if (answer.status === 200 && id !== undefined) caller.changeIds.push(id);
        return answer;
      },
    },
    { kind: 'own cdc', send: ({ token }, { name }) => cypher(`${url}/${name}`, token, 'CALL db.cdc.query("", [])') },
    mcp('get-schema', () => ({})),
    mcp('read-cypher', (random) => ({ query: statement(random) })),
    mcp('write-cypher', () => ({ query: STATEMENTS['write'] })),
    mcp('search', () => ({ fulltext_index: 'words', query: '*:*' })),
    get('own health', '/v0/health'),
    get('own metrics', '/v0/metrics'),
    get('own statements', '/v0/statements'),
    get('own terminate', '/v0/statements/space-transaction-1', 'DELETE'),
    // Over all that the caller may see.
    {
      kind: 'listed databases',
      send: ({ token }, { name }, random) =>
        cypher(`${url}/${name}`, token, random.pick(['SHOW DATABASES', 'SHOW TRANSACTIONS', 'SHOW DEFAULT DATABASE'])),
    },
    { kind: 'public metrics', send: ({ token }) => http(`${url}/v0/metrics`, token) },
    { kind: 'public health', send: ({ token }) => http(`${url}/v0/health`, token) },
    { kind: 'public statements', send: ({ token }) => http(`${url}/v0/statements`, token) },
  ];
}
