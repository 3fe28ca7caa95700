/**
 * A writer with several clients and a follower over a store that leaves requests unanswered for a while. Told: how long
 * commits took, and how long after the last fault the follower had everything. Verified:
 *
 * - what was answered is there once, in the writer, in the follower, and for who opens the namespace anew; nothing that was refused is;
 * - each client's answered commits are there in the order in which it made them;
 * - the store is sound.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, GraphDBError, open } from '../../src/index.ts';
import { openObjectStore, parseStorageUri } from '../../src/object-store/index.ts';
import { inspectNamespace } from '../../src/storage/index.ts';
import type { FaultyProxy } from '../support/faulty-proxy.ts';

export interface SilenceOptions {
  readonly uri: string;
  readonly proxy: FaultyProxy;
  readonly clients: number;
  readonly silentRate: number;
  /** With faults. */
  readonly durationMs: number;
}

export interface SilenceReport {
  readonly answered: number;
  readonly refused: number;
  readonly unknown: number;
  /** Times of answered commits while requests were left unanswered, ascending, in milliseconds. */
  readonly times: readonly number[];
  /** From the last fault until the follower had everything that was answered, in milliseconds. */
  readonly followerMs: number;
  readonly faults: readonly string[];
}

type Fate = 'answered' | 'refused' | 'unknown';

const WARM_UP_MS = 2_000;
const FOLLOWER_LIMIT_MS = 60_000;

export async function runSilence(options: SilenceOptions): Promise<SilenceReport> {
  const { uri, proxy, clients, durationMs, silentRate } = options;
  const writer = await open(uri);
  const follower = await open(uri, { readOnly: true });
  const fates = new Map<string, Fate>();
  const times: number[] = [];
  let isOver = false;
  const client = async (id: number): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      const startedAtMs = performance.now();
      const fate = await commit(writer, id, at);
      fates.set(`${id}-${at}`, fate);
      if (fate === 'answered' && proxy.silentRate > 0) times.push(performance.now() - startedAtMs);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, id) => client(id)));
  await delay(WARM_UP_MS);
  proxy.silentRate = silentRate;
  await delay(durationMs);
  isOver = true;
  await running;
  proxy.silentRate = 0;
  const followerMs = await caughtUp(follower, fates);
  const faults: string[] = [];
  for (const [who, db] of [
    ['the writer', writer],
    ['the follower', follower],
  ] as const)
    faults.push(...audit(who, await marks(db), fates));
  await follower.close();
  await writer.close();
  const reader = await open(uri, { readOnly: true });
  faults.push(...audit('a reader that opens it anew', await marks(reader), fates));
  await reader.close();
  faults.push(...(await damage(uri)));
  const count = (fate: Fate): number => [...fates.values()].filter((each) => each === fate).length;
  return {
    answered: count('answered'),
    refused: count('refused'),
    unknown: count('unknown'),
    times: times.sort((a, b) => a - b),
    followerMs,
    faults,
  };
}

async function commit(writer: Database, client: number, at: number): Promise<Fate> {
  try {
    await writer.query('CREATE (:Mark {client: $client, at: $at})', { client, at });
    return 'answered';
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'STORE_UNAVAILABLE') throw error;
    return error.outcomeUnknown ? 'unknown' : 'refused';
  }
}

/** In the order in which they were made. */
async function marks(db: Database): Promise<string[]> {
  const { rows } = await db.query('MATCH (m:Mark) RETURN m.client AS client, m.at AS at ORDER BY id(m)');
  return rows.map(({ client, at }) => `${String(client)}-${String(at)}`);
}

async function caughtUp(follower: Database, fates: ReadonlyMap<string, Fate>): Promise<number> {
  const startedAtMs = performance.now();
  const answered = [...fates].filter(([, fate]) => fate === 'answered').map(([mark]) => mark);
  for (;;) {
    const seen = new Set(await marks(follower));
    const passedMs = performance.now() - startedAtMs;
    if (answered.every((mark) => seen.has(mark))) return passedMs;
    if (passedMs > FOLLOWER_LIMIT_MS) return Number.POSITIVE_INFINITY;
    await delay(20);
  }
}

function audit(who: string, found: readonly string[], fates: ReadonlyMap<string, Fate>): string[] {
  const faults: string[] = [];
  const there = new Set(found);
  if (there.size < found.length) faults.push(`${who} has ${found.length - there.size} commits twice`);
  for (const [mark, fate] of fates) {
    if (fate === 'answered' && !there.has(mark)) faults.push(`${who} does not have ${mark}, which was answered`);
    if (fate === 'refused' && there.has(mark)) faults.push(`${who} has ${mark}, which was refused`);
  }
  return faults;
}

async function damage(uri: string): Promise<string[]> {
  const store = await openObjectStore(parseStorageUri(uri));
  try {
    const { problems } = await inspectNamespace(store, { verify: true });
    return problems.map(({ object, message }) => `the store is damaged: ${object}: ${message}`);
  } finally {
    await store.close();
  }
}
