/** Namespaces that are created while others ask for them, or after another process had them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, GraphDBError, silentLogger } from '../base/index.ts';
import type { Engine, EngineStatus } from '../engine/index.ts';
import { OpenNamespaces } from './open-namespaces.ts';

function bench() {
  const opened: string[] = [];
  let role: EngineStatus['role'] = 'writer';
  let look = (): void => {};
  let held = (): number => 0;
  let wanted: 0 | 1 | 2 = 0;
  const clock: Clock = { now: () => 0, sleep: async () => {} };
  const namespaces = new OpenNamespaces({
    open: async (name, { readOnly }) => {
      opened.push(`${name} ${readOnly ? 'to read' : 'to write'}`);
      // as: the members that are asked
      return {
        status: () => ({ role }),
        statistics: () => ({ graphBytes: 1, pageBytes: 20, automaticIndexBytes: 300 }),
        close: async () => {},
      } as unknown as Engine;
    },
    readOnly: false,
    idleMs: 0,
    memory: {
      closings: (graphBytes) => {
        held = graphBytes;
        return wanted;
      },
    },
    clock,
    schedule: (_ms, work) => {
      look = work;
      return () => {};
    },
    logger: silentLogger,
  });
  return {
    namespaces,
    opened,
    lose: () => {
      role = 'reader';
    },
    closeIdle: () => look(),
    heldBytes: () => held(),
    press: (closings: 0 | 1 | 2) => {
      wanted = closings;
    },
  };
}

test('a namespace is created although somebody asks for it who finds that it is not there', async () => {
  const { namespaces, opened } = bench();
  const looked = Promise.withResolvers<void>();
  const asking = namespaces.hold('a', () => looked.promise);
  const creating = namespaces.create('a');
  looked.reject(new GraphDBError('NOT_FOUND', 'there is no namespace "a"'));
  await assert.rejects(asking, { code: 'NOT_FOUND' });
  await creating;
  assert.deepEqual(opened, ['a to write']);
  await namespaces.close();
});

test('a namespace is written to that was created anew after another process had taken it over and dropped it', async () => {
  const { namespaces, opened, lose, closeIdle } = bench();
  namespaces.release('a', await namespaces.hold('a', async () => {}));
  lose();
  closeIdle();
  assert.equal(namespaces.engineOf('a'), null);
  await namespaces.create('a');
  assert.deepEqual(opened, ['a to write', 'a to write']);
  assert.equal(namespaces.lastStatus('a'), null);
  await namespaces.close();
});

test('tables, pages and automatic indexes of open namespaces count for the budget of memory', async () => {
  const { namespaces, heldBytes } = bench();
  for (const name of ['a', 'b']) await namespaces.hold(name, async () => {});
  assert.equal(heldBytes(), 642);
  await namespaces.close();
  assert.equal(heldBytes(), 0);
});

test('opening a namespace closes as many idle ones as the budget of memory asks for', async () => {
  const { namespaces, press } = bench();
  const open = async (name: string): Promise<void> => namespaces.release(name, await namespaces.hold(name, async () => {}));
  const names = (): string => Array.from(namespaces.engines(), ([name]) => name).join(' ');
  for (const name of ['a', 'b', 'c', 'd']) await open(name);
  press(1);
  await open('e');
  assert.equal(names(), 'b c d e');
  press(2);
  await open('f');
  assert.equal(names(), 'd e f');
  await namespaces.close();
});
