/**
 * A day of small commits, in simulated time: one writer over a memory store, with the settings that everybody has, one
 * commit after the other at equal distances. Timers become due as they would; so flushes, merges and collections run as
 * often as in a real day. What is counted: objects in the bucket by kind, their bytes, and requests.
 */
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { VirtualTime } from '../../src/engine/testing/virtual-time.ts';
import { dropMemoryStore, type ObjectStore, openMemoryStore, type StoreMetrics, withMetrics } from '../../src/object-store/index.ts';

export interface DayOptions {
  readonly commits: number;
  /** Simulated time from one to the next. */
  readonly intervalMs: number;
  /** Look at the bucket so often while it goes on. */
  readonly looks: number;
  readonly log: (look: Look) => void;
}

export interface Look {
  readonly when: string;
  readonly commits: number;
  readonly manifests: number;
  readonly walObjects: number;
  readonly files: number;
  readonly bytes: number;
  readonly requests: number;
}

export interface DayReport {
  /** Most objects at once, of those that were seen. */
  readonly mostObjects: number;
  /** After the last commit, a compaction, and the grace time. */
  readonly end: Look;
  /** That of a query over everything, and what it must be. */
  readonly answer: unknown;
  readonly expected: unknown;
}

const SENSORS = 500;
const STATEMENTS = {
  read: 'MATCH (s:Sensor {id: $sensor}) CREATE (s)-[:GAVE {at: $at}]->(:Reading {at: $at, value: $at * 0.25})',
  update: 'MATCH (s:Sensor {id: $sensor}) SET s.last = $at, s.note = "seen at " + $at',
  remove: 'MATCH (s:Sensor {id: $sensor})-[:GAVE]->(r:Reading) WITH r ORDER BY r.at LIMIT 1 DETACH DELETE r',
} as const;
const CYCLE = ['read', 'update', 'read', 'read', 'remove', 'update', 'read', 'remove', 'read', 'update'] as const;
const GRACE_MS = 25 * 60_000;

export async function simulateDay({ commits, intervalMs, looks, log }: DayOptions): Promise<DayReport> {
  const uri = { scheme: 'memory', name: 'endurance', namespace: 'endurance' } as const;
  const time = new VirtualTime();
  const bucket = openMemoryStore(uri, { now: () => time.now() });
  const { store, metrics } = withMetrics(bucket);
  const engine = await openEngine('memory://endurance', {}, { clock: time, schedule: time.schedule, decorateStore: () => store });
  const model = new SensorModel();
  let mostObjects = 0;
  const look = async (when: string, made: number): Promise<Look> => {
    const seen = await lookAt(bucket, metrics, { when, commits: made });
    mostObjects = Math.max(mostObjects, seen.manifests + seen.walObjects + seen.files);
    log(seen);
    return seen;
  };
  try {
    await engine.execute(`UNWIND range(0, ${SENSORS - 1}) AS id CREATE (:Sensor {id: id})`, new Map());
    for (let made = 1; made <= commits; made++) {
      const kind = CYCLE[made % CYCLE.length]!;
      const sensor = Math.floor(made / CYCLE.length) % SENSORS;
      await engine.execute(
        STATEMENTS[kind],
        new Map<string, number>([
          ['sensor', sensor],
          ['at', made],
        ]),
      );
      model.apply(kind, sensor, made);
      await time.advance(intervalMs, settled);
      if (made % Math.ceil(commits / looks) === 0) await look(hours(made * intervalMs), made);
    }
    await engine.compact();
    await time.advance(GRACE_MS, settled);
    await engine.compact();
    const end = await look('end', commits);
    return { mostObjects, end, answer: await answerOf(engine), expected: model.answer };
  } finally {
    await engine.close();
    dropMemoryStore(uri);
  }
}

/** The content that the graph must have. */
class SensorModel {
  readonly #readings = new Map<number, number[]>();
  readonly #last = new Map<number, number>();

  apply(kind: keyof typeof STATEMENTS, sensor: number, at: number): void {
    const readings = this.#readings.get(sensor) ?? [];
    this.#readings.set(sensor, readings);
    if (kind === 'read') readings.push(at);
    else if (kind === 'remove') readings.shift();
    else this.#last.set(sensor, at);
  }

  get answer(): unknown {
    const times = [...this.#readings.values()].flat();
    const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
    return [SENSORS, times.length, sum(times), sum(this.#last.values())];
  }
}

async function answerOf(engine: Engine): Promise<unknown> {
  const none = new Map();
  const [[sensors, last] = []] = (await engine.execute('MATCH (s:Sensor) RETURN count(s), sum(s.last)', none)).rows;
  const [[readings, at] = []] = (
    await engine.execute('MATCH (:Sensor)-[g:GAVE]->(r:Reading) WHERE g.at = r.at RETURN count(r), sum(r.at)', none)
  ).rows;
  return [sensors, readings, at, last];
}

async function lookAt(bucket: ObjectStore, metrics: StoreMetrics, when: Pick<Look, 'when' | 'commits'>): Promise<Look> {
  const listed = await bucket.list('');
  const count = (prefix: string): number => listed.filter(({ key }) => key.startsWith(prefix)).length;
  return {
    ...when,
    manifests: count('manifest/'),
    walObjects: count('wal/'),
    files: count('data/'),
    bytes: listed.reduce((bytes, { size }) => bytes + size, 0),
    requests: Object.values(metrics.operations).reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** All that goes on without time passing. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 40; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function hours(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
