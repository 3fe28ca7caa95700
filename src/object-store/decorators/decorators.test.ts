import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../base/index.ts';
import { storeUnavailable } from '../faults.ts';
import { dropMemoryStore, openMemoryStore } from '../memory-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { probeStore } from '../probe.ts';
import { testConformance } from '../testing/conformance.ts';
import { type FaultKind, withFaults } from './faults.ts';
import { intercept } from './intercept.ts';
import { withMetrics } from './metrics.ts';
import { withRetry } from './retry.ts';

let count = 0;

function memory(): ObjectStore {
  return openMemoryStore({ scheme: 'memory', name: `decorators-${count++}`, namespace: 'n' });
}

function testClock(): { clock: Clock; slept: number[] } {
  const slept: number[] = [];
  return { slept, clock: { now: () => 0, sleep: async (ms) => void slept.push(ms) } };
}

/** Fails as told, request by request: undefined lets one pass. */
function failing(store: ObjectStore, faults: (Error | undefined)[]): ObjectStore {
  return intercept(store, async (_request, proceed) => {
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
    return proceed();
  });
}

const passing = storeUnavailable('slow down', { transient: true });

const conformanceUri = { scheme: 'memory', name: 'decorated', namespace: 'n' } as const;
testConformance('memory, decorated', async () => ({
  open: async () => withMetrics(withRetry(withFaults(openMemoryStore(conformanceUri), { random: () => 0.5 }))).store,
  dispose: async () => dropMemoryStore(conformanceUri),
}));

test('retry: safe operations are repeated after transient faults, with full jitter', async () => {
  const { clock, slept } = testClock();
  const retries: string[] = [];
  const inner = memory();
  await inner.put('k', Uint8Array.of(7));
  const store = withRetry(failing(inner, [passing, passing, passing]), {
    clock,
    random: () => 0.5,
    baseDelayMs: 100,
    maxDelayMs: 300,
    onRetry: (operation, key, attempt) => retries.push(`${operation} ${key} ${attempt}`),
  });
  assert.deepEqual(await store.get('k'), Uint8Array.of(7));
  assert.deepEqual(slept, [50, 100, 150]);
  assert.deepEqual(retries, ['get k 1', 'get k 2', 'get k 3']);
});

test('retry: the store may ask for a longer wait', async () => {
  const { clock, slept } = testClock();
  const store = withRetry(failing(memory(), [storeUnavailable('wait', { transient: true, retryAfterMs: 5_000 })]), {
    clock,
    random: () => 0.5,
  });
  assert.equal(await store.get('k'), null);
  assert.deepEqual(slept, [5_000]);
});

test('retry: gives up after its attempts, at once on lasting faults, and never repeats a put', async () => {
  const { clock, slept } = testClock();
  const lasting = storeUnavailable('no such bucket', { transient: false });
  const cases: [number, (store: ObjectStore) => Promise<unknown>, Error][] = [
    [2, (store) => store.list(''), passing],
    [0, (store) => store.list(''), lasting],
    [0, (store) => store.list(''), new TypeError('a bug')],
    [0, (store) => store.putIfAbsent('k', Uint8Array.of(1)), passing],
    [0, (store) => store.put('k', Uint8Array.of(1)), passing],
  ];
  for (const [sleeps, operation, fault] of cases) {
    slept.length = 0;
    const store = withRetry(failing(memory(), Array(10).fill(fault)), { clock, attempts: 3 });
    await assert.rejects(operation(store), fault);
    assert.equal(slept.length, sleeps);
  }
});

test('metrics: counts and the exact trace', async () => {
  const { store, metrics } = withMetrics(
    failing(memory(), [undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined, passing]),
  );
  await store.get('before');
  metrics.trace = [];
  await store.putIfAbsent('a', new Uint8Array(10));
  await store.putIfAbsent('a', new Uint8Array(10));
  await store.getRange('a', 8, 5);
  await store.readInto('a', 0, new Uint8Array(4));
  await store.size('a');
  await store.list('', { startAfter: 'A', limit: 5 });
  await store.delete('a');
  await assert.rejects(store.put('a', new Uint8Array(1)));
  await store.get('a');
  assert.deepEqual(metrics.trace, [
    'putIfAbsent a 10 bytes: created',
    'putIfAbsent a 10 bytes: taken',
    'getRange a 8+5: 2 bytes',
    'readInto a 0+4: 4 bytes',
    'size a: 10 bytes',
    "list '' after A limit 5: 1 keys",
    'delete a: done',
    'put a 1 bytes: STORE_UNAVAILABLE',
    'get a: absent',
  ]);
  assert.deepEqual(metrics.operations.putIfAbsent, { requests: 2, errors: 0, bytesRead: 0, bytesWritten: 20 });
  assert.deepEqual(metrics.operations.getRange, { requests: 1, errors: 0, bytesRead: 2, bytesWritten: 0 });
  assert.deepEqual(metrics.operations.readInto, { requests: 1, errors: 0, bytesRead: 4, bytesWritten: 0 });
  assert.deepEqual(metrics.operations.size, { requests: 1, errors: 0, bytesRead: 0, bytesWritten: 0 });
  assert.deepEqual(metrics.operations.put, { requests: 1, errors: 1, bytesRead: 0, bytesWritten: 1 });
});

