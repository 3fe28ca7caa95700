/**
 * A server under a mixed load for as long as one likes: reads and writes of every size, statements that are wrong, too
 * large or endless, clients that go away in the middle, flushes and compactions. The graph keeps its size, so memory
 * must, too.
 *
 * What counts as a fault: an answer with a status other than the statement calls for, a connection that breaks without
 * being asked to, and a server that is not there at the end. Memory is sampled from the server's own metrics.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';

export interface SoakOptions {
  readonly store: string;
  readonly seconds: number;
  readonly clients: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** In MB. */
export interface Sample {
  readonly second: number;
  readonly rss: number;
  readonly heap: number;
}

export interface SoakReport {
  /** Requests by kind and status. */
  readonly requests: ReadonlyMap<string, number>;
  readonly faults: readonly string[];
  readonly samples: readonly Sample[];
}

const KEYS = 5_000;
const ENDLESS = 'UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a WHERE a < 0 RETURN count(*) AS n';
const LARGE = "RETURN reduce(s = 'ab', x IN range(1, 40) | s + s) AS s";
const SAMPLE_MS = 1_000;

type Path = '/v0/cypher' | '/v0/cypher/stream' | '/v0/cypher/arrow' | '/v0/admin/flush' | '/v0/admin/compact';

interface Action {
  readonly kind: string;
  readonly weight: number;
  readonly path?: Path;
  readonly status?: number;
  /** How long the client waits before it goes away. */
  readonly patienceMs?: (random: Random) => number;
  readonly query?: (random: Random) => string;
}

const READS: readonly string[] = [
  'MATCH (p:P {k: $k}) RETURN p.v AS v, p.t AS t',
  'MATCH (p:P {k: $k})-[:R]->(q) RETURN q.k AS k ORDER BY k LIMIT 10',
  'MATCH (p:P {k: $k})-[:R*1..3]->(q) RETURN count(DISTINCT q) AS n',
  'MATCH (p:P) RETURN p.v % 10 AS g, count(*) AS n, avg(p.v) AS a ORDER BY g',
  'MATCH (p:P)-[:R]->(q:P)-[:R]->(r:P) WHERE p.v < q.v RETURN count(*) AS n',
  "MATCH (p:P) WHERE p.t CONTAINS 'x1' RETURN count(*) AS n",
  'MATCH (a:P {k: $k}), (b:P {k: $j}), path = shortestPath((a)-[:R*..6]-(b)) RETURN length(path) AS l',
  'RETURN $k AS k, $j AS j',
];

const WRITES: readonly string[] = [
  'MERGE (p:P {k: $k}) SET p.v = $j, p.t = $t',
  'MATCH (p:P {k: $k}) SET p.v = p.v + 1',
  'MATCH (p:P {k: $k}) DETACH DELETE p',
  'MATCH (a:P {k: $k}), (b:P {k: $j}) MERGE (a)-[:R]->(b)',
  'MATCH (:P {k: $k})-[r:R]->() DELETE r',
  'UNWIND range(1, 50) AS i MERGE (p:P {k: ($k + i) % 5000}) SET p.v = i',
];

const WRONG: readonly string[] = [
  'RETURN',
  'MATCH (n RETURN n',
  'RETURN x',
  'RETURN $missing',
  'RETURN 1 / 0',
  "RETURN 1 + date('x')",
  'RETURN nothing(1)',
];

