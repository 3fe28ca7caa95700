/** An answer is durable, also where it only repeats what another statement wrote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFaults } from '../object-store/index.ts';
import { openEngine } from './index.ts';

test('a MERGE that finds a node is answered only when the statement that made it is durable', async () => {
  const gate = Promise.withResolvers<void>();
  let holding = false;
  const engine = await openEngine('memory://committer-test', {
    decorateStore: (store) =>
      withFaults(store, {
        random: () => 0,
        onRequest: async ({ operation, key }) => {
          if (holding && operation === 'putIfAbsent' && key.startsWith('wal/')) await gate.promise;
          return null;
        },
      }),
  });
  holding = true;
  const answered: string[] = [];
  const merge = (who: string): Promise<unknown> => engine.execute('MERGE (n:N {k: 1})', new Map()).then(() => answered.push(who));
  const statements = [merge('the one that makes it'), merge('the one that finds it')];
  await sleep(20);
  assert.deepEqual(answered, []);
  gate.resolve();
  await Promise.all(statements);
  assert.deepEqual(answered, ['the one that makes it', 'the one that finds it']);
  await engine.close();
});
