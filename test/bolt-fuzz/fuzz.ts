/**
 * Fuzzing of the Bolt listener: a real server on a real port, and byte streams from a seed against it, many connections
 * at once. A stream is random bytes, a conversation of well-formed messages in any order, or one in which bytes were
 * changed, cut, repeated or thrown in.
 *
 * No stream may bring an internal fault into the log, none may leave something behind: at the end the server has no
 * connection, the writer is free, and an ordinary client is served.
 */

import { connect } from 'node:net';
import { createLogger, parseLogFilter } from '../../src/base/index.ts';
import { createBoltServer } from '../../src/bolt/index.ts';
import { messageBytes, RawClient, TAGS } from '../../src/bolt/raw-client.fixture.ts';
import { openEngine } from '../../src/engine/index.ts';
import { oneNamespace } from '../../src/namespaces/index.ts';
import { applyPolicy } from '../../src/server/statement-policy.ts';
import { type Random, seededRandom } from '../support/random.ts';

export interface FuzzReport {
  readonly streams: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Events that must not happen. */
  readonly faults: readonly string[];
  /** Memory after the first tenth of the streams and at the end, after a collection where the process allows one. */
  readonly memoryBytes: { readonly before: number; readonly after: number };
}

/** An integer from 0, below the limit. */
const below = (random: Random, limit: number): number => random.between(0, limit - 1);

const STATEMENTS = [
  'RETURN 1',
  'UNWIND range(1, 3000) AS x RETURN x',
  'CREATE (n:F {x: 1}) RETURN n',
  'MATCH (n:F) DETACH DELETE n',
  'RETURN 1 / 0',
  'RETURN',
  'RETURN $p',
  'MATCH (n) RETURN n LIMIT 5',
  'CALL db.labels()',
];
const CONNECTIONS = 32;
/** For a half that has no answer. */
const PATIENCE_MS = 100;

