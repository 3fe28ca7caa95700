/**
 * Neo4j's syntax around queries, accepted and refused: options, EXPLAIN, schema, SHOW, subqueries, selectors, map
 * projections; see syntax.txt.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GraphDBError } from '../../src/base/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';

const PARAMETERS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['name', 'a name'],
  ['cname', 'another name'],
  ['k', 2],
]);

const LINES = readFileSync(join(import.meta.dirname, 'syntax.txt'), 'utf8').split('\n');

test('statements of the manual', async (context) => {
  const engine = await openEngine('memory://syntax');
  context.after(() => engine.close());
  const counts = { '+': 0, '-': 0, '~': 0 };
  for (const [i, line] of LINES.entries()) {
    const [, mark, statement] = /^([-+~]) (.+)$/.exec(line) ?? [];
    if (statement === undefined) continue;
    counts[mark as keyof typeof counts]++;
    const place = `line ${i + 1}: ${statement}`;
    const fault = await engine.execute(statement, PARAMETERS).then(
      () => null,
      (error: unknown) => error,
    );
    if (mark === '+') assert.equal(fault, null, place);
    else assert(fault instanceof GraphDBError && fault.code !== 'INTERNAL', `${place}: ${fault ?? 'accepted'}`);
  }
  assert.ok(counts['+'] > 250 && counts['-'] > 50 && counts['~'] < 25, JSON.stringify(counts));
});
