/**
 * Random schedules: writers that fence each other, collect garbage and sleep, and readers that follow, over one store
 * whose requests interleave at random, fail, lose answers, and complete abandoned puts late.
 *
 * The "files" of a namespace are modelled by the manifest's catalog: `keys` holds the texts of all commits up to
 * `sequence`. Audited: no answered commit is lost, none is doubled, sequences are dense, a commit that was refused does
 * not come back, and readers see what the bucket says (B2–B5, B8). A failure names its seed; SCHEDULE_SEED=<n> repeats
 * it alone, SCHEDULE_SEEDS=<n> runs so many.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import { type ObjectStore, storeUnavailable, withFaults, withMetrics } from '../object-store/index.ts';
import type { Commit, Manifest, Namespace } from './api.ts';
import { openNamespace } from './open-namespace.ts';
import { commit, freshStore, TestClock, textOf } from './testing/test-store.ts';

const SEEDS = Number(process.env['SCHEDULE_SEEDS'] ?? 20);
const STEPS = 50;

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The state that everybody in one schedule shares. */
interface World {
  readonly random: () => number;
  readonly store: ObjectStore;
  readonly clock: TestClock;
  /** Text and sequence of answered commits. */
  readonly answered: Map<string, number>;
  readonly refused: Set<string>;
  /** How often everybody has slept for long. */
  readonly sleeps: { count: number };
}

const GRACE_MS = 60_000;
const LONG_SLEEP_MS = 11 * 60_000;

async function wander(random: () => number): Promise<void> {
  for (let turns = Math.floor(random() * 6); turns > 0; turns--) await null;
}

/** Time passes for everybody at once, whatever they are in the middle of. */
function sleepLong({ clock, sleeps }: World): void {
  sleeps.count++;
  clock.advance(LONG_SLEEP_MS);
}

/** Lets requests take random turns, before and after they happen. */
function interleaved(inner: ObjectStore, random: () => number): ObjectStore {
  return withFaults(inner, {
    random,
    onRequest: async () => {
      await wander(random);
      return null;
    },
  });
}

/** Now and then gives up some puts in a row, and completes them later. */
function withLatePuts(inner: ObjectStore, bucket: ObjectStore, random: () => number): ObjectStore {
  let outage = 0;
  return {
    ...withMetrics(inner).store,
    async putIfAbsent(key, bytes) {
      if (outage === 0 && random() < 0.03) outage = 1 + Math.floor(random() * 8);
      if (outage === 0) return inner.putIfAbsent(key, bytes);
      outage--;
      const late = bytes.slice();
      const complete = async (): Promise<void> => {
        for (let turns = Math.floor(random() * 400); turns > 0; turns--) await null;
        await bucket.putIfAbsent(key, late);
      };
      void complete();
      throw storeUnavailable('no answer', { transient: true });
    },
  };
}

function contentOf(manifest: Manifest, commits: readonly Commit[]): string[] {
  return [...manifest.catalog.keys, ...commits.map(textOf)];
}

/** Opens, commits, publishes, is fenced, opens again. */
class Writer {
  readonly #world: World;
  readonly #name: string;
  #opened = 0;
  #namespace: Namespace | null = null;
  /** Texts of durable commits, by sequence − 1. */
  #content: string[] = [];
  #written = 0;

  constructor(world: World, name: string) {
    this.#world = world;
    this.#name = name;
  }

