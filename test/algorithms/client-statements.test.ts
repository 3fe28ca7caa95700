/**
 * The statements that the Python client `graphdatascience` sends in its quick-start flows, as releases 1.22 and 2.2
 * sent them (client_flows.py writes them down): each is answered.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';

interface Statement {
  readonly query: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function valueOf(json: unknown): Value {
  if (Array.isArray(json)) return json.map(valueOf);
  if (typeof json === 'object' && json !== null) return new Map(Object.entries(json).map(([key, value]) => [key, valueOf(value)]));
  return json as Value; // as: what is left of JSON is a scalar
}

for (const release of [1, 2])
  test(`what release ${release} of the client sends is answered`, async () => {
    const statements = JSON.parse(readFileSync(new URL(`client-statements-${release}.json`, import.meta.url), 'utf8')) as Statement[];
    assert.ok(statements.length > 40);
    const engine = await openEngine(`memory://client-statements-${release}`, { flushIntervalMs: 0 });
    try {
      for (const { query, parameters } of statements) {
        const given = new Map(Object.entries(parameters).map(([key, value]) => [key, valueOf(value)]));
        await assert.doesNotReject(engine.execute(query, given), query);
      }
    } finally {
      await engine.close();
    }
  });