export async function fuzzBolt(options: { seed: number; streams: number }): Promise<FuzzReport> {
  const faults: string[] = [];
  const logger = await createLogger(parseLogFilter('error', 'error'), { write: (line) => faults.push(line) });
  const engine = await openEngine(`memory://bolt-fuzz-${options.seed}`, { flushIntervalMs: 0 });
  const server = createBoltServer({
    logger,
    maxMessageBytes: 100_000,
    limits: { authenticationMs: 500, messageMs: 500, idleWriteMs: 200 },
  });
  server.serve(oneNamespace(applyPolicy(engine, { timeoutMs: 2_000, memoryBytes: 64 * 2 ** 20, slowMs: 0, logger })));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(url).port);
  let started = 0;
  let bytesSent = 0;
  let bytesReceived = 0;
  let before = 0;
  const lane = async (): Promise<void> => {
    while (started < options.streams) {
      const stream = started++;
      if (stream === Math.floor(options.streams / 10)) before = memoryNow();
      const bytes = randomStream(seededRandom(options.seed * 1_000_003 + stream));
      bytesSent += bytes.length;
      const got = await converse(port, bytes);
      bytesReceived += got;
      if (faults.length > 0 && faults.length < 5) faults.push(`after stream ${stream}, --seed ${options.seed}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const after = memoryNow();
  await using client = await RawClient.ready(url);
  const { pull } = await client.run('CREATE (:Afterwards) RETURN 1');
  if (pull?.kind !== 'success') faults.push(`an ordinary client was answered ${JSON.stringify(pull)}`);
  await (await engine.begin({ mode: 'write', timeoutMs: 5_000 })).rollback();
  if ('polluted' in {}) faults.push('Object.prototype was changed');
  await server.stop({ graceMs: 0 });
  await engine.close();
  return { streams: started, bytesSent, bytesReceived, faults, memoryBytes: { before, after } };
}

function memoryNow(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Sends the stream in two halves, each half awaited to be answered, or the connection to be ended: a RESET or GOODBYE
 * overtakes what came with it, and what came before it should have had a chance. Answers how many bytes came back.
 */
async function converse(port: number, bytes: Buffer): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  let received = 0;
  let wake = (): void => {};
  socket.on('data', (data) => {
    received += data.length;
    wake();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => wake());
  const half = Math.floor(bytes.length / 2);
  for (const part of [bytes.subarray(0, half), bytes.subarray(half)]) {
    const news = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const patience = setTimeout(() => wake(), PATIENCE_MS);
    socket.write(part);
    if (!socket.destroyed) await news;
    clearTimeout(patience);
  }
  socket.destroy();
  return received;
}

function randomStream(random: Random): Buffer {
  if (random.chance(0.1)) return randomBytes(random, below(random, 300));
  const isLatest = random.chance(0.6);
  const parts = [handshake(random, isLatest)];
  if (random.chance(0.95)) parts.push(messageBytes(TAGS.hello, [{ user_agent: 'fuzz', scheme: 'none', patch_bolt: ['utc'] }]));
  if (isLatest && random.chance(0.95)) parts.push(messageBytes(TAGS.logon, [{ scheme: 'none' }]));
  for (let i = below(random, 12); i > 0; i--) parts.push(...exchange(random));
  const stream = Buffer.concat(parts);
  return random.chance(0.5) ? stream : mutated(random, stream);
}

function handshake(random: Random, isLatest: boolean): Buffer {
  const older = random.chance(0.95) ? random.pick(['00000005', '00000404']) : '000001ff';
  const version = isLatest ? '00000405' : older;
  return Buffer.from(`6060b017${version}${'0'.repeat(24)}`, 'hex');
}

/** Mostly what belongs together, so that conversations get somewhere. */
const EXCHANGES: readonly (readonly (keyof typeof TAGS)[])[] = [
  ['run', 'pull'],
  ['run', 'discard'],
  ['begin', 'run', 'pull', 'commit'],
  ['begin', 'run', 'run', 'pull', 'rollback'],
  ['begin', 'run', 'reset'],
  ['route'],
  ['logoff', 'logon'],
  ['reset'],
];

function exchange(random: Random): Buffer[] {
  const kinds = random.chance(0.9) ? random.pick(EXCHANGES) : [random.pick(Object.keys(TAGS) as (keyof typeof TAGS)[])];
  return kinds.map((kind) => randomMessage(random, kind));
}

function randomMessage(random: Random, kind: keyof typeof TAGS): Buffer {
  const extra = random.pick([{}, { mode: 'r' }, { mode: 'w' }, { tx_timeout: 5 }, { db: 'neo4j' }, { bookmarks: ['x'] }]);
  const count = random.pick([-1, -1, -1, 1_000]);
  const fields: Partial<Record<keyof typeof TAGS, readonly unknown[]>> = {
    hello: [{ scheme: 'none' }],
    logon: [{ scheme: 'none' }],
    run: [random.pick(STATEMENTS), { p: randomValue(random, 3) }, extra],
    begin: [extra],
    pull: [{ n: count, ...(random.chance(0.2) ? { qid: below(random, 3) } : {}) }],
    discard: [{ n: count }],
    route: [{ address: 'localhost:1' }, [], {}],
    telemetry: [below(random, 4)],
  };
  const given = fields[kind] ?? [];
  return messageBytes(TAGS[kind], random.chance(0.03) ? [randomValue(random, 2)] : given);
}

function randomValue(random: Random, depth: number): unknown {
  switch (below(random, depth > 0 ? 8 : 5)) {
    case 0:
      return null;
    case 1:
      return below(random, 2 ** 31) - 2 ** 30;
    case 2:
      return random.pick(['', 'text', '__proto__', 'x'.repeat(below(random, 400))]);
    case 3:
      return random.chance(0.5);
    case 4:
      return 2n ** 60n;
    case 5:
      return Array.from({ length: below(random, 20) }, () => randomValue(random, depth - 1));
    case 6:
      return { a: randomValue(random, depth - 1), constructor: randomValue(random, depth - 1) };
    default:
      return randomBytes(random, below(random, 60));
  }
}

function mutated(random: Random, stream: Buffer): Buffer {
  let bytes = Buffer.from(stream);
  for (let i = 1 + below(random, 3); i > 0; i--) {
    const at = 20 + below(random, Math.max(1, bytes.length - 20));
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (below(random, 4)) {
      case 0:
        if (at < bytes.length) bytes[at] = below(random, 256);
        break;
      case 1:
        bytes = Buffer.from(head);
        break;
      case 2:
        bytes = Buffer.concat([head, randomBytes(random, 1 + below(random, 20)), tail]);
        break;
      default:
        bytes = Buffer.concat([head, tail.subarray(0, below(random, 30)), tail]);
    }
  }
  return bytes;
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => below(random, 256)));
}