  async step(): Promise<void> {
    const { random } = this.#world;
    await wander(random);
    if (random() < 0.02) sleepLong(this.#world);
    try {
      if (this.#namespace === null) {
        if (random() < 0.1) await this.#open();
      } else if (random() < 0.03) await this.#open();
      else if (random() < 0.15) await this.#publish(this.#namespace);
      else if (random() < 0.2) await this.#namespace.collectGarbage({ graceMs: GRACE_MS, retainVersions: 1 });
      else await this.#commit(this.#namespace);
    } catch (error) {
      assert.ok(error instanceof GraphDBError, String(error));
      if (error.code === 'WRITER_FENCED') this.#namespace = null;
      else assert.equal(error.code, 'STORE_UNAVAILABLE', error.stack);
    }
  }

  async #open(): Promise<void> {
    const { store, clock } = this.#world;
    this.#namespace = null;
    const namespace = await openNamespace(store, { name: 'n', writerId: `${this.#name}-${++this.#opened}`, clock });
    this.#content = contentOf(namespace.manifest, namespace.recovered);
    assert.equal(this.#content.length, namespace.durableSequence);
    this.#namespace = namespace;
  }

  async #commit(namespace: Namespace): Promise<void> {
    const { random, refused, sleeps } = this.#world;
    const sleepsBefore = sleeps.count;
    const first = namespace.durableSequence + 1;
    const commits = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) =>
      commit(first + index, `${this.#name}:${++this.#written}`),
    );
    const answers: Promise<void>[] = [];
    for (const it of commits) {
      answers.push(this.#append(namespace, it));
      answers.at(-1)!.catch(() => {}); // Looked at below.
      await wander(random);
    }
    const outcomes = await Promise.allSettled(answers);
    outcomes.forEach((outcome, index) => {
      // Who slept during a put learns only that there is a successor, not whether it has read what was put.
      if (outcome.status === 'rejected' && sleepsBefore === sleeps.count) refused.add(textOf(commits[index]!));
    });
    assert.equal(this.#content.length, namespace.durableSequence);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async #append(namespace: Namespace, it: Commit): Promise<void> {
    const { answered } = this.#world;
    await namespace.append(it);
    assert.ok(!answered.has(textOf(it)));
    answered.set(textOf(it), it.sequence);
    this.#content[it.sequence - 1] = textOf(it);
  }

  async #publish(namespace: Namespace): Promise<void> {
    const { sequence: from, catalog } = namespace.manifest;
    const sequence = from + Math.floor(this.#world.random() * (namespace.durableSequence - from + 1));
    await namespace.publish({ add: [], remove: [], sequence, catalog: { ...catalog, keys: this.#content.slice(0, sequence) } });
  }
}

/** Follows by polling, and must always know every commit that was answered before it asked. */
class Reader {
  readonly #world: World;
  #namespace: Namespace | null = null;
  #content: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the state that is seen once the store has answered without a fault. */
  async catchUp(): Promise<readonly string[]> {
    for (;;) if (await this.step()) return this.#content;
  }

  /** @returns whether the store answered without a fault */
  async step(): Promise<boolean> {
    await wander(this.#world.random);
    const known = [...this.#world.answered];
    const sleeps = this.#world.sleeps.count;
    try {
      if (this.#namespace === null) await this.#open();
      else await this.#poll(this.#namespace);
    } catch (error) {
      assert.ok(error instanceof GraphDBError && ['STORE_UNAVAILABLE', 'NOT_FOUND'].includes(error.code), String(error));
      return false;
    }
    // Who slept through a poll may have seen less; the next poll tells.
    if (sleeps !== this.#world.sleeps.count) return true;
    for (const [text, sequence] of known) assert.equal(this.#content[sequence - 1], text, 'a reader misses an answered commit');
    return true;
  }

  async #open(): Promise<void> {
    const { store, clock } = this.#world;
    this.#namespace = await openNamespace(store, { name: 'n', readOnly: true, clock });
    this.#content = contentOf(this.#namespace.manifest, this.#namespace.recovered);
  }

  async #poll(namespace: Namespace): Promise<void> {
    const { manifest, commits, rebase } = await namespace.poll();
    if (rebase) this.#content = contentOf(manifest, commits);
    else for (const it of commits) assert.equal(this.#content.push(textOf(it)), it.sequence, 'B2: a reader gets dense sequences');
    assert.equal(this.#content.length, namespace.durableSequence);
  }
}

async function runSchedule(seed: number, latePuts: boolean): Promise<void> {
  const random = seededRandom(seed);
  const clock = new TestClock();
  const inner = freshStore({ now: () => clock.now() });
  // Some schedules have many faults, some hardly any: then longer chains of events succeed.
  const rate = seed % 3 === 0 ? 0.04 : 0.005;
  const faulty = withFaults(interleaved(inner, random), {
    random,
    clock,
    rates: { refused: rate, 'answer-lost': rate, 'own-write-lost': rate },
  });
  const store = latePuts ? withLatePuts(faulty, inner, random) : faulty;
  const world: World = { random, store, clock, answered: new Map(), refused: new Set(), sleeps: { count: 0 } };
  const writers = ['a', 'b', 'c'].map((name) => new Writer(world, name));
  const readers = [new Reader(world), new Reader(world)];
  const actors = [...writers, ...readers].map(async (actor) => {
    for (let step = 0; step < STEPS; step++) await actor.step();
  });
  await Promise.all(actors);
  await audit({ ...world, store: inner }, readers, latePuts);
}

async function audit(world: World, readers: readonly Reader[], latePuts: boolean): Promise<void> {
  for (let turns = 0; turns < 500; turns++) await null; // Late puts complete.
  const last = await openNamespace(world.store, { name: 'n', clock: world.clock });
  const content = contentOf(last.manifest, last.recovered);
  for (const [text, sequence] of world.answered) assert.equal(content[sequence - 1], text, `the answered commit ${text} is lost`);
  assert.equal(new Set(content).size, content.length, 'no commit is there twice');
  if (!latePuts) for (const text of content) assert.ok(!world.refused.has(text), `the refused commit ${text} came back`);
  for (const reader of readers) assert.deepEqual(await reader.catchUp(), content, 'B8: all readers see the same');
}

for (const latePuts of [false, true]) {
  test(`${SEEDS} random schedules, ${latePuts ? 'with' : 'without'} puts that complete late`, async () => {
    const only = process.env['SCHEDULE_SEED'];
    const seeds = only === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(only)];
    for (const seed of seeds) {
      try {
        await runSchedule(seed, latePuts);
      } catch (error) {
        throw new Error(`seed ${seed}: SCHEDULE_SEED=${seed} node --test src/storage/schedules.test.ts`, { cause: error });
      }
    }
  });
}
