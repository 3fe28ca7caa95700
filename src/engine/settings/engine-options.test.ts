/** The settings that follow from options, and what SHOW SETTINGS tells of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../index.ts';
import { engineSettings } from './engine-options.ts';
import { ENGINE_SETTINGS } from './setting-table.ts';

test('each setting that is left out has its default, some by others', () => {
  assert.deepEqual(engineSettings({}), {
    readOnly: false,
    version: null,
    flushIntervalMs: 30_000,
    flushBytes: 64 * 2 ** 20,
    flushObjects: 10_000,
    stallBytes: 256 * 2 ** 20,
    graceMs: 600_000,
    retainVersions: 10,
    pollIntervalMs: 250,
    changeRetentionMs: null,
    csvDirectory: null,
    csvHosts: [],
    csvStores: [],
    cacheDirectory: null,
    cacheBytes: null,
    readWorkers: 0,
  });
  assert.equal(engineSettings({ flushBytes: 10 }).stallBytes, 40);
  const { readOnly, pollIntervalMs, version } = engineSettings({ version: 7, pollIntervalMs: 5 });
  assert.deepEqual([readOnly, pollIntervalMs, version], [true, 0, 7], 'a retained version is read, and never changes');
});

test('SHOW SETTINGS lists the table, with the values of the options', async () => {
  const engine = await openEngine('memory://engine-options', { flushIntervalMs: 7_000, readWorkers: 0 });
  const { rows } = await engine.execute(
    'SHOW SETTINGS YIELD name, value, defaultValue, isExplicitlySet, description, validValues',
    new Map(),
  );
  const given: Readonly<Record<string, string>> = { flushIntervalMs: '7000ms', readWorkers: '0' };
  for (const [option, setting] of Object.entries(ENGINE_SETTINGS)) {
    const { shownAs, help, argument } = setting;
    const standard = setting.default ?? 'No Value';
    const row = rows.find(([name]) => name === shownAs);
    assert.deepEqual(row, [shownAs, given[option] ?? standard, standard, option in given, help, argument]);
  }
  await engine.close();
});