test('faults: each kind does what it says', async () => {
  const inner = memory();
  const { clock, slept } = testClock();
  let next: FaultKind | null = null;
  const store = withFaults(inner, { random: () => 0.5, clock, maxDelayMs: 80, onRequest: () => next, rivalBytes: () => Uint8Array.of(99) });
  const content = Uint8Array.of(1, 2, 3, 4);

  next = 'refused';
  await assert.rejects(store.putIfAbsent('refused', content), { code: 'STORE_UNAVAILABLE' });
  assert.equal(await inner.get('refused'), null);

  next = 'answer-lost';
  await assert.rejects(store.putIfAbsent('lost', content), { code: 'STORE_UNAVAILABLE' });
  assert.deepEqual(await inner.get('lost'), content);

  next = 'own-write-lost';
  assert.equal(await store.putIfAbsent('own', content), false);
  assert.deepEqual(await inner.get('own'), content);

  next = 'rival-first';
  assert.equal(await store.putIfAbsent('rival', content), false);
  assert.deepEqual(await inner.get('rival'), Uint8Array.of(99));

  next = 'torn-read';
  assert.deepEqual(await store.get('lost'), Uint8Array.of(1, 2));
  assert.equal(await store.readInto('lost', 0, new Uint8Array(4)), 2);

  next = 'changed-read';
  assert.deepEqual(await store.get('lost'), Uint8Array.of(1, 2, 3 ^ 16, 4));
  const target = new Uint8Array(4);
  assert.equal(await store.readInto('lost', 0, target), 4);
  assert.deepEqual(target, Uint8Array.of(1, 2, 3 ^ 16, 4));
  assert.equal(await store.get('nothing'), null);

  next = 'slow';
  assert.deepEqual(await store.get('lost'), content);
  assert.deepEqual(slept, [40]);
});

test('faults: drawn by rate, the same for the same seed, only where they suit', async () => {
  const run = async (seed: number): Promise<string[]> => {
    let state = seed;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const { clock } = testClock();
    const rates = { refused: 0.2, 'answer-lost': 0.2, 'own-write-lost': 0.2, slow: 0.1, 'torn-read': 0.1 };
    const store = withFaults(memory(), { random, clock, rates });
    const outcomes: string[] = [];
    for (let i = 0; i < 200; i++)
      outcomes.push(await store.putIfAbsent(`k${i}`, Uint8Array.of(1)).then(String, (error: Error) => error.message.split(': ')[1]!));
    return outcomes;
  };
  const first = await run(1);
  assert.deepEqual(await run(1), first);
  assert.notDeepEqual(await run(2), first);
  assert.deepEqual([...new Set(first)].sort(), ['answer lost', 'false', 'refused', 'true']);
});

test('probe: refuses a store that ignores the condition, or checks it without a lock', async () => {
  const inner = memory();
  const blind: ObjectStore = { ...bound(inner), putIfAbsent: async (key, bytes) => inner.put(key, bytes).then(() => true) };
  await assert.rejects(probeStore(blind), { code: 'UNSUPPORTED', message: /second put/ });
  const unlocked: ObjectStore = {
    ...bound(inner),
    putIfAbsent: async (key, bytes) => {
      const taken = (await inner.get(key)) !== null;
      await new Promise((resolve) => setImmediate(resolve));
      if (!taken) await inner.put(key, bytes);
      return !taken;
    },
  };
  await assert.rejects(probeStore(unlocked), { code: 'UNSUPPORTED', message: /of 4 puts at once/ });
  assert.deepEqual(await inner.list(''), []);
});

/** The methods of a store as own properties, to be replaced one by one. */
function bound(store: ObjectStore): ObjectStore {
  return intercept(store, (_request, proceed) => proceed());
}

test('probe: a put that fails for a reason that passes is tried again, no sooner than asked; another failure is told', async () => {
  const { clock, slept } = testClock();
  const inner = memory();
  const tried = new Set<string>();
  const busy: ObjectStore = {
    ...bound(inner),
    putIfAbsent: async (key, bytes) => {
      const isFirst = tried.size < tried.add(`${key} ${bytes}`).size;
      if (isFirst) throw storeUnavailable('another put is under way', { transient: true, retryAfterMs: 70 });
      return inner.putIfAbsent(key, bytes);
    },
  };
  await probeStore(busy, { clock });
  assert.deepEqual(slept, [70, 70, 70, 70, 70, 70]);
  const refusing: ObjectStore = { ...bound(inner), putIfAbsent: () => Promise.reject(storeUnavailable('no', { transient: false })) };
  await assert.rejects(probeStore(refusing, { clock }), { code: 'STORE_UNAVAILABLE', message: 'no' });
  assert.equal(slept.length, 6);
});
