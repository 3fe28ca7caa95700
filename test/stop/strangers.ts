/**
 * Attacks of those who have no token and need none: requests that are sent and whose answers are never read, over HTTP
 * and Bolt. While each goes on, the health is answered in time and the memory stays below what the connections may
 * hold.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { launchServer } from '../server/launched-server.ts';
import { allowed, HEALTH_P99_MS, HEALTH_WORST_MS, quantile } from './limits.ts';
import { machineFactor } from './machine.ts';
import type { ProberReport, ToProber } from './prober.ts';
import { residentMiB } from './resident-memory.ts';

/**
 * The memory that a connection may hold in the server, and that all of them may hold beside: buffers of the process and
 * its heap between collections. In MiB.
 */
const MIB_PER_CONNECTION = 8;
const MIB_BESIDE = 128;
const ATTACK_MS = 8_000;
/**
 * A server starts its threads when it has begun to serve; what they take is not for strangers. It is there once its
 * memory has stood still so long, or so long after the start at the latest.
 */
const STILL_MS = 1_500;
const LONGEST_START_MS = 20_000;
const TOKEN = 'a-token-that-strangers-do-not-have';

interface Attack {
  readonly name: string;
  readonly protocol: 'http' | 'bolt';
  readonly connections: number;
  /** The bytes that each connection sends, as often as `times` says, however slowly they are taken. */
  readonly sends: Buffer;
  readonly times: number;
  /** Sent before: the handshake. */
  readonly first?: Buffer;
  /** Connects again as soon as it is cut off, or all has been sent. */
  readonly again?: true;
}

const http = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'));
const get = (path: string): Buffer => http(`GET ${path} HTTP/1.1\nhost: x\n\n`);
const post = (body: string): Buffer =>
  http(`POST /v0/cypher HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: ${body.length}\n\n${body}`);

/** Offers version 5.4. */
const HANDSHAKE = Buffer.from('6060b01700000405000000000000000000000000', 'hex');
const chunk = (message: string): Buffer => {
  const bytes = Buffer.from(message, 'hex');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes, Buffer.from('0000', 'hex')]);
};
/** HELLO {}, RESET, LOGON {}, and a HELLO whose agent is long. */
const HELLO = chunk('b101a0');
const RESET = chunk('b00f');
const LOGON = chunk('b16aa0');
const LONG_HELLO = chunk(`b101a18a${Buffer.from('user_agent').toString('hex')}d1ea60${'78'.repeat(60_000)}`);
const NO_CHUNK = Buffer.from('0000', 'hex');

/** Chunks of a body, which is not read without a token. */
const chunked = (path: string): Buffer =>
  http(`POST ${path} HTTP/1.1\nhost: x\ncontent-type: application/json\ntransfer-encoding: chunked\n\n`);
const SMALL_CHUNKS = http('1\nx\n'.repeat(1_000));
const CHUNK_EXTENSIONS = http(`1;${'e=x;'.repeat(2_000)}\nx\n`);

