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
  const clock: Clock = { now: () => 0, sleep: async () => {} };
  const namespaces = new OpenNamespaces({
    open: async (name, { readOnly }) => {
      opened.push(`${name} ${readOnly ? 'to read' : 'to write'}`);
      // as: the members that are asked
      return { status: () => ({ role }), statistics: () => ({ graphBytes: 0 }), close: async () => {} } as unknown as Engine;
    },
    readOnly: false,
    idleMs: 0,
    memory: { isExceeded: () => false },
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
