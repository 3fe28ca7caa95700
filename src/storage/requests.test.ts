/**
 * The exact requests that each step makes, held in requests.golden.txt. Rewrite it with UPDATE_GOLDEN=1 and review the difference.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { withMetrics } from '../object-store/index.ts';
import { openNamespace } from './open-namespace.ts';
import { sampleTable } from './testing/sample-table.ts';
import { appendAll, commit, freshStore, TestClock } from './testing/test-store.ts';

const GOLDEN = new URL('./requests.golden.txt', import.meta.url);

test('every step makes the requests that it should', async () => {
  const { store, metrics } = withMetrics(freshStore());
  const clock = new TestClock();
  const lines: string[] = [];
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    metrics.trace = [];
    const result = await work();
    lines.push(
      `${name}`,
      ...metrics.trace.map((line) => `  ${line.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<random>')}`),
      '',
    );
    return result;
  };
  const options = { name: 'golden', clock };
  const writer = await step('open for writing, new', () => openNamespace(store, { ...options, writerId: 'first' }));
  await step('commit', () => appendAll(writer, 1, 1));
  await step('ten commits at once', () => Promise.all(Array.from({ length: 10 }, (_, index) => writer.append(commit(index + 2)))));
  await step('flush of two tables', () =>
    writer.publish({ add: [sampleTable(100), { ...sampleTable(50), labels: ['Other'] }], remove: [], sequence: 11 }),
  );
  await appendAll(writer, 12, 13);
  await step('close', () => writer.close());
  const reader = await step('open for reading', () => openNamespace(store, { ...options, readOnly: true }));
  await step('poll, nothing new', () => reader.poll());
  const sst = await step('open an SST', () => reader.openSst(reader.manifest.tables[0]!.files[0]!));
  await step('read two columns of a small SST', async () => [await sst.readColumn('day'), await sst.readColumn('text')]);
  await step('open an older version', () => openNamespace(store, { ...options, version: 2 }));
  const second = await step('open for writing, existing', () => openNamespace(store, { ...options, writerId: 'second' }));
  await step('poll after the take-over', () => reader.poll());
  clock.advance(10 * 60_000);
  await step('commit after ten idle minutes', () => appendAll(second, 14, 14));
  await step('poll after ten idle minutes', () => reader.poll());
  const text = lines.join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, text);
  assert.equal(text, readFileSync(GOLDEN, 'utf8'));
});