/** On the port of Bolt: a request for WebSockets, and frames of a client, whose mask is 0. */
const UPGRADE = http(
  'GET / HTTP/1.1\nhost: x\nupgrade: websocket\nconnection: upgrade\nsec-websocket-version: 13\nsec-websocket-key: ' +
    'dGhlIHNhbXBsZSBub25jZQ==\n\n',
);
const frame = (first: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from([first, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
const [CONTINUED, BINARY_BEGUN, BINARY, PING] = [0x00, 0x02, 0x82, 0x89] as const;
const OPENED = Buffer.concat([UPGRADE, frame(BINARY, HANDSHAKE)]);

const ATTACKS: readonly Attack[] = [
  { name: 'metrics, never read', protocol: 'http', connections: 12, sends: get('/v0/metrics'), times: 20_000 },
  { name: 'openapi, never read', protocol: 'http', connections: 12, sends: get('/v0/openapi.json'), times: 20_000 },
  { name: 'health, never read', protocol: 'http', connections: 12, sends: get('/v0/health'), times: 50_000 },
  { name: 'unknown paths, never read', protocol: 'http', connections: 12, sends: get(`/${'x'.repeat(2_000)}`), times: 20_000 },
  { name: 'statements without a token, never read', protocol: 'http', connections: 12, sends: post('{"query":"RETURN 1"}'), times: 20_000 },
  {
    name: 'large statements without a token',
    protocol: 'http',
    connections: 12,
    sends: post(`{"query":"RETURN 1 //${'x'.repeat(1_000_000)}"}`),
    times: 200,
  },
  {
    name: 'malformed requests, again and again',
    protocol: 'http',
    connections: 50,
    sends: http('GET / HTTP/9.9\n\n'),
    times: 1,
    again: true,
  },
  { name: 'connections, again and again', protocol: 'http', connections: 50, sends: get('/v0/version'), times: 1, again: true },
  {
    name: 'small chunks without a token',
    protocol: 'http',
    connections: 12,
    first: chunked('/v0/cypher'),
    sends: SMALL_CHUNKS,
    times: 100_000,
  },
  {
    name: 'chunks with extensions',
    protocol: 'http',
    connections: 12,
    first: chunked('/mcp'),
    sends: CHUNK_EXTENSIONS,
    times: 10_000,
    again: true,
  },
  {
    name: 'bodies that are promised',
    protocol: 'http',
    connections: 2_000,
    sends: http('POST /mcp HTTP/1.1\nhost: x\ncontent-type: application/json\nexpect: 100-continue\ncontent-length: 60000000\n\n{'),
    times: 1,
  },
  {
    name: 'many headers, again and again',
    protocol: 'http',
    connections: 50,
    sends: http(`GET /v0/health HTTP/1.1\n${'a: b\n'.repeat(50_000)}`),
    times: 1,
    again: true,
  },
  { name: 'MCP without a token, never read', protocol: 'http', connections: 12, sends: get('/mcp'), times: 20_000 },
  { name: 'console, never read', protocol: 'http', connections: 12, sends: get('/console'), times: 20_000 },
  { name: 'many connections that say nothing', protocol: 'http', connections: 2_000, sends: http('GET /v0/he'), times: 1 },
  { name: 'handshakes, again and again', protocol: 'bolt', connections: 50, sends: HANDSHAKE, times: 1, again: true },
  { name: 'handshakes in a row', protocol: 'bolt', connections: 12, sends: HANDSHAKE, times: 50_000 },
  { name: 'many handshakes that say no more', protocol: 'bolt', connections: 2_000, sends: HANDSHAKE, times: 1 },
  { name: 'HELLO, never read', protocol: 'bolt', connections: 12, first: HANDSHAKE, sends: HELLO, times: 200_000 },
  { name: 'RESET, never read', protocol: 'bolt', connections: 12, first: HANDSHAKE, sends: RESET, times: 200_000 },
  {
    name: 'LOGON again and again',
    protocol: 'bolt',
    connections: 50,
    first: Buffer.concat([HANDSHAKE, HELLO]),
    sends: LOGON,
    times: 1,
    again: true,
  },
  { name: 'long HELLOs, never read', protocol: 'bolt', connections: 12, first: HANDSHAKE, sends: LONG_HELLO, times: 2_000 },
  { name: 'requests for WebSockets, again and again', protocol: 'bolt', connections: 50, sends: UPGRADE, times: 1, again: true },
  { name: 'other requests, never read', protocol: 'bolt', connections: 12, sends: get('/'), times: 20_000, again: true },
  {
    name: 'many headers',
    protocol: 'bolt',
    connections: 50,
    sends: http(`GET / HTTP/1.1\n${'a: b\n'.repeat(50_000)}`),
    times: 1,
    again: true,
  },
  { name: 'many WebSockets that say no more', protocol: 'bolt', connections: 2_000, sends: UPGRADE, times: 1 },
  { name: 'pings, never read', protocol: 'bolt', connections: 12, first: OPENED, sends: frame(PING, Buffer.alloc(100)), times: 500_000 },
  {
    name: 'small fragments without end',
    protocol: 'bolt',
    connections: 12,
    first: Buffer.concat([OPENED, frame(BINARY_BEGUN, Buffer.alloc(1))]),
    sends: frame(CONTINUED, Buffer.alloc(1)),
    times: 1_000_000,
    again: true,
  },
  {
    name: 'empty fragments without end',
    protocol: 'bolt',
    connections: 12,
    first: OPENED,
    sends: frame(CONTINUED, Buffer.alloc(0)),
    times: 1_000_000,
    again: true,
  },
  {
    name: 'HELLOs in small messages',
    protocol: 'bolt',
    connections: 12,
    first: OPENED,
    sends: Buffer.concat([...HELLO].map((byte) => frame(BINARY, Buffer.from([byte])))),
    times: 100_000,
  },
  { name: 'empty chunks without end', protocol: 'bolt', connections: 12, first: HANDSHAKE, sends: NO_CHUNK, times: 2_000_000 },
];

/** Returns the faults, a sentence each. */
export async function attackAll(only: string, log: (line: string) => void): Promise<string[]> {
  const faults: string[] = [];
  for (const attack of ATTACKS.filter(({ name, protocol }) => `${protocol}: ${name}`.includes(only)))
    faults.push(...(await underAttack(attack, log)));
  return faults;
}

async function underAttack(attack: Attack, log: (line: string) => void): Promise<string[]> {
  const server = await launchServer(['--store', 'memory://strangers', '--bolt-listen', '127.0.0.1:0', '--auth-token', TOKEN]);
  const prober = new Worker(new URL('./prober.ts', import.meta.url));
  const port = Number(new URL(attack.protocol === 'http' ? server.url : ((await server.boltUrl) ?? '')).port);
  const watch: ToProber = { kind: 'watch', port: Number(new URL(server.url).port), pid: server.child.pid! };
  const report: ToProber = { kind: 'report' };
  try {
    await started(server.child.pid!);
    prober.postMessage(watch);
    await sleep(100);
    const attackers = Array.from({ length: attack.connections }, () => new Attacker(attack, port));
    await sleep(ATTACK_MS);
    const answered = once(prober, 'message') as Promise<[ProberReport]>;
    prober.postMessage(report);
    const [{ healthMs, startMiB, highestMiB, machineMs }] = await answered;
    for (const attacker of attackers) attacker.end();
    const [p99, worst, grown] = [quantile(healthMs, 0.99), healthMs.at(-1) ?? 0, highestMiB - startMiB];
    const busy = { machineMs, machineFactor: await machineFactor(server.child.pid!) };
    const mostMiB = attack.connections * MIB_PER_CONNECTION + MIB_BESIDE;
    const name = `${attack.protocol}: ${attack.name}`;
    const reasons = [
      ...(server.child.exitCode === null && server.child.signalCode === null ? [] : ['the process ended']),
      ...(p99 > allowed(HEALTH_P99_MS, busy) || worst > allowed(HEALTH_WORST_MS, busy)
        ? [`health p99 ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`]
        : []),
      ...(grown > mostMiB ? [`${grown.toFixed(0)} MiB of ${mostMiB}`] : []),
    ];
    log(
      `health p99 ${p99.toFixed(0).padStart(5)} worst ${worst.toFixed(0).padStart(5)} ms, ${grown.toFixed(0).padStart(5)} MiB  ` +
        `${name}${reasons.length > 0 ? '  FAILS' : ''}`,
    );
    return reasons.map((reason) => `${name}: ${reason}`);
  } finally {
    await server.end('SIGKILL');
    await prober.terminate();
  }
}

/** Resolves when all threads of the server have started. */
async function started(pid: number): Promise<void> {
  let before = 0;
  for (let waitedMs = 0; waitedMs < LONGEST_START_MS; waitedMs += STILL_MS) {
    const now = residentMiB(pid);
    if (now - before < 1) return;
    before = now;
    await sleep(STILL_MS);
  }
}

/** A connection that sends and never reads. */
class Attacker {
  readonly #attack: Attack;
  readonly #port: number;
  #socket: Socket;
  #isOver = false;

  constructor(attack: Attack, port: number) {
    this.#attack = attack;
    this.#port = port;
    this.#socket = this.#connect();
  }

  end(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #connect(): Socket {
    const { first, again } = this.#attack;
    const socket = connect({ port: this.#port, host: '127.0.0.1' });
    socket.pause();
    socket.on('error', () => socket.destroy());
    socket.on('connect', () => {
      if (first !== undefined) socket.write(first);
      void this.#send(socket);
    });
    socket.on('close', () => {
      if (again === true && !this.#isOver) this.#socket = this.#connect();
    });
    return socket;
  }

  async #send(socket: Socket): Promise<void> {
    const { sends, times, again } = this.#attack;
    const block = Buffer.concat(Array.from({ length: Math.min(times, Math.ceil(65_536 / sends.length)) }, () => sends));
    for (let bytes = times * sends.length; bytes > 0 && !socket.destroyed; bytes -= block.length) {
      if (!socket.write(block.subarray(0, Math.min(bytes, block.length)))) await drained(socket);
    }
    if (again === true) socket.end(() => socket.destroy());
  }
}

/** Resolves when the socket takes more, or is closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