const ACTIONS: readonly Action[] = [
  { kind: 'read', weight: 40, query: (random) => random.pick(READS) },
  { kind: 'write', weight: 25, query: (random) => random.pick(WRITES) },
  { kind: 'wrong', weight: 6, status: 400, query: (random) => random.pick(WRONG) },
  { kind: 'too large', weight: 1, status: 413, query: () => LARGE },
  { kind: 'stream', weight: 5, path: '/v0/cypher/stream', query: () => 'MATCH (p:P) RETURN p' },
  { kind: 'arrow', weight: 3, path: '/v0/cypher/arrow', query: () => 'MATCH (p:P) RETURN p.k AS k, p.t AS t' },
  { kind: 'endless', weight: 5, patienceMs: (random) => random.between(1, 60), query: () => ENDLESS },
  {
    kind: 'left stream',
    weight: 5,
    path: '/v0/cypher/stream',
    patienceMs: (random) => random.between(1, 60),
    query: () => 'UNWIND range(1, 10000000) AS i RETURN i',
  },
  {
    kind: 'left write',
    weight: 3,
    patienceMs: (random) => random.between(0, 5),
    query: () => 'UNWIND range(0, 4999) AS i MATCH (p:P {k: i}) SET p.v = i',
  },
  { kind: 'flush', weight: 1, path: '/v0/admin/flush' },
  { kind: 'compact', weight: 0.2, path: '/v0/admin/compact' },
];

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { store, seconds, clients, seed, log } = options;
  await using server = await ServerProcess.start({ store, flushInterval: '2s' });
  const faults: string[] = [];
  const requests = new Map<string, number>();
  const samples: Sample[] = [];
  await fill(server);
  const startMs = performance.now();
  const goesOn = (): boolean => performance.now() - startMs < seconds * 1_000 && faults.length < 50 && !server.exited;
  const client = async (number: number): Promise<void> => {
    const random = seededRandom(seed * 1_000 + number);
    while (goesOn()) {
      const action = pickAction(random);
      const outcome = await perform(server, action, random);
      const name = `${action.kind}: ${outcome.status}`;
      requests.set(name, (requests.get(name) ?? 0) + 1);
      if (outcome.fault !== undefined) faults.push(`${action.kind}: ${outcome.fault}`);
    }
  };
  const sampler = async (): Promise<void> => {
    for (let n = 1; goesOn(); n++) {
      const memory = await memoryOf(server);
      if (memory !== undefined) samples.push({ second: Math.round((performance.now() - startMs) / 1_000), ...memory });
      if (n % 30 === 0 && memory !== undefined)
        log(`${n} s: RSS ${memory.rss} MB, heap ${memory.heap} MB, ${sum(requests.values())} requests`);
      await sleep(SAMPLE_MS);
    }
  };
  await Promise.all([sampler(), ...Array.from({ length: clients }, (_, number) => client(number))]);
  if (server.exited) faults.push(`the server ended:\n${server.logTail}`);
  else if ((await server.stop()) !== 0) faults.push(`the server did not stop cleanly:\n${server.logTail}`);
  return { requests, faults, samples };
}

async function fill(server: ServerProcess): Promise<void> {
  for (const query of [
    'CREATE CONSTRAINT FOR (p:P) REQUIRE p.k IS UNIQUE',
    `UNWIND range(0, ${KEYS - 1}) AS k CREATE (:P {k: k, v: k, t: 'x' + k})`,
    `MATCH (a:P) MATCH (b:P {k: (a.k * 7 + 1) % ${KEYS}}) CREATE (a)-[:R]->(b)`,
  ]) {
    const reply = await server.cypher(query);
    if (reply.kind !== 'answered') throw new Error(`${query}: ${JSON.stringify(reply)}`);
  }
}

function pickAction(random: Random): Action {
  let left = (random.between(0, 999_999) / 1_000_000) * ACTIONS.reduce((total, { weight }) => total + weight, 0);
  return ACTIONS.find(({ weight }) => (left -= weight) < 0) ?? ACTIONS[0]!;
}

async function perform(server: ServerProcess, action: Action, random: Random): Promise<{ status: string; fault?: string }> {
  const { path = '/v0/cypher', status = 200, patienceMs, query } = action;
  const signal = patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs(random));
  const params = { k: random.between(0, KEYS - 1), j: random.between(0, KEYS - 1), t: 'x'.repeat(random.between(0, 40)) };
  const text = query?.(random);
  try {
    const response = await fetch(server.address + path, {
      method: 'POST',
      ...(text === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: text, params }) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const body = await response.text();
    if (response.status === status && !(path === '/v0/cypher/stream' && !/"type":"summary"/.test(body))) return { status: String(status) };
    return { status: String(response.status), fault: `${response.status} for ${text}: ${body.slice(0, 300)}` };
  } catch (error) {
    if (signal?.aborted === true) return { status: 'left' };
    return {
      status: 'broken',
      fault: `${text}: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error)}`,
    };
  }
}

async function memoryOf(server: ServerProcess): Promise<{ rss: number; heap: number } | undefined> {
  const text = await fetch(`${server.address}/v0/metrics`).then(
    (response) => response.text(),
    () => '',
  );
  const megabytes = (name: string): number => Math.round(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20);
  return text === ''
    ? undefined
    : { rss: megabytes('graphdb_process_resident_memory_bytes'), heap: megabytes('graphdb_nodejs_heap_size_used_bytes') };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
