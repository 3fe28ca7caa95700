/** The server's rules reach every statement, and the slow log has its text but no parameter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, parseLogFilter, silentLogger } from '../base/index.ts';
import { createFakeEngine } from '../http/engine.fixture.ts';
import { applyPolicy } from './statement-policy.ts';

const PARAMS = new Map([['secret', 'value of a parameter']]);

test('time-out and memory reach statements, alone and in transactions', async () => {
  const inner = createFakeEngine();
  const engine = applyPolicy(inner, { timeoutMs: 5, memoryBytes: 6, slowMs: 0, logger: silentLogger });
  const { signal } = new AbortController();
  await engine.execute('a', PARAMS, { signal });
  await engine.stream('b', PARAMS);
  const transaction = await engine.begin({ mode: 'write' });
  await transaction.execute('c', PARAMS);
  await transaction.commit();
  assert.deepEqual(
    inner.asked.map(({ query, options }) => [query, options?.timeoutMs, options?.memoryBytes, options?.signal === signal]),
    [
      ['a', 5, 6, true],
      ['b', 5, 6, false],
      ['c', 5, 6, false],
    ],
  );
  assert.deepEqual(inner.calls, ['begin write', 'commit']);
});

test('a slow statement is logged, failed or not; a quick one is not', async () => {
  const lines: string[] = [];
  const logger = await createLogger(parseLogFilter('info', 'info'), { write: (line) => lines.push(line) });
  const inner = createFakeEngine({
    execute: async ({ query }) => {
      if (query !== 'quick') await new Promise((resolve) => setTimeout(resolve, 30));
      if (query === 'failing') throw new Error('reason');
      return { columns: [], rows: [] };
    },
  });
  const engine = applyPolicy(inner, { timeoutMs: 0, memoryBytes: 1, slowMs: 20, logger });
  await engine.execute('quick', PARAMS);
  await engine.execute('slow', PARAMS);
  await assert.rejects(engine.execute('failing', PARAMS));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).query),
    ['slow', 'failing'],
  );
  assert.doesNotMatch(lines.join(''), /value of a parameter/);
});

test('a slow stream is logged when it has ended, read to its end or left', async () => {
  const lines: string[] = [];
  const logger = await createLogger(parseLogFilter('info', 'info'), { write: (line) => lines.push(line) });
  const engine = applyPolicy(createFakeEngine(), { timeoutMs: 0, memoryBytes: 1, slowMs: 20, logger });
  const read = await engine.stream('read', PARAMS);
  const left = await engine.stream('left', PARAMS);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(lines, []);
  for await (const rows of read.batches) assert.deepEqual(rows, []);
  await left.batches[Symbol.asyncIterator]().return?.();
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).query),
    ['read', 'left'],
  );
});
