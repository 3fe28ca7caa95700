/** The alert rules and the dashboard of deploy/ ask only for metrics, labels, outcomes and codes of errors that a server has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERROR_CODES } from '../src/base/index.ts';
import { openEngine } from '../src/engine/index.ts';
import { createMetrics } from '../src/server/metrics.ts';

/** Values that labels may have; what compares another label is refused. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  outcome: ['ok', 'error'],
  area: ['wal', 'data', 'manifest', 'other'],
  status: ['ok', ...Object.keys(ERROR_CODES)],
};

const FOLDER = join(import.meta.dirname, '../deploy');

function expressions(): string[] {
  const rules = [...readFileSync(join(FOLDER, 'prometheus-rules.yml'), 'utf8').matchAll(/^ +expr: (.*)$/gm)].map(([, text]) => text!);
  const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8'));
  assert.ok(rules.length > 5 && dashboard.panels.length > 5);
  return [...rules, ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
}

test('every metric and label of the alert rules and the dashboard is there', async () => {
  const metrics = createMetrics();
  const engine = await openEngine('memory://deploy-metrics', { flushIntervalMs: 0 }, { decorateStore: metrics.measureStore });
  metrics.observe({ main: () => engine, all: () => [engine], workers: null, memoryBytes: 0 });
  await metrics.measureEngine(engine, { protocol: 'http', namespace: 'default' }).execute('CREATE (:A)', new Map());
  const lines = (await metrics.text()).split('\n');
  await engine.close();
  for (const expression of expressions()) {
    const asked = [...expression.matchAll(/(graphdb_\w+)(?:\{(\w+)=)?/g)];
    assert.ok(asked.length > 0, expression);
    for (const [, name, label] of asked) {
      const samples = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      assert.ok(samples.length > 0, `no ${name}, asked for by ${expression}`);
      if (label !== undefined)
        assert.ok(
          samples.some((line) => line.includes(`${label}="`)),
          `${name} has no label ${label}`,
        );
    }
    for (const [, label, values] of expression.matchAll(/(\w+)=~?"([^"]*)"/g)) {
      for (const value of values!.split('|')) assert.ok(VALUES[label!]?.includes(value), `${label} is never ${value}: ${expression}`);
    }
    for (const [, grouping] of expression.matchAll(/by \(([^)]*)\)/g)) {
      for (const label of grouping!.split(', ').filter((word) => word !== 'instance')) {
        const found = asked.some(([, name]) => lines.some((line) => line.startsWith(`${name}{`) && line.includes(`${label}="`)));
        assert.ok(found, `no label ${label}, asked for by ${expression}`);
      }
    }
  }
});
